"""Largest job first: a policy of one's own for Trainyard (see README.md for the protocol)."""
import json
import sys


def place(job, free):
    """Blocks of GPUs, node by node; takes them out of `free`. None if they do not fit."""
    size, blocks = job["gpus_per_block"], job["gpus"] // job["gpus_per_block"]
    if sum(len(node) // size for node in free) < blocks:
        return None
    gpus = []
    for node in free:
        while blocks > 0 and len(node) >= size:
            gpus += node[:size]
            del node[:size]
            blocks -= 1
    return gpus


def decide(view):
    decisions = []
    for job in sorted(view["pending"], key=lambda job: (-job["gpus"], job["id"])):
        gpus = place(job, view["free"])
        if gpus:
            decisions.append({"start": job["id"], "gpus": gpus})
    return decisions


for line in sys.stdin:
    message = json.loads(line)
    answer = {"protocol": 1} if message["type"] == "hello" else {"decisions": decide(message)}
    print(json.dumps(answer), flush=True)
