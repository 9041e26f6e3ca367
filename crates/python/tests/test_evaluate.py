"""llull.evaluate has the figures of `llull evaluate`."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from test_like_the_command import command

import llull

TEXTS = {
    "d1": "Retrieval-augmented generation combines retrieval with generation for better accuracy.",
    "d2": "Vector databases store embeddings of documents.",
    "d3": "The Elbe is 1,094 kilometres long and flows through Dresden and Hamburg.",
    "d4": "Bananas are rich in potassium.",
}
DATASET = [
    {
        "query_id": "q1",
        "query_text": "What is RAG?",
        "expected_answers": ["RAG combines retrieval with generation for better accuracy"],
    },
    {
        "query_id": "q2",
        "query_text": "How long is the Elbe?",
        "expected_answers": ["the Elbe is 1,094 kilometres long", "It flows through Dresden"],
    },
]
METRICS = ["HitRate@2", "Recall@4", "MRR@4", "NDCG@4"]


def by_words(query: str, k: int) -> list[dict[str, Any]]:
    words = set(query.lower().strip("?").split())
    scored = sorted(((len(words & set(text.lower().split())), name) for name, text in TEXTS.items()), reverse=True)
    return [{"doc_id": name, "text": TEXTS[name], "score": float(score)} for score, name in scored[:k]]


def in_order(query: str, k: int) -> list[dict[str, Any]]:
    return [{"doc_id": name, "text": text} for name, text in TEXTS.items()][:k]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    folder = tmp_path_factory.mktemp("evaluated")
    dataset = folder / "questions.json"
    dataset.write_text(json.dumps({"queries": DATASET}))
    paths = []
    for name, search in (("words", by_words), ("order", in_order)):
        rows = ({"query_id": row["query_id"], "results": search(str(row["query_text"]), 100)} for row in DATASET)
        paths.append(folder / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
    return dataset, paths


@pytest.mark.parametrize("judge", ["token-overlap", "token-overlap-evret"])
def test_figures_are_those_of_the_command(files: tuple[Path, list[Path]], judge: str) -> None:
    dataset, paths = files
    flags = [word for name in METRICS for word in ("-m", name)]
    results = [word for path in paths for word in ("--results", path)]
    printed = json.loads(command("evaluate", dataset, *results, "--judge", judge, *flags, "--json")[0])
    scores = llull.evaluate(DATASET, {"words": by_words, "order": in_order}, judge, METRICS)
    assert scores.to_dict()["systems"] == printed["systems"]
    of_files = llull.evaluate(dataset, {"words": paths[0], "order": paths[1]}, judge, METRICS)
    assert of_files.to_dict()["systems"] == printed["systems"]
    one = llull.evaluate({"queries": DATASET}, by_words, judge, METRICS)
    assert one["HitRate@2"] == scores["words"]["HitRate@2"] and one.queries == ["q1", "q2"]


def test_a_function_judges(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    @llull.judge(version="1")
    def shares_three_words(query: str, expected: str, text: str) -> bool:
        asked.append((expected, text))
        return len(set(expected.lower().split()) & set(text.lower().split())) >= 3

    ledger = tmp_path / "answers.sqlite"
    scores = llull.evaluate(DATASET, in_order, shares_three_words, METRICS, ledger=ledger)
    assert scores["Recall@4"] > 0 and asked
    count = len(asked)
    again = llull.evaluate(DATASET, in_order, shares_three_words, METRICS, ledger=ledger)
    assert dict(again) == dict(scores) and len(asked) == count, "no answer is asked for twice"
    panel = llull.evaluate(DATASET, in_order, [shares_three_words, "token-overlap"], "Recall@4")
    assert 0 <= panel["Recall@4"] <= 1


def test_missing_judgments_are_noted(files: tuple[Path, list[Path]]) -> None:
    unusable = llull.judge(name="unusable", version="1")(lambda text: llull.Unusable())
    notes = llull.evaluate(DATASET, in_order, unusable, METRICS).notes
    assert any("without a judgment" in note for note in notes), notes
    # the warnings of the command, to the word
    dataset = [*DATASET, {"query_id": "q3", "query_text": "?", "expected_answers": ["nan"]}]
    results = files[0].parent / "some.jsonl"
    rows: list[dict[str, Any]] = [
        {"query_id": "q1", "results": [{"doc_id": "d1"}]},
        {"query_id": "unknown", "results": [{"doc_id": "d1", "text": "x"}]},
    ]
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    questions = files[0].parent / "more.json"
    questions.write_text(json.dumps({"queries": dataset}))
    said = command("evaluate", questions, "--results", results, "-m", "RR")[1]
    notes = llull.evaluate(questions, {"some": results}, metrics="RR").notes
    assert len(notes) == 5
    for note in notes:
        assert note.removeprefix("more.json") in " ".join(said.split()), said


def test_a_rubric_is_not_for_judges_that_count_words(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.md"
    root = Path(os.environ.get("LLULL_ROOT", Path(__file__).parents[3]))
    rubric.write_text((root / "rubrics/default.md").read_text())
    graded = llull.judge(name="graded", version="1")(lambda text: 3)
    with pytest.raises(ValueError, match="rubric is for judges that grade"):
        llull.evaluate(DATASET, in_order, "token-overlap", rubric=rubric)
    with pytest.raises(ValueError, match="rubric: .* has grades from 0 to 3, and token-overlap .* only 0 or 1"):
        llull.evaluate(DATASET, in_order, ["token-overlap", graded], rubric=rubric)
    assert llull.evaluate(DATASET, in_order, graded, "Success@1", rubric=rubric)["Success@1"] == 1.0


def test_an_address_of_env_gets_no_exported_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.headers.get("Authorization"))
            self.send_error(401)

        def log_message(self, *arguments: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as of_env, ThreadingHTTPServer(("127.0.0.1", 0), Server) as own:
        for server in (of_env, own):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.chdir(tmp_path)
        Path(".env").write_text(f"OPENAI_BASE_URL=http://127.0.0.1:{of_env.server_port}/v1\n")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-own")
        # an exported address is the user's; without it the request would go to the internet
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{own.server_port}")
        with pytest.raises(llull.LlullError):
            llull.evaluate(DATASET, in_order, "openai/gpt-4o-mini", ledger="a.sqlite", max_calls=1)
        assert not seen
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{own.server_port}/v1")
        with pytest.raises(llull.LlullError):
            llull.evaluate(DATASET, in_order, "openai/gpt-4o-mini", ledger="b.sqlite", max_calls=1)
        assert seen
        own.shutdown()
        of_env.shutdown()


def test_what_is_wrong() -> None:
    with pytest.raises(llull.LlullError, match="nowhere.jsonl"):
        # it is not paid for, so it needs no ledger
        llull.evaluate(DATASET, in_order, "recorded:a/nowhere.jsonl")
    with pytest.raises(ValueError, match="add ledger="):
        llull.evaluate(DATASET, in_order, "openai/gpt-4o-mini")
    with pytest.raises(ValueError, match="there is no judge"):
        llull.evaluate(DATASET, in_order, [])
    with pytest.raises(TypeError, match="a retriever is a function"):
        llull.evaluate(DATASET, 5)  # type: ignore[call-overload]
    with pytest.raises(llull.LlullError, match="neither a judge|no such|judge"):
        llull.evaluate(DATASET, in_order, "nobody")
    with pytest.raises(llull.LlullError, match="nothing to find"):
        llull.evaluate([{"query_id": "q1", "query_text": "x", "expected_answers": []}], in_order)
    with pytest.raises(ValueError, match='set "id" in its metadata'):
        llull.evaluate(DATASET, lambda query, k: [{"text": "x"}])
    with pytest.raises(llull.FileError, match="nowhere.json"):
        llull.evaluate("nowhere.json", in_order)
