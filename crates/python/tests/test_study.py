"""Studies that begin in Python go on in the command, and back."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from test_like_the_command import command

import llull
from llull._progress import shown

DOCUMENTS = {f"d{number}": f"text {number} of bloom filters" + " and cats" * (number % 3) for number in range(8)}
QUERIES = {f"q{number}": f"{word} filters" for number, word in enumerate(("bloom", "coffee", "cats"))}
RUNS = {
    "up": {query: {document: float(at) for at, document in enumerate(DOCUMENTS)} for query in QUERIES},
    "down": {query: {document: -float(at) for at, document in enumerate(DOCUMENTS)} for query in QUERIES},
}


def words(query: str, text: str, rubric: llull.Rubric) -> int:
    return min(rubric.high, len(set(query.split()) & set(text.split())) + text.count("cats"))


def created(folder: Path, *judges: Any, **keywords: Any) -> llull.Study:
    parts = {"queries": QUERIES, "corpus": DOCUMENTS, "systems": RUNS, "judges": judges, **keywords}
    return llull.Study.create(folder / "study", **parts)


def counted(calls: list[str], version: str = "1") -> llull.FunctionJudge:
    def judge(query: str, text: str, rubric: llull.Rubric) -> int:
        calls.append(text)
        return words(query, text, rubric)

    return llull.judge(name="words", version=version)(judge)


def test_a_study_goes_on_in_the_command_and_back(tmp_path: Path) -> None:
    calls: list[str] = []
    study = created(tmp_path, counted(calls))
    folder = study.folder
    report = study.run()
    assert report.complete and report.labelled == len(calls) == len(QUERIES) * len(DOCUMENTS)
    # the command reads the same answers, and has nothing to ask
    printed = command("-C", folder, "run", "--json")[0]
    assert json.loads(printed)["systems"] == report.to_dict()["systems"]
    assert json.loads(command("-C", folder, "label", "--json")[0]) == study.labels().to_dict()
    # another judge of the command, in one panel with the function
    flags = ["--judge", "words", "--judge", "similarity"]
    panel = json.loads(command("-C", folder, "run", *flags, "--json")[0])
    assert [judge["judge"] for judge in panel["coverage"]["judges"]] == ["words", "similarity"]
    again = llull.Study.open(folder).report()
    assert again.to_dict()["systems"] == panel["systems"]
    both = llull.Study.open(folder).run(judges=[counted(calls), "similarity"])
    assert both.to_dict()["systems"] == panel["systems"]
    assert len(calls) == report.labelled, "no answer is asked for twice"
    # another version is another judge
    study.run(counted(calls, "2"))
    assert len(calls) == 2 * report.labelled


def test_a_loop_of_ones_own_asks_and_tells(tmp_path: Path) -> None:
    study = created(tmp_path, "vllm/mine")
    tasks = study.ask()
    assert len(tasks) == len(QUERIES) * len(DOCUMENTS) and {task.judge for task in tasks} == {"mine"}
    assert all(task.request["model"] == "mine" and task.request["messages"] for task in tasks)
    assert [task.key for task in study.ask()] == [task.key for task in tasks], "nothing was recorded"
    first, second, *rest = tasks

    def answer(grade: int) -> str:
        missing = ["all"] if grade < 3 else []
        return json.dumps({"facets_covered": [], "facets_missing": missing, "rationale": "r", "grade": grade})

    body = {
        "choices": [{"message": {"role": "assistant", "content": answer(3)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 70, "completion_tokens": 5},
    }
    told = study.tell({first.key: body, second.key: "I think it is good."})
    assert told == (2, 0, len(rest) + 1), "a reply without an answer is asked for once more"
    assert study.tell({first.key: body}) == (0, 1, told.open)
    with pytest.raises(llull.LlullError, match="does not belong to this study"):
        study.tell({"nonsense": "{}"})
    while tasks := study.ask():
        study.tell({task.key: answer(1) for task in tasks})
    labels = study.labels()
    assert len(labels) == len(QUERIES) * len(DOCUMENTS)
    # the command reads the same ledger
    (status,) = json.loads(command("-C", study.folder, "ledger", "status", "--json")[0])
    assert status["totals"]["unusable"] == {"no_answer": 1} and status["totals"]["prompt_tokens"]["total"] == 70


def test_a_study_of_the_command_gets_a_judge_of_python(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    command("demo", folder)
    before = json.loads(command("-C", folder, "report", "--format", "json")[0])

    @llull.judge(version="1")
    def longest(text: str, rubric: llull.Rubric) -> llull.Graded:
        return llull.Graded(rubric.high if len(text) > 300 else rubric.low, f"{len(text)} letters")

    study = llull.Study.open(folder)
    report = study.run(longest)
    assert report.complete
    after = json.loads(command("-C", folder, "report", "--format", "json")[0])
    # the report of the last run, and one with the judges of llull.toml
    assert after["systems"] == report.to_dict()["systems"] != before["systems"]
    assert [judge["judge"] for judge in after["coverage"]["judges"]] == ["longest"]


async def later(query: str, document: llull.Document, rubric: llull.Rubric) -> int:
    return words(query, document.text, rubric)


def test_plain_and_async_functions_in_one_panel(tmp_path: Path) -> None:
    plain = llull.judge(version="1")(words)
    study = created(tmp_path, plain, llull.judge(version="1")(later), "similarity")
    report = study.run()
    assert report.complete and len(report.to_dict()["coverage"]["judges"]) == 3
    labels = []
    for judge in (plain, llull.judge(version="1")(later)):
        study.run(judge)
        labels.append(study.labels())
    assert llull.agree(*labels)["exact"] == 1.0
    assert report.html().startswith("<!doctype html>") and report.markdown() and "system" in report.table()
    cell = report._repr_html_()
    assert cell.startswith("<table>") and "<svg" not in cell
    charts = [unquote(chart.split('"')[0]) for chart in cell.split('src="data:image/svg+xml,')[1:]]
    assert charts and {ElementTree.fromstring(chart).tag for chart in charts} == {"{http://www.w3.org/2000/svg}svg"}
    frame = report.to_pandas()
    assert list(frame["system"].unique()) == ["up", "down"] and report.to_polars().equals(pl.from_pandas(frame))


@pytest.mark.parametrize("paradigm", ["pairwise", "listwise"])
def test_functions_that_compare(tmp_path: Path, paradigm: Any) -> None:
    def best_first(documents: list[llull.Document]) -> list[int]:
        return sorted(range(len(documents)), key=lambda at: documents[at].text)

    @llull.judge.pairwise(version="1")
    def prefer(left: llull.Document, right: llull.Document) -> str:
        return "left" if best_first([left, right])[0] == 0 else "right"

    @llull.judge.listwise(version="1")
    def order(documents: list[llull.Document]) -> llull.Compared:
        return llull.Compared(best_first(documents), "by their texts")

    study = created(tmp_path, prefer if paradigm == "pairwise" else order)
    report = study.run(paradigm=paradigm)
    assert report.complete, report.notes
    labels = study.labels().to_pandas()
    ranked = labels.sort_values("relevance", ascending=False).groupby("query_id")["doc_id"].first()
    assert set(ranked) == {min(DOCUMENTS, key=lambda document: DOCUMENTS[document])}
    printed = json.loads(command("-C", study.folder, "report", "--format", "json")[0])
    assert printed["systems"] == report.to_dict()["systems"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda: "x", "wrong_shape"),
        (lambda: 2.5, "wrong_shape"),
        (lambda: 7, "out_of_range"),
        (lambda: None, "no_answer"),
        (lambda: True, "wrong_shape"),
        (lambda: llull.Unusable("the model refused"), "declined"),
        (lambda: llull.Unusable("it was late", "tired"), "declined"),
        (lambda: llull.Prompt("graded-direct").read('{"gra', finish_reason="length"), "cut_off"),
    ],
)
def test_a_wrong_answer_is_missing_and_no_grade(tmp_path: Path, answer: Callable[[], Any], reason: str) -> None:
    judge = llull.judge(name="wrong", version="1")(lambda text: answer() if "text 3" in text else 1)
    study = created(tmp_path, judge)
    report = study.run(keep_going=True)
    assert report.labelled == len(QUERIES) * (len(DOCUMENTS) - 1) and not report.complete
    unusable = report.to_dict()["coverage"]["judges"][0]["unusable"]
    assert unusable == [{"what": reason, "count": len(QUERIES)}]
    assert "d3" not in set(study.labels().to_pandas()["doc_id"])


def test_an_exception_is_a_failure_and_asked_again(tmp_path: Path) -> None:
    broken = [True]

    @llull.judge(version="1")
    def brittle(text: str) -> int:
        if broken[0] and "text 3" in text:
            raise RuntimeError("no connection")
        return 1

    study = created(tmp_path, brittle)
    report = study.run()
    assert not report.complete and any("3 of 24 pairs failed" in note for note in report.notes)
    broken[0] = False
    assert study.run().complete
    broken[0] = True
    always = llull.judge(name="always", version="1")(lambda text: 1 / 0)
    with pytest.raises(llull.LlullError, match="ZeroDivisionError: division by zero"):
        study.run(always)


@pytest.fixture
def interruptible() -> Iterator[None]:
    # a job in the background of a shell ignores the signal, and so does Python then
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_keeps_what_was_answered(tmp_path: Path) -> None:
    calls: list[str] = []
    pause = 0.2

    @llull.judge(version="1")
    def slow(query: str, text: str) -> int:
        calls.append(text)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        # a busy machine has half a minute to stop the run before its end
        time.sleep(pause)
        return 1

    documents = {f"d{number}": f"text {number}" for number in range(300)}
    runs = {name: {"q0": {document: 1.0 for document in documents}} for name in ("a", "b")}
    study = created(tmp_path, slow, queries={"q0": "text"}, corpus=documents, systems=runs)
    with pytest.raises(KeyboardInterrupt):
        study.run(depth=300, concurrency=2)
    pause = 0
    asked = len(calls)
    assert 3 <= asked < 300
    assert study.labels(depth=300).to_dict() and len(study.labels(depth=300)) == asked
    assert study.run(depth=300, concurrency=2).complete
    # 30 questions are repeated to check the judge, and none was asked again because of the interrupt
    assert len(set(calls)) == 300 and len(calls) == 330


@pytest.mark.parametrize("waits", [False, True])
def test_a_judge_that_raises_an_interrupt_stops_the_run(tmp_path: Path, waits: bool) -> None:
    calls: list[str] = []

    def answer(text: str) -> int:
        calls.append(text)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return 1

    async def later(text: str) -> int:
        return answer(text)

    study = created(tmp_path, llull.judge(name="stops", version="1")(later if waits else answer))
    with pytest.raises(KeyboardInterrupt):
        study.run(concurrency=1)
    assert len(calls) == 3 and len(study.labels()) == 2
    report = study.run()
    assert report.complete and report.labelled == len(QUERIES) * len(DOCUMENTS)


def test_several_functions_that_raise_keep_the_answers_in_flight(tmp_path: Path) -> None:
    calls: list[str] = []
    asked: list[tuple[str, str]] = []
    started, both = threading.Event(), threading.Event()

    def stops(text: str) -> int:
        calls.append(text)
        started.wait(60)
        if len(calls) == 2:
            both.set()
        both.wait(60)
        raise SystemExit

    def slow(query: str, text: str) -> int:
        asked.append((query, text))
        started.set()
        if not both.is_set():
            both.wait(60)
            # the run sees both exceptions before this answer
            time.sleep(0.5)
        return 1

    judges = [llull.judge(version="1")(stops), llull.judge(version="1")(slow)]
    study = created(tmp_path, *judges)
    with pytest.raises(SystemExit):
        study.run(concurrency=2)
    assert len(calls) == 2
    assert study.run(judges[1]).complete
    assert len(asked) == len(set(asked)) == len(QUERIES) * len(DOCUMENTS), "no answer is asked for twice"


def test_progress_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[llull.Progress] = []
    judge = llull.judge(name="wrong", version="1")(lambda text: "x" if "text 3" in text else 1)
    study = created(tmp_path, judge)
    study.run(progress=seen.append, keep_going=True)
    assert seen == sorted(seen) and seen[-1].done == seen[-1].total >= len(QUERIES) * len(DOCUMENTS)
    assert seen[-1].unusable == len(QUERIES) and seen[-1].failed == 0
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown(True) as show:
        assert show is not None
        show(3, 2400, 1, 0)
    assert terminal.getvalue() == "\rjudging: 3 of 2,400, 1 unusable\x1b[K\r\x1b[K"
    # an exception of the function ends the run, and keeps the answers
    with pytest.raises(ZeroDivisionError):
        study.run(llull.judge(name="other", version="1")(lambda text: 1), progress=lambda progress: 1 / 0)
    assert len(study.labels()) > 0


def test_pages_are_served(tmp_path: Path) -> None:
    study = created(tmp_path, llull.judge(version="1")(words))
    study.run()
    for server in (study.serve(), study.review("anna", queue="random", most=3)):
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with server:
            assert "filters" in browser.open(server.url).read().decode()
            assert f'href="{server.url}"' in server._repr_html_() and repr(server) == server.url
        with pytest.raises(urllib.error.URLError):
            browser.open(server.url)
    with pytest.raises(llull.LlullError, match="llull sample"):
        study.review("anna")
    with pytest.raises(llull.LlullError, match="most: a sample is shown whole"):
        study.review("anna", most=3)
    with pytest.raises(ValueError, match="needs an annotator"):
        study.review(queue="adjudicate")
    with pytest.raises(ValueError, match='queue is "query"'):
        study.review(queue="query")  # type: ignore[arg-type]


def test_a_forked_child_serves_pages(tmp_path: Path) -> None:
    study = created(tmp_path, llull.judge(version="1")(words))
    study.run()

    def pages() -> list[str]:
        read = []
        for server in (study.serve(), study.review("anna", queue="random")):
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with server:
                read.append(browser.open(server.url).read().decode())
        return read

    assert all("filters" in page for page in pages())
    child = os.fork()
    if child == 0:
        try:
            # a child that hangs is ended by the signal
            signal.alarm(60)
            os._exit(0 if all("filters" in page for page in pages()) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_command_says_that_a_function_is_of_python(tmp_path: Path) -> None:
    study = created(tmp_path, llull.judge(version="1")(words))
    said = command("-C", study.folder, "run", code=1)[1]
    assert "words@1 is a function of a program, which alone can ask it" in said and "llull.Study.open" in said


class Langchain:
    class Document:
        def __init__(self, identifier: str, text: str) -> None:
            self.metadata, self.page_content = {"doc_id": identifier}, text

    def invoke(self, query: str) -> list[Any]:
        return [self.Document(*document) for document in DOCUMENTS.items()]


def test_systems_may_be_functions_and_retrievers(tmp_path: Path) -> None:
    def keyword(query: str, k: int) -> list[tuple[str, float]]:
        scores = {document: float(sum(word in text for word in query.split())) for document, text in DOCUMENTS.items()}
        return sorted(scores.items(), key=lambda hit: -hit[1])[:k]

    systems = {"keyword": keyword, "chain": Langchain(), "names": lambda query, k: list(DOCUMENTS)[:k]}
    study = created(tmp_path, llull.judge(version="1")(words), systems=systems)
    assert study.run().complete
    assert study.report().to_pandas()["system"].unique().tolist() == ["keyword", "chain", "names"]
    # results with texts need no corpus
    study = created(tmp_path / "rag", llull.judge(version="1")(words), systems={"chain": Langchain()}, corpus=None)
    assert study.run().complete
    with pytest.raises(ValueError, match='set "id" in its metadata'):
        created(tmp_path / "wrong", systems={"none": lambda query, k: [{"text": "x"}]})


def test_queries_and_documents_may_be_tables_and_files(tmp_path: Path) -> None:
    queries = pd.DataFrame({"query_id": list(QUERIES), "query": list(QUERIES.values())})
    documents = pl.DataFrame({"doc_id": list(DOCUMENTS), "text": list(DOCUMENTS.values())})
    judge = llull.judge(version="1")(words)
    expected = created(tmp_path / "dicts", judge).run().to_dict()["systems"]
    study = created(tmp_path / "tables", judge, queries=queries, corpus=documents, reference={"q0": {"d0": 1, "d1": 0}})
    report = study.run()
    assert report.to_dict()["systems"] == expected
    assert report.to_dict()["reference"]["agreement"]["both"] == 2
    files = tmp_path / "files"
    files.mkdir()
    queries.to_csv(files / "queries.csv", index=False)
    documents.write_csv(files / "corpus.csv")
    study = created(files, judge, queries=files / "queries.csv", corpus=str(files / "corpus.csv"))
    assert study.run().to_dict()["systems"] == expected
    reader = pa.table(queries).to_reader()
    assert created(tmp_path / "stream", judge, queries=reader).run().to_dict()["systems"] == expected
    rows = [{"query_id": query, "query": text} for query, text in QUERIES.items()]
    assert created(tmp_path / "rows", judge, queries=rows).run().to_dict()["systems"] == expected


def test_a_dataset_of_ir_datasets_has_a_name(tmp_path: Path) -> None:
    import ir_datasets  # type: ignore[import-untyped]

    files = {
        "docs_tsv": "".join(f"{key}\t{text}\n" for key, text in DOCUMENTS.items()),
        "queries_tsv": "".join(f"{key}\t{text}\n" for key, text in QUERIES.items()),
        "qrels_trec": "q0 0 d1 1\nq1 0 d2 0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    parts = {name: str(tmp_path / name) for name in files}
    ir_datasets.registry.register("llull/tiny", ir_datasets.create_dataset(**parts))
    study = llull.Study.create(tmp_path / "study", dataset="llull/tiny", systems=RUNS, judges=["similarity"])
    report = study.run()
    assert report.labelled == len(QUERIES) * len(DOCUMENTS)
    lines = (tmp_path / "study" / "reference.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"query_id": "q0", "doc_id": "d1", "relevance": 1}
    with pytest.raises(llull.LlullError, match="ir_datasets has no dataset 'llull/none'"):
        llull.Study.create(tmp_path / "none", dataset="llull/none", systems=RUNS)
    with pytest.raises(TypeError, match="queries, or the name of a dataset"):
        llull.Study.create(tmp_path / "none", systems=RUNS)
    assert not (tmp_path / "none").exists()


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    # the names of a BEIR folder
    folder = tmp_path / "study"
    (folder / "runs").mkdir(parents=True)
    for name in ("queries.jsonl", "corpus.jsonl", "reference.jsonl", "runs/up.jsonl"):
        (folder / name).write_text("mine")
        with pytest.raises(llull.LlullError, match=f"{name} is there already; nothing was written"):
            created(tmp_path, "similarity", reference={"q0": {"d0": 1}})
        assert [file for file in folder.rglob("*") if file.is_file()] == [folder / name]
        assert (folder / name).read_text() == "mine"
        (folder / name).unlink()
    (folder / "rubric.md").write_bytes((created(tmp_path / "other", "similarity").folder / "rubric.md").read_bytes())
    assert created(tmp_path, "similarity").run().complete, "a rubric of the folder is used"


def test_a_study_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(llull.LlullError, match="nonsense"):
        created(tmp_path, "nonsense")
    with pytest.raises(llull.FileError, match=r"~/no such corpus: there is no such file"):
        created(tmp_path, "similarity", corpus="~/no such corpus")
    with pytest.raises(ZeroDivisionError):
        created(tmp_path, "similarity", systems={"broken": lambda query, k: 1 / 0})
    assert not [file for file in (tmp_path / "study").rglob("*") if file.is_file()]
    assert created(tmp_path, "similarity").run().complete


def test_a_judges_file_beside_the_folder_is_copied(tmp_path: Path) -> None:
    (tmp_path / "labels.qrels").write_text("".join(f"{query} 0 d1 2\n" for query in QUERIES))
    for at, file in enumerate(("../labels.qrels", tmp_path / "labels.qrels")):
        study = created(tmp_path if at == 0 else tmp_path / "other", f"replay:{file}")
        assert (study.folder / "data/labels.qrels").is_file() and study.run().labelled == len(QUERIES)
        assert len(study.labels()) == study.report().labelled == len(QUERIES)


def test_missing_values_of_tables_are_left_out(tmp_path: Path) -> None:
    titles = pd.Series(["t", None, float("nan"), pd.NA, *["t"] * (len(DOCUMENTS) - 4)], dtype=object)
    corpus = pd.DataFrame({"doc_id": list(DOCUMENTS), "title": titles, "text": list(DOCUMENTS.values())})
    study = created(tmp_path, "similarity", corpus=corpus)
    rows = [json.loads(line) for line in (study.folder / "corpus.jsonl").read_text().splitlines()]
    assert [row.get("title") for row in rows[:5]] == ["t", None, None, None, "t"] and study.run().complete


def test_a_key_that_came_with_the_study_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.add(self.headers.get("Authorization"))
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"role": "assistant", "content": json.dumps({"reasoning": "x", "grade": 1})}
            body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None: ...

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    study = created(tmp_path, "openai/gpt-4o-mini")
    (study.folder / ".env").write_text("OPENAI_API_KEY=sk-of-the-study\n")
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        report = study.run(base_url=f"http://127.0.0.1:{server.server_port}/v1")
        server.shutdown()
    assert seen == {"Bearer sk-of-the-study"}
    assert any("the key in OPENAI_API_KEY is the study's own, from" in note for note in report.notes), report.notes


def test_wrong_studies(tmp_path: Path) -> None:
    study = created(tmp_path, "similarity")
    with pytest.raises(llull.LlullError, match="llull.toml is there already"):
        created(tmp_path, "similarity")
    with pytest.raises(llull.LlullError, match="llull init DIR"):
        llull.Study.open(tmp_path / "nowhere")
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"judge": "nobody"}, llull.LlullError, "neither a judge of llull.toml"),
        ({"judge": 5}, TypeError, "a function of llull.judge; found int"),
        ({"judge": "openai/x"}, llull.LlullError, "needs a key: set OPENAI_API_KEY"),
        ({"paradigm": "x"}, ValueError, 'paradigm is "x"'),
        ({"method": "x"}, ValueError, "method: "),
        ({"depth": 0}, ValueError, "depth is 0"),
        ({"seed": -1}, ValueError, "the seed"),
        ({"max_usd": 0.0}, ValueError, "max_usd is 0"),
        ({"measures": "x"}, llull.LlullError, 'no measure is called "x"'),
        ({"nothing": 1}, TypeError, "nothing"),
    ]
    for keywords, error, message in wrong:
        with pytest.raises(error, match=message):
            study.run(**keywords)


def test_wrong_judges() -> None:
    with pytest.raises(TypeError, match="it asks for prompt; a graded judge can ask for document, expected"):
        llull.judge(name="a", version="1")(lambda prompt: 1)
    with pytest.raises(ValueError, match="give it a name"):
        llull.judge(version="1")(lambda query: 1)
    with pytest.raises(ValueError, match="the version of judge a"):
        llull.judge(name="a", version="1 2")(lambda query: 1)
    names: dict[str, Any] = {}
    exec("def typed(query): return 1", names)
    with pytest.raises(ValueError, match="its source cannot be read here, so it needs a version"):
        llull.judge(names["typed"])
    same = llull.judge(words)
    assert same.version == llull.judge(words).version and same.model == f"function:words@{same.version}"
