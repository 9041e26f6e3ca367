#!/usr/bin/env python3
"""Measures objects in memory with the Python package, pytrec_eval-terrier, ir_measures and ranx, in one process.

    python3 benches/python_speed.py                                    # builds the package; some minutes
    LLULL_WHEEL=llull.whl PEER_VENV=venv python3 benches/python_speed.py   # a wheel, a virtual environment

1,000 queries with 1,000 results each and 200,000 labels: those of measure_speed.py. From objects to the means of
nDCG@10, AP, RR and R@100, all tools in turn, medians of 5 times. pytrec_eval gets dicts, which its users make of other
objects; polars tables become pandas' for ir_measures and ranx. ranx is warm: its first call, which compiles, is left
out. "prepared" are objects that a tool has converted before.

Fails if a mean differs by more than 1e-6, or llull is not 5 times as fast as the fastest peer for dicts in the order of
their scores, and 10 times for everything else but dicts in no order: to walk those waits for memory.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine
from measure_speed import MEASURES, ROOT, write_files
from peers import run_with

PEERS = [
    "pytrec_eval-terrier==0.5.11", "ir_measures==0.4.3", "ranx==0.3.21", "pandas==3.1.1", "polars==2.1.0",
    "pyarrow==26.0.1", "numpy==2.4.6",
]
OF_RANX = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "R@100": "recall@100"}
LEAST = {"dict, by score": 5, "dict, in no order": 0}
REPEATS = 5


def llull():
    """Imports the package, which is built and installed if it is missing or a wheel is named."""
    wheel = os.environ.get("LLULL_WHEEL")
    try:
        import llull as package

        if not wheel:
            return package
    except ImportError:
        pass
    source = Path(wheel).resolve() if wheel else ROOT / "crates" / "python"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", source]
    subprocess.run(command, check=True)
    import llull as package

    return package


def read(path, value, column):
    """A dict of dicts of a TREC file, in its order."""
    table = {}
    with path.open() as lines:
        for line in lines:
            cells = line.split()
            table.setdefault(cells[0], {})[cells[2]] = value(cells[column])
    return table


def frames(table, column):
    import pandas as pd
    import polars as pl

    rows = [(query, document, value) for query, row in table.items() for document, value in row.items()]
    columns = dict(zip(("query_id", "doc_id", column), map(list, zip(*rows))))
    return pd.DataFrame(columns), pl.DataFrame(columns)


def dict_of(frame, column):
    """A frame as its users give it to pytrec_eval."""
    groups = frame.groupby("query_id", sort=False)
    return {query: dict(zip(group["doc_id"], group[column])) for query, group in groups}


def jobs(llull, qrels, run):
    """For each form of input, the function of each tool that returns means."""
    import ir_measures
    import numpy as np
    import pytrec_eval
    import ranx

    names = list(MEASURES)
    irm = [ir_measures.parse_measure(name) for name in names]
    draw = random.Random(3)
    mixed = {query: dict(draw.sample(list(row.items()), len(row))) for query, row in run.items()}
    (labels_pd, labels_pl), (run_pd, run_pl) = frames(qrels, "relevance"), frames(run, "score")
    queries = list(run)
    numbers = np.array([[int(document) for document in row] for row in run.values()])
    scores = np.array([list(row.values()) for row in run.values()], dtype=np.float32)

    def of_llull(qrels, run):
        return dict(llull.measure(qrels, run, names))

    def of_pytrec(qrels, run, evaluator=None):
        evaluator = evaluator or pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
        found = evaluator.evaluate(run)
        return {name: sum(row[theirs] for row in found.values()) / len(found) for name, theirs in MEASURES.items()}

    def of_irm(qrels, run):
        return {str(measure): value for measure, value in ir_measures.calc_aggregate(irm, qrels, run).items()}

    def of_ranx(qrels, run):
        found = ranx.evaluate(qrels, run, list(OF_RANX.values()), make_comparable=True)
        return {name: found[theirs] for name, theirs in OF_RANX.items()}

    def ranx_frames(labels, run):
        # it reads labels as whole numbers, scores as 64-bit numbers, and no identifiers of pandas 3's own type of texts
        labels, run = (frame.astype({"query_id": object, "doc_id": object}) for frame in (labels, run))
        labels = ranx.Qrels.from_df(labels, q_id_col="query_id", doc_id_col="doc_id", score_col="relevance")
        return of_ranx(labels, ranx.Run.from_df(run, q_id_col="query_id", doc_id_col="doc_id", score_col="score"))

    def of_arrays():
        return {
            query: dict(zip(map(str, row), map(float, values)))
            for query, row, values in zip(queries, numbers.tolist(), scores.tolist())
        }

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
    ours, theirs = (llull.Qrels(qrels), llull.Run(run)), (ranx.Qrels(qrels), ranx.Run(run))

    def dicts(run):
        return {
            "llull": lambda: of_llull(qrels, run),
            "pytrec_eval": lambda: of_pytrec(qrels, run),
            "ir_measures": lambda: of_irm(qrels, run),
            "ranx": lambda: of_ranx(ranx.Qrels(qrels), ranx.Run(run)),
        }

    def tables(labels, run, pandas):
        return {
            "llull": lambda: of_llull(labels, run),
            "pytrec_eval": lambda: of_pytrec(dict_of(pandas(labels), "relevance"), dict_of(pandas(run), "score")),
            "ir_measures": lambda: of_irm(pandas(labels), pandas(run)),
            "ranx": lambda: ranx_frames(pandas(labels), pandas(run)),
        }

    return {
        "dict, by score": dicts(run),
        "dict, in no order": dicts(mixed),
        "pandas": tables(labels_pd, run_pd, lambda frame: frame),
        "polars": tables(labels_pl, run_pl, lambda frame: frame.to_pandas()),
        "Arrow": tables(labels_pl.to_arrow(), run_pl.to_arrow(), lambda frame: frame.to_pandas()),
        "arrays": {
            "llull": lambda: of_llull(qrels, llull.Run.from_arrays(queries, numbers, scores)),
            "pytrec_eval": lambda: of_pytrec(qrels, of_arrays()),
            "ir_measures": lambda: of_irm(qrels, of_arrays()),
            "ranx": lambda: of_ranx(ranx.Qrels(qrels), ranx.Run(of_arrays())),
        },
        "prepared": {
            "llull": lambda: of_llull(*ours),
            "pytrec_eval": lambda: of_pytrec(qrels, run, evaluator),
            "ranx": lambda: of_ranx(*theirs),
        },
    }


def main():
    package = llull()
    with tempfile.TemporaryDirectory() as folder:
        run, qrels = write_files(Path(folder), 1000, 1000, 200)
        qrels, run = read(qrels, int, 3), read(run, float, 4)
    print(f"{machine()}, Python {sys.version.split()[0]}, {', '.join(PEERS)}\n")
    tools = ["llull", "pytrec_eval", "ir_measures", "ranx"]
    print(f"| input, ms | {' | '.join(tools)} | ratio |\n|---|{'---:|' * (len(tools) + 1)}")
    failed = []
    for form, functions in jobs(package, qrels, run).items():
        expected = functions["pytrec_eval"]()
        for tool, function in functions.items():
            found = function()
            failed += [
                f"{form}, {name}: {tool} has {found[name]}, pytrec_eval {mean}"
                for name, mean in expected.items()
                if not abs(found[name] - mean) < 1e-6
            ]
        times = {tool: [] for tool in functions}
        for _ in range(REPEATS):
            for tool, function in functions.items():
                start = time.perf_counter()
                function()
                times[tool].append(time.perf_counter() - start)
        medians = {tool: statistics.median(taken) * 1000 for tool, taken in times.items()}
        ratio = min(taken for tool, taken in medians.items() if tool != "llull") / medians["llull"]
        cells = [f"{medians[tool]:,.0f}" if tool in medians else "" for tool in tools]
        print(f"| {form} | {' | '.join(cells)} | {ratio:.1f} |", flush=True)
        least = LEAST.get(form, 10)
        if ratio < least:
            failed.append(f"{form}: {ratio:.1f} times as fast, not {least}")
    sys.exit("\n".join(failed) or None)


if __name__ == "__main__":
    run_with(PEERS, ROOT / "target" / "python" / "speed", main)
