"""Functions that judge, and what they get and return."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import inspect
import json
import operator
import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, Literal, NamedTuple, overload

__all__ = ["Compared", "Document", "FunctionJudge", "Graded", "Rubric", "Unusable", "judge"]

Kind = Literal["graded", "pairwise", "listwise"]


class Document(NamedTuple):
    """A document as a judge sees it."""

    text: str
    title: str = ""


class Rubric(NamedTuple):
    """What relevant means: a scale of grades from `low` to `high`, relevant from `cutoff` on."""

    name: str
    low: int
    high: int
    cutoff: int
    text: str


class Graded(NamedTuple):
    """A grade on the rubric's scale."""

    grade: int
    rationale: str = ""


class Compared(NamedTuple):
    """An order of the documents as they were shown: positions from 0, best first; a list of several is a tie."""

    order: Sequence[int | Sequence[int]]
    rationale: str = ""


class Unusable(NamedTuple):
    """An answer that cannot be counted: it is missing, and no grade of 0."""

    detail: str = ""
    reason: str = "declined"
    """What reports count it as. `Prompt.read` sets it: cut_off, no_answer, out_of_range and others. A word that llull
    does not know counts as declined."""


# What a function of each kind may ask for.
_NAMES: dict[Kind, frozenset[str]] = {
    "graded": frozenset({"query", "document", "text", "title", "expected", "rubric"}),
    "pairwise": frozenset({"query", "left", "right", "rubric"}),
    "listwise": frozenset({"query", "documents", "rubric"}),
}
_SIDES = {"left": [[0], [1]], "right": [[1], [0]], "neither": [[0, 1]], "tie": [[0, 1]]}


class FunctionJudge:
    """A function that judges. Calling it calls the function.

    Its answers are kept under its name, its version, the rubric and the texts as shown.
    """

    def __init__(self, function: Callable[..., Any], kind: Kind, name: str | None, version: str | None) -> None:
        self.kind = kind
        self.name = name or str(getattr(function, "__name__", ""))
        if not re.fullmatch(r"[\w.-]+", self.name):
            raise ValueError(f"the judge's name is {self.name!r}; give it a name of letters, digits, _, . and -")
        self.version = version or _version(function, self.name)
        if not re.fullmatch(r"[\w.-]+", self.version):
            raise ValueError(f"the version of judge {self.name} is {self.version!r}; use letters, digits, _, . and -")
        self._function = function
        parameters = inspect.signature(function).parameters.values()
        nameless = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)]
        if nameless:
            raise TypeError(
                f"judge {self.name}: {nameless[0]} has no name for a caller; remove the / or * of its parameters"
            )
        open_ended = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        named = [parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
        unknown = [p.name for p in named if p.name not in _NAMES[kind] and p.default is p.empty]
        if unknown:
            known = ", ".join(sorted(_NAMES[kind]))
            raise TypeError(f"judge {self.name}: it asks for {unknown[0]}; a {kind} judge can ask for {known}")
        self._wanted = _NAMES[kind] if open_ended else _NAMES[kind] & {parameter.name for parameter in named}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{self.kind} judge {self.name}, version {self.version}>"

    @property
    def model(self) -> str:
        """What llull.toml and the command call it: `function:NAME@VERSION`."""
        return f"function:{self.name}@{self.version}"

    def answer(self, line: str) -> str:
        """The reply to a question, both in the JSON of a judge that is a program."""
        question = json.loads(line)
        result = self._function(**self._arguments(question))
        if inspect.isawaitable(result):
            result = _wait(result)
        return json.dumps({"id": question["id"], **self._reply(result)})

    def _arguments(self, question: dict[str, Any]) -> dict[str, Any]:
        rubric = question["rubric"]
        shown = [Document(one["text"], one["title"]) for one in question.get("documents", [question]) if "text" in one]
        values: dict[str, Any] = {
            "query": question["query"],
            "expected": question.get("expected"),
            "rubric": Rubric(rubric["name"], rubric["low"], rubric["high"], rubric["cutoff"], rubric["text"]),
            "documents": shown,
        }
        if self.kind == "graded":
            values |= {"document": shown[0], "text": shown[0].text, "title": shown[0].title}
        elif self.kind == "pairwise":
            values |= {"left": shown[0], "right": shown[1]}
        return {name: values[name] for name in self._wanted}

    def _reply(self, result: Any) -> dict[str, Any]:
        if isinstance(result, Unusable):
            return {"error": result.detail or "unusable", "reason": result.reason}
        if isinstance(result, (Graded, Compared)):
            return {**self._reply(result[0]), "rationale": result.rationale}
        if result is None:
            return {}
        if self.kind == "graded":
            if _is_bool(result):
                return {"match": bool(result)}
            try:
                return {"grade": operator.index(result)}
            except TypeError:
                return {"grade": repr(result)}
        if isinstance(result, str):
            return {"order": _SIDES.get(result, result)} if self.kind == "pairwise" else {"order": result}
        try:
            return {"order": [_positions(at) for at in result]}
        except TypeError:
            return {"order": repr(result)}


def functions_of(panel: Iterable[Any], others: Iterable[Any] = ()) -> list[tuple[str, Callable[[str], str]]]:
    """The functions of a panel, each under its name and version; those of `others` where the panel has none."""
    judges: dict[str, FunctionJudge] = {}
    for one in panel:
        if isinstance(one, FunctionJudge) and judges.setdefault(one.model, one)._function is not one._function:
            raise ValueError(f"two functions are judge {one.name}, version {one.version}; give one another version")
    for one in others:
        if isinstance(one, FunctionJudge):
            judges.setdefault(one.model, one)
    return [(model.removeprefix("function:"), one.answer) for model, one in judges.items()]


def _is_bool(value: Any) -> bool:
    # also numpy's, without numpy
    return type(value).__name__ in ("bool", "bool_")


def _positions(at: Any) -> list[int]:
    """A position, or those of a tie. Relevance as bools is no order."""
    if isinstance(at, (list, tuple)) or getattr(at, "ndim", 0) > 0:
        return [position for one in at for position in _positions(one)]
    if _is_bool(at):
        raise TypeError
    return [operator.index(at)]


def _version(function: Callable[..., Any], name: str) -> str:
    """A hash of the source without comments, of defaults, and of values and functions around it."""
    try:
        parts = _parts(function, [])
    except (OSError, SyntaxError, TypeError) as error:
        reason = str(error) if isinstance(error, _Unhashable) else "its source cannot be read here"
        raise ValueError(f'judge {name}: {reason}, so it needs a version: @llull.judge(version="1")') from None
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


class _Unhashable(TypeError):
    pass


def _parts(value: Any, within: list[Any]) -> Any:
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return [type(value).__name__, repr(value)]
    if isinstance(value, tuple):
        return ["tuple", [_parts(one, within) for one in value]]
    if isinstance(value, ModuleType):
        return ["module", value.__name__]
    if not inspect.isfunction(value):
        kind = "its object" if inspect.ismethod(value) else f"a value of type {type(value).__name__}"
        raise _Unhashable(f"its answers depend on {kind}")
    if any(value is one for one in within):
        return ["itself"]
    within = [*within, value]
    cells = []
    for cell in value.__closure__ or ():
        try:
            cells.append(_parts(cell.cell_contents, within))
        except ValueError:
            # empty until the function has its name
            cells.append(["empty"])
    keywords = [[key, _parts(one, within)] for key, one in (value.__kwdefaults__ or {}).items()]
    return ["function", _source(value), _parts(value.__defaults__, within), keywords, cells]


def _source(function: Callable[..., Any]) -> str:
    """The source, as Python would write it."""
    # of its code: that of the function may be the source of what it wraps
    code = function.__code__
    source = inspect.getsource(code)
    tree = ast.parse(f"if 1:\n{source}" if source[:1].isspace() else source)
    if code.co_name == "<lambda>":
        lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        if len(lambdas) != 1:
            raise _Unhashable("its line has several lambdas")
        return ast.unparse(lambdas[0])
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            node.decorator_list = []
            return ast.unparse(node)
    raise OSError


_loop: asyncio.AbstractEventLoop | None = None
_loop_lock = threading.Lock()


def _forget_loop() -> None:
    """A forked child has the loop of its parent, but not the loop's thread."""
    global _loop, _loop_lock
    _loop, _loop_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_loop)


def _wait(result: Any) -> Any:
    """Waits for a coroutine in a loop of its own thread: that of a notebook is busy."""
    global _loop
    with _loop_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="llull-judges", daemon=True).start()
    answer, interrupt = asyncio.run_coroutine_threadsafe(_awaited(result), _loop).result()
    if interrupt is not None:
        raise interrupt
    return answer


async def _awaited(result: Any) -> tuple[Any, BaseException | None]:
    try:
        return await result, None
    except (KeyboardInterrupt, SystemExit) as interrupt:
        # in a task they would end the loop, and every later answer would be awaited for ever
        return None, interrupt


class _Judge:
    @overload
    def __call__(self, function: Callable[..., Any], /) -> FunctionJudge: ...
    @overload
    def __call__(
        self, /, *, name: str | None = None, version: str | None = None
    ) -> Callable[[Callable[..., Any]], FunctionJudge]: ...
    def __call__(
        self, function: Callable[..., Any] | None = None, /, *, name: str | None = None, version: str | None = None
    ) -> Any:
        def made(function: Callable[..., Any]) -> FunctionJudge:
            return FunctionJudge(function, "graded", name, version)

        return made if function is None else made(function)

    def pairwise(
        self, *, name: str | None = None, version: str | None = None
    ) -> Callable[[Callable[..., Any]], FunctionJudge]:
        """Of `query`, `left` and `right` (documents): "left", "right" or "neither"."""
        return lambda function: FunctionJudge(function, "pairwise", name, version)

    def listwise(
        self, *, name: str | None = None, version: str | None = None
    ) -> Callable[[Callable[..., Any]], FunctionJudge]:
        """Of `query` and `documents`: positions from 0, best first; a list of several is a tie."""
        return lambda function: FunctionJudge(function, "listwise", name, version)


judge = _Judge()
"""Makes a judge of a function, plain or `async`: `@llull.judge`, `@llull.judge.pairwise()`, `@llull.judge.listwise()`.

The function names what it wants: `query`, `document` (Document), `text`, `title`, `expected`, `rubric` (Rubric). It
returns a grade (`bool` where the scale has two), `Graded`, or `Unusable`; anything else is unusable. An exception is a
failure: it is recorded, and the next run asks again; 20 in a row stop the judge. KeyboardInterrupt and SystemExit stop
the run, as Ctrl-C does.

`version` is by default a hash of the function's source, of its defaults and of the values and functions around it.
llull does not see globals, nor the functions that it calls. A method, or a function of other values, needs a version.
Plain functions run in threads, `async` ones in an event loop of their own thread; at most 8 at once, or as many as
`concurrency` of `Study.run`.
"""
