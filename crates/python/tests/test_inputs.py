"""Every form of labels and results has the same figures."""

from __future__ import annotations

import math
import os
import pickle
import signal
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType
from typing import Any, Callable

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from conftest import MEASURES, Labels, Results

import llull

Data = tuple[Labels, Results, Results]
Files = tuple[Path, Path, Path]


def columns(values: Any, number: str) -> dict[str, list[Any]]:
    rows = [(query, document, value) for query, row in values.items() for document, value in row.items()]
    query, document, value = (list(column) for column in zip(*rows, strict=True))
    return {"query_id": query, "doc_id": document, number: value}


def shuffled(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    order = np.random.default_rng(3).permutation(len(table["doc_id"]))
    return {name: [column[place] for place in order] for name, column in table.items()}


class WithoutPyarrow(pd.DataFrame):
    """A data frame where pyarrow is not installed."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        raise ImportError("pyarrow is not here")


FORMS: dict[str, Callable[[Any, str], Any]] = {
    "dict": lambda values, number: values,
    "ordered dict": lambda values, number: OrderedDict(values),
    "mapping": lambda values, number: MappingProxyType({query: MappingProxyType(row) for query, row in values.items()}),
    "pandas": lambda values, number: pd.DataFrame(columns(values, number)),
    "pandas, shuffled": lambda values, number: pd.DataFrame(shuffled(columns(values, number))),
    "pandas, categories": lambda values, number: pd.DataFrame(columns(values, number)).astype(
        {"query_id": "category", "doc_id": "category"}
    ),
    "pandas without pyarrow": lambda values, number: WithoutPyarrow(columns(values, number)),
    "polars": lambda values, number: pl.DataFrame(columns(values, number)),
    "polars, other names": lambda values, number: pl.DataFrame(columns(values, number)).rename(
        {"query_id": "qid", "doc_id": "docno"}
    ),
    "arrow": lambda values, number: pa.table(columns(values, number)),
    "arrow, chunks": lambda values, number: pa.concat_tables(
        pa.table({name: part[at::7] for name, part in columns(values, number).items()}) for at in range(7)
    ),
    "tuples": lambda values, number: list(zip(*columns(values, number).values(), strict=True)),
    "a generator": lambda values, number: (row for row in zip(*columns(values, number).values(), strict=True)),
    "named tuples": lambda values, number: [
        (ir_measures.Qrel if number == "relevance" else ir_measures.ScoredDoc)(*row)
        for row in zip(*columns(values, number).values(), strict=True)
    ],
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(data: Data, form: str) -> None:
    qrels, run, _ = data
    expected = llull.measure(qrels, run, MEASURES).per_query()
    make = FORMS[form]
    assert llull.measure(make(qrels, "relevance"), make(run, "score"), MEASURES).per_query() == expected
    converted = llull.Qrels(make(qrels, "relevance")), llull.Run(make(run, "score"))
    assert llull.measure(*converted, MEASURES).per_query() == expected
    # tables and rows have the queries in their order of appearance
    assert converted[0].to_dict().keys() == qrels.keys()
    assert {query: dict(row) for query, row in converted[1].to_dict().items()} == run


def test_paths(data: Data, files: Files) -> None:
    expected = llull.measure(data[0], data[1], MEASURES).per_query()
    assert llull.measure(files[0], files[1], MEASURES).per_query() == expected
    assert llull.measure(str(files[0]), str(files[1]), MEASURES).per_query() == expected


@pytest.mark.parametrize("whole", [np.int64, np.int32, np.uint32, np.uint64])
@pytest.mark.parametrize("real", [np.float32, np.float64, None])
def test_arrays(whole: Any, real: Any) -> None:
    documents = np.array([[3, 1, 2], [0, 2, 1]], dtype=whole)
    scores = None if real is None else np.array([[9.0, 8.0, 7.5], [3.0, 2.0, 1.0]], dtype=real)
    run = llull.Run.from_arrays(["q1", "q2"], documents, scores, ids=["a", "b", "c", "d"], name="faiss")
    assert [list(row) for row in run.to_dict().values()] == [["d", "b", "c"], ["a", "c", "b"]]
    numbered = llull.Run.from_arrays(["q1", "q2"], documents.T.copy().T, scores)
    assert list(numbered.to_dict()["q1"]) == ["3", "1", "2"]
    assert llull.measure({"q1": {"b": 1}, "q2": {"b": 1}}, run, "RR").values_of("RR") == [1 / 2, 1 / 3]


def test_arrays_without_the_buffer_protocol() -> None:
    class Tensor:
        def __init__(self, array: Any) -> None:
            self.array = array

        def __array__(self) -> Any:
            return self.array

    run = llull.Run.from_arrays(["q1"], Tensor(np.array([[3, 1]])), Tensor(np.array([[1.0, 2.0]])))
    assert run.to_dict() == {"q1": {"1": 2.0, "3": 1.0}}


def test_an_interrupt_while_a_value_is_read_is_not_swallowed() -> None:
    class Interrupting:
        def __float__(self) -> float:
            raise KeyboardInterrupt

    values: list[Any] = [{"q1": {"a": Interrupting()}}, [("q1", "a", Interrupting())]]
    for form in values:
        for read in (llull.Run, llull.Qrels):
            with pytest.raises(KeyboardInterrupt):
                read(form)


def test_a_number_below_0_is_no_document() -> None:
    run = llull.Run.from_arrays(["q1"], np.array([[4, -1, -1]]), np.array([[1.0, 0.0, 0.0]]))
    assert run.to_dict() == {"q1": {"4": 1.0}}
    hashes = np.array([[2**63 + 5, 2**63 + 9, 7]], np.uint64)
    assert list(llull.Run.from_arrays(["q1"], hashes).to_dict()["q1"]) == [str(2**63 + 5), str(2**63 + 9), "7"]


def test_numbers_of_resamples_have_a_range() -> None:
    labels, run = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
    with pytest.raises(ValueError, match="resamples must be a whole number from 1 to 10000000"):
        llull.measure(labels, run, ["RR"], resamples=10**12)
    for draws in (0, -1, 10**12):
        with pytest.raises(ValueError, match="draws must be a whole number"):
            llull.compare(labels, {"a": run, "b": run}, ["RR"], draws=draws)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["q1"], np.zeros((2, 3), np.int64)), ValueError, "2 rows for 1 quer"),
        ((["q1"], np.zeros(3, np.int64)), ValueError, "shape"),
        ((["q1"], np.zeros((1, 3), np.int64), np.zeros((1, 2))), ValueError, "expected the same"),
        ((["q1"], np.zeros((1, 3))), TypeError, "whole numbers"),
        ((["q1", "q1"], np.zeros((2, 1), np.int64)), ValueError, "given twice"),
        ((["q1"], [[1, 2]]), TypeError, "whole numbers"),
        ((["q1"], np.zeros((1, 1), np.int64), np.array([[math.nan]])), ValueError, "NaN"),
        ((["q1"], np.zeros((1, 1), ">i8")), ValueError, "byte order"),
        ((["q1"], np.zeros((1, 1), np.int64), np.zeros((1, 1), ">f4")), ValueError, "byte order"),
    ],
)
def test_wrong_arrays(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        llull.Run.from_arrays(*arguments)


@pytest.mark.parametrize("frame", [pd.DataFrame, WithoutPyarrow])
def test_numbers_are_identifiers_of_tables_as_in_files(frame: Any) -> None:
    labels = frame({"query_id": [1, 1, 2], "doc_id": [10, 11, 12], "relevance": [1, 0, 2]})
    results = frame({"query_id": [1, 2], "doc_id": [10, 12], "rank": [1, 1]})
    assert llull.measure(labels, results, "P@1")["P@1"] == 1.0


@pytest.mark.parametrize("frame", [pd.DataFrame, WithoutPyarrow])
def test_wrong_columns_of_data_frames(frame: Any) -> None:
    labels = {"q1": {"a": 1}}
    with pytest.raises(TypeError, match='"doc_id" holds .*; expected texts or whole numbers'):
        llull.measure(labels, frame({"qid": ["q1"], "doc_id": [1.5], "score": [1.0]}))
    with pytest.raises(TypeError, match='"score" holds .*; expected numbers'):
        llull.measure(labels, frame({"qid": ["q1"], "doc_id": ["a"], "score": ["1"]}))
    with pytest.raises(ValueError, match="1 of 2 rows have no identifier"):
        llull.measure(labels, frame({"qid": ["q1", None], "doc_id": ["a", "b"], "score": [1.0, 2.0]}))
    twice = frame([["q1", "a", "b", 1.0]], columns=["qid", "doc_id", "doc_id", "score"])
    with pytest.raises(ValueError, match="(?i)twice|duplicate"):
        llull.measure(labels, twice)
    # pyarrow warns of a name that is no text
    numbered = WithoutPyarrow({"qid": ["q1"], "doc_id": ["a"], "score": [1.0], 3: [None]})
    assert llull.measure(labels, numbered, "P@1")["P@1"] == 1.0


GRADES: list[tuple[Any, int | None]] = [
    (2, 2), (2.0, 2), (np.float64(2), 2), (np.float32(2), 2), (np.int64(2), 2), (True, 1),
    (None, None), (math.nan, None), (np.float64("nan"), None), (pd.NA, None),
]  # fmt: skip


@pytest.mark.parametrize(("grade", "expected"), GRADES)
def test_a_grade_is_the_same_in_dicts_and_rows(grade: Any, expected: int | None) -> None:
    known = {"b": 1} if expected is None else {"b": 1, "a": expected}
    labels: list[Any] = [{"q1": {"a": grade, "b": 1}}, [("q1", "a", grade), ("q1", "b", 1)]]
    for form in labels:
        qrels = llull.Qrels(form)
        assert qrels.to_dict() == {"q1": known}
        assert qrels.notes == (["labels: 1 row has no grade: these pairs have no label"] if expected is None else [])


def test_wrong_grades_are_the_same_in_dicts_and_rows() -> None:
    wrong: list[tuple[Any, type[Exception], str]] = [
        (1.5, ValueError, "the grade is 1.5; expected a whole number"),
        (2**40, ValueError, "32 bits"),
        (10**400, ValueError, "32 bits"),
        ("2", TypeError, "the grade is '2' .str."),
    ]
    for grade, error, message in wrong:
        labels: list[Any] = [{"q1": {"a": grade}}, [("q1", "a", grade)]]
        for form in labels:
            with pytest.raises(error, match=message):
                llull.Qrels(form)
    assert llull.Qrels([("q1", "a", 1.5)], round=True).to_dict() == {"q1": {"a": 2}}
    decimal: Any = {"q1": {"a": 1.5}}
    assert llull.Qrels(decimal, round=True).to_dict() == {"q1": {"a": 2}}


def test_rows_that_repeat_are_in_the_notes() -> None:
    rows = [("q1", "a", 1.0), ("q1", "a", 3.0), ("q1", "b", 2.0)]
    repeated = "run: 1 row repeats a document of the same query; the better place was kept"
    assert llull.Run(rows).notes == [repeated]
    assert llull.Run(rows).to_dict() == {"q1": {"a": 3.0, "b": 2.0}}
    assert repeated in llull.measure({"q1": {"a": 1}}, rows, "P@1").notes
    labels = [("q1", "a", 1), ("q1", "a", 1)]
    assert llull.Qrels(labels).notes == ["labels: 1 row repeats a pair with the same grade; nothing changes by it"]


def test_a_dict_that_changes_while_it_is_read() -> None:
    class Growing:
        """A number that adds a document to its dict."""

        def __init__(self, row: dict[str, Any]) -> None:
            self.row = row

        def __float__(self) -> float:
            self.row[f"new{len(self.row)}"] = 1.0
            return 1.0

    run: dict[str, Any] = {"q1": {}}
    run["q1"] |= {"a": Growing(run["q1"]), "b": 2.0}
    assert llull.Run(run).to_dict() == {"q1": {"b": 2.0, "a": 1.0}}
    labels: dict[str, Any] = {"q1": {}}
    labels["q1"] |= {"a": Growing(labels["q1"]), "b": 2}
    assert llull.Qrels(labels).to_dict() == {"q1": {"a": 1, "b": 2}}


def test_text_that_is_not_utf_8_is_refused() -> None:
    def table(text: bytes) -> Any:
        texts = pa.StringArray.from_buffers(1, pa.py_buffer(np.array([0, len(text)], np.int32)), pa.py_buffer(text))
        return pa.table({"query_id": ["q1"], "doc_id": texts, "score": [1.0], "relevance": [1]})

    assert llull.measure(table(b"a"), table(b"a"), "P@1")["P@1"] == 1.0
    for read in (llull.Run, llull.Qrels):
        with pytest.raises(ValueError, match='column "doc_id" is damaged'):
            read(table(b"\xff\xfe"))


@pytest.mark.parametrize("frame", [pd.DataFrame, WithoutPyarrow])
def test_missing_grades_are_no_labels(frame: Any) -> None:
    labels = frame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "relevance": [1.0, None]})
    qrels = llull.Qrels(labels)
    assert qrels.to_dict() == {"q1": {"a": 1}}
    assert qrels.notes == ["labels: 1 row has no grade: these pairs have no label"]
    assert llull.measure(labels, {"q1": {"b": 2.0, "a": 1.0}}, "Judged@2")["Judged@2"] == 0.5


def test_repeated_labels_are_refused_or_chosen() -> None:
    rows = [("q1", "a", 3), ("q1", "a", 0), ("q1", "a", 1), ("q1", "b", 1), ("q1", "b", 1)]
    with pytest.raises(llull.LlullError, match="grades 3 and 0; choose which counts"):
        llull.Qrels(rows)
    for repeats, grade in [("first", 3), ("last", 1), ("median", 1), ("votes", 0)]:
        assert llull.Qrels(rows, repeats=repeats).to_dict()["q1"] == {"a": grade, "b": 1}  # type: ignore[arg-type]


def test_decimal_grades_are_refused_or_rounded() -> None:
    table = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [1.5]})
    with pytest.raises(ValueError, match=r"the grade is 1.5; expected a whole number.*round=True"):
        llull.Qrels(table)
    assert llull.Qrels(table, round=True).to_dict() == {"q1": {"a": 2}}


RUN = {"q1": {"a": 1.0}}


def typed(documents: list[str | None], scores: list[float | None]) -> pl.DataFrame:
    """A table whose columns have types though they hold nothing."""
    schema = {"qid": pl.String, "docid": pl.String, "score": pl.Float64}
    return pl.DataFrame({"qid": ["q1"], "docid": documents, "score": scores}, schema=schema)


@pytest.mark.parametrize(
    ("qrels", "run", "error", "message"),
    [
        ({"q1": {1: 2}}, RUN, TypeError, "identifier 1: expected str, found int"),
        ({"q1": {"a": "1"}}, RUN, TypeError, "the grade is '1' .str."),
        ({"q1": {"a": 2**40}}, RUN, ValueError, "32 bits"),
        ({"q1": 3}, RUN, TypeError, "expected a dict of documents, found int"),
        ({}, RUN, llull.LlullError, "no label"),
        (5, RUN, TypeError, "labels are a dict of dicts"),
        ("nowhere.qrels", RUN, llull.FileError, "nowhere.qrels"),
        ({"q1": {"a": 1}}, {"q1": {"a": "x"}}, TypeError, "the score is 'x' .str."),
        ({"q1": {"a": 1}}, {"q1": {"a": math.nan}}, ValueError, "NaN"),
        ({"q1": {"a": 1}}, 5, TypeError, "results are a dict of dicts"),
        ({"q1": {"a": 1}}, [("q1", "a")], TypeError, "a row is"),
        ({"q1": {"a": 1}}, {"bm25": 5}, TypeError, 'system "bm25": results are'),
        ({"q1": {"a": 1}}, {"q2": {"a": 1.0}}, llull.LlullError, "no query in common"),
        ({"q1": {"a": 1}}, pl.DataFrame({"qid": ["q1"], "score": [1.0]}), ValueError, "no column for document"),
        ({"q1": {"a": 1}}, pl.DataFrame({"qid": ["q1"], "docid": ["a"], "score": ["1"]}), TypeError, "numbers"),
        ({"q1": {"a": 1}}, typed([None], [1.0]), ValueError, "1 of 1 rows have no identifier"),
        ({"q1": {"a": 1}}, typed(["a"], [None]), ValueError, "the score is NaN or missing"),
    ],
)
def test_wrong_inputs(qrels: Any, run: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        llull.measure(qrels, run)


def test_wrong_options() -> None:
    qrels = {"q1": {"a": 1}}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"measures": []}, "measures is empty"),
        ({"level": 0}, "level is 0"),
        ({"depth": 0}, "depth is 0"),
        ({"depth": -1}, "depth is -1; expected a whole number from 1 on"),
        ({"seed": -1}, "the seed is not from 0"),
        ({"resamples": -1}, "resamples must be a whole number from 1"),
        ({"ties": "x"}, 'ties is "x"'),
        ({"confidence": 2.0}, "the confidence 2"),
        ({"resamples": 3}, "3 resamples"),
        ({"repeats": "x"}, 'repeats: "x"'),
    ]
    for keywords, message in wrong:
        with pytest.raises(ValueError, match=message):
            llull.measure(qrels, RUN, **keywords)
    runs = {"a": RUN, "b": RUN}
    wrong = [
        ({"test": "x"}, 'test: "x"'),
        ({"significance": 1.5}, "significance is 1.5"),
        ({"equivalent": -1.0}, "equivalent is -1"),
        ({"gates": ["x"]}, "gates: "),
        ({"baseline": "c"}, "the systems, which are a, b"),
        ({"measures": "GMAP"}, "GMAP"),
    ]
    for keywords, message in wrong:
        with pytest.raises(ValueError, match=message):
            llull.compare(qrels, runs, **keywords)
    with pytest.raises(ValueError, match="at least two systems"):
        llull.compare(qrels, {"a": RUN})
    with pytest.raises(KeyError, match="there are nDCG@10"):
        llull.measure(qrels, RUN)["AP"]


def test_measures_by_any_name(data: Data) -> None:
    qrels, run, _ = data
    scores = llull.measure(qrels, run, ["ndcg_cut_10", ir_measures.AP, "P_5"])
    assert scores.keys() == ["nDCG@10", "AP", "P@5"]
    assert scores["ndcg_cut_10"] == scores["nDCG@10"] == scores[ir_measures.nDCG @ 10]
    assert dict(scores) == dict(scores.items()) and "map" in scores and "RR" not in scores
    assert scores.get("RR") is None and len(scores) == 3
    assert "AP" in llull.measure(qrels, run, "all_trec")


def test_frames(data: Data) -> None:
    qrels, first, second = data
    scores = llull.measure(qrels, {"first": first, "second": second}, ["nDCG@10", "RR"])
    means = scores.to_pandas()
    assert list(means["mean"]) == [scores[system][measure] for system in scores for measure in ("nDCG@10", "RR")]
    assert scores.to_polars().equals(pl.from_pandas(means))
    queries = scores["second"].to_polars().filter(pl.col("measure") == "RR")
    assert queries["value"].to_list() == scores["second"].values_of("RR")
    low, high = scores["first"].interval("RR") or (math.nan, math.nan)
    assert low < scores["first"]["RR"] < high
    compared = llull.compare(qrels, {"first": first, "second": second}, ["nDCG@10", "RR"])
    table = compared.to_pandas()
    assert list(table["p"]) == [difference.p for difference in compared.differences]
    assert compared["second", "ndcg_cut_10"].mean == table["difference"][0]
    assert compared.to_polars()["decision"].to_list() == list(table["decision"])


def test_html_shows_names_as_text(data: Data) -> None:
    qrels, first, second = data
    hostile = "<img src=x onerror=alert(1)>"
    runs = {"first": first, hostile: second}
    for html in (llull.measure(qrels, runs)._repr_html_(), llull.compare(qrels, runs)._repr_html_()):
        assert "<img" not in html and "&lt;img" in html and html.startswith("<table>")


@pytest.mark.parametrize("form", ["dict", "polars", "tuples", "converted", "path", "compare"])
def test_a_forked_child_does_not_hang(data: Data, files: Files, form: str) -> None:
    qrels, run, other = data
    converted = llull.Qrels(qrels), llull.Run(run)
    table = pl.DataFrame(columns(run, "score"))
    rows = list(zip(*columns(run, "score").values(), strict=True))
    jobs: dict[str, Callable[[], Any]] = {
        "dict": lambda: llull.measure(qrels, run, MEASURES).to_dict(),
        "polars": lambda: llull.measure(qrels, table, MEASURES).to_dict(),
        "tuples": lambda: llull.measure(qrels, rows, MEASURES).to_dict(),
        "converted": lambda: llull.measure(*converted, MEASURES).to_dict(),
        "path": lambda: llull.measure(files[0], files[1], MEASURES).to_dict(),
        "compare": lambda: llull.compare(qrels, {"a": run, "b": other}).to_dict(),
    }
    expected = jobs[form]()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            # a child that hangs is ended by the signal
            signal.alarm(60)
            os.write(writing, pickle.dumps(jobs[form]() == expected))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    assert not os.WIFSIGNALED(status), "the child hung"
    assert pickle.loads(answer) is True
