#!/usr/bin/env python3
"""Writes gpu_mix_512.swf: a training workload for a cluster of 512 GPUs.

    python3 make_gpu_mix.py > gpu_mix_512.swf

Deterministic: the same seed gives the same bytes (only random.random() is used, which Python keeps
stable, and times are rounded to whole seconds). Sizes and mean run times come from a published
trace; README.md says from which, how, and where this trace departs from it.
"""
import math
import random
import statistics

SEED = 20240416
CLUSTER_GPUS = 512
LOAD = 0.95  # GPU-time of all jobs / GPU-time of the cluster while jobs arrive
JOBS = 520

# Acme's Seren cluster: size, per cent of GPU jobs, per cent of GPU-time. Sizes between two powers of
# two count with the larger one. See README.md, "The size mix".
SEREN = [
    (1, 54.04, 1.35),
    (2, 11.39, 0.44),
    (4, 2.52, 0.57),
    (8, 28.80, 9.55),
    (16, 1.11, 1.23),
    (32, 0.96, 5.96),
    (64, 0.50, 8.47),
    (128, 0.24, 14.10),
    (256, 0.18, 14.61),
]
# acme-cluster_summary.csv, row Seren: complete_gpu_time + cancel_gpu_time + fail_gpu_time (GPU-s)
# over gpu_job_num.
SEREN_GPU_SECONDS_PER_JOB = (4560592618 + 14274584510 + 2675447459) / 663813

GPUS_PER_NODE = 8
KEEP_ONE_NODE_JOBS = 1 / 32  # the rest would be noise on one node each: see README.md

# GPU jobs submitted in each hour of the day, relative to the mean: Helios' Venus cluster,
# helios-venus-lucid-cluster_throughput.csv, column submit_gpu_job, April to September 2020.
HOURLY = [0.897, 0.658, 0.600, 0.384, 0.268, 0.205, 0.187, 0.224, 0.374, 0.796, 1.295, 1.474,
          1.164, 1.299, 1.559, 1.656, 1.734, 1.733, 1.282, 1.313, 1.345, 1.364, 1.149, 1.038]

# Run times of one size: lognormal. Our choice; real ones are wider (2.2 over all Philly jobs,
# philly_runtime.csv), but there the sizes are mixed, and one job would fill this short trace.
SIGMA = 1.2
SHORTEST, LONGEST = 60, 36 * 3600

# What users ask for: the next round time above their over-estimate. Our choice, after the
# observation that requested times are few round numbers far above the run time (Tsafrir, Etsion,
# Feitelson: Modeling User Runtime Estimates, JSSPP 2005).
LIMITS = [600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 24 * 3600, 48 * 3600,
          72 * 3600, 168 * 3600]
MEAN_OVERESTIMATE = 1.5  # exponential, added to a factor of 1.1

USERS = 40  # Zipf: the first is the busiest
QUEUES = {1: "low", 2: "normal", 3: "high"}
# Cumulative chances of the queues low, normal: big jobs are more often urgent.
QUEUE_CHANCES = {False: (0.70, 0.95), True: (0.30, 0.70)}
BIG = 64


def job_counts():
    """How many jobs of each size: the published shares, in whole jobs (largest remainder)."""
    weights = {gpus: jobs * (KEEP_ONE_NODE_JOBS if gpus <= GPUS_PER_NODE else 1)
               for gpus, jobs, _ in SEREN}
    scale = JOBS / sum(weights.values())
    counts = {gpus: int(weight * scale) for gpus, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda g: (counts[g] - weights[g] * scale, g))
    for gpus in by_remainder[:JOBS - sum(counts.values())]:
        counts[gpus] += 1
    return counts


def mean_run_time(gpus, job_share, time_share):
    return SEREN_GPU_SECONDS_PER_JOB * time_share / job_share / gpus


def run_times(count, mean):
    """`count` lognormal run times at evenly spaced quantiles, so that a small class is no lottery."""
    normal = statistics.NormalDist()
    raw = [math.exp(SIGMA * normal.inv_cdf((i + 0.5) / count)) for i in range(count)]
    scale = mean * count / sum(raw)
    return [min(max(round(value * scale), SHORTEST), LONGEST) for value in raw]


def shuffled(values, rng):
    """Fisher-Yates with random() alone."""
    values = list(values)
    for i in range(len(values) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        values[i], values[j] = values[j], values[i]
    return values


def arrivals(count, window, rng):
    """Times of a Poisson process whose rate follows the hour of the day, `count` of them."""
    cumulative = [0.0]
    for hour in range(math.ceil(window / 3600)):
        seconds = min(3600, window - hour * 3600)
        cumulative.append(cumulative[-1] + HOURLY[(9 + hour) % 24] * seconds)  # starts at 9:00
    times = []
    for target in sorted(rng.random() * cumulative[-1] for _ in range(count)):
        hour = next(h for h in range(len(cumulative) - 1) if target < cumulative[h + 1])
        times.append(int(hour * 3600 + (target - cumulative[hour]) / HOURLY[(9 + hour) % 24]))
    return [time - times[0] for time in times]


def limit_for(run_time, rng):
    wanted = run_time * (1.1 - MEAN_OVERESTIMATE * math.log(1 - rng.random()))
    return next((limit for limit in LIMITS if limit >= wanted), LIMITS[-1])


def user(rng):
    weights = [1 / rank for rank in range(1, USERS + 1)]
    target = rng.random() * sum(weights)
    for number, weight in enumerate(weights, 1):
        target -= weight
        if target < 0:
            return number
    return USERS


def queue_for(gpus, rng):
    low, normal = QUEUE_CHANCES[gpus >= BIG]
    draw = rng.random()
    return 1 if draw < low else 2 if draw < normal else 3


def make_jobs():
    rng = random.Random(SEED)
    counts = job_counts()
    sizes = [(gpus, run) for gpus, jobs, time in SEREN
             for run in run_times(counts[gpus], mean_run_time(gpus, jobs, time))]
    window = sum(gpus * run for gpus, run in sizes) / (CLUSTER_GPUS * LOAD)
    sizes = shuffled(sizes, rng)
    return [(submit, gpus, run, limit_for(run, rng), user(rng), queue_for(gpus, rng))
            for submit, (gpus, run) in zip(arrivals(len(sizes), window, rng), sizes)]


def header(jobs):
    queues = [f"Queue: {number} {name}" for number, name in QUEUES.items()]
    return ["Version: 2.2",
            "Computer: none: a synthetic GPU training cluster, one processor is one GPU",
            f"Generator: make_gpu_mix.py, seed {SEED}",
            f"MaxJobs: {len(jobs)}", f"MaxRecords: {len(jobs)}",
            f"MaxNodes: {CLUSTER_GPUS // GPUS_PER_NODE}", f"MaxProcs: {CLUSTER_GPUS}",
            f"MaxRuntime: {max(job[2] for job in jobs)}",
            f"MaxQueues: {len(QUEUES)}", *queues,
            "Note: job sizes and mean run times after Acme's Seren cluster (Hu et al., NSDI 2024)",
            "Note: see README.md beside the generator for what is published and what is our choice"]


def main():
    jobs = make_jobs()
    for line in header(jobs):
        print("; " + line)
    print(";")
    for number, (submit, gpus, run, limit, who, queue) in enumerate(jobs, 1):
        print(f"{number:5} {submit:7} -1 {run:6} {gpus:4} -1 -1 {gpus:4} {limit:6} -1 1 {who:3} 1 -1"
              f" {queue} 1 -1 -1")


if __name__ == "__main__":
    main()
