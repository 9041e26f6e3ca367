"""Measure retrieval without ground truth.

    >>> import llull
    >>> qrels = {"q1": {"d1": 3, "d2": 0}}
    >>> run = {"q1": {"d2": 9.0, "d1": 8.0, "d3": 7.0}}
    >>> llull.measure(qrels, run, ["RR@10", "nDCG@10"])["RR@10"]
    0.5

Labels and results may be a dict of dicts, a table with `__arrow_c_stream__` (polars, pandas, pyarrow, DuckDB), rows
(named tuples of ir_measures, or tuples), a path (TREC, BEIR, CSV, JSON, Parquet, `.gz`, `.zst`) or a converted `Qrels`
or `Run`. A query that a run does not answer counts as 0. A document without a label counts as not relevant, and is
counted. Equal inputs and one seed give equal results, on any number of cores.

Wrong types are a `TypeError`, values out of range a `ValueError`, unknown systems and measures of a result a
`KeyError`, everything else an `LlullError`. Functions print nothing; what the command warns of is in `notes`.
"""

# `typing` costs 8 ms and nothing here needs it, so that the command starts quickly.
from llull._errors import FileError, LlullError, MeasureError
from llull._llull import (
    Agreement,
    Comparison,
    Difference,
    LabelSet,
    Qrels,
    Ranking,
    Run,
    Sample,
    Scores,
    SystemScores,
    __version__,
    agree,
    compare,
    correct,
    label,
    measure,
    rank,
    sample,
)

__all__ = [
    "Agreement",
    "Comparison",
    "Difference",
    "FileError",
    "LabelSet",
    "LlullError",
    "MeasureError",
    "Qrels",
    "Ranking",
    "Run",
    "Sample",
    "Scores",
    "SystemScores",
    "__version__",
    "agree",
    "compare",
    "correct",
    "label",
    "measure",
    "rank",
    "sample",
]
