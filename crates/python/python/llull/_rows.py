"""Rows of tables, as dicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def rows_of(table: Any) -> Iterable[Any]:
    """The rows of a data frame, of a table or a stream of Arrow; other objects are rows already."""
    if hasattr(table, "to_pylist"):
        rows: Iterable[Any] = table.to_pylist()
    elif hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif hasattr(table, "columns") and hasattr(table, "to_dict"):
        rows = table.to_dict("records")
    elif hasattr(table, "__arrow_c_stream__"):
        try:
            import pyarrow  # type: ignore[import-untyped]
        except ImportError:
            raise TypeError(
                f"pyarrow is needed for the rows of {type(table).__name__}; install it, or give a list of dicts"
            ) from None
        rows = pyarrow.table(table).to_pylist()
    else:
        rows = table
    return rows
