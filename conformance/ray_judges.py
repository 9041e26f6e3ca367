#!/usr/bin/env python3
"""Judges a study by examples/ray on a Ray cluster whose driver, then a worker are killed; nothing is lost or doubled.

    python3 conformance/ray_judges.py            # 10,000 requests; the first time a minute to install Ray
    PEER_VENV=venv LLULL=llull python3 conformance/ray_judges.py 2000

A model with a script grades. The driver reads the wave as JSON lines. After a third of the results it is killed, and
another goes on with the same wave as Parquet; after two thirds the worker that has asked last is killed. Each request
has to have one result, `llull batch import` has to record all and none twice, and each label has to be the script's.
Nothing here has a time limit. On 2 cores with six times as much work as they could do, it took 13 minutes.

The engine of `--vllm` needs a GPU. Here only what it is given and what becomes of its replies is checked.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ["ray==2.60.0", "pyarrow==26.0.1", "pandas==3.1.1", "numpy==2.4.6", "fsspec==2026.9.0"]
DOCUMENTS = 20
INCOMPLETE = 3

MODEL = """
import json, os, re, time

class Model:
    def __call__(self, bodies):
        with open(os.environ["ASKED"], "a") as asked:
            asked.write(f"{os.getpid()} {len(bodies)}\\n")
        time.sleep(0.002 * len(bodies))
        return [self.reply(body) for body in bodies]

    def reply(self, body):
        number = int(re.search(r"passage number (\\d+)", body["messages"][-1]["content"])[1])
        message = {"role": "assistant", "content": json.dumps({"grade": number % 4})}
        usage = {"prompt_tokens": 9, "completion_tokens": 4}
        return {"model": "scripted", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
"""
STUDY = """version = 1
topics = "topics.tsv"
corpus = "corpus.jsonl"
recheck = 0
systems = [{ name = "only", run = "only.run" }]
judges = [{ model = "vllm/scripted", prompt = "graded-direct" }]
pool = { depth = %d }
""" % DOCUMENTS


def study(folder, requests):
    """Writes a study with so many pairs, and returns the label of each that the script gives."""
    labels = {}
    with (folder / "topics.tsv").open("w") as topics, (folder / "corpus.jsonl").open("w") as corpus, (
        folder / "only.run"
    ).open("w") as run:
        for query in range(requests // DOCUMENTS):
            topics.write(f"q{query}\tsubject {query}\n")
            for rank in range(DOCUMENTS):
                number = query * DOCUMENTS + rank
                text = f"passage number {number} " + "and more of it " * 100
                corpus.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")
                run.write(f"q{query} Q0 d{number} {rank + 1} {DOCUMENTS - rank} only\n")
                labels[f"q{query}", f"d{number}"] = number % 4
    (folder / "llull.toml").write_text(STUDY)
    (folder / "model.py").write_text(MODEL)
    return labels


def descendants(process):
    """Returns the identifiers of all processes below one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, added = set(), {process}
    while added:
        added = {child for child, parent in parents.items() if parent in added} - found
        found |= added
    return found


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Driver:
    """examples/ray/judge.py, running."""

    def __init__(self, folder, wave, environment):
        self.results, self.asked = folder / "results.jsonl", Path(environment["ASKED"])
        self.log = (folder / "ray.log").open("w")
        command = [sys.executable, ROOT / "examples/ray/judge.py", wave, "results.jsonl", "--model", "model.py"]
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=self.log, stderr=self.log)
        self.of_ray = set()

    def wait_for(self, results):
        """Waits until so many results are in the file."""
        while not self.results.exists() or self.results.read_bytes().count(b"\n") < results:
            assert self.process.poll() is None, "the driver ended: " + Path(self.log.name).read_text()[-4000:]
            self.of_ray |= descendants(self.process.pid)
            time.sleep(0.05)

    def end(self):
        """Kills the driver and what it has started."""
        for process in (self.process.pid, *(self.of_ray | descendants(self.process.pid))):
            kill(process)
        self.process.wait()


def judge(folder, requests):
    """Judges the wave with a driver that is killed, and a second one of which a worker is."""
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as ray:
        environment = {
            **os.environ,
            "ASKED": str(folder / "asked"),
            "HOME": str(folder),
            "RAY_TMPDIR": ray,
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        first = Driver(folder, "wave.jsonl", environment)
        try:
            first.wait_for(requests // 3)
        finally:
            first.end()
        second = Driver(folder, "wave.parquet", environment)
        try:
            second.wait_for(2 * requests // 3)
            worker = int(second.asked.read_text().splitlines()[-1].split()[0])
            assert worker in second.of_ray, (worker, second.of_ray)
            kill(worker)
            assert second.process.wait() == 0, Path(second.log.name).read_text()[-4000:]
        finally:
            second.end()
    return sum(int(line.split()[1]) for line in second.asked.read_text().splitlines())


def llull_in(folder):
    program = Path(os.environ.get("LLULL") or ROOT / "target" / "release" / "llull").resolve()

    def llull(*words, code=0):
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return llull


def labels_of(llull, code=0):
    rows = [line.split() for line in llull("label", "-o", "-", code=code).splitlines()]
    return {(query, document): int(grade) for query, _, document, grade in rows}


def by_engine(folder):
    """Imports rows as vLLM's engine returns them: replies, one that was cut off, and a failure."""
    sys.path.append(str(ROOT / "examples" / "ray"))
    from judge import for_engine, of_engine

    labels, llull = study(folder, DOCUMENTS), llull_in(folder)
    llull("batch", "export", "wave.jsonl")
    with (folder / "results.jsonl").open("w") as results:
        for number, request in enumerate(map(json.loads, (folder / "wave.jsonl").open())):
            row = {"custom_id": request["custom_id"], "body": json.dumps(request["body"])}
            given = for_engine(row)
            assert given["messages"] == request["body"]["messages"]
            assert "grade" in given["sampling_params"]["structured_outputs"]["json"]
            grade = int(re.search(r"passage number (\d+)", given["messages"][-1]["content"])[1]) % 4
            text, tokens = json.dumps({"grade": grade}), 5
            if number == 0:
                text, tokens = "The passage", given["sampling_params"]["max_tokens"]
            row |= {"generated_text": text, "num_generated_tokens": tokens, "num_input_tokens": 9}
            row["__inference_error__"] = "ValueError: too long" if number == 1 else ""
            answer = of_engine(row, "Qwen/Qwen3-32B")
            assert answer["named"] == "scripted", answer
            body = json.loads(answer["line"]).get("response", {}).get("body")
            assert body is None or body["model"] == "Qwen/Qwen3-32B", body
            print(answer["line"], file=results)
            # what the engine is not given, it would leave out of the answer
            for more in ({"chat_template_kwargs": {"enable_thinking": False}}, {"response_format": {"type": "text"}}):
                try:
                    for_engine(row | {"body": json.dumps(request["body"] | more)})
                except ValueError as error:
                    assert next(iter(more)) in str(error), error
                else:
                    raise AssertionError(f"{more} was left out")
    imported = json.loads(llull("batch", "import", "results.jsonl", "--json", code=INCOMPLETE))
    # both are asked again
    assert imported["recorded"] == DOCUMENTS and imported["open"] == {"scripted": 2}, imported
    found = labels_of(llull, INCOMPLETE)
    assert len(found) == DOCUMENTS - 2 and found.items() <= labels.items(), found


def by_program(folder, requests):
    """Returns how many of the requests the model was asked, with repetitions after the kills."""
    labels, llull = study(folder, requests), llull_in(folder)
    for file in ("wave.jsonl", "wave.parquet"):
        llull("batch", "export", file)
    wave = [json.loads(line)["custom_id"] for line in (folder / "wave.jsonl").open()]
    assert len(wave) == len(set(wave)) == requests, len(wave)
    asked = judge(folder, requests)
    results = [json.loads(line)["custom_id"] for line in (folder / "results.jsonl").open()]
    assert sorted(results) == sorted(wave), (len(results), len(set(results)))
    imported = json.loads(llull("batch", "import", "results.jsonl", "--json"))
    expected = {"recorded": requests, "already_there": 0, "duplicates": 0, "open": {}}
    assert imported == expected, imported
    assert labels_of(llull) == labels
    return asked


def main():
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        by_engine(Path(name))
    with tempfile.TemporaryDirectory() as name:
        asked = by_program(Path(name), requests)
    seconds = time.monotonic() - started
    print(f"{requests} requests, driver and worker killed: {asked} asked, none lost, none twice ({seconds:.0f} s)")


if __name__ == "__main__":
    sys.path.append(str(ROOT / "benches"))
    from peers import run_with

    run_with(LIBRARIES, ROOT / "target" / "ray-venv", main)
