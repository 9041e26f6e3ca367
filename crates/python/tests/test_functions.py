"""agree, label, rank, sample and correct have the figures of their commands, to the last bit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from conftest import Labels, Results
from test_like_the_command import command

import llull

Data = tuple[Labels, Results, Results]
Files = tuple[Path, Path, Path]


def judge(labels: Labels, off: int) -> Labels:
    """A judge whose grades are off for every so-manieth document."""
    pairs = enumerate((query, document, grade) for query, row in labels.items() for document, grade in row.items())
    graded: Labels = {}
    for place, (query, document, grade) in pairs:
        graded.setdefault(query, {})[document] = min(3, grade + 1) if place % off == 0 else grade
    return graded


def write(path: Path, labels: Labels) -> Path:
    rows = (f"{query} 0 {document} {grade}\n" for query, row in labels.items() for document, grade in row.items())
    path.write_text("".join(rows))
    return path


@pytest.fixture(scope="module")
def judges(data: Data, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Labels], list[Path]]:
    folder = tmp_path_factory.mktemp("judges")
    made = {f"judge{off}.qrels": judge(data[0], off) for off in (2, 3, 5)}
    return made, [write(folder / name, labels) for name, labels in made.items()]


Judges = tuple[dict[str, Labels], list[Path]]


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        ([], {}),
        (["--clamp", "0..2"], {"clamp": (0, 2)}),
        (["--test", "wilcoxon", "--correct", "bh"], {"test": "wilcoxon", "correct": "bh"}),
    ],
)
def test_agree(data: Data, files: Files, judges: Judges, flags: list[str], keywords: dict[str, Any]) -> None:
    made, paths = judges
    printed = json.loads(command("agree", files[0], *paths, "--json", *flags)[0])
    assert llull.agree(files[0], paths, **keywords).to_dict() == printed
    # in memory there is no path
    of_dicts = llull.agree(data[0], made, **keywords).to_dict()
    for other, path in zip(printed["others"], paths, strict=True):
        other["other"] = path.name
    assert of_dicts == {**printed, "truth": "truth"}


def test_agree_about_systems(data: Data, files: Files, judges: Judges) -> None:
    labels, first, second = data
    flags: list[str | Path] = ["--runs", *files[1:], "-m", "nDCG@10", "-m", "P@5", "--other-measure", "AP", "--power"]
    printed = json.loads(command("agree", files[0], judges[1][0], "--json", *flags)[0])
    agreement = llull.agree(
        files[0], judges[1][0], runs=list(files[1:]), measures=["nDCG@10", "P@5"], other_measures="AP", power=True
    )
    assert agreement.to_dict() == printed
    one = llull.agree(labels, judges[0]["judge2.qrels"], runs={"first": first, "second": second})
    low, high = one.interval("kappa.quadratic") or (0.0, 0.0)
    assert low < (one["kappa.quadratic"] or 0.0) < high
    assert one["n"] == sum(len(row) for row in labels.values())
    frame = one.to_pandas()
    assert frame.columns.tolist() == ["labels", "figure", "value", "low", "high"]
    assert one.to_polars()["figure"].to_list() == list(frame["figure"])
    assert one._repr_html_().startswith("<table>") and "kappa" in repr(one)
    with pytest.raises(KeyError, match="no figure \"kapa\"; there are n, "):
        one["kapa"]
    with pytest.raises(KeyError, match="name the labels, too: judge2.qrels, judge3.qrels"):
        llull.agree(labels, judges[0])["exact"]


def test_agree_refuses() -> None:
    labels = {"q1": {"a": 1}}
    with pytest.raises(llull.LlullError, match="no query in common"):
        llull.agree(labels, {"q2": {"a": 1}})
    with pytest.raises(ValueError, match="about systems; add runs"):
        llull.agree(labels, labels, measures="AP")


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        ([], {}),
        (["--method", "mean"], {"method": "mean"}),
        (["--method", "dawid-skene"], {"method": "dawid-skene"}),
        (["--drop-ambiguous", "--clamp", "0..2"], {"drop_ambiguous": True, "clamp": (0, 2)}),
        (["--scale", "0..3"], {"scale": "0..3"}),
    ],
)
def test_label(judges: Judges, flags: list[str], keywords: dict[str, Any]) -> None:
    made, paths = judges
    printed = json.loads(command("label", *paths, "--json", *flags)[0])
    labels = llull.label(paths, **keywords)
    assert labels.to_dict() == printed
    assert llull.label(made, **keywords).to_dict() == printed
    rows = printed if isinstance(printed, list) else [row for row in printed["labels"] if row["grade"] is not None]
    if "drop_ambiguous" not in keywords:
        grades = {(row["query"], row["document"]): row["grade"] for row in rows}
        qrels = labels.to_qrels().to_dict()
        assert {(query, document): grade for query, row in qrels.items() for document, grade in row.items()} == grades
        assert len(labels) == len(grades) and list(labels.to_pandas()["relevance"]) == list(grades.values())


def test_dropped_pairs_are_dropped_from_rankings(tmp_path: Path) -> None:
    judges = {"x": {"q": {"a": 3, "b": 0, "c": 3}}, "y": {"q": {"a": 0, "b": 0, "c": 3}}}
    paths = [write(tmp_path / f"{name}.qrels", labels) for name, labels in judges.items()]
    file = tmp_path / "panel.qrels"
    command("label", *paths, "--method", "mean", "--drop-ambiguous", "--scale", "0..3", "-o", file)
    labels = llull.label(judges, method="mean", drop_ambiguous=True, scale="0..3")
    run = {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
    # a is dropped, so c is first
    scores = llull.measure(labels, run, ["RR", "nDCG@10"])
    assert scores["RR"] == 1.0 and scores.to_dict() == llull.measure(file, run, ["RR", "nDCG@10"]).to_dict()
    assert len(labels) == 2 and list(labels.to_pandas()["doc_id"]) == ["b", "c"]


def test_label_with_human_labels(data: Data, files: Files, judges: Judges, tmp_path: Path) -> None:
    made, paths = judges
    printed = json.loads(command("label", *paths, "--truth", files[0], "--json")[0])
    assert llull.label(made, truth=data[0]).to_dict() == printed
    flags: list[str | Path] = ["--calibrate", "ordinal", "--human", files[0], "--sampled", "pairs"]
    printed = json.loads(command("label", paths[0], *flags, "--json")[0])
    calibrated = llull.label(made["judge2.qrels"], calibrate="ordinal", human=data[0], sampled="pairs")
    assert calibrated.to_dict() == printed
    some = {query: row for query, row in data[0].items() if int(query[1:]) < 20}
    base = write(tmp_path / "base.qrels", some)
    printed = json.loads(command("label", paths[0], "--base", base, "--json")[0])
    assert llull.label(paths[0], base=base).to_dict() == printed
    # labels go wherever labels go
    measured = llull.measure(calibrated, data[1], "P@5").to_dict()
    assert measured == llull.measure(calibrated.to_qrels(), data[1], "P@5").to_dict()


def test_label_refuses(judges: Judges) -> None:
    made, _ = judges
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"method": "best"}, ValueError, "method: "),
        ({"method": "choose"}, ValueError, "add truth"),
        ({"calibrate": "ordinal"}, ValueError, "human and sampled"),
        ({"human": {"q0": {"d0": 1}}}, ValueError, "human is for calibrate"),
        ({"scale": {"nobody": "0..3"}}, ValueError, "\"nobody\", which is no judge here"),
        ({"scale": "x"}, ValueError, "scale \"x\""),
    ]
    for keywords, error, message in wrong:
        with pytest.raises(error, match=message):
            llull.label(made, **keywords)
    with pytest.raises(ValueError, match="several judges, and here is one"):
        llull.label(made["judge2.qrels"], method="mean")
    with pytest.raises(llull.LlullError, match="have .*scale|scale"):
        llull.label({"a": {"q1": {"a": 1, "b": 0}}, "b": {"q1": {"a": 3, "b": 0}}})


GAMES = [("a", "b", "left"), ("b", "c", "tie"), ("c", "a", "a"), ("d", "b", "right"), ("d", "c", "left")]


@pytest.mark.parametrize("method", ["bradley-terry", "plackett-luce", "thurstone", "elo", "copeland", "tiers"])
def test_rank(method: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\n" + "".join(",".join(game) + "\n" for game in GAMES))
    printed = json.loads(command("rank", path, "--method", method, "--json")[0])
    rows = [dict(zip(("left", "right", "winner"), game, strict=True)) for game in GAMES]
    forms: list[Any] = [path, GAMES, rows, pd.DataFrame(rows), pl.DataFrame(rows), pl.DataFrame(rows).to_arrow()]
    for form in forms:
        assert llull.rank(form, method=method).to_dict() == printed
    ranking = llull.rank(GAMES, method=method)
    if method == "tiers":
        assert ranking.tiers() == printed["tiers"]
    else:
        assert dict(ranking.scores()) == printed["scores"]
    assert ranking.to_pandas()["item"].to_list() == [item for tier in ranking.tiers() for item in tier]


def test_rank_by_query_and_judge(tmp_path: Path) -> None:
    rows = [
        {"query": query, "judge": judge, "left": "a", "right": right, "winner": "left", "weight": 2}
        for query in ("q1", "q2")
        for judge in ("ada", "bob")
        for right in ("b", "c")
    ]
    path = tmp_path / "games.csv"
    lines = (",".join(str(row[name]) for name in row) for row in rows)
    path.write_text("\n".join(["query,judge,left,right,winner,weight", *lines, ""]))
    for flags, keywords in [
        (["--method", "judge-aware"], {"method": "judge-aware"}),
        (["--prior", "choix:0.01"], {"prior": "choix:0.01"}),
    ]:
        chosen: dict[str, Any] = keywords
        assert llull.rank(rows, **chosen).to_dict() == json.loads(command("rank", path, "--json", *flags)[0])
    ranking = llull.rank(rows)
    assert [item for item, _ in ranking.scores("q2")][0] == "a"
    with pytest.raises(KeyError, match="choose one, such as q1, q2"):
        ranking.scores()
    orders = [{"query": "q1", "ranking": [["d3"], ["d1", "d7"]], "rest": ["d2"]}]
    assert llull.rank(orders, method="tiers").tiers("q1")[0] == ["d3"]


def test_rank_refuses() -> None:
    with pytest.raises(TypeError, match="left, right, winner"):
        llull.rank([("a", "b")])
    with pytest.raises(TypeError, match="left, right, winner"):
        llull.rank(["abc"])
    with pytest.raises(llull.LlullError, match="comparisons line 1"):
        llull.rank([("a", "b", "c")])
    with pytest.raises(llull.LlullError, match="no comparison in them"):
        llull.rank([])
    with pytest.raises(ValueError, match="prior: the priors are none"):
        llull.rank(GAMES, prior="x")
    with pytest.raises(ValueError, match="method: no rating model is called"):
        llull.rank(GAMES, method="x")  # type: ignore[arg-type]
    with pytest.raises(llull.LlullError, match="without a prior has no finite scores"):
        llull.rank(GAMES, prior="none")


def test_sample_and_correct(data: Data, files: Files, judges: Judges, tmp_path: Path) -> None:
    labels, first, second = data
    made, paths = judges
    runs = {"first": first, "second": second}
    printed = json.loads(command("sample", paths[0], *files[1:], "-m", "P@5", "--json")[0])
    plan = llull.sample(made["judge2.qrels"], runs, "P@5")
    assert plan.to_dict() == printed and len(plan) == 0
    sheet, frame = tmp_path / "sheet.csv", tmp_path / "frame.tsv"
    flags: list[str | Path] = ["-m", "P@5", "-n", "120", "-o", sheet, "--frame", frame, "--json"]
    printed = json.loads(command("sample", paths[0], *files[1:], *flags)[0])
    drawn = llull.sample(made["judge2.qrels"], runs, "P@5", 120)
    assert drawn.to_dict() == printed
    own = tmp_path / "own.tsv"
    drawn.save(own)
    assert own.read_bytes() == frame.read_bytes()
    again = llull.Sample.open(own)
    assert again.pairs == drawn.pairs and len(drawn.pairs) == 120
    assert drawn.to_pandas()["drawn"].sum() == 120

    human = {query: {} for query in labels}  # type: Labels
    for query, document in drawn.pairs:
        human[query][document] = labels[query].get(document, 0)
    people = write(tmp_path / "human.qrels", human)
    flags = ["-m", "P@5", "--human", people, "--sampled", frame, "--json"]
    printed = json.loads(command("compare", paths[0], *files[1:], *flags)[0])
    for how in (drawn, again, frame):
        corrected = llull.correct(made["judge2.qrels"], runs, "P@5", human=human, sampled=how)
        assert corrected.to_dict() == printed
        difference, found = corrected["second", "P@5"], printed["comparisons"][0]
        assert difference.mean == found["ppi"]["value"]
        assert difference.interval == (found["ppi"]["low"], found["ppi"]["high"])
        assert difference.mean != found["mean_difference"] and difference.decision == found["decision"]
        assert corrected.to_pandas()["low"].tolist() == [found["ppi"]["low"]]
    flags = ["-m", "P@5", "--human", files[0], "--sampled", "pairs", "--estimand", "these_queries", "--json"]
    printed = json.loads(command("compare", paths[0], *files[1:], *flags)[0])
    corrected = llull.correct(
        paths[0], list(files[1:]), "P@5", human=files[0], sampled="pairs", estimand="these_queries"
    )
    assert corrected.to_dict() == printed


def test_sample_refuses(data: Data) -> None:
    labels, first, second = data
    runs = {"first": first, "second": second}
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"n": 0}, ValueError, "n is 0"),
        ({"n": 10**6}, llull.LlullError, "1,?000,?000|only|pairs"),
        ({"design": "pairs"}, ValueError, 'design is "pairs"'),
        ({"by": ["x"]}, ValueError, "by: "),
        ({"width": -1.0}, ValueError, "width is -1"),
        ({"compare": ("first", "third")}, llull.LlullError, "third"),
    ]
    for keywords, error, message in wrong:
        with pytest.raises(error, match=message):
            llull.sample(labels, runs, **keywords)
    with pytest.raises(ValueError, match="human: "):
        llull.correct(labels, runs, "RR", human=labels, sampled="pairs")
    with pytest.raises(TypeError, match="how labels were drawn"):
        llull.correct(labels, runs, "P@5", human=labels, sampled=5)  # type: ignore[arg-type]


# some 10^11 draws: minutes of all cores
LONG = """
import signal

import llull

# as in a terminal: what a shell starts in the background ignores the signal
signal.signal(signal.SIGINT, signal.default_int_handler)

def run(worst):
    return {f"q{n}": {"d1": float(n % worst), "d2": 2.5} for n in range(20_000)}

qrels = {query: {"d1": 1} for query in run(3)}
systems = {"a": run(3), "b": run(5)}
measured = llull.measure(qrels, systems, "RR", resamples=10_000_000)
try:
    print("computing", flush=True)
    COMPUTATION
except KeyboardInterrupt:
    print("interrupted", llull.measure(qrels, {"q1": {"d1": 1.0}}, "RR", answered_only=True)["RR"])
"""


@pytest.mark.parametrize(
    "computation",
    [
        "measured.to_dict()",
        "llull.compare(qrels, systems, ['RR'], resamples=10_000_000)",
    ],
)
def test_an_interrupt_ends_a_computation(computation: str) -> None:
    program = LONG.replace("COMPUTATION", computation)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "computing\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=600)[0] == "interrupted 1.0\n"
    finally:
        process.kill()
