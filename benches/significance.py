#!/usr/bin/env python3
"""Statistics on labels and runs, llull beside evalica, scipy and autojudge-evaluate.

    python3 benches/significance.py                       # two minutes, plus one to install the peers
    python3 benches/significance.py --agree               # also 200,000 rows with autojudge-evaluate (48 s there)
    STATISTICS_VENV=venv python3 benches/significance.py  # reuse a virtual environment

1. Krippendorff's alpha of 5 raters over 5,000 units, a fifth of the ratings missing, with an interval from 1,000
   resamples. evalica computes alpha at one level (ordinal) and its interval by Krippendorff's own scheme; llull
   computes alpha at three levels, Fleiss' kappa, AC1 and AC2 and their intervals (bias-corrected and accelerated,
   over resampled units). Each runs ten times, and the minimum counts.
2. The sign-flip permutation test of all 4,950 pairs of 100 runs over 53 queries, 10,000 permutations each. scipy's
   permutation_test does 20 of the pairs (vectorised, as its documentation advises), and its time is multiplied. The
   p-values may differ by chance; the bench fails if one differs by more than 0.03.
3. The agreement of two label files of 200,000 rows, from files to printed figures: `llull agree` with all intervals.
   With --agree also autojudge-evaluate, if it can be installed.

Fails if llull takes longer than evalica, 5 s for the pairs, or 0.5 s for the agreement, or if figures differ.
"""

import argparse
import importlib.metadata
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine
from peers import python_with

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
PEERS = ["evalica==0.4.2", "scipy==1.17.1", "krippendorff==0.9.0"]


def build():
    build = ["cargo", "build", "--release", "--quiet", "-p", "llull-stats", "--example", "statistics_race"]
    subprocess.run(build, cwd=ROOT, check=True)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "llull-cli"], cwd=ROOT, check=True)


def race(what, file, repeats):
    command = [TARGET / "examples" / "statistics_race", what, file, str(repeats)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["seconds"], found["found"]


def alpha(folder):
    import evalica
    import krippendorff
    import pandas

    source = random.Random(1)
    units = []
    for _ in range(5000):
        true = source.choice([0, 0, 1, 2, 3])
        units.append([
            None if source.random() < 0.2 else min(3, max(0, true + source.choice([-1, 0, 0, 0, 1]))) for _ in range(5)
        ])
    file = folder / "alpha.txt"
    file.write_text("\n".join(" ".join("." if grade is None else str(grade) for grade in unit) for unit in units))
    ours, found = race("alpha", file, 10)
    table = pandas.DataFrame([[float("nan") if grade is None else grade for grade in rater] for rater in zip(*units)])
    theirs = float("inf")
    for _ in range(10):
        start = time.perf_counter()
        peer = evalica.alpha_bootstrap(table, distance="ordinal", n_resamples=1000, random_state=1)
        theirs = min(theirs, time.perf_counter() - start)
    point = krippendorff.alpha(table.to_numpy(), level_of_measurement="ordinal")
    shown = {"llull": found["alpha"]["ordinal"], "evalica": peer.alpha, "krippendorff": point}
    wrong = [f"alpha of {name} is {value}" for name, value in shown.items() if abs(value - shown["llull"]) > 1e-9]
    if theirs < ours:
        wrong.append("alpha: evalica is faster")
    rows = [
        ("alpha, 1,000 resamples", "llull, six figures", ours, 1.0),
        ("", "evalica, alpha alone", theirs, theirs / ours),
    ]
    return rows, wrong


def pairs(folder):
    import numpy
    from scipy import stats

    source = random.Random(2)
    ease = [source.random() for _ in range(53)]
    quality = [source.random() * 0.2 for _ in range(100)]
    runs = [[0.5 * e + q + 0.3 * source.random() for e in ease] for q in quality]
    file = folder / "runs.txt"
    file.write_text("\n".join(" ".join(map(repr, run)) for run in runs))
    ours, found = race("pairs", file, 3)
    start = time.perf_counter()
    wrong = []
    for first, second, p in found[:20]:
        sample = (numpy.array(runs[first]) - numpy.array(runs[second]),)
        mean = lambda x, axis: numpy.mean(x, axis=axis)
        peer = stats.permutation_test(
            sample, mean, permutation_type="samples", n_resamples=10_000, vectorized=True, rng=1
        )
        if abs(peer.pvalue - p) > 0.03:
            wrong.append(f"pair {first}, {second}: p {p}, scipy {peer.pvalue}")
    theirs = (time.perf_counter() - start) / 20 * len(found)
    if ours >= 5:
        wrong.append(f"all pairs took {ours:.1f} s")
    rows = [
        (f"permutation test, {len(found):,} pairs", "llull", ours, 1.0),
        ("", "scipy, of 20 pairs", theirs, theirs / ours),
    ]
    return rows, wrong


def agreement(folder, beside):
    source = random.Random(3)
    truth, other = folder / "truth.qrels", folder / "other.qrels"
    with truth.open("w") as left, other.open("w") as right:
        for query in range(1000):
            for document in range(200):
                grade = source.choice([0, 0, 0, 1, 2, 3])
                print(query, 0, f"d{document}", grade, file=left)
                print(query, 0, f"d{document}", min(3, max(0, grade + source.choice([-1, 0, 0, 1]))), file=right)
    ours, peak = timed([TARGET / "llull", "agree", truth, other, "--json"])
    rows = [(f"agreement, 200,000 rows ({peak:.0f} MB)", "llull, all figures and intervals", ours, 1.0)]
    if beside:
        python = Path(sys.executable).parent / "auto-judge-evaluate"
        taken, peak = timed([python, "qrel-evaluate", "--truth-qrels", truth, "--eval-qrels", other])
        rows.append((f"({peak:.0f} MB)", "autojudge-evaluate", taken, taken / ours))
    return rows, [f"agreement took {ours:.2f} s"] if ours >= 0.5 else []


def timed(command):
    """Returns the minimum of three times in seconds, and the peak resident memory in MB."""
    least, peak = float("inf"), 0.0
    for _ in range(3 if "llull" in str(command[0]) else 1):
        start = time.perf_counter()
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        least = min(least, time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss / 1000)
        if process.returncode != 0:
            sys.exit(f"{command[0]} ended with {process.returncode}")
    return least, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--agree",
        action="store_true",
        help="also run autojudge-evaluate, which must be in the virtual environment",
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if "STATISTICS_INSIDE" not in os.environ:
            build()
            inside = {**os.environ, "STATISTICS_INSIDE": "1"}
            python = python_with(PEERS, os.environ.get("STATISTICS_VENV") or folder / "venv")
            sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], env=inside).returncode)
        found = [alpha(folder), pairs(folder), agreement(folder, asked.agree)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("evalica", "scipy", "numpy"))
    print(f"{machine()}; {versions}\n")
    print("| what | tool | s | ratio |\n| --- | --- | ---: | ---: |")
    for what, tool, seconds, ratio in (row for rows, _ in found for row in rows):
        print(f"| {what} | {tool} | {seconds:.3f} | {ratio:.1f} |")
    sys.exit("; ".join(line for _, wrong in found for line in wrong) or None)


if __name__ == "__main__":
    main()
