#!/usr/bin/env python3
"""Ratings of 1,000 items from 100,000 comparisons, llull beside evalica and choix.

    python3 benches/ratings.py                        # a minute, plus one to install the peers
    python3 benches/ratings.py --items 200 --games 1000000
    RATINGS_VENV=venv python3 benches/ratings.py      # reuse a virtual environment

The peers are evalica 0.4.2 and choix 0.4.1 from PyPI. The comparisons are drawn from the Bradley-Terry model. All
tools start from columns in memory and end with a score for each item: llull from vectors of integers, the time
including its ballots; evalica from lists of integers and winners, with an index of the items made beforehand; choix
from a list of pairs. llull and evalica run ten times, alternately in pairs, and the minimum of each one's times
counts; choix runs once. None of the compared runs computes standard errors; llull with standard errors has an extra
line.

The tools stop differently. evalica stops if an iteration moves the strengths by less than 1e-6 in total, or after 100
iterations, whichever is first; choix stops at a mean change of the scores of 1e-8, llull at a largest change of 1e-10.
If evalica does not converge within 100 iterations, a second line has a limit at which it does. The script prints how
far each tool's scores, logarithms with a mean of 0, are from llull's, and fails if those of choix, or of the evalica
that converged, are farther than 1e-5.
"""

import argparse
import importlib.metadata
import math
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
PEERS = ["evalica==0.4.2", "choix==0.4.1"]


def race_binary():
    build = ["cargo", "build", "--release", "--quiet", "-p", "llull-rank", "--example", "ratings_race"]
    subprocess.run(build, cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples" / "ratings_race"


def comparisons(items, games):
    """Returns (x, y, outcome): outcome is 1 or 2 for the winner."""
    source = random.Random(7)
    strengths = [source.gauss(0, 1) for _ in range(items)]
    drawn = []
    while len(drawn) < games:
        x, y = source.sample(range(items), 2)
        ahead, behind = math.exp((strengths[x] - strengths[y]) / 2), math.exp((strengths[y] - strengths[x]) / 2)
        drawn.append((x, y, 1 if source.random() * (ahead + behind) < ahead else 2))
    return drawn


def centred(values):
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def llull(binary, file, repeats, *more):
    out = file.with_suffix(".scores")
    command = [binary, file, "bradley-terry", repeats, out, *more]
    shown = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.split()
    return float(shown[0]), int(shown[1]), [float(line) for line in out.read_text().split()]


def evalica(games, items, limit):
    import evalica

    xs, ys = [x for x, _, _ in games], [y for _, y, _ in games]
    winners = [evalica.Winner.X if outcome == 1 else evalica.Winner.Y for _, _, outcome in games]
    *_, index = evalica.indexing(xs, ys)
    start = time.perf_counter()
    found = evalica.bradley_terry(xs, ys, winners, index=index, limit=limit)
    taken = time.perf_counter() - start
    return taken, found.iterations, centred([math.log(found.scores[item]) for item in range(items)])


def choix(games, items):
    import choix

    pairs = [(x, y) if outcome == 1 else (y, x) for x, y, outcome in games]
    start = time.perf_counter()
    scores = choix.ilsr_pairwise(items, pairs)
    return time.perf_counter() - start, None, [float(score) for score in scores]


def race(binary, folder, asked):
    games = comparisons(asked.items, asked.games)
    file = folder / "games.txt"
    file.write_text("\n".join(" ".join(map(str, game)) for game in games))
    ours, theirs = [], []
    for _ in range(asked.repeats):
        # Twice each, because the first run of a process is slower.
        ours.append(llull(binary, file, 2))
        theirs += [evalica(games, asked.items, 100) for _ in range(2)]
    best = min(ours)
    rows = [("llull", best), ("evalica", min(theirs))]
    if rows[1][1][1] == 100:
        rows.append(("evalica, limit 100,000", evalica(games, asked.items, 100_000)))
    rows.append(("choix", choix(games, asked.items)))
    rows.append(("llull with standard errors", llull(binary, file, asked.repeats, "se")))
    return [(name, *row, max(abs(a - b) for a, b in zip(row[2], best[2]))) for name, row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if "RATINGS_INSIDE" not in os.environ:
            python, binary = python_with(PEERS, os.environ.get("RATINGS_VENV") or folder / "venv"), race_binary()
            inside = {**os.environ, "RATINGS_INSIDE": str(binary)}
            sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], env=inside).returncode)
        binary = os.environ["RATINGS_INSIDE"]
        rows = race(binary, folder, asked)
    report(rows, asked)


def report(rows, asked):
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("evalica", "choix", "numpy"))
    print(f"{asked.items:,} items, {asked.games:,} comparisons; {machine()}; {versions}\n")
    print("| tool | s | ratio | iterations | farthest score |\n| --- | ---: | ---: | ---: | ---: |")
    failed = []
    own = rows[0][1]
    for name, seconds, iterations, _, apart in rows:
        print(f"| {name} | {seconds:.3f} | {seconds / own:.1f} | {iterations or ''} | {apart:.1e} |")
        converged = name == "choix" or name.startswith("evalica") and iterations < 100 or "limit" in name
        if converged and not apart < 1e-5:
            failed.append(f"{name} differs by {apart:.1e}")
        if name.startswith("evalica") and seconds < own:
            failed.append(f"{name} is faster")
    sys.exit("; ".join(failed) or None)


if __name__ == "__main__":
    main()
