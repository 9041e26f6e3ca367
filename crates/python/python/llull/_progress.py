"""Progress of runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

__all__ = ["Progress", "shown"]


class Progress(NamedTuple):
    """How many questions of a run are done, of how many that are known so far; some are unusable, some failed."""

    done: int
    total: int
    unusable: int
    failed: int

    def __str__(self) -> str:
        parts = [f"judging: {self.done:,} of {self.total:,}"]
        troubles = {"unusable": self.unusable, "failed": self.failed}
        parts += [f"{count:,} {name}" for name, count in troubles.items() if count]
        return ", ".join(parts)


@contextmanager
def shown(progress: bool | Callable[[Progress], object]) -> Iterator[Callable[[int, int, int, int], object] | None]:
    """A function that shows counts, or None where nothing can be shown."""
    if callable(progress):
        function = progress
        yield lambda *counts: function(Progress(*counts))
    elif progress and _in_notebook():
        yield _Line().show
    elif progress and sys.stderr is not None and sys.stderr.isatty():
        try:
            yield lambda *counts: print(f"\r{Progress(*counts)}\x1b[K", end="", file=sys.stderr, flush=True)
        finally:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    else:
        yield None


class _Text(NamedTuple):
    """What a notebook shows as it is."""

    progress: Progress

    def __repr__(self) -> str:
        return str(self.progress)


def _in_notebook() -> bool:
    # a notebook has imported it
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class _Line:
    """A line of the notebook's cell, from the first counts on."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, *counts: int) -> None:
        text = _Text(Progress(*counts))
        if self._handle is None:
            self._handle = sys.modules["IPython.display"].display(text, display_id=True)
        else:
            self._handle.update(text)
