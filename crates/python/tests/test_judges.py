"""Judges that are functions: their versions, their answers, and the threads that they run in."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_study import DOCUMENTS, QUERIES, RUNS, created

import llull


def made(grade: Any, *, name: str = "made") -> llull.FunctionJudge:
    @llull.judge(name=name)
    def judge(text: str) -> Any:
        return grade

    return judge


def test_values_around_a_function_are_of_its_version(tmp_path: Path) -> None:
    assert made(0).version == made(0).version != made(3).version
    # another value of one length, and another default
    assert made((1, "a")).version != made((1, "b")).version

    def of_default(value: int) -> llull.FunctionJudge:
        def graded(text: str, *, low: int = value) -> int:
            return low

        return llull.judge(graded)

    assert of_default(0).version != of_default(1).version

    def more(number: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
        def wrapped(function: Callable[..., int]) -> Callable[..., int]:
            @functools.wraps(function)
            def judge(**keywords: Any) -> int:
                return function(**keywords) + number

            return judge

        return wrapped

    def none(text: str) -> int:
        return 0

    assert llull.judge(more(0)(none)).version != llull.judge(more(3)(none)).version
    # the answers of one are not those of the other
    study = created(tmp_path, made(0))
    for grade in (0, 3):
        study.run(made(grade))
        assert set(study.labels().to_pandas()["relevance"]) == {grade}
    with pytest.raises(ValueError, match="two functions are judge made, version 1; give one another version"):
        study.run(judges=[llull.judge(name="made", version="1")(lambda text: grade) for grade in (0, 1)])


def test_comments_and_indentation_are_not_of_a_version() -> None:
    def plain(text: str) -> int:
        return len(text) % 2

    first = llull.judge(plain).version
    if first:

        @llull.judge
        def plain(text: str) -> int:
            # the same function
            return len(text)  %  2  # fmt: skip

    assert plain.version == first  # type: ignore[attr-defined]


def test_what_cannot_be_hashed_needs_a_version() -> None:
    class Grader:
        def grade(self, text: str) -> int:
            return 0

    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: llull.judge(Grader().grade), "judge grade: its answers depend on its object, so it needs a version"),
        (lambda: made([1]), "judge made: its answers depend on a value of type list, so it needs a version"),
    ]
    for judge, message in wrong:
        with pytest.raises(ValueError, match=message):
            judge()
    assert llull.judge(version="1")(Grader().grade).version == "1"


def test_parameters_without_names_are_refused() -> None:
    def first(text: str, /) -> int:
        return 0

    def several(*texts: str) -> int:
        return 0

    for function in (first, several):
        with pytest.raises(TypeError, match="has no name for a caller"):
            llull.judge(version="1")(function)


def test_numbers_and_bools_of_numpy(tmp_path: Path) -> None:
    @llull.judge.listwise(version="1")
    def tie(documents: list[llull.Document]) -> list[Any]:
        places = list(np.arange(len(documents)))
        return [places[:2], np.array(places[2:4]), *places[4:]]

    study = created(tmp_path / "tie", tie)
    report = study.run(paradigm="listwise")
    assert report.complete, report.notes

    @llull.judge.pairwise(version="1")
    def flags(left: llull.Document, right: llull.Document) -> list[bool]:
        return [False, True]

    report = created(tmp_path / "flags", flags).run(paradigm="pairwise", keep_going=True)
    assert not report.complete and report.labelled == 0
    dataset = [{"query_id": "q1", "query_text": "What?", "expected_answers": ["x y"]}]
    match = llull.judge(name="match", version="1")(lambda text, expected: np.bool_(expected in text))
    assert llull.evaluate(dataset, lambda query, k: [{"doc_id": "a", "text": "x y z"}], match, "RR")["RR"] == 1.0


def test_an_interrupt_before_the_first_question_stops_the_run(tmp_path: Path) -> None:
    calls: list[str] = []

    @llull.judge(version="1")
    def judge(text: str) -> int:
        calls.append(text)
        return 1

    interrupted = threading.Event()

    def handler(number: int, frame: Any) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # the run goes on when the interrupt is there
            os.kill(os.getpid(), signal.SIGINT)
            interrupted.wait(60)
            body = json.dumps([{"id": "d1"}]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None: ...

    study = created(tmp_path, judge)
    before = signal.signal(signal.SIGINT, handler)
    try:
        with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}"
            with (study.folder / "llull.toml").open("a") as config:
                config.write('[[systems]]\nname = "live"\nretriever = "http"\n[systems.http]\n')
                config.write(f'url = "{address}/?q={{query}}"\nresults = ""\nid = "/id"\n')
            with pytest.raises(llull.LlullError, match="--trust ") as refused:
                llull.Study.open(study.folder, judges=[judge]).run()
            trust = str(refused.value).split("--trust ")[1].split()[0]
            with pytest.raises(KeyboardInterrupt):
                llull.Study.open(study.folder, judges=[judge], trust=[trust]).run()
            server.shutdown()
    finally:
        signal.signal(signal.SIGINT, before)
    assert interrupted.is_set() and not calls


IN_ONE_THREAD = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import llull
from test_study import created

@llull.judge(version="1")
def judge(text: str) -> int:
    llull.measure({"q": {"d": 1}}, {"q": {"d": 1.0}}, "RR")
    return len(llull.Run({"q": {"d": 1.0}}))

studies = [created(Path(sys.argv[2]) / str(number), judge) for number in range(2)]
threads = [threading.Thread(target=lambda study=study: print(study.run().complete)) for study in studies]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def test_a_judge_may_compute_with_llull_on_one_core(tmp_path: Path) -> None:
    # a deadlock would end by the time limit
    done = subprocess.run(
        [sys.executable, "-c", IN_ONE_THREAD, os.path.dirname(__file__), str(tmp_path)],
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_a_forked_child_asks_async_judges(tmp_path: Path) -> None:
    @llull.judge(version="1")
    async def later(text: str) -> int:
        return 1

    assert created(tmp_path / "parent", later).run().complete
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(60)
            os._exit(0 if created(tmp_path / "child", later).run().complete else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_failure_has_file_and_line(tmp_path: Path) -> None:
    always = llull.judge(name="always", version="1")(lambda text: 1 / 0)
    line = always._function.__code__.co_firstlineno
    with pytest.raises(llull.LlullError, match=rf"division by zero \(test_judges.py, line {line}\)"):
        llull.Study.create(tmp_path, queries=QUERIES, corpus=DOCUMENTS, systems=RUNS, judges=[always]).run()
