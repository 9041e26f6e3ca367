"""The code of the guide and of the README runs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import ir_measures
import pytest

# the clone, wherever the tests lie
ROOT = Path(os.environ.get("LLULL_ROOT", Path(__file__).parents[3]))


@pytest.mark.parametrize("page", ["docs/guides/python.md", "crates/python/README.md"])
def test_code_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    # studies are written here, and functions have a source that can be read
    monkeypatch.chdir(tmp_path)
    before = list(ir_measures.DefaultPipeline.providers)
    names: dict[str, object] = {}
    try:
        for block in blocks:
            exec(compile(block, page, "exec"), names)
    finally:
        ir_measures.DefaultPipeline.providers[:] = before
