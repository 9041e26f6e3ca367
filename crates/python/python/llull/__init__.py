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

# `typing` and `asyncio` cost 8 ms and more, and measuring needs neither, so that the command starts quickly.
from llull._errors import FileError, LlullError, MeasureError
from llull._llull import (
    Agreement,
    Comparison,
    Difference,
    LabelSet,
    Prompt,
    Qrels,
    Ranking,
    Run,
    Sample,
    Scores,
    StudyReport,
    StudyServer,
    SystemScores,
    Tournament,
    __version__,
    agree,
    compare,
    correct,
    label,
    measure,
    rank,
    sample,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from llull._evaluate import evaluate
    from llull._judge import Compared, Document, FunctionJudge, Graded, Rubric, Unusable, judge
    from llull._progress import Progress
    from llull._study import Study, Task, Told

_LAZY = dict.fromkeys(("Compared", "Document", "FunctionJudge", "Graded", "Rubric", "Unusable", "judge"), "_judge")
_LAZY |= {"Progress": "_progress", "evaluate": "_evaluate"} | dict.fromkeys(("Study", "Task", "Told"), "_study")


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'llull' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"llull.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "Agreement",
    "Compared",
    "Comparison",
    "Difference",
    "Document",
    "FileError",
    "FunctionJudge",
    "Graded",
    "LabelSet",
    "LlullError",
    "MeasureError",
    "Progress",
    "Prompt",
    "Qrels",
    "Ranking",
    "Rubric",
    "Run",
    "Sample",
    "Scores",
    "Study",
    "StudyReport",
    "StudyServer",
    "SystemScores",
    "Task",
    "Told",
    "Tournament",
    "Unusable",
    "__version__",
    "agree",
    "compare",
    "correct",
    "evaluate",
    "judge",
    "label",
    "measure",
    "rank",
    "sample",
]
