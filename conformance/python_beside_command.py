#!/usr/bin/env python3
"""Compares llull in Python with the command on the 37 runs of TREC Deep Learning 2019, to the last bit.

    python conformance/python_beside_command.py     # llull installed in this Python, LLULL_DATA as for .ci/run

Every run is measured as a path, as dicts, and as data frames of pandas and polars. Then all runs are compared with the
first one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl

import llull

MEASURES = ["nDCG@10", "AP(rel=2)", "RR(rel=2)", "R@100", "Judged@10", "Compat(p=0.9)"]


def main() -> None:
    folder = Path(os.environ.get("LLULL_DATA", "../shared/data")) / "dl19"
    qrels = folder / "human.qrels"
    runs = sorted((folder / "runs").iterdir())
    options = [word for measure in MEASURES for word in ("-m", measure)]
    printed = command("measure", qrels, *runs, *options, "-q")
    assert llull.measure(qrels, runs, MEASURES).to_dict(per_query=True) == printed
    labels = llull.Qrels(qrels)
    names = [system["system"] for system in printed["systems"]]
    tables = {name: table(run) for name, run in zip(names, runs, strict=True)}
    dicts = {
        name: {query: dict(zip(rows["doc_id"], rows["score"])) for query, rows in frame.groupby("query_id", sort=False)}
        for name, frame in tables.items()
    }
    for form, systems in {
        "dicts": dicts,
        "pandas": tables,
        "polars": {name: pl.from_pandas(frame) for name, frame in tables.items()},
    }.items():
        assert llull.measure(labels, systems, MEASURES).to_dict(per_query=True) == printed, form
    compared = command("compare", qrels, *runs, "-m", "nDCG@10", "--baseline", runs[0])
    assert llull.compare(qrels, tables, "nDCG@10", baseline=names[0]).to_dict() == compared
    assert len(runs) == 37
    print(f"{len(runs)} runs, {printed['topics']} queries, {len(MEASURES)} measures: equal as paths, dicts and frames")


def table(path: Path) -> pd.DataFrame:
    """A run as a data frame."""
    columns = ["query_id", "iteration", "doc_id", "rank", "score", "tag"]
    frame = pd.read_csv(path, sep=r"\s+", names=columns, dtype=str)[["query_id", "doc_id", "score"]]
    # Python reads every digit
    return frame.assign(score=[float(score) for score in frame["score"]])


def command(*arguments: object) -> dict:
    done = subprocess.run([sys.executable, "-m", "llull", *map(str, arguments), "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
