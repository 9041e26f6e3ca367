#!/usr/bin/env python3
"""Token overlap: llull beside evret 0.0.3, and the memory of a million contexts.

    python3 benches/token_overlap.py                 # a minute, plus one to install the peer
    EVRET_VENV=venv LLULL=llull OVERLAP_RACE=overlap_race python3 benches/token_overlap.py

2,000 questions with ten expected answers of 20 words and 50 retrieved texts of 100 words each: a million contexts, made
of 20,000 made-up words of which few are frequent. Some texts repeat an answer, or most of it.

First both judge the contexts of the same questions, evret by `TokenOverlapJudge().batch_judge`, llull by
`token-overlap-evret`, which gives the same answers, and by `token-overlap`: contexts a second of judging, with reading
left out, each in turn. evret uses one core, since Python does; llull uses all.

Then llull judges all of them, once as a stream of questions, and once by `llull evaluate`, which reads the file of
results whole.

Fails if the matches of evret and `token-overlap-evret` are not equally many, llull judges less than 50 times as many
contexts a second, the stream takes 48 MB or more, or half as much again for twice the contexts, or `llull evaluate` takes
more than 100 MB and three times the size of its file.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import machine
from peers import python_with

ROOT = Path(__file__).resolve().parent.parent
PEER = "evret==0.0.3"
ANSWERS, RETRIEVED = 10, 50
EVRET = """
import json, sys, time
from evret.judges import TokenOverlapJudge
from evret.judges.base import JudgmentContext
judge, contexts = TokenOverlapJudge(), []
with open(sys.argv[1]) as file:
    for line, _ in zip(file, range(int(sys.argv[2]))):
        q = json.loads(line)
        contexts += [JudgmentContext(q["query"], e, r) for r in q["retrieved"] for e in q["expected"]]
start = time.perf_counter()
found = judge.batch_judge(contexts)
seconds = time.perf_counter() - start
print(json.dumps({"contexts": len(contexts), "matches": sum(found), "seconds": seconds}))
"""


def built(variable, *words):
    if variable in os.environ:
        return Path(os.environ[variable]).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", *words], cwd=ROOT, check=True)
    name = words[-1] if words[-1] != "llull-cli" else "llull"
    folder = "examples" if "--example" in words else "."
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / folder / name


def measured(command):
    """Returns what a command printed, and its peak memory in megabytes."""
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return printed.decode(), used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def made(draw, vocabulary, count):
    # Few words are frequent, as in a language.
    return [vocabulary[int(len(vocabulary) ** draw.random()) - 1] for _ in range(count)]


def write(folder, questions):
    """Writes the questions for both judges, and as a dataset with a file of results."""
    draw = random.Random(3)
    letters = "aeioubcdfglmnprst"
    vocabulary = sorted({"".join(draw.choices(letters, k=draw.randint(3, 10))) for _ in range(20_000)})
    draw.shuffle(vocabulary)
    both, dataset, results = folder / "questions.jsonl", folder / "dataset.json", folder / "results.jsonl"
    asked = []
    with both.open("w") as file, results.open("w") as found:
        for number in range(questions):
            query = " ".join(made(draw, vocabulary, 8))
            expected = [made(draw, vocabulary, 20) for _ in range(ANSWERS)]
            texts = []
            for _ in range(RETRIEVED):
                text = made(draw, vocabulary, 80)
                answer = draw.choice(expected)
                share = draw.choice([0, 0, 0.5, 0.8, 1])
                text[40:40] = [word for word in answer if draw.random() < share]
                texts.append(" ".join(text))
            expected = [" ".join(words) for words in expected]
            file.write(json.dumps({"query": query, "expected": expected, "retrieved": texts}) + "\n")
            asked.append({"query_id": f"q{number}", "query_text": query, "expected_answers": expected})
            hits = [{"doc_id": f"d{number}-{at}", "score": 1 / (at + 1), "text": text} for at, text in enumerate(texts)]
            found.write(json.dumps({"query_id": f"q{number}", "results": hits}) + "\n")
    dataset.write_text(json.dumps({"queries": asked}))
    return both, dataset, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--beside", type=int, default=100, help="questions that evret judges, too")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    race = built("OVERLAP_RACE", "-p", "llull-judge", "--example", "overlap_race")
    llull = built("LLULL", "-p", "llull-cli")
    python = python_with([PEER], os.environ.get("EVRET_VENV") or ROOT / "target" / "venv-evret")
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        both, dataset, results = write(Path(temporary), asked.questions)
        commands = {
            "evret": [python, "-c", EVRET, both, asked.beside],
            "token-overlap-evret": [race, both, "token-overlap-evret", asked.beside],
            "token-overlap": [race, both, "token-overlap", asked.beside],
        }
        rounds = {name: [] for name in commands}
        for _ in range(asked.rounds):
            for name, command in commands.items():
                rounds[name].append(json.loads(measured(command)[0]))
        print(f"{rounds['evret'][0]['contexts']:,} contexts; {machine()}; {PEER}\n")
        print("| judge | contexts a second | ratio | matches |\n| --- | ---: | ---: | ---: |")
        speed = {name: statistics.median(one["contexts"] / one["seconds"] for one in found)
            for name, found in rounds.items()}
        for name, found in rounds.items():
            ratio = speed[name] / speed["evret"]
            print(f"| {name} | {speed[name]:,.0f} | {ratio:.0f} | {found[0]['matches']:,} |")
            if name != "evret" and ratio < 50:
                failed.append(f"{name} judges only {ratio:.0f} times as many contexts a second as evret")
        if rounds["evret"][0]["matches"] != rounds["token-overlap-evret"][0]["matches"]:
            failed.append("token-overlap-evret does not have evret's matches")

        contexts = asked.questions * ANSWERS * RETRIEVED
        size = results.stat().st_size / 1e6
        print(f"\n{contexts:,} contexts, {size:.0f} MB of results\n\n| job | MB |\n| --- | ---: |")
        half = measured([race, both, "token-overlap", asked.questions // 2])[1]
        printed, stream = measured([race, both, "token-overlap", asked.questions])
        if json.loads(printed)["contexts"] != contexts:
            failed.append("the stream does not have all contexts")
        evaluate = [llull, "--quiet", "evaluate", dataset, "--results", results, "-m", f"Recall@{RETRIEVED}"]
        whole = measured([*evaluate, "--format", "jsonl"])[1]
        print(f"| stream, half of it | {half:.0f} |\n| stream | {stream:.0f} |\n| llull evaluate | {whole:.0f} |")
        if stream >= 48 or stream >= 1.5 * half:
            failed.append(f"the stream takes {stream:.0f} MB, half of it {half:.0f} MB")
        if whole > 100 + 3 * size:
            failed.append(f"llull evaluate takes {whole:.0f} MB for {size:.0f} MB of results")
    sys.exit("; ".join(failed) or None)


if __name__ == "__main__":
    main()
