"""llull's native module. Its names are those of the package `llull`; see there for what holds throughout."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, final, overload

import pandas as pd
import polars as pl
from typing_extensions import disjoint_base

from llull._judge import Compared, Document, Graded, Unusable

__version__: str

class ArrowStream(Protocol):
    """A table that exports itself by the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Array(Protocol):
    """An array with the buffer protocol, or one that `__array__` makes of it: numpy's, torch's on the CPU."""

    def __array__(self) -> Any: ...

class Named(Protocol):
    """A measure of ir_measures, whose text is its name."""

    @property
    def NAME(self) -> str | None: ...

StrPath: TypeAlias = str | PathLike[str]
Rows: TypeAlias = Iterable[Sequence[Any]]
Measures: TypeAlias = str | Named | Sequence[str | Named]
LabelsLike: TypeAlias = Mapping[str, Mapping[str, int]] | ArrowStream | Rows | StrPath | Qrels | LabelSet
LabelSetsLike: TypeAlias = LabelsLike | Mapping[str, LabelsLike] | Sequence[StrPath]
Sampled: TypeAlias = Sample | StrPath | Literal["pairs", "queries"]
Test: TypeAlias = Literal["permutation", "t", "wilcoxon", "sign", "bootstrap", "tukey"]
Correction: TypeAlias = Literal["holm", "bh", "none"]
RankMethod: TypeAlias = Literal[
    "bradley-terry", "judge-aware", "plackett-luce", "thurstone", "elo", "copeland", "tiers"
]
ResultsLike: TypeAlias = Mapping[str, Mapping[str, float]] | ArrowStream | Rows | StrPath | Run
SystemsLike: TypeAlias = Mapping[str, ResultsLike] | Sequence[StrPath | Run]
Interval: TypeAlias = tuple[float, float]
Ties: TypeAlias = Literal["float64", "float32"]
Repeats: TypeAlias = Literal["first", "last", "median", "votes"]
Decision: TypeAlias = Literal[
    "better", "worse", "inconclusive", "identical", "unmeasured", "not_trusted", "incomplete"
]

@final
class Qrels:
    """Labels, converted once and used for many runs. Immutable.

    Args:
        labels: a dict of dicts, a table with columns such as query_id, doc_id and relevance, rows (query, document,
            grade) or a path. A grade is a whole number, also as a float or a bool; None, NaN and pandas.NA are no
            label.
        round: round decimal grades to whole ones, halves away from 0.
        repeats: which grade counts of a pair that has several; without it they are refused.

    Raises:
        FileError: a file that has not the form of its format, with file, line and column.
        TypeError: identifiers that are no str, grades that are no numbers.
        ValueError: a grade that is not whole, without `round`.
        LlullError: there is no label, or a pair has several.
    """

    def __new__(cls, labels: LabelsLike, /, *, round: bool = False, repeats: Repeats | None = None) -> Qrels: ...
    def __len__(self) -> int:
        """The number of queries."""

    def __getitem__(self, query: str, /) -> dict[str, int]: ...
    @property
    def notes(self) -> list[str]:
        """What reading them remarked: rows repeated, grades missing."""

    def to_dict(self) -> dict[str, dict[str, int]]: ...
    def to_pandas(self) -> pd.DataFrame:
        """Columns query_id, doc_id, relevance."""

    def to_polars(self) -> pl.DataFrame:
        """Columns query_id, doc_id, relevance."""

@final
class Run:
    """The results of one system, converted once. Immutable.

    Args:
        results: a dict of dicts, a table with columns such as query_id, doc_id and score (or rank), rows (query,
            document, score) or a path.
        name: the system's name; by default that of the file, or "run".

    Raises:
        ValueError: a score is NaN.
    """

    def __new__(cls, results: ResultsLike, /, *, name: str | None = None) -> Run: ...
    @staticmethod
    def from_arrays(
        queries: Sequence[str],
        documents: Array,
        scores: Array | None = None,
        *,
        ids: Sequence[str] | None = None,
        name: str | None = None,
    ) -> Run:
        """What faiss, hnswlib and others return.

        Args:
            queries: n identifiers.
            documents: whole numbers of shape (n, depth), best first; below 0 is no document.
            scores: numbers of shape (n, depth), higher is better; by default the order of `documents` counts. Pass
                `-distances` where less is better.
            ids: the identifier of each number; by default the number itself, in decimal.

        Raises:
            ValueError: shapes differ, or a number has no identifier.
        """

    def __len__(self) -> int:
        """The number of queries."""

    @property
    def name(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    def to_dict(self) -> dict[str, dict[str, float]]: ...
    def to_pandas(self) -> pd.DataFrame:
        """Columns query_id, doc_id, score, rank."""

    def to_polars(self) -> pl.DataFrame:
        """Columns query_id, doc_id, score, rank."""

@final
class Scores:
    """The figures of one system: a mapping from the measure to its mean.

    A measure is found by its printed name (`nDCG@10`), the name that was written, and any other of its names.
    """

    def __getitem__(self, measure: str | Named, /) -> float:
        """The mean; nan with `answered_only` if the run answers no query."""

    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, measure: object, /) -> bool: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[float]: ...
    def items(self) -> list[tuple[str, float]]: ...
    def get(self, measure: str | Named, default: float | None = None, /) -> float | None: ...
    @property
    def system(self) -> str: ...
    @property
    def queries(self) -> list[str]:
        """Every query of the labels, in their order."""

    @property
    def missing(self) -> int:
        """How many of them the run does not answer."""

    @property
    def notes(self) -> list[str]:
        """What the command warns of: files, identifiers, queries and documents without labels."""

    def values_of(self, measure: str | Named) -> list[float]:
        """One value for each of `queries`, in their order."""

    def per_query(self) -> dict[str, dict[str, float]]:
        """From query to measure to value, as pytrec_eval returns them."""

    def unjudged(self, measure: str | Named) -> tuple[int, int]:
        """How many documents the measure looked at, and how many of them have no label."""

    def interval(self, measure: str | Named) -> Interval | None:
        """The bootstrap interval of the mean; None with too few queries, and for figures that are no mean."""

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """What `llull measure --json` prints; with `per_query` as with `-q`."""

    def to_pandas(self, *, per_query: bool = True) -> pd.DataFrame:
        """Columns system, query_id, measure, value, answered, seen, unjudged; or the means with their intervals."""

    def to_polars(self, *, per_query: bool = True) -> pl.DataFrame:
        """Columns system, query_id, measure, value, answered, seen, unjudged; or the means with their intervals."""

    def _repr_html_(self) -> str: ...

@final
class SystemScores:
    """The figures of several systems: a mapping from the system to its figures."""

    def __getitem__(self, system: str, /) -> Scores: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, system: str, /) -> bool: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[Scores]: ...
    def items(self) -> list[tuple[str, Scores]]: ...
    def get(self, system: str, default: Scores | None = None, /) -> Scores | None: ...
    @property
    def notes(self) -> list[str]:
        """What the command warns of."""

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """What `llull measure --json` prints."""

    def to_pandas(self, *, per_query: bool = False) -> pd.DataFrame:
        """Columns system, measure, mean, low, high, queries, missing, seen, unjudged; or a row for each query."""

    def to_polars(self, *, per_query: bool = False) -> pl.DataFrame:
        """Columns system, measure, mean, low, high, queries, missing, seen, unjudged; or a row for each query."""

    def _repr_html_(self) -> str: ...

@final
class Difference:
    """A system against the baseline, by one measure."""

    @property
    def system(self) -> str: ...
    @property
    def baseline(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def mean(self) -> float | None:
        """The mean over queries of system minus baseline; of `correct`, corrected by the human labels."""

    @property
    def interval(self) -> Interval | None:
        """The interval of `mean`."""

    @property
    def p(self) -> float | None:
        """Of the test; of `correct`, by the judge's labels alone."""

    @property
    def p_adjusted(self) -> float | None:
        """p corrected for the number of pairs."""

    @property
    def significant(self) -> bool: ...
    @property
    def decision(self) -> Decision:
        """By the interval. It is incomplete if labels are missing that could change it."""

    @property
    def sentence(self) -> str:
        """In words, as the command has it."""

    @property
    def wins(self) -> int: ...
    @property
    def ties(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def queries_needed(self) -> int | None:
        """How many queries would show a difference of this size; None if no number would."""

@final
class Comparison:
    """Several systems: their figures, their differences, and what is decided."""

    def __getitem__(self, pair: tuple[str, str], /) -> Difference:
        """By system and measure: `comparison["dense", "nDCG@10"]`."""

    def __len__(self) -> int:
        """The number of differences."""

    @property
    def baseline(self) -> str: ...
    @property
    def scores(self) -> dict[str, Scores]: ...
    @property
    def differences(self) -> list[Difference]: ...
    @property
    def gates(self) -> list[dict[str, Any]]:
        """The result of each gate for each system, as in JSON."""

    @property
    def passed(self) -> bool:
        """Whether every gate passed. The command ends with 100 if one failed, with 3 if one is incomplete."""

    @property
    def notes(self) -> list[str]:
        """What the command warns of."""

    def to_dict(self) -> dict[str, Any]:
        """What `llull compare --json` prints."""

    def to_markdown(self) -> str: ...
    def to_latex(self) -> str: ...
    def to_pandas(self) -> pd.DataFrame:
        """One row for each difference."""

    def to_polars(self) -> pl.DataFrame:
        """One row for each difference."""

    def _repr_html_(self) -> str: ...

@disjoint_base
class Table:
    """A result: what the command prints as JSON, and a table of its figures or labels."""

    def __len__(self) -> int:
        """The number of rows of the table."""

    @property
    def notes(self) -> list[str]:
        """What the command warns of."""

    def to_dict(self) -> Any:
        """What the command prints with `--json`."""

    def to_pandas(self) -> pd.DataFrame: ...
    def to_polars(self) -> pl.DataFrame: ...
    def _repr_html_(self) -> str: ...

@final
class Agreement(Table):
    """How far labels agree with the truth. Rows: labels, figure, value, low, high."""

    def __getitem__(self, figure: str, /) -> float | None:
        """A figure such as `kappa.plain`, `kappa.quadratic` or `systems.tau`, of the only other labels; None where it
        is undefined."""

    def value(self, figure: str, labels: str | None = None) -> float | None:
        """A figure, where there are several sets of labels of this one."""

    def interval(self, figure: str, labels: str | None = None) -> Interval | None:
        """Its bootstrap interval; None without one."""

@final
class LabelSet(Table):
    """Labels, and what they rest on; they go wherever labels go. Rows: query_id, doc_id, relevance, and of several
    judges low, high, judges, source."""

    def to_qrels(self) -> Qrels: ...

@final
class Ranking(Table):
    """Items, best first. Rows: query_id, item, score and standard_error or tier, component."""

    def scores(self, query: str | None = None) -> list[tuple[str, float | None]]:
        """The items of a query with their scores, best first; None for items without one.

        Raises:
            KeyError: no comparison is about the query, or one has to be chosen.
        """

    def tiers(self, query: str | None = None) -> list[list[str]]:
        """The items of a query by tier, best first; of a rating each item alone."""

@final
class Sample(Table):
    """Pairs that could be drawn. Rows: query_id, doc_id, probability, drawn, stratum; none before a draw."""

    @staticmethod
    def open(path: StrPath) -> Sample:
        """A sample that `save` or `llull sample` wrote.

        Raises:
            FileError: it has not the form.
        """

    def save(self, path: StrPath) -> None:
        """Writes what `llull sample` calls the frame, for `llull sample --read` and `--sampled`."""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The drawn pairs of query and document."""

@final
class StudyReport(Table):
    """The report of a study. Rows: system, measure, mean, low, high, queries, missing, unjudged_share."""

    @property
    def complete(self) -> bool:
        """Whether every question has an answer."""

    @property
    def labelled(self) -> int:
        """How many pairs have a label."""

    def table(self) -> str:
        """What `llull report` prints: the judges, the systems, what to do next."""

    def markdown(self) -> str: ...
    def html(self) -> str:
        """The page with charts."""

@final
class StudyFolder:
    """What `llull.Study` is made of."""

    def __new__(cls, folder: StrPath, trust: list[str]) -> StudyFolder: ...
    @staticmethod
    def create(
        folder: StrPath,
        name: str,
        queries: str,
        corpus: str | None,
        systems: list[tuple[str, str]],
        judges: list[str],
        rubric: str | None,
        reference: str | None,
    ) -> None: ...
    def run(
        self,
        options: StudyOptions,
        functions: Sequence[tuple[str, Callable[[str], str]]],
        keep_going: bool,
        progress: Callable[[int, int, int, int], object] | None,
    ) -> StudyReport: ...
    def ask(
        self, options: StudyOptions, functions: Sequence[tuple[str, Callable[[str], str]]]
    ) -> list[tuple[str, str]]: ...
    def tell(
        self, options: StudyOptions, functions: Sequence[tuple[str, Callable[[str], str]]], lines: str
    ) -> tuple[int, int, int]: ...
    def report(self, options: StudyOptions, write: bool) -> StudyReport: ...
    def labels(self, options: StudyOptions) -> LabelSet: ...
    def serve(self, port: int) -> StudyServer: ...
    def review(
        self,
        annotator: str | None,
        queue: str | None,
        query: str | None,
        overlap: int | None,
        most: int | None,
        port: int,
    ) -> StudyServer: ...

@final
class StudyServer:
    """A server of this machine that shows a study. It ends with the object."""

    @property
    def url(self) -> str:
        """The address to open. Its token is the key to the study: pass it on to nobody else."""

    def stop(self) -> None:
        """Ends the server."""

    def __enter__(self) -> StudyServer: ...
    def __exit__(self, *_reason: object) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Prompt:
    """A prompt and the strict reading of its replies, for loops of one's own; no study is needed.

    Args:
        name: a built-in prompt, such as graded, graded-direct, umbrela, pairwise, setwise or listwise; or a template
            file.
        rubric: a name such as "support", a file, or the text of one; by default the general rubric.
        document_tokens: how much of each document is shown; by default as much as in a study.

    Raises:
        LlullError: there is no such prompt, or the template or rubric is invalid.
    """

    def __new__(
        cls, name: StrPath | None = None, *, rubric: StrPath | None = None, document_tokens: int | None = None
    ) -> Prompt: ...
    def render(self, query: str, documents: str | Document | Sequence[str | Document]) -> list[dict[str, str]]:
        """The messages for a model, each with role and content.

        Args:
            documents: one to grade, several to compare, in the order in which they are shown.

        Raises:
            ValueError: the prompt shows another number of documents.
        """

    def read(
        self, reply: str, *, documents: int | None = None, finish_reason: str | None = None
    ) -> Graded | Compared | Unusable:
        """The verdict in a reply. It is never guessed: what cannot be read is `Unusable`, with the reason.

        Args:
            documents: how many were shown, if the prompt ranks several or names the best.
            finish_reason: what the server reports, in the words of OpenAI, Anthropic, Bedrock or Gemini. Of a reply
                that was cut off only a whole answer counts, and of a refused one nothing.

        Raises:
            ValueError: llull does not know the `finish_reason`, or the prompt needs `documents`.
        """

    def schema(self, *, documents: int | None = None) -> dict[str, Any]:
        """The JSON schema of the answer, for servers that enforce one."""

@final
class Tournament:
    """One query's tournament: ask, tell, look. It calls no judge, and equal answers give equal tiers.

    Args:
        items: identifiers, all different, the best guess first.
        window: the most items in a batch, at least 2.
        top: how many of the best are put in order, at least 1.
        rejudge: how often a pair inside a cycle is repeated; by default the best rated items are compared again.
    """

    def __new__(
        cls,
        items: Sequence[str],
        *,
        window: int = 10,
        top: int = 10,
        schedule: Literal["balanced", "sequential", "parallel", "exhaustive"] = "balanced",
        rejudge: int | None = None,
        seed: int = 42,
    ) -> Tournament: ...
    def ask(self, n: int | None = None) -> list[tuple[str, ...]]:
        """Up to `n` batches that can be judged at once, each in the order in which to show it. Empty at the end, and
        while all batches of a wave are out."""

    def tell(self, batch: Sequence[str], *answers: Sequence[str | Sequence[str]] | Compared | Unusable) -> None:
        """Takes the answers to a batch, one of each judge: all items, best first, where a list of several is a tie; or
        what `Prompt.read` returns, whose positions are those in the batch.

        Raises:
            ValueError: the batch is not out, or an item is missing, unknown or comes twice.
        """

    def extend(self, items: Sequence[str]) -> None:
        """Adds items behind the others. The answers so far stay."""

    @property
    def final(self) -> bool:
        """Whether the top is known."""

    @property
    def calls(self) -> int:
        """The number of batches with an answer, usable or not."""

    @property
    def tiers(self) -> list[list[str]]:
        """Best first, at any time: items share a tier until the answers separate them."""

    @property
    def order(self) -> list[str]:
        """All items, best first; inside a tier by their rating."""

@final
class StudyOptions:
    """Values over `llull.toml`."""

    def __new__(
        cls,
        judges: list[str],
        measures: list[str] = ...,
        depth: int | None = None,
        baseline: str | None = None,
        paradigm: str | None = None,
        method: str | None = None,
        prompt: str | None = None,
        base_url: str | None = None,
        seed: int | None = None,
        concurrency: int | None = None,
        max_calls: int | None = None,
        max_usd: float | None = None,
        ignore_checks: bool = False,
    ) -> StudyOptions: ...

def dataset_queries(path: StrPath) -> dict[str, str]:
    """The queries of a dataset, by identifier."""

def evaluate_files(
    dataset: StrPath,
    systems: list[tuple[str, str]],
    judges: list[str],
    functions: Sequence[tuple[str, Callable[[str], str]]],
    measures: Measures,
    *,
    ledger: StrPath | None,
    rubric: StrPath | None,
    answers_separator: str | None,
    max_calls: int | None,
    confidence: float,
    resamples: int,
    seed: int,
) -> SystemScores:
    """What `llull.evaluate` is made of."""

def read_queries(path: StrPath) -> dict[str, str]:
    """The queries of a file, by identifier."""

# a dict without queries could be both
@overload
def measure(  # type: ignore[overload-overlap]
    qrels: LabelsLike,
    run: Mapping[str, Mapping[str, float]] | ArrowStream | StrPath | Run,
    measures: Measures | None = None,
    *,
    level: int | None = None,
    depth: int | None = None,
    answered_only: bool = False,
    ties: Ties = "float64",
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Scores:
    """Measures a run, or several, with labels.

    Args:
        qrels: the labels.
        run: the results of one system; or of several, as a dict from their names, or a list of paths and runs.
        measures: names of ir_measures (`nDCG@10`, `P(rel=2)@5`), of trec_eval (`ndcg_cut_10`, `map`, `all_trec`) or of
            ranx (`hit_rate@5`), or objects of ir_measures. By default nDCG@10.
        level: the lowest relevant grade, at least 1, of measures that do not say it themselves.
        depth: only so many results of each query, at least 1.
        answered_only: leave out queries that the run does not answer, as trec_eval does without `-c`.
        ties: "float32" compares scores as pytrec_eval and trec_eval 9 do.
        round: round decimal grades.
        repeats: which grade counts of a pair that has several.
        confidence: of the intervals, above 0 and below 1.
        resamples: of the bootstrap behind them.
        seed: of the bootstrap.

    Returns:
        A mapping from measure to mean; of several systems, from system to such a mapping.

    Raises:
        MeasureError: no measure has this name; the message has the nearest.
        LlullError: a run shares no query or no document with the labels.
    """

@overload
def measure(
    qrels: LabelsLike,
    run: SystemsLike,
    measures: Measures | None = None,
    *,
    level: int | None = None,
    depth: int | None = None,
    answered_only: bool = False,
    ties: Ties = "float64",
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> SystemScores: ...
@overload
def measure(
    qrels: LabelsLike,
    run: Rows,
    measures: Measures | None = None,
    *,
    level: int | None = None,
    depth: int | None = None,
    answered_only: bool = False,
    ties: Ties = "float64",
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Scores: ...
def compare(
    qrels: LabelsLike,
    runs: SystemsLike,
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    test: Test = "permutation",
    correct: Correction | None = None,
    significance: float = 0.05,
    equivalent: float | None = None,
    draws: int | None = None,
    gates: Sequence[str] = ...,
    ties: Ties = "float64",
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Comparison:
    """Tests whether systems differ, and checks gates.

    Args:
        qrels: the labels.
        runs: from a system's name to its results, or a list of paths and runs; at least 2. The first is the baseline
            unless `baseline` names one.
        measures: as in `measure`; by default those of the gates, or nDCG@10.
        baseline: with it only pairs with this system are tested and corrected for.
        test: the test of significance, two-sided.
        correct: the correction of p for the number of pairs; by default Holm's. Tukey's test needs none.
        significance: the level at or below which a corrected p is significant, above 0 and below 1.
        equivalent: the margin of two one-sided t tests.
        draws: of a test that draws; by default 10,000, or more where so many pairs need them.
        gates: conditions such as `low(nDCG@10) >= -0.01` or `value(nDCG@10) > 0.7`; see `Comparison.passed`.
        ties, round, repeats, confidence, resamples, seed: as in `measure`.

    Raises:
        ValueError: systems cannot be compared by this measure, or an option is out of its range.
        LlullError: a run shares no query or no document with the labels.
    """

def correct(
    labels: LabelsLike,
    runs: SystemsLike,
    measures: Measures | None = None,
    *,
    human: LabelsLike,
    sampled: Sampled,
    baseline: str | None = None,
    estimand: Literal["queries_like_these", "these_queries"] = "queries_like_these",
    anytime: int | None = None,
    test: Test = "permutation",
    correct: Correction | None = None,
    significance: float = 0.05,
    equivalent: float | None = None,
    draws: int | None = None,
    gates: Sequence[str] = ...,
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Comparison:
    """Compares systems by figures that human labels of a random sample correct (prediction-powered inference), so that
    they are unbiased however the judge errs: `llull compare --human --sampled`.

    Args:
        labels: a judge's labels.
        human: labels of people for the drawn pairs.
        sampled: how these were drawn: a Sample or its file, or "pairs" or "queries", each as likely as any other.
        estimand: the mean over queries like these, or over these queries.
        anytime: intervals that hold at every look, narrowest at so many labels.
        runs, measures, ...: as in `compare`.

    Raises:
        ValueError: such a sample corrects no figure of a measure.
    """

def agree(
    truth: LabelsLike,
    other: LabelSetsLike,
    *,
    runs: SystemsLike | None = None,
    measures: Measures | None = None,
    other_measures: Measures | None = None,
    power: bool = False,
    disagreements: int = 5,
    clamp: tuple[int, int] | None = None,
    test: Test = "tukey",
    correct: Correction | None = None,
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> Agreement:
    """Compares labels with the truth, and systems under both: `llull agree`.

    Args:
        truth: the labels that are held to be true.
        other: labels; or several, as a dict from their names, or a list of paths, which are also compared as a panel.
        runs: systems to measure under both, at least 2.
        measures: of the systems under the truth; by default nDCG@10.
        other_measures: those under the other labels, one for all or one for each; by default the same.
        power: how many pairs of systems each set separates.
        disagreements: how many pairs `to_dict` lists on which the labels differ most.
        clamp: grades beyond these ends count as the ends.
        test, correct: the test of pairs of systems, and its correction.

    Raises:
        LlullError: no pair is in both, or the systems cannot be compared.
    """

def label(
    judges: LabelSetsLike,
    *,
    method: str | None = None,
    scale: str | Mapping[str, str] | None = None,
    truth: LabelsLike | None = None,
    drop_ambiguous: bool = False,
    clamp: tuple[int, int] | None = None,
    base: LabelsLike | None = None,
    calibrate: Literal["kappa", "isotonic", "ordinal", "severity", "beta", "none"] | None = None,
    human: LabelsLike | None = None,
    sampled: Sampled | None = None,
    relevant_from: int = 1,
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
) -> LabelSet:
    """Makes one label of several judges', or puts one judge's on the human scale: `llull label`.

    Args:
        judges: a dict from a judge's name to its labels, a list of paths, or the labels of one. By default several are
            fractional: the grade is their median, the lower of two in the middle, and nDCG reads their mean.
        method: fractional, majority, median, mean, ordinal, dawid-skene and others; with `truth` also severity, beta,
            weights, best:N or choose.
        scale: `"0..3"`, or for a judge `{"old": "0..1 -> 0,3"}`; by default inferred.
        truth: human labels of a random sample of the pairs, to choose and fit a method.
        drop_ambiguous: leave out pairs on which the judges are split.
        clamp: grades beyond these ends count as the ends; the scale is then theirs.
        base: labels that stay as they are; the judges' fill the gaps, on the scale of the base.
        calibrate: puts the labels on the scale of `human`, or of `base`.
        human: human labels of a random sample; `sampled` states how it was drawn.
        relevant_from: the lowest human grade that means relevant, for the cut that `to_dict` recommends.

    Raises:
        ValueError: options that exclude one another, or an unknown method.
        LlullError: the judges have other scales or no pair in common, or the human labels do not suffice.
    """

def rank(
    comparisons: Iterable[Mapping[str, Any] | Sequence[Any]] | ArrowStream | StrPath,
    *,
    method: RankMethod = "bradley-terry",
    prior: str | None = None,
    ties: Literal["open", "equal"] = "open",
) -> Ranking:
    """Rates items by comparisons, or orders them in tiers: `llull rank`.

    Args:
        comparisons: rows (left, right, winner), perhaps with a weight, or dicts and tables with these and perhaps
            query, judge; or dicts with `ranking`, a list of items and lists of tied items, best first; or a path. The
            winner is "left", "right", "tie" or the item's name.
        method: a rating, or tiers: the strongly connected components of the tournament.
        prior: `logistic:WINS` (by default `logistic:0.1`), `choix:ALPHA` or `none`.
        ties: what a tie means for tiers: nothing, or one tier.

    Raises:
        LlullError: items without a finite score, or a comparison that names another winner.
    """

def sample(
    labels: LabelsLike,
    runs: SystemsLike,
    measure: str | Named | None = None,
    n: int | None = None,
    *,
    design: Literal["uniform", "stratified", "unequal", "queries"] | None = None,
    compare: tuple[str, str] | None = None,
    by: Sequence[Literal["label", "systems", "disagreement"]] = ...,
    width: float | None = None,
    round: bool = False,
    repeats: Repeats | None = None,
    confidence: float = 0.95,
    seed: int = 42,
) -> Sample:
    """Draws pairs for people to label, with known probabilities: `llull sample`.

    Args:
        labels: a judge's labels.
        runs: the systems, the baseline first.
        measure: the measure to correct; by default P@10.
        n: how many pairs, or queries with `design="queries"`. Without it nothing is drawn, and `to_dict` has what
            numbers of labels are worth.
        design: by default the one for the measure.
        compare: draw for the difference of these two systems alone, baseline first.
        by: what makes strata; by default the label.
        width: the width of the interval to propose a number for.

    Raises:
        LlullError: no sample corrects the measure, or there is not so much to draw.
    """

def query_values(qrels: LabelsLike, run: ResultsLike, measures: Measures) -> list[tuple[str, list[float]]]:
    """Values of answered queries, in the order of the measures, without checks and notes."""

def measure_name(name: str) -> str:
    """The printed name of a measure.

    Raises:
        MeasureError: no measure has this name.
    """

def rubric_text(rubric: StrPath | None = None) -> str:
    """The text of a rubric: the general one, one that llull has by name, a text of several lines, or a file's."""

def run_command(arguments: list[str]) -> int:
    """Runs the command, the program's name first, and returns its exit code."""
