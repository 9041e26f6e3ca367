"""Studies in folders."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack

from llull._errors import FileError, LlullError
from llull._judge import FunctionJudge, functions_of
from llull._llull import (
    LabelSet,
    Qrels,
    Run,
    StudyFolder,
    StudyOptions,
    StudyReport,
    StudyServer,
    read_queries,
    rubric_text,
)
from llull._progress import Progress, shown
from llull._retriever import retrieve, search_of
from llull._rows import rows_of

if TYPE_CHECKING:
    # types alone, which the native module does not have
    from typing import TypeAlias

    from llull._llull import ArrowStream, LabelsLike, ResultsLike, StrPath
    from llull._retriever import RetrieverLike

    Table: TypeAlias = ArrowStream | Iterable[Mapping[str, Any]]
    QueriesLike: TypeAlias = Mapping[str, str] | Table | StrPath
    CorpusLike: TypeAlias = Mapping[str, str | Mapping[str, Any]] | Table | StrPath
    JudgeLike: TypeAlias = str | FunctionJudge
    SystemLike: TypeAlias = ResultsLike | RetrieverLike

__all__ = ["Study", "Task", "Told"]


class StudyKeys(TypedDict, total=False):
    """Values over `llull.toml`, as the flags of `llull run`. The study remembers those of its last run."""

    measures: str | Sequence[str]
    depth: int
    """How many of each system's documents are judged."""
    baseline: str
    paradigm: Literal["graded", "pairwise", "listwise"]
    method: str
    """How several judges become one."""
    prompt: str
    base_url: str
    seed: int
    concurrency: int
    """How many questions at once, of every judge."""
    max_calls: int
    max_usd: float
    ignore_checks: bool


class Task(NamedTuple):
    """A question to a language model."""

    key: str
    """The hash of the question, by which `Study.tell` knows it."""
    judge: str
    request: dict[str, Any]
    """The body of the request; `request["messages"]` is the prompt in OpenAI's protocol."""


class Told(NamedTuple):
    """What became of replies."""

    recorded: int
    known: int
    """How many were in the ledger already."""
    open: int
    """How many questions are open now."""


class Study:
    """A study in a folder: queries, systems and judges; `llull -C FOLDER` goes on with it, and back."""

    def __init__(self, folder: StrPath, judges: Sequence[JudgeLike], trust: Sequence[str]) -> None:
        self.folder = Path(folder)
        self._judges = list(judges)
        self._functions = list(judges)
        self._folder = StudyFolder(os.fspath(folder), list(trust))

    def __repr__(self) -> str:
        return f"Study.open({str(self.folder)!r})"

    @classmethod
    def open(cls, path: StrPath, *, judges: Sequence[JudgeLike] = (), trust: Sequence[str] = ()) -> Study:
        """Opens the study in a folder with `llull.toml`.

        Args:
            judges: who judges in `run`, in place of the judges of `llull.toml`: names of those, models
                (`anthropic/MODEL`) and functions (`llull.judge`). `report` and `labels` are of the last run's judges.
            trust: servers, keys and programs outside the folder that it may use, as with `llull --trust`.

        Raises:
            LlullError: there is no study, or its configuration is wrong.
        """
        return cls(path, judges, trust)

    @classmethod
    def create(
        cls,
        path: StrPath,
        *,
        systems: Mapping[str, SystemLike],
        dataset: str | None = None,
        queries: QueriesLike | None = None,
        corpus: CorpusLike | None = None,
        judges: Sequence[JudgeLike] = (),
        rubric: StrPath | None = None,
        reference: LabelsLike | None = None,
        name: str | None = None,
        k: int = 100,
        trust: Sequence[str] = (),
    ) -> Study:
        """Writes a new study into a folder, and opens it.

        Args:
            dataset: the name of a dataset of ir_datasets, such as "beir/scifact/test": its queries, documents and
                labels are those that are not given.
            queries: from an identifier to a text, a table with columns such as query_id and query, or a file.
            systems: from a name to results (as in `llull.measure`), to a function of a query and a number of results,
                or to a retriever of LangChain, LlamaIndex or Haystack, which are asked now. The first is the baseline.
            corpus: from an identifier to a text or a mapping with `text` and `title`, a table, or a file. Results with
                texts need none.
            judges: models and functions; `openai/gpt-4o-mini` if there is none.
            rubric: a name such as "product-search" or "support", a file, or the text of one; by default the general
                rubric.
            reference: labels to compare with.
            k: how many results functions and retrievers are asked for.

        Raises:
            LlullError: the folder has a study or one of its files, or a file cannot be read. Nothing was written.
        """
        folder = Path(path)
        if dataset is not None:
            found = _dataset(dataset)
            queries = found.queries if queries is None else queries
            corpus = found.corpus if corpus is None else corpus
            reference = found.reference if reference is None else reference
        if queries is None:
            raise TypeError("Study.create needs queries, or the name of a dataset")
        names = [_judge_of(folder, judge) for judge in judges]
        made = [("queries.jsonl", queries), ("corpus.jsonl", corpus)]
        rows = [file for file, table in made if table is not None and not isinstance(table, (str, os.PathLike))]
        _refuse_occupied(folder, ["llull.toml", *rows, *(["reference.jsonl"] if reference is not None else [])])
        folder.mkdir(parents=True, exist_ok=True)
        # The study appears whole or not at all.
        with tempfile.TemporaryDirectory(prefix=".llull-", dir=folder) as temporary:
            draft = Path(temporary)
            asked = _written(draft, "queries.jsonl", queries, "query_id", "query")
            runs = _runs(draft, systems, asked, k)
            documents = None if corpus is None else _written(draft, "corpus.jsonl", corpus, "doc_id", "text")
            StudyFolder.create(
                temporary,
                name or folder.resolve().name,
                asked,
                documents,
                runs,
                names,
                None if rubric is None else rubric_text(rubric),
                _reference(draft, reference),
            )
            if rubric is None and (folder / "rubric.md").exists():
                (draft / "rubric.md").unlink()
            files = [file.relative_to(draft) for file in draft.rglob("*") if not file.is_dir()]
            _refuse_occupied(folder, files)
            try:
                for file in files:
                    (folder / file).parent.mkdir(parents=True, exist_ok=True)
                    os.rename(draft / file, folder / file)
                # its judges are those of llull.toml, where files outside the folder are copies in it
                study = cls(path, (), trust)
                study._functions = list(judges)
                return study
            except BaseException:
                for file in files:
                    if not (draft / file).exists():
                        (folder / file).unlink(missing_ok=True)
                raise

    def run(
        self,
        judge: JudgeLike | None = None,
        *,
        judges: Sequence[JudgeLike] = (),
        keep_going: bool = False,
        progress: bool | Callable[[Progress], object] = True,
        **keys: Unpack[StudyKeys],
    ) -> StudyReport:
        """Asks the judges what the ledger lacks, and writes the report: `llull run`.

        An interrupt asks nothing more, waits for answers in flight and records them.

        Args:
            judge, judges: who judges, in place of those of `open` and `llull.toml`.
            keep_going: do not stop a judge whose replies are unparsable.
            progress: True shows a line in a terminal or a notebook, and nothing elsewhere; a function is called in this
                thread with each new `Progress`, at most 20 times a second.

        Raises:
            LlullError: a judge cannot be used, or no question was answered.
        """
        panel = [judge] if judge is not None else list(judges) or self._judges
        options, answers = self._panel(panel, keys)
        with shown(progress) as show:
            return self._folder.run(options, answers, keep_going, show)

    def ask(self, *, judges: Sequence[JudgeLike] = (), **keys: Unpack[StudyKeys]) -> list[Task]:
        """The open questions of the next wave to language models: `llull batch export`, for a loop of one's own.

        Judges that are no language models answer before. Where judges compare, a wave needs the answers of the one
        before; repeated questions, which test a judge, are one of their own. So ask again after `tell`, until no
        question is open.

        Raises:
            LlullError: a judge cannot be used, or `llull run` is asking now.
        """
        options, answers = self._panel(list(judges) or self._judges, keys)
        lines = [(judge, json.loads(line)) for judge, line in self._folder.ask(options, answers)]
        return [Task(line["custom_id"], judge, line["body"]) for judge, line in lines]

    def tell(
        self,
        replies: Mapping[str, str | Mapping[str, Any]],
        *,
        judges: Sequence[JudgeLike] = (),
        **keys: Unpack[StudyKeys],
    ) -> Told:
        """Records replies to questions of `ask`: `llull batch import`. They are read as strictly as in `run`.

        Args:
            replies: by `Task.key`. A text is the complete reply of a model of OpenAI's protocol; a mapping is the body
                of any model's response, with its tokens and its reason to end.
            judges, keys: those of `ask`.

        Raises:
            LlullError: a reply is to no question of this study. None is recorded then.
        """
        options, answers = self._panel(list(judges) or self._judges, keys)
        lines = (json.dumps({"custom_id": key, "response": _response(reply)}) for key, reply in replies.items())
        return Told(*self._folder.tell(options, answers, "\n".join(lines)))

    def _panel(
        self, panel: list[JudgeLike], keys: StudyKeys
    ) -> tuple[StudyOptions, list[tuple[str, Callable[[str], str]]]]:
        return _options([_model(one) for one in panel], keys), functions_of(panel, self._functions)

    def report(self, *, write: bool = False, **keys: Unpack[StudyKeys]) -> StudyReport:
        """The report of what the ledger holds: `llull report`. It asks nobody; `write` also writes the files."""
        return self._folder.report(_options([], keys), write)

    def labels(self, **keys: Unpack[StudyKeys]) -> LabelSet:
        """The labels of what the ledger holds: `llull label`."""
        return self._folder.labels(_options([], keys))

    def serve(self, *, port: int = 0) -> StudyServer:
        """Shows the study in the browser: `llull serve`, on this machine alone. A notebook shows the address. The
        server ends with `stop()`, with its `with` block, or with the object.

        Args:
            port: 0 takes one that is free.
        """
        return self._folder.serve(port)

    def review(
        self,
        annotator: str | None = None,
        *,
        queue: Literal["sample", "adjudicate", "random", "disagreement", "cycles", "failures", "checks"] | None = None,
        query: str | None = None,
        overlap: int | None = None,
        most: int | None = None,
        port: int = 0,
    ) -> StudyServer:
        """Shows pairs in the browser to annotators: `llull review`. Their answers go to the ledger.

        Args:
            annotator: the one annotator here; by default every visitor gives a name.
            queue: the pairs; by default those of the study's sample, or random ones where judges compare.
            query: the pairs of this query instead.
            overlap: how many annotators label each pair.
            most: how many pairs at most.
            port: 0 takes one that is free.

        Raises:
            LlullError: there is nothing to review.
        """
        return self._folder.review(annotator, queue, query, overlap, most, port)


def _response(reply: str | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(reply, str):
        reply = {"choices": [{"message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}]}
    return {"status_code": 200, "body": reply}


def _options(judges: list[str], keys: StudyKeys) -> StudyOptions:
    others: dict[str, Any] = dict(keys)
    measures = others.pop("measures", ())
    measures = [measures] if isinstance(measures, str) else [str(measure) for measure in measures]
    return StudyOptions(judges, measures, **others)


def _model(judge: JudgeLike) -> str:
    if isinstance(judge, FunctionJudge):
        return judge.model
    if not isinstance(judge, str):
        raise TypeError(f"a judge is a name or a function of llull.judge; found {type(judge).__name__}")
    return judge


def _judge_of(folder: Path, judge: JudgeLike) -> str:
    """A judge whose file is relative to the folder's parent gets the whole path, so that a draft copies it."""
    name = _model(judge)
    kind, _, file = name.partition(":")
    if kind in ("replay", "recorded") and ".." in Path(file).parts:
        return f"{kind}:{os.path.abspath(folder / file)}"
    return name


class _Dataset(NamedTuple):
    """The parts of a dataset. Documents are read once, as they are written."""

    queries: Iterable[Mapping[str, Any]]
    corpus: Iterable[Mapping[str, Any]] | None
    reference: dict[str, dict[str, int]] | None


def _dataset(name: str) -> _Dataset:
    try:
        import ir_datasets  # type: ignore[import-untyped]
    except ImportError:
        raise LlullError(f"dataset {name!r} needs ir_datasets: pip install ir_datasets") from None
    try:
        found = ir_datasets.load(name)
    except KeyError:
        raise LlullError(f"ir_datasets has no dataset {name!r}; its catalogue: https://ir-datasets.com") from None
    if not found.has_queries():
        raise LlullError(f"the dataset {name!r} of ir_datasets has no queries")
    labels: dict[str, dict[str, int]] = {}
    for label in found.qrels_iter() if found.has_qrels() else ():
        labels.setdefault(label.query_id, {})[label.doc_id] = label.relevance
    return _Dataset(
        (query._asdict() for query in found.queries_iter()),
        (document._asdict() for document in found.docs_iter()) if found.has_docs() else None,
        labels or None,
    )


def _reference(folder: Path, reference: LabelsLike | None) -> str | None:
    if reference is None:
        return None
    labels = Qrels(reference).to_dict()
    _write(
        folder / "reference.jsonl",
        (
            {"query_id": query, "doc_id": document, "relevance": grade}
            for query, row in labels.items()
            for document, grade in row.items()
        ),
    )
    return "reference.jsonl"


def _refuse_occupied(folder: Path, files: Iterable[str | Path]) -> None:
    for file in files:
        if os.path.lexists(folder / file):
            raise LlullError(f"{folder / file} is there already; nothing was written. Choose another folder")


def _runs(folder: Path, systems: Mapping[str, Any], asked: str, k: int) -> list[tuple[str, str]]:
    """Each system's file of results, relative to the folder. Retrievers are asked now."""
    texts: dict[str, str] | None = None
    runs: list[tuple[str, str]] = []
    for system, results in systems.items():
        search = search_of(results)
        if isinstance(results, (str, os.PathLike)):
            runs.append((system, _there(results)))
            continue
        file = f"runs/{_file_name(system)}.jsonl"
        if any(file == known for _, known in runs):
            file = f"runs/{_file_name(system)}-{len(runs)}.jsonl"
        if search is None:
            found = Run(results).to_dict()
            lines: Iterable[Any] = (
                {"query_id": query, "results": [{"doc_id": id, "score": score} for id, score in row.items()]}
                for query, row in found.items()
            )
        else:
            if texts is None:
                texts = read_queries(os.path.join(folder, asked))
            lines = retrieve(search, texts, k)
        _write(folder / file, lines)
        runs.append((system, file))
    return runs


def _there(path: StrPath) -> str:
    """The whole path of a file or folder that there is."""
    whole = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(whole):
        raise FileError(f"{os.fspath(path)}: there is no such file")
    return whole


def _written(folder: Path, file: str, table: Any, identifier: str, text: str) -> str:
    """The name of a file of these rows, relative to the folder."""
    if isinstance(table, (str, os.PathLike)):
        return _there(table)
    _write(folder / file, _rows(table, identifier, text))
    return file


def _rows(table: Any, identifier: str, text: str) -> Iterable[Mapping[str, Any]]:
    if isinstance(table, Mapping):
        for name, value in table.items():
            yield {identifier: name, **value} if isinstance(value, Mapping) else {identifier: name, text: value}
        return
    for row in rows_of(table):
        if not isinstance(row, Mapping):
            raise TypeError(f"a row is a mapping with {identifier} and {text}; found {type(row).__name__}")
        yield row


def _write(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("x", encoding="utf-8") as out:
        for row in rows:
            present = {key: value for key, value in row.items() if not _is_missing(value)}
            out.write(json.dumps(present, ensure_ascii=False, allow_nan=False, default=str) + "\n")


def _is_missing(value: Any) -> bool:
    """Whether it is None, NaN or a missing value of pandas."""
    missing = value is None or type(value).__name__ in ("NAType", "NaTType")
    return missing or (isinstance(value, float) and value != value)


def _file_name(system: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in system)
