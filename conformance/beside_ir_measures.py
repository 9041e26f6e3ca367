#!/usr/bin/env python3
"""Runs ir_measures' own tests with llull in place of the providers that it has the measures of.

    python conformance/beside_ir_measures.py FOLDER     # `tests` of the source distribution of ir_measures

The differences are named below, each with its reason; another one, or one less, fails.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# A test file, the provider that it tests, its class, and the tests that differ.
REPLACED = [
    (
        "test_pytrec_eval.py",
        "pytrec_eval",
        "PytrecEvalProvider",
        {
            # beta is squared in ir_measures, and llull takes its root: the last bit differs, which assertEqual sees
            "test_SetF",
            # llull refuses gains={0: 1}: a grade of 0 is not relevant
            "test_nDCG",
        },
    ),
    ("test_judged.py", "judged", "JudgedProvider", set()),
]

PLUGIN = """
import ir_measures
from llull.ir_measures import LlullProvider, llull
ir_measures.{provider} = llull
ir_measures.providers.{kind} = LlullProvider
"""


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    shutil.copy(Path(__file__).with_name("ir_measures_base.py"), folder / "base.py")
    (folder / "__init__.py").touch()
    wrong = False
    for name, provider, kind, differ in REPLACED:
        (folder / "llull_instead.py").write_text(PLUGIN.format(provider=provider, kind=kind))
        command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "llull_instead", "-p", "no:cacheprovider", name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(folder))
        lines = done.stdout.splitlines()
        passed = {test(line) for line in lines if line.startswith("PASSED ")}
        failed = {test(line) for line in lines if line.startswith(("FAILED ", "SUBFAILED", "ERROR "))}
        print(f"{name}: {len(passed - failed)} pass, {len(failed)} differ ({', '.join(sorted(failed)) or 'none'})")
        if failed != differ or not passed:
            print(done.stdout[-4000:], done.stderr[-2000:])
            wrong = True
    sys.exit(wrong)


def test(line: str) -> str:
    """The name of a test in a line of pytest's summary."""
    return line.split("::")[-1].split(" ")[0]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder)}


if __name__ == "__main__":
    main()
