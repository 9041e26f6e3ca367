"""Evaluation of retrievers by expected answers."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from llull._judge import FunctionJudge, functions_of
from llull._llull import Scores, SystemScores, dataset_queries, evaluate_files
from llull._retriever import retrieve, search_of

if TYPE_CHECKING:
    # types alone, which the native module does not have
    from typing import TypeAlias

    from llull._llull import Measures, StrPath
    from llull._retriever import RetrieverLike

    DatasetLike: TypeAlias = StrPath | Mapping[str, Any] | Iterable[Mapping[str, Any]]
    AnsweringLike: TypeAlias = RetrieverLike | StrPath

__all__ = ["evaluate"]

_USUAL = ("Success@10", "R@10", "RR@10", "nDCG@10")


@overload
def evaluate(
    dataset: DatasetLike,
    retriever: Mapping[str, AnsweringLike],
    judge: str | FunctionJudge | Sequence[str | FunctionJudge] = ...,
    metrics: Measures = ...,
    *,
    k: int = ...,
    ledger: StrPath | None = ...,
    rubric: StrPath | None = ...,
    answers_separator: str | None = ...,
    max_calls: int | None = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
) -> SystemScores: ...
@overload
def evaluate(
    dataset: DatasetLike,
    retriever: AnsweringLike,
    judge: str | FunctionJudge | Sequence[str | FunctionJudge] = ...,
    metrics: Measures = ...,
    *,
    k: int = ...,
    ledger: StrPath | None = ...,
    rubric: StrPath | None = ...,
    answers_separator: str | None = ...,
    max_calls: int | None = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
) -> Scores: ...
def evaluate(
    dataset: DatasetLike,
    retriever: Any,
    judge: str | FunctionJudge | Sequence[str | FunctionJudge] = "token-overlap",
    metrics: Measures = _USUAL,
    *,
    k: int = 100,
    ledger: StrPath | None = None,
    rubric: StrPath | None = None,
    answers_separator: str | None = None,
    max_calls: int | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Scores | SystemScores:
    """Measures retrievers by whether their texts hold expected answers: `llull evaluate`.

    Args:
        dataset: questions with `query_id`, `query_text` and `expected_answers` (or `expected_doc_ids`): a list of
            dicts, a dict with `queries`, or a JSON or CSV file.
        retriever: a function of a query and a number of results that returns dicts with doc_id, text and score; a
            retriever of LangChain, LlamaIndex or Haystack; a file of results; or several as a dict from their names.
        judge: whether a text holds an answer: token-overlap, token-overlap-evret, a language model, a function of
            `llull.judge` of `query`, `expected` and `text` that returns a bool; or several, whose median counts.
        metrics: names of measures, also evret's, such as `HitRate@4` and `Recall@4`.
        k: how many results are asked for.
        ledger: the file that keeps answers, which a language model needs, so that none is paid for twice.
        rubric: a file; a grade from its cutoff on holds the answer. By default yes and no.
        answers_separator: what separates several answers in a cell of a CSV.
        max_calls: the most requests.

    Returns:
        A mapping from measure to mean; of several retrievers, from name to such a mapping.

    Raises:
        LlullError: no query expects anything, or a judge cannot be used.
    """
    judges = [judge] if isinstance(judge, (str, FunctionJudge)) else list(judge)
    if not judges:
        raise ValueError("there is no judge; name at least one")
    functions = functions_of(judges)
    names = [one.model if isinstance(one, FunctionJudge) else one for one in judges]
    unpaid = ("recorded:", "replay:", "person/")
    asked = [name for name in names if "/" in name and not name.startswith(unpaid)]
    if asked and ledger is None:
        raise ValueError(f'{asked[0]} is paid for its answers, so they are kept: add ledger="answers.sqlite"')
    several = isinstance(retriever, Mapping)
    systems = dict(retriever) if several else {"retriever": retriever}
    with tempfile.TemporaryDirectory(prefix="llull-") as folder:
        path = _dataset(dataset, Path(folder))
        queries = dataset_queries(path)
        files = [
            (name, _results(one, Path(folder) / f"{place}.jsonl", queries, k))
            for place, (name, one) in enumerate(systems.items())
        ]
        scores = evaluate_files(
            path,
            files,
            names,
            functions,
            metrics,
            ledger=ledger,
            rubric=rubric,
            answers_separator=answers_separator,
            max_calls=max_calls,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
        )
    return scores if several else scores["retriever"]


def _dataset(dataset: Any, folder: Path) -> str:
    """The file of a dataset."""
    if isinstance(dataset, (str, os.PathLike)):
        return os.fspath(dataset)
    rows = list(dataset["queries"] if isinstance(dataset, Mapping) else dataset)
    file = folder / "dataset.json"
    file.write_text(json.dumps({"queries": rows}, ensure_ascii=False), encoding="utf-8")
    return str(file)


def _results(retriever: Any, file: Path, queries: Mapping[str, str], k: int) -> str:
    """The file of a retriever's results."""
    if isinstance(retriever, (str, os.PathLike)):
        return os.fspath(retriever)
    search = search_of(retriever)
    if search is None:
        raise TypeError(
            f"a retriever is a function of a query and a number of results, an object with invoke, retrieve or run, "
            f"or a file of results; found {type(retriever).__name__}"
        )
    with file.open("w", encoding="utf-8") as out:
        for line in retrieve(search, queries, k):
            out.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")
    return str(file)
