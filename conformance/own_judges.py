#!/usr/bin/env python3
"""Runs llull's conformance test of judges on the examples of a program and of a server, and the Rust example.

Each is also the judge of an evaluation. A judge that keeps to no form has to fail. Needs a built llull (LLULL, else
target/release/llull) and nothing but Python.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLULL = os.environ.get("LLULL", str(ROOT / "target" / "release" / "llull"))

STUDY = """version = 1
topics = "topics.tsv"
corpus = "corpus.jsonl"
rubric = "rubric.md"

[[systems]]
name = "mine"
run = "mine.run"

[[judges]]
name = "program"
command = ["python3", "own_judge.py"]

[[judges]]
name = "served"
endpoint = "{url}"
key = "JUDGE_KEY"

[[judges]]
name = "broken"
command = ["python3", "-c", "import sys; [print('fine', flush=True) for line in sys.stdin]"]
"""

QUESTIONS = {
    "queries": [
        {"query_id": "q1", "query_text": "how long is the Elbe", "expected_answers": ["1094 kilometres"]},
        {"query_id": "q2", "query_text": "how long is the Rhine", "expected_answers": ["1233 kilometres"]},
    ]
}
RESULTS = [
    {"query_id": "q1", "results": [{"doc_id": "a", "text": "The Elbe is 1094 km long."}]},
    {"query_id": "q2", "results": [{"doc_id": "b", "text": "The Rhine is long."}]},
]


def llull(folder, url, *args):
    environment = {**os.environ, "JUDGE_KEY": "key-of-the-example", "XDG_CONFIG_HOME": str(folder / "config")}
    command = [LLULL, "-C", str(folder), *args, "--trust", f"JUDGE_KEY@{url}"]
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        wanted = [word for word in done.stderr.split() if word.startswith("command:")]
        wanted += [word.strip("()") for word in done.stdout.split() if word.startswith("command:")]
        if done.returncode == 0 or not wanted:
            break
        command += [word for entry in wanted for word in ("--trust", entry.strip('",)'))]
    return done


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for example in ("own_judge.py", "own_judge_server.py"):
            shutil.copy(ROOT / "examples" / example, folder)
        environment = {**os.environ, "JUDGE_KEY": "key-of-the-example"}
        server = subprocess.Popen(
            [sys.executable, "own_judge_server.py", "0"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            check(folder, server.stdout.readline().strip())
        finally:
            server.terminate()
            server.wait()
    print("the examples pass")


def check(folder, url):
    (folder / "llull.toml").write_text(STUDY.format(url=url))
    (folder / "topics.tsv").write_text("q1\thow long is the Elbe\n")
    (folder / "corpus.jsonl").write_text(json.dumps({"id": "a", "text": "The Elbe is 1094 km long."}) + "\n")
    (folder / "mine.run").write_text("q1 Q0 a 1 1.0 mine\n")
    shutil.copy(ROOT / "rubrics" / "default.md", folder / "rubric.md")
    (folder / "q.json").write_text(json.dumps(QUESTIONS))
    (folder / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in RESULTS))
    for judge in ("program", "served"):
        tested = llull(folder, url, "doctor", "--judge", judge)
        print(tested.stdout, tested.stderr, sep="", end="")
        assert tested.returncode == 0, f"{judge} fails its test"
        found = [line for line in tested.stdout.splitlines() if line.startswith(f"ok      judge {judge}, ")]
        assert len(found) >= 11, tested.stdout
        files = [str(folder / "q.json"), "--results", str(folder / "r.jsonl")]
        judged = llull(folder, url, "evaluate", *files, "--judge", judge, "-m", "R@4", "--json")
        assert judged.returncode == 0, judged.stderr
        mean = json.loads(judged.stdout)["systems"][0]["figures"][0]["mean"]
        assert mean == 0.5, judged.stdout
    broken = llull(folder, url, "doctor", "--judge", "broken")
    assert broken.returncode == 1 and "ERROR   judge broken, a question" in broken.stdout, broken.stdout + broken.stderr


if __name__ == "__main__":
    main()
