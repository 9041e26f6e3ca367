#!/usr/bin/env python3
"""Combines and compares large files of labels with llull, and fails if that takes too much memory or too long.

    python3 benches/label_at_size.py                     # 3,000,000 labels of three judges, half a minute
    LLULL=llull python3 benches/label_at_size.py 300000

Three judges grade the same pairs, 1,000 for each query, of which the second and third list the documents in another
order. Memory may be 80 MB, and 140 bytes for each pair: 500 MB of 3,000,000. The time of `label` may be 4 times that of
`measure` with one of the files and a run of as many results.
"""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import machine
from measure_speed import llull_binary, timed

QUERY = 1000
BASE_MB, BYTES, TIMES = 80, 140, 4


def write_files(folder, labels):
    """Writes three files of labels and a run."""
    draw = random.Random(7)
    truth = [draw.randrange(4) for _ in range(labels)]
    for judge in range(3):
        with (folder / f"judge{judge}.qrels").open("w") as out:
            for query in range(labels // QUERY):
                pairs = list(range(query * QUERY, (query + 1) * QUERY))
                if judge:
                    draw.shuffle(pairs)
                for pair in pairs:
                    grade = truth[pair] if draw.random() < 0.7 else draw.randrange(4)
                    out.write(f"q{query} 0 d{pair * 7919 % 9999991} {grade}\n")
    with (folder / "system.run").open("w") as out:
        for query in range(labels // QUERY):
            for rank in range(QUERY):
                document = (query * QUERY + rank) * 7919 % 9999991
                out.write(f"q{query} Q0 d{document} {rank + 1} {QUERY - rank} system\n")


def main():
    labels = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    binary = llull_binary()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, labels)
        judges = [str(folder / f"judge{judge}.qrels") for judge in range(3)]
        jobs = {
            "measure": ["measure", judges[0], str(folder / "system.run")],
            "label": ["label", *judges, "-o", str(folder / "median.qrels")],
            "agree": ["agree", *judges[:2]],
        }
        taken = {}
        for job, words in jobs.items():
            seconds, processor, megabytes, _ = timed([binary, *words])
            taken[job] = seconds
            print(f"{job}, {labels:,} labels: {seconds:.2f} s, {processor:.2f} s of processor time, {megabytes:.0f} MB")
            assert megabytes < BASE_MB + labels * BYTES / 1e6, (job, megabytes)
        written = sum(1 for _ in (folder / "median.qrels").open())
        assert written == labels, written
        assert taken["label"] < TIMES * taken["measure"], taken


if __name__ == "__main__":
    main()
