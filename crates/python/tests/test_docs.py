"""The code of the guide and of the README runs."""

from __future__ import annotations

import json
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


def test_notebooks_have_no_outputs() -> None:
    # scripts/python_package executes them
    notebooks = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
    assert len(notebooks) == 6
    for notebook in notebooks:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), notebook.name
