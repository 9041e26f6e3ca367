#!/usr/bin/env python3
"""From a run and qrels on disk to printed means, llull beside pytrec_eval-terrier.

    python3 benches/measure_speed.py                          # a minute, plus one to install the peer
    python3 benches/measure_speed.py --topics 200 --many 20
    MEASURE_VENV=venv LLULL=llull python3 benches/measure_speed.py  # reuse a virtual environment, measure a binary

1,000 queries with 1,000 results each (33.7 MB, identifiers like those of MS MARCO's passages) and 200 labels each;
nDCG@10, AP, RR, R@100. llull's time is that of the whole process, once with `llull measure --format jsonl` and once
with the table, which has intervals too. The peer's time is that of parse_qrel, parse_run,
RelevanceEvaluator(...).evaluate and the means, as its users write it, without the start of Python and the import. The
two run in turn, since a process is slower right after another one that gave its memory back, and the median of each
one's times counts; minima are beside them. Memory is the peak resident memory of the process, Python's included.
Files are in the system's cache for both.

Then llull alone measures 100 runs, hard links to the run of 33.7 MB, with one thread and with all.

Fails if a mean of the two tools differs by more than 1e-6, llull is less than 15 times as fast in either format, one
run takes 50 MB or more, or many runs take 50 MB or more per core.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine
from peers import python_with

ROOT = Path(__file__).resolve().parent.parent
PEER = "pytrec_eval-terrier==0.5.11"
MEASURES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "R@100": "recall_100"}

PEER_CODE = """
import json, sys, time
import pytrec_eval
names = json.loads(sys.argv[3])
start = time.perf_counter()
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
by_query = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
means = {name: sum(query[name] for query in by_query.values()) / len(by_query) for name in names}
print(json.dumps([time.perf_counter() - start, means]))
"""


def llull_binary():
    if "LLULL" in os.environ:
        return Path(os.environ["LLULL"]).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "llull-cli"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "llull"


def write_files(folder, topics, documents, labels):
    """Writes the run and the labels. Half of the labels are on retrieved documents. There are no tied scores."""
    source = random.Random(11)
    run, qrels = folder / "bench.run", folder / "bench.qrels"
    with run.open("w") as results, qrels.open("w") as judged:
        for topic in range(topics):
            topic = 100_000 + topic * 911
            drawn = source.sample(range(8_841_823), documents + labels // 2)
            for place, document in enumerate(drawn[:documents]):
                score = 30 - place / 50 - source.random() / 100
                results.write(f"{topic} Q0 {document} {place + 1} {score:.4f} run\n")
            for document in source.sample(drawn[:documents], labels - labels // 2) + drawn[documents:]:
                judged.write(f"{topic} 0 {document} {source.choice([0, 0, 1, 1, 2, 3])}\n")
    return run, qrels


def timed(command, threads=None):
    """Returns wall and processor seconds, megabytes, and the output."""
    environment = {**os.environ, **({"RAYON_NUM_THREADS": str(threads)} if threads else {})}
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, env=environment)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    taken = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    scale = 1 if sys.platform == "darwin" else 1024
    return taken, used.ru_utime + used.ru_stime, used.ru_maxrss * scale / 1e6, printed.decode()


def llull(binary, qrels, runs, threads=None, form="jsonl"):
    asked = [word for name in MEASURES for word in ("-m", name)]
    return timed([binary, "--quiet", "measure", qrels, *runs, *asked, "--format", form], threads)


def means_of(printed):
    rows = [json.loads(line) for line in printed.splitlines()]
    return {row["measure"]: row["value"] for row in rows if row["query"] is None}


def peer(python, qrels, run):
    _, cpu, megabytes, printed = timed([python, "-c", PEER_CODE, qrels, run, json.dumps(list(MEASURES.values()))])
    taken, means = json.loads(printed)
    return taken, cpu, megabytes, means


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--labels", type=int, default=200, help="a topic")
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python, binary = python_with([PEER], os.environ.get("MEASURE_VENV") or folder / "venv"), llull_binary()
        run, qrels = write_files(folder, asked.topics, asked.documents, asked.labels)
        size = run.stat().st_size / 1e6
        ours, tables, alone, theirs = [], [], [], []
        for _ in range(asked.repeats):
            # Each behind the peer, whose memory the system has just taken back.
            for times, options in [(ours, {}), (tables, {"form": "table"}), (alone, {"threads": 1})]:
                theirs.append(peer(python, qrels, run))
                times.append(llull(binary, qrels, [run], **options))
        links = [folder / f"run{number:03}.run" for number in range(asked.many)]
        for link in links:
            os.link(run, link)
        many = [llull(binary, qrels, links, threads) for threads in (1, None)]
    report(asked, size, ours, tables, alone, theirs, many)


def report(asked, size, ours, tables, alone, theirs, many):
    print(
        f"{asked.topics:,} queries x {asked.documents:,} documents ({size:.1f} MB), "
        f"{asked.topics * asked.labels:,} labels; {machine()}; {PEER}, Python {platform.python_version()}\n"
    )
    print("| job | tool | s | cpu s | least s | least cpu s | MB | s ratio | cpu ratio |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")

    def row(job, tool, times, base):
        seconds, cpu = (statistics.median(time[at] for time in times) for at in (0, 1))
        least = f"{min(time[0] for time in times):.3f} | {min(time[1] for time in times):.3f}"
        ratios = f"{base[0] / seconds:.1f} | {base[1] / cpu:.1f}"
        print(f"| {job} | {tool} | {seconds:.3f} | {cpu:.3f} | {least} | {max(time[2] for time in times):.0f} | {ratios} |")
        return seconds, cpu

    base = tuple(statistics.median(time[at] for time in theirs) for at in (0, 1))
    row("1 run", "pytrec_eval-terrier", theirs, base)
    row("1 run", "llull, 1 thread", alone, base)
    seconds, _ = row("1 run", "llull", ours, base)
    with_intervals, _ = row("1 run", "llull, table with intervals", tables, base)
    times = [asked.many * taken for taken in base]
    row(f"{asked.many} runs", "llull, 1 thread", many[:1], times)
    row(f"{asked.many} runs", "llull", many[1:], times)
    print(
        f"\n{asked.many} runs are {many[0][0] / many[1][0]:.2f} times as fast on all cores as on one; "
        f"their ratios are to {asked.many} times the peer's one."
    )
    failed = []
    expected = theirs[0][3]
    for printed in [ours[0][3], alone[0][3]]:
        for name, theirs_name in MEASURES.items():
            if not abs(means_of(printed)[name] - expected[theirs_name]) < 1e-6:
                failed.append(f"{name} is {means_of(printed)[name]} and not {expected[theirs_name]}")
    slower = max(seconds, with_intervals)
    if base[0] < 15 * slower:
        failed.append(f"only {base[0] / slower:.1f} times as fast")
    most = max(time[2] for time in ours + tables + alone)
    if most >= 50:
        failed.append(f"{most:.0f} MB for one run")
    if many[1][2] >= 50 * os.cpu_count():
        failed.append(f"{many[1][2]:.0f} MB for {asked.many} runs")
    sys.exit("; ".join(failed) or None)


if __name__ == "__main__":
    main()
