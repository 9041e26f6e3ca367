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


FORMS: dict[str, Callable[[Any, str], Any]] = {
    "dict": lambda values, number: values,
    "ordered dict": lambda values, number: OrderedDict(values),
    "mapping": lambda values, number: MappingProxyType({query: MappingProxyType(row) for query, row in values.items()}),
    "pandas": lambda values, number: pd.DataFrame(columns(values, number)),
    "pandas, shuffled": lambda values, number: pd.DataFrame(shuffled(columns(values, number))),
    "pandas, categories": lambda values, number: pd.DataFrame(columns(values, number)).astype(
        {"query_id": "category", "doc_id": "category"}
    ),
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


def test_a_number_below_0_is_no_document() -> None:
    run = llull.Run.from_arrays(["q1"], np.array([[4, -1, -1]]), np.array([[1.0, 0.0, 0.0]]))
    assert run.to_dict() == {"q1": {"4": 1.0}}
    hashes = np.array([[2**63 + 5, 2**63 + 9, 7]], np.uint64)
    assert list(llull.Run.from_arrays(["q1"], hashes).to_dict()["q1"]) == [str(2**63 + 5), str(2**63 + 9), "7"]


def test_numbers_of_resamples_have_a_range() -> None:
    labels, run = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
    with pytest.raises(ValueError, match="resamples must be a whole number from 1 to 10000000"):
        llull.measure(labels, run, ["RR"], resamples=10**12)
    with pytest.raises(ValueError, match="draws must be a whole number"):
        llull.compare(labels, {"a": run, "b": run}, ["RR"], draws=0)


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


def test_numbers_are_identifiers_of_tables_as_in_files() -> None:
    labels = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": [10, 11, 12], "relevance": [1, 0, 2]})
    results = pl.DataFrame({"query_id": [1, 2], "doc_id": [10, 12], "rank": [1, 1]})
    assert llull.measure(labels, results, "P@1")["P@1"] == 1.0


def test_missing_grades_are_no_labels() -> None:
    labels = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "relevance": [1.0, None]})
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


def test_pandas_without_pyarrow(data: Data) -> None:
    class WithoutPyarrow(pd.DataFrame):
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            raise ImportError("pyarrow is not here")

    qrels, run, _ = data
    tables = WithoutPyarrow(columns(qrels, "relevance")), WithoutPyarrow(columns(run, "score"))
    assert llull.measure(*tables, MEASURES).per_query() == llull.measure(qrels, run, MEASURES).per_query()


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
