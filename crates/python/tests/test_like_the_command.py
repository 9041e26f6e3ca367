"""Figures and words are those of the command, to the last bit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import MEASURES, Labels, Results

import llull

Data = tuple[Labels, Results, Results]
Files = tuple[Path, Path, Path]


def command(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-m", "llull", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def options(names: list[str]) -> list[str]:
    return [word for name in names for word in ("-m", name)]


def test_measure(data: Data, files: Files) -> None:
    printed = json.loads(command("measure", *files, *options(MEASURES), "-q", "--json")[0])
    qrels, first, second = data
    of_paths = llull.measure(files[0], list(files[1:]), MEASURES)
    assert of_paths.to_dict(per_query=True) == printed
    of_dicts = llull.measure(qrels, {"first": first, "second": second}, MEASURES)
    assert of_dicts.to_dict(per_query=True) == printed
    assert llull.measure(qrels, llull.Run(first, name="first"), MEASURES).to_dict()["systems"] == printed["systems"][:1]


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        (["--answered-only"], {"answered_only": True}),
        (["--level", "2"], {"level": 2}),
        (["--depth", "3"], {"depth": 3}),
        (["--order", "score32"], {"ties": "float32"}),
    ],
)
def test_options(data: Data, files: Files, flags: list[str], keywords: dict[str, Any]) -> None:
    printed = json.loads(command("measure", *files, *options(MEASURES), "--json", *flags)[0])
    qrels, first, second = data
    assert llull.measure(files[0], list(files[1:]), MEASURES, **keywords).to_dict() == printed
    assert llull.measure(qrels, {"first": first, "second": second}, MEASURES, **keywords).to_dict() == printed


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        ([], {}),
        (["--baseline", "second"], {"baseline": "second"}),
        (["--test", "t", "--correct", "bh"], {"test": "t", "correct": "bh"}),
        (["--test", "wilcoxon"], {"test": "wilcoxon"}),
        (["--equivalent", "0.05"], {"equivalent": 0.05}),
        (["--gate", "low(nDCG@10) >= -0.5"], {"gates": ["low(nDCG@10) >= -0.5"]}),
    ],
)
def test_compare(data: Data, files: Files, flags: list[str], keywords: dict[str, Any]) -> None:
    measures = ["nDCG@10", "AP"]
    printed = json.loads(command("compare", *files, *options(measures), "--json", *flags)[0])
    qrels, first, second = data
    of_dicts = llull.compare(qrels, {"first": first, "second": second}, measures, **keywords)
    assert of_dicts.to_dict() == printed
    assert of_dicts.passed
    of_paths = llull.compare(files[0], list(files[1:]), measures, **keywords)
    assert of_paths.to_dict() == printed
    text = command("compare", *files, *options(measures), "--format", "markdown", *flags)[0]
    assert of_dicts.to_markdown().strip() == text.strip()


def test_a_gate_fails(data: Data, files: Files) -> None:
    qrels, first, second = data
    gate = "value(nDCG@10) > 0.99"
    command("compare", *files, "--gate", gate, code=100)
    failed = llull.compare(qrels, {"first": first, "second": second}, gates=[gate])
    assert not failed.passed and failed.gates[0]["outcome"] == "failed"


def test_notes_are_the_warnings(data: Data, files: Files, tmp_path: Path) -> None:
    qrels, first, _ = data
    stray = tmp_path / "stray.run"
    stray.write_text(files[1].read_text() + "other Q0 d1 1 1.0 t\n")
    empty = tmp_path / "empty.run"
    empty.write_text("")
    warnings = command("measure", files[0], stray, empty, "--json")[1]
    measured = llull.measure(qrels, {"stray": {**first, "other": {"d1": 1.0}}, "empty": {}})
    assert len(measured.notes) == 2 and warnings.count("warning: ") == 2
    for note in measured.notes:
        # a file's note has its path in place of the name
        assert note.removeprefix("empty") in warnings, (note, warnings)


def test_errors_have_the_words_of_the_command(files: Files, tmp_path: Path) -> None:
    broken = tmp_path / "broken.qrels"
    broken.write_text("q1 0 d1 high\n")
    with pytest.raises(llull.FileError) as error:
        llull.measure(broken, files[1])
    assert str(error.value) in command("measure", broken, files[1], code=1)[1]
    with pytest.raises(llull.MeasureError, match="did you mean nDCG@10") as wrong:
        llull.measure(files[0], files[1], "nDGC@10")
    assert str(wrong.value) in command("measure", files[0], files[1], "-m", "nDGC@10", code=2)[1]
    other = tmp_path / "other.run"
    other.write_text("x9 Q0 d1 1 1.0 t\n")
    with pytest.raises(llull.LlullError) as nothing:
        llull.measure(files[0], other)
    assert str(nothing.value) in command("measure", files[0], other, code=1)[1]


def test_exit_codes_and_arguments() -> None:
    version = command("--version")[0]
    assert version == f"llull {llull.__version__}\n"
    assert "unrecognized" in command("nothing", code=2)[1]
    assert "Usage" in command("measure", "--help")[0]
    assert "/nowhere" in command("-C", "/nowhere", "run", code=1)[1]
