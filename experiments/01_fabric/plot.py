"""Draws figure.svg from the results of this experiment: step time by fabric, placement and neighbours.

    /usr/bin/python3 experiments/01_fabric/plot.py results/01_fabric_alone results/01_fabric

Needs Debian's python3-matplotlib. The same results give the same bytes.
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "trainyard"
import matplotlib.pyplot as plt  # noqa: E402

FABRICS = {"fat_tree_x128.xml": "fat-tree", "dgx_h100_x128_rail.xml": "rail"}


def steps(directory):
    """{(fabric, oversubscription, placement): step in seconds} of the largest job."""
    found = {}
    with open(pathlib.Path(directory) / "points.csv", newline="") as file:
        for row in csv.DictReader(file):
            point = dict(pair.split("=", 1) for pair in row["point"].split(" "))
            fabric = FABRICS[pathlib.Path(point["platform.file"]).name]
            key = (fabric, int(point["platform.oversubscription"]), point["scheduler.placement"])
            found[key] = float(row["largest_job_step_s"])
    return found


def main(alone, with_neighbours):
    series = [
        ("packed, alone", steps(alone), "pack_by_leaf", "#9ecae1"),
        ("packed, neighbours", steps(with_neighbours), "pack_by_leaf", "#3182bd"),
        ("random, alone", steps(alone), "random", "#fdae6b"),
        ("random, neighbours", steps(with_neighbours), "random", "#e6550d"),
    ]
    fabrics = [(fabric, ratio) for fabric in FABRICS.values() for ratio in (1, 2, 4)]
    figure, axes = plt.subplots(figsize=(8, 3.6))
    for i, (label, values, placement, colour) in enumerate(series):
        heights = [values[(*fabric, placement)] for fabric in fabrics]
        axes.bar([x + (i - 1.5) * 0.2 for x in range(len(fabrics))], heights, 0.2, label=label, color=colour)
    axes.set_xticks(range(len(fabrics)), [f"{fabric} {ratio}:1" for fabric, ratio in fabrics])
    axes.set_ylabel("step of the 512-GPU job, s")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(pathlib.Path(__file__).parent / "figure.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
