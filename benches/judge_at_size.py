#!/usr/bin/env python3
"""One job, llull and its closest peer side by side: pool, judge, label, measure, report.

    python3 benches/judge_at_size.py                    # 1,000 queries, 104,855 pairs, 3 judges: about 6 minutes
    python3 benches/judge_at_size.py --topics 100 --pairs 10486

The peer is notorious 0.0.1 from PyPI, in its own virtual environment. Both tools get the same queries, texts and runs,
both have three in-process judges, and neither uses the network once notorious is installed. Each command is a separate
process. "s" is wall time, "cpu s" is processor time, which depends less on other work on the machine, and "MB" is peak
resident memory (wait4's ru_maxrss). llull runs twice, before and after the peer, and the larger of its two numbers
counts. The script checks that both labelled the same pairs, and that both have three judgments of each pair.

The tools differ, and so do the jobs:
- Judges. notorious has `mock:keyword`, `mock:strict` and `mock:lenient`. Each builds the prompt of a language model,
  counts the query's words in it, writes a JSON reply and parses that. llull has no mocks of a language model: one judge
  is `similarity`, which also counts words (weighted by rarity, for which it reads the whole corpus), and two are
  `replay`, which look up the pair in a qrels file. None of them builds a prompt. In the line "mocks answer at once" a
  constant reply replaces the counting of the peer's mocks, so what remains is the work of the tool itself, prompt and
  parsing included. The grades differ, and so do the figures; they are not compared.
- Durability. llull commits to SQLite and syncs the disk; notorious appends to a file and flushes each line.
- Runs. llull reads TREC files. notorious takes Python objects with `search()`: `notorious_configs.py` answers from the
  same files, and reading them is part of the peer's "pool" step. notorious keeps texts in its pool; llull reads the
  corpus again when it judges.
- Pool. `llull pool` only prints the pool, and nothing reads its output: every llull command pools again, since pooling
  takes so little time.
- Report. notorious: nDCG, recall, precision at 10 and RR for each judge, 2,000 resamples, and a review page with every
  text. llull: five measures under the panel's median, each with an interval from 10,000 resamples, agreement of judges,
  values per query; no page. notorious's qrels are the median, too.
- Threads. A notorious project has `judge_concurrency` 8 by default. In-process grading gains nothing from threads in
  Python, so the peer runs with 1, except in the line that says 8. The two differ no more than two equal runs.

Environment: LLULL, the binary (default: target/release/llull, built if missing); NOTORIOUS_VENV, a virtual environment
with notorious 0.0.1 (default: one is created in the temporary folder and removed).
"""

import argparse
import contextlib
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from peers import python_with

ROOT = Path(__file__).resolve().parent.parent
PEER = "notorious==0.0.1"
JUDGES = 3
THREADS = "`judge`, notorious with its default 8 threads"
CONSTANT = "`judge`, notorious's mocks answer at once"
DEPTH = 50
# Runs the command line of notorious with its mock judges replaced by a constant reply.
AT_ONCE = """
import notorious.llm as llm
from notorious.cli import app
reply = llm.Completion('{"grade": 1, "rationale": "constant"}', 0, 0, 0.0)
llm._mock_complete = lambda variant, user: reply
app()
"""


@dataclass
class Cost:
    """The cost of a process: wall seconds, processor seconds, and peak resident megabytes of 10^6 bytes."""

    wall: float
    processor: float
    megabytes: float

    def worse(self, other):
        return Cost(*(max(pair) for pair in zip(vars(self).values(), vars(other).values())))


def measure(command, folder, **environment):
    """Runs `command` to its end. This script keeps no data: its own memory at the fork is a lower bound of the measured
    memory."""
    log = folder / "bench.log"
    with log.open("ab") as out:
        start = time.perf_counter()
        child = subprocess.Popen(
            [str(part) for part in command], cwd=folder, stdout=out, stderr=out, env={**os.environ, **environment}
        )
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        tail = log.read_text(errors="replace")[-2000:]
        sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}:\n{tail}")
    unit = 1 if sys.platform == "darwin" else 1024
    cost = Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6)
    arguments = [part for part in map(str, command[1:]) if "/" not in part and len(part) < 20]
    shown = " ".join([Path(command[0]).name, *arguments])
    print(f"  {shown:<28}{cost.wall:8.2f} s {cost.processor:8.2f} s cpu {cost.megabytes:7.0f} MB", file=sys.stderr)
    return cost


def cargo(*arguments):
    subprocess.run(["cargo", *map(str, arguments)], cwd=ROOT, check=True)


def llull_binary():
    if given := os.environ.get("LLULL"):
        return Path(given).resolve()
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "llull"
    if not built.exists():
        cargo("build", "--release", "-p", "llull-cli")
    return built


def write_study(folder, topics, pairs):
    cargo(
        *("run", "--release", "--quiet", "-p", "llull-testkit", "--example", "synthetic_study", "--", folder),
        *("--topics", topics, "--pairs", pairs, "--depth", DEPTH),
    )
    with (folder / "topics.tsv").open(encoding="utf-8") as lines:
        texts = [line.rstrip("\n").split("\t")[1] for line in lines]
    if len(set(texts)) != len(texts):
        sys.exit("two topics have the same text; notorious asks its retrievers by text and could not tell them apart")


def llull_project(folder, study):
    """Writes the study of crates/llull/benches/study.rs: one similarity judge and two replay judges."""
    folder.mkdir()
    quote = json.dumps
    lines = [
        "version = 1",
        f"topics = {quote(str(study / 'topics.tsv'))}",
        f"corpus = {quote(str(study / 'corpus.jsonl'))}",
        f"[pool]\ndepth = {DEPTH}",
        '[[judges]]\nmodel = "similarity"',
    ]
    for run in sorted(study.glob("system-*.run")):
        lines.append(f"[[systems]]\nname = {quote(run.stem)}\nrun = {quote(str(run))}")
    for name in ["strict", "lenient"]:
        # The files differ in one comment, so that they are different judges.
        with (folder / f"{name}.qrels").open("w") as out, (study / "truth.qrels").open() as truth:
            out.write(f"# {name}\n")
            shutil.copyfileobj(truth, out)
        lines.append(f'[[judges]]\nname = "{name}"\nmodel = "replay"\nlabels = "{name}.qrels"')
    (folder / "llull.toml").write_text("\n".join(lines) + "\n")
    return folder


def peer_project(folder, study, python, threads=1):
    """Runs `notorious init`, keeps its rubric, and replaces its example by the study."""
    subprocess.run([python.parent / "notorious", "init", folder], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(Path(__file__).with_name("notorious_configs.py"), folder / "configs.py")
    with (study / "topics.tsv").open(encoding="utf-8") as lines, (folder / "queries.jsonl").open("w") as out:
        for line in lines:
            topic, text = line.rstrip("\n").split("\t")
            out.write(json.dumps({"query_id": topic, "text": text, "provenance": "generated"}) + "\n")
    config = {
        "judge_models": ["mock:keyword", "mock:strict", "mock:lenient"],
        "pool_only": [],
        "pool_k": DEPTH,
        "judge_concurrency": threads,
    }
    (folder / "run.yaml").write_text(json.dumps(config))  # JSON is YAML
    return folder


def llull_round(binary, folder, study):
    stages = llull_project(folder / "stages", study)
    # The runs are outside the study's folder.
    trust = {"LLULL_TRUST": str(study)}
    costs = {step: measure([binary, step], stages, **trust) for step in ["pool", "judge", "report"]}
    costs["whole"] = measure([binary, "run"], llull_project(folder / "whole", study), **trust)
    return costs


def peer_round(python, folder, study):
    environment = {"LLULL_BENCH_STUDY": str(study)}
    notorious = python.parent / "notorious"
    stages = peer_project(folder / "stages", study, python)
    costs = {}
    for step, more in [("pool", []), ("judge", ["--yes"]), ("report", [])]:
        costs[step] = measure([notorious, step, *more], stages, **environment)
    costs["whole"] = measure([notorious, "run", "--yes"], peer_project(folder / "whole", study, python), **environment)

    def judge_again(name, command, threads):
        again = peer_project(folder / name, study, python, threads)
        (again / "out").mkdir()
        shutil.copy(stages / "out" / "pool.jsonl", again / "out")
        return measure([*command, "judge", "--yes"], again, **environment)

    costs[THREADS] = judge_again("threads", [notorious], threads=8)
    costs[CONSTANT] = judge_again("constant", [python, "-c", AT_ONCE], threads=1)
    return costs


def same_work(binary, llull, peer, pairs):
    """Exits with an error unless both labelled the same pairs and every pair has a judgment of every judge."""

    def labelled(path):
        with path.open() as lines:
            return {tuple(line.split()[:3:2]) for line in lines if not line.startswith("#")}

    def lines_of(path):
        with path.open("rb") as lines:
            return sum(1 for _ in lines)

    for stage in ["stages", "whole"]:
        ours, theirs = labelled(llull / stage / "labels.qrels"), labelled(peer / stage / "out" / "qrels.txt")
        if ours != theirs or len(ours) != pairs:
            sys.exit(
                f"{stage}: llull labelled {len(ours)} pairs, notorious {len(theirs)}; expected the same {pairs} pairs"
            )
        exported = llull / stage / "ledger.jsonl"
        subprocess.run([binary, "ledger", "export", exported], cwd=llull / stage, check=True, capture_output=True)
        with exported.open() as lines:
            ours = sum(1 for line in lines if '"judged"' in line)
        theirs = lines_of(peer / stage / "out" / "judgments.jsonl")
        if (ours, theirs) != (pairs * JUDGES,) * 2:
            sys.exit(f"{stage}: llull has {ours} judgments, notorious {theirs}; each should have {pairs * JUDGES}")


def ratio(theirs, ours):
    if ours == 0:
        return "-"
    return f"{theirs / ours:.0f}" if theirs >= 10 * ours else f"{theirs / ours:.1f}"


def table(llull, peer):
    head = ["step", "llull s", "cpu s", "MB", "notorious s", "cpu s", "MB", "s ratio", "cpu ratio", "MB ratio"]
    rows = [head, ["---"] + ["---:"] * (len(head) - 1)]

    def row(step, ours, theirs):
        numbers = [
            f"{value:.{digits}f}"
            for cost in (ours, theirs)
            for value, digits in zip(vars(cost).values(), (2, 2, 0))
        ]
        ratios = [ratio(*pair) for pair in zip(vars(theirs).values(), vars(ours).values())]
        return [step, *numbers, *ratios]

    for step in ["pool", "judge", "report"]:
        rows.append(row(f"`{step}`", llull[step], peer[step]))
    rows.append(row("`run`: all of it, one process", llull["whole"], peer["whole"]))
    rows.extend(row(step, llull["judge"], peer[step]) for step in [THREADS, CONSTANT])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def processor_name():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def load():
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=104_855)
    parser.add_argument("--keep", type=Path, help="work in this new folder, and leave it there")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if options.keep:
            options.keep.mkdir(parents=True)
            folder = options.keep.resolve()
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="judge-at-size-")))
        binary, python = llull_binary(), python_with([PEER], os.environ.get("NOTORIOUS_VENV") or folder / "venv")
        study = folder / "study"
        write_study(study, options.topics, options.pairs)
        before = load()
        for place in ["llull-1", "peer", "llull-2"]:
            (folder / place).mkdir()
        first = llull_round(binary, folder / "llull-1", study)
        peer = peer_round(python, folder / "peer", study)
        second = llull_round(binary, folder / "llull-2", study)
        after = load()
        for place in ["llull-1", "llull-2"]:
            same_work(binary, folder / place, folder / "peer", options.pairs)
        llull = {step: cost.worse(second[step]) for step, cost in first.items()}
        version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        print(table(llull, peer))
        print(
            f"\n{datetime.date.today()}; {os.cpu_count()} cores, {processor_name()}; "
            f"load {before} before, {after} after.\n"
            f"{version} (similarity and 2 replay judges) and {PEER.replace('==', ' ')} (3 mock judges, "
            f"Python {subprocess.run([python, '-V'], capture_output=True, text=True).stdout.split()[1]}): "
            f"{options.topics} queries, {options.pairs} pairs, {options.pairs * JUDGES} judgments each, checked."
        )


if __name__ == "__main__":
    main()
