#!/usr/bin/env python3
"""Measures a study by the size of its ledger: run, report, labels, pages; fails if one of them is not linear.

    python3 benches/ledger_at_size.py                     # 300,000 and 3,000,000 judgments, some minutes
    LLULL=llull python3 benches/ledger_at_size.py 300000  # measure a binary, with 30,000 and 300,000

Each query has 100 documents in the pool of three runs. Three judges in the process grade each: one counts words, two
read their grades from files, and no model is waited for, so that the time is llull's own. A second run has nothing to
ask. Each job is a process; "MB" is its peak memory, "us" its processor time for each judgment.

Fails if, at ten times the size, a judgment takes a job more than twice the processor time or the ledger more than 1.1
times the bytes, or a page of `llull serve` takes two seconds.
"""

import http.cookiejar
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from judge_at_size import DEPTH, JUDGES, llull_project, measure
from machine import machine
from measure_speed import llull_binary

DOCUMENTS = 100
LINEAR, BYTES_LINEAR, PAGE = 2, 1.1, 2.0
JOBS = {
    "run": ["run", "--no-report"],
    "run again": ["run", "--no-report"],
    "report": ["report"],
    "label": ["label"],
    "ledger status": ["ledger", "status"],
    "ledger check": ["ledger", "check"],
    "ledger export": ["ledger", "export", "export.jsonl.zst"],
}
PAGES = ["", "queries", "query/1", "query/1/document/3", "judges", "labels", "labels?page=100", "ledger", "attempts"]


def write_study(folder, judgments):
    """Writes queries, texts, runs and grades. Each run has half of a query's documents, and all of them have all."""
    draw = random.Random(judgments)
    folder.mkdir()
    words = [f"w{number}" for number in range(5000)]
    names = ["topics.tsv", "corpus.jsonl", "truth.qrels", *(f"system-{run}.run" for run in range(3))]
    topics, corpus, truth, *runs = (folder.joinpath(name).open("w") for name in names)
    for query in range(judgments // (DOCUMENTS * JUDGES)):
        asked = draw.sample(words, 3)
        topics.write(f"q{query}\t{' '.join(asked)} {query}\n")
        for document in range(DOCUMENTS):
            grade = draw.choice([0, 0, 1, 2, 3])
            text = " ".join([*draw.choices(words, k=8), *asked[:grade]])
            corpus.write(f'{{"_id": "d{query}-{document}", "text": "{text}"}}\n')
            truth.write(f"q{query} 0 d{query}-{document} {grade}\n")
        for number, (run, first) in enumerate(zip(runs, [0, 50, 25])):
            listed = list(range(first, first + DEPTH))
            draw.shuffle(listed)
            for rank, document in enumerate(listed):
                run.write(f"q{query} Q0 d{query}-{document} {rank + 1} {DEPTH - rank} system-{number}\n")
    for file in (topics, corpus, truth, *runs):
        file.close()


def page_times(binary, project, environment):
    """Serves the study. Returns seconds until it is read, those of the slowest page with its name, and megabytes."""
    command = [binary, "serve"]
    server = subprocess.Popen(
        command, cwd=project, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        start = time.perf_counter()
        address = server.stdout.readline().decode().strip()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        while True:
            try:
                base = opener.open(address).url.split("?")[0]
                break
            except urllib.error.HTTPError as error:
                assert error.code == 503, error
                time.sleep(0.05)
        ready = time.perf_counter() - start
        times = []
        for page in PAGES:
            start = time.perf_counter()
            opener.open(base + page).read()
            times.append((time.perf_counter() - start, f"/{page}"))
    finally:
        server.terminate()
    _, _, used = os.wait4(server.pid, 0)
    server.returncode = 0
    return ready, max(times), used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def measured(binary, folder, judgments):
    """Returns the processor seconds of each job, and the bytes of the ledger."""
    study = folder / f"study-{judgments}"
    write_study(study, judgments)
    project = llull_project(folder / f"project-{judgments}", study)
    trust = {"LLULL_TRUST": str(study)}
    seconds = {}
    for job, words in JOBS.items():
        cost = measure([binary, *words], project, **trust)
        seconds[job] = cost.processor
        each = f"{cost.processor / judgments * 1e6:.2f}"
        print(f"| {judgments:,} | {job} | {cost.wall:.2f} | {cost.processor:.2f} | {each} | {cost.megabytes:.0f} |")
    size = (project / ".llull" / "ledger.sqlite").stat().st_size
    ready, (slowest, page), megabytes = page_times(binary, project, trust)
    print(f"| {judgments:,} | serve, until the study is read | {ready:.2f} | | | {megabytes:.0f} |")
    print(f"| {judgments:,} | slowest page, {page} | {slowest:.3f} | | | |")
    print(f"| {judgments:,} | ledger: {size / 1e6:.0f} MB, {size / judgments:.0f} bytes a judgment | | | | |")
    assert slowest < PAGE, (page, slowest)
    return seconds, size


def main():
    judgments = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    binary = llull_binary()
    print(f"{machine()}\n\n| judgments | job | s | cpu s | us | MB |\n| ---: | --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="ledger-at-size-") as temporary:
        few, few_bytes = measured(binary, Path(temporary), judgments // 10)
        many, many_bytes = measured(binary, Path(temporary), judgments)
    ratios = {job: many[job] / few[job] / 10 for job in JOBS}
    growth = ", ".join(f"{job} {ratio:.2f}" for job, ratio in ratios.items())
    print(f"\ntime for a judgment at ten times the size: {growth}")
    slow = [job for job, ratio in ratios.items() if ratio > LINEAR]
    assert not slow, f"not linear: {slow}"
    assert many_bytes < 10 * BYTES_LINEAR * few_bytes, (few_bytes, many_bytes)


if __name__ == "__main__":
    main()
