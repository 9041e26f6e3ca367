#!/usr/bin/env python3
"""Exact search over 100,000 vectors of 384 numbers, llull beside faiss-cpu's IndexFlatIP, both on two threads.

    python3 benches/dense_search.py                # a minute, plus one to install the peer
    FAISS_VENV=venv python3 benches/dense_search.py

Random directions, ten of them each the mean of many documents' noise, 256 queries to depth 100, and one query alone.
Both start from vectors in memory and end with ranked results; llull's time includes identifiers, and looking the
queries' vectors up. They run in turn, and the median of each one's times counts.

Fails if a document that one finds and the other does not is not as good as the last, to the sixth digit, a cosine
differs by more than 1e-6, or llull takes more than three times as long for the many queries.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import machine
from peers import python_with

ROOT = Path(__file__).resolve().parent.parent
PEER = "faiss-cpu==1.12.0"
THREADS = "2"
# The most times as long as faiss that many queries may take.
MOST = 3

MAKE = """
import sys
import numpy
folder, documents, queries, dimensions = sys.argv[1], *map(int, sys.argv[2:])
draw = numpy.random.default_rng(7)
middles = draw.standard_normal((10, dimensions))
for name, count in (("documents", documents), ("queries", queries)):
    vectors = draw.standard_normal((count, dimensions)) + 0.5 * middles[draw.integers(10, size=count)]
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    vectors.astype("<f4").tofile(f"{folder}/{name}.f32")
vectors[:1].astype("<f4").tofile(f"{folder}/query.f32")
"""
SEARCH = """
import json, sys, time
import faiss, numpy
documents, queries, dimensions, depth, repeats, threads = *sys.argv[1:3], *map(int, sys.argv[3:])
faiss.omp_set_num_threads(threads)
index = faiss.IndexFlatIP(dimensions)
index.add(numpy.fromfile(documents, "<f4").reshape(-1, dimensions))
asked = numpy.fromfile(queries, "<f4").reshape(-1, dimensions)
seconds = []
for _ in range(repeats):
    start = time.perf_counter()
    scores, ids = index.search(asked, depth)
    seconds.append(time.perf_counter() - start)
found = [[[str(i), float(s)] for i, s in zip(*both)] for both in zip(ids, scores)]
print(json.dumps({"seconds": seconds, "found": found}))
"""


def example():
    if "VECTOR_RACE" in os.environ:
        return Path(os.environ["VECTOR_RACE"]).resolve()
    build = ["cargo", "build", "--release", "--quiet", "-p", "llull-candidates", "--example", "vector_race"]
    subprocess.run(build, cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples" / "vector_race"


def printed(command):
    environment = {**os.environ, "RAYON_NUM_THREADS": THREADS, "OMP_NUM_THREADS": THREADS}
    said = subprocess.run(list(map(str, command)), env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(said.stdout)


def differences(ours, theirs):
    """Yields how the results of the queries differ, but for documents that are as good as the last."""
    for query, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        mine, other = dict(mine), dict(other)
        last = min(min(mine.values()), min(other.values()))
        for document in mine.keys() ^ other.keys():
            if abs(mine.get(document, other.get(document)) - last) > 1e-6:
                yield f"query {query}: one alone finds {document}"
        for document in mine.keys() & other.keys():
            if abs(mine[document] - other[document]) > 1e-6:
                yield f"query {query}: {document} has {mine[document]} and {other[document]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=256)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    race, failed = example(), []
    python = python_with([PEER], os.environ.get("FAISS_VENV") or ROOT / "target" / "faiss-venv")
    print(f"{asked.documents:,} x {asked.dimensions}, depth {asked.depth}; {machine()}; {PEER}, {THREADS} threads\n")
    print("| queries | tool | s | ratio |\n| ---: | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        sizes = [asked.documents, asked.queries, asked.dimensions]
        subprocess.run([python, "-c", MAKE, folder, *map(str, sizes)], check=True)
        for file, count in (("queries", asked.queries), ("query", 1)):
            words = [f"{folder}/documents.f32", f"{folder}/{file}.f32", asked.dimensions, asked.depth]
            ours, theirs = [], []
            for _ in range(asked.rounds):
                mine, other = printed([race, *words, 3]), printed([python, "-c", SEARCH, *words, 3, THREADS])
                ours += mine["seconds"]
                theirs += other["seconds"]
            failed += list(differences(mine["found"], other["found"]))[:5]
            mine, other = statistics.median(ours), statistics.median(theirs)
            print(f"| {count} | faiss | {other:.4f} | 1.0 |\n| {count} | llull | {mine:.4f} | {mine / other:.1f} |")
            if count > 1 and mine > MOST * other:
                failed.append(f"llull takes {mine / other:.1f} times as long as faiss for {count} queries")
    sys.exit("\n".join(failed) or None)


if __name__ == "__main__":
    main()
