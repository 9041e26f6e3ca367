"""Data of the tests: labels and runs of a seed, as dicts and as files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

Labels = dict[str, dict[str, int]]
Results = dict[str, dict[str, float]]

MEASURES = ["nDCG@10", "AP", "RR", "R@20", "P(rel=2)@5", "Judged@10", "ERR@20", "RBP(p=0.8)", "Compat(p=0.9)", "GMAP"]


def made(queries: int, depth: int, seed: int) -> tuple[Labels, Results, Results]:
    """Labels and two runs, the second a little better. Scores tie, and some documents have no label."""
    draw = random.Random(seed)
    labels: Labels = {}
    runs: tuple[Results, Results] = ({}, {})
    for number in range(queries):
        query = f"q{number}"
        documents = [f"d{draw.randrange(10 * depth)}" for _ in range(depth)]
        labels[query] = {document: draw.choice([0, 0, 0, 1, 2, 3]) for document in documents if draw.random() < 0.7}
        labels[query][f"d{number}"] = 1
        for run, quality in zip(runs, (0.1, 0.5), strict=True):
            # the last query of the first run has no answer
            if quality == 0.5 or number + 1 < queries:
                run[query] = {
                    document: round(draw.gauss(quality * labels[query].get(document, 0), 1.0), 1)
                    for document in documents
                }
    return labels, *runs


@pytest.fixture(scope="session")
def data() -> tuple[Labels, Results, Results]:
    return made(30, 60, 7)


@pytest.fixture(scope="session")
def files(data: tuple[Labels, Results, Results], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("data")
    labels, first, second = data
    paths = folder / "human.qrels", folder / "first.run", folder / "second.run"
    lines = (f"{query} 0 {document} {grade}\n" for query, row in labels.items() for document, grade in row.items())
    paths[0].write_text("".join(lines))
    for path, run in zip(paths[1:], (first, second), strict=True):
        # ranks agree with scores, so that no note says otherwise
        rows = (
            f"{query} Q0 {document} {rank} {score} t\n"
            for query, row in run.items()
            for rank, (document, score) in enumerate(sorted(row.items(), key=lambda hit: hit[::-1], reverse=True), 1)
        )
        path.write_text("".join(rows))
    return paths
