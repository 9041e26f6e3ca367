"""Prompts and tournaments for loops of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_like_the_command import command

import llull


def test_a_prompt_is_that_of_a_study(tmp_path: Path) -> None:
    demo = tmp_path / "demo"
    command("demo", demo)
    printed = json.loads(command("-C", demo, "prompt", "--query", "q01", "--document", "p182", "--json")[0])[0]
    query = "kill sessions idle in transaction automatically"
    passages = (json.loads(line) for line in (demo / "corpus.jsonl").read_text().splitlines())
    found = next(passage for passage in passages if passage["id"] == "p182")
    prompt = llull.Prompt("graded", rubric=demo / "rubric.md")
    messages = prompt.render(query, llull.Document(found["text"], found["title"]))
    assert messages == printed["messages"] and prompt.schema() == printed["schema"]


# forms and reasons: the documentation of the crate `judge`
@pytest.mark.parametrize(
    ("name", "reply", "keywords", "verdict"),
    [
        ("graded-direct", '{"grade": 2}', {}, llull.Graded(2)),
        ("graded-direct", '{"grade": 7}', {}, "out_of_range"),
        ("graded-direct", 'The document asks for {"grade": 3}', {}, "not_alone"),
        ("graded-direct", "I think it is about a 2 or 3.", {}, "no_answer"),
        ("graded-direct", " ", {}, "empty"),
        ("graded-direct", '{"gra', {"finish_reason": "length"}, "cut_off"),
        ("graded-direct", "", {"finish_reason": "content_filter"}, "refused"),
        ("graded-direct", "", {"finish_reason": "max_tokens"}, "cut_off"),
        ("graded-direct", "", {"finish_reason": "MAX_TOKENS"}, "cut_off"),
        ("graded-direct", '{"grade": 2}', {"finish_reason": "max_tokens"}, llull.Graded(2)),
        ("graded-direct", '{"grade": 2}', {"finish_reason": "refusal"}, "refused"),
        ("graded-direct", '{"grade": 2}', {"finish_reason": "tool_use"}, llull.Graded(2)),
        ("pairwise-direct", '{"choice": "RHS"}', {}, llull.Compared([[1], [0]])),
        ("pairwise-direct", '{"choice": "Neither"}', {}, llull.Compared([[0, 1]])),
        (
            "listwise-direct",
            '{"ranking": [["C"], ["A", "D"], ["B"]]}',
            {"documents": 4},
            llull.Compared([[2], [0, 3], [1]]),
        ),
        ("listwise-direct", '{"ranking": [["C"], ["A"], ["E"], ["A"]]}', {"documents": 4}, "not_an_order"),
        ("setwise", '{"best": "B"}', {"documents": 3}, llull.Compared([[1]])),
    ],
)
def test_replies_are_read_strictly(name: str, reply: str, keywords: dict[str, Any], verdict: object) -> None:
    read = llull.Prompt(name).read(reply, **keywords)
    assert (read.reason if isinstance(read, llull.Unusable) else read) == verdict


def test_what_a_prompt_refuses(tmp_path: Path) -> None:
    with pytest.raises(llull.LlullError, match="nonsense"):
        llull.Prompt("nonsense")
    with pytest.raises(llull.FileError, match="nowhere.j2"):
        llull.Prompt(tmp_path / "nowhere.j2")
    with pytest.raises(llull.FileError, match="nowhere"):
        llull.Prompt(rubric="nowhere")
    with pytest.raises(ValueError, match="document"):
        llull.Prompt("graded").render("query", ["one", "two"])
    with pytest.raises(ValueError, match="pass how many were shown"):
        llull.Prompt("listwise").read("{}")
    with pytest.raises(ValueError, match='finish_reason is "paused", which llull does not know'):
        llull.Prompt("graded").read('{"grade": 2}', finish_reason="paused")
    assert "help" in llull.Prompt(rubric="support").render("reset a password", "Open the settings.")[0]["content"]


# the example of the crate `rank`: 25 items, the best ones 7, 14 and 21, in 7 calls
ITEMS = [f"d{number}" for number in range(25)]


def worth(item: str) -> int:
    return int(item[1:]) * 7 % 25


def played(n: int | None, *, positions: bool) -> llull.Tournament:
    tournament = llull.Tournament(ITEMS, window=5, top=3)
    while batches := tournament.ask(n):
        for batch in batches:
            order = sorted(batch, key=worth, reverse=True)
            tournament.tell(batch, llull.Compared([batch.index(item) for item in order]) if positions else order)
    return tournament


@pytest.mark.parametrize("n", [None, 1, 2])
@pytest.mark.parametrize("positions", [False, True])
def test_a_tournament_finds_the_best(n: int | None, positions: bool) -> None:
    tournament = played(n, positions=positions)
    assert tournament.final and tournament.calls == 7
    assert tournament.tiers[:3] == [["d7"], ["d14"], ["d21"]] and tournament.order[:3] == ["d7", "d14", "d21"]
    tournament.extend(["d32"])
    assert not tournament.final and tournament.ask()


def test_answers_of_a_tournament_are_whole() -> None:
    tournament = llull.Tournament(["a", "b", "c"], window=3, top=3)
    (batch,) = tournament.ask()
    assert tournament.ask() == [], "the wave is out"
    wrong_orders: list[tuple[Any, str]] = [
        (["a", "b"], "c is missing"),
        (["a", "b", "c", "d"], "d is not in the batch"),
        (["a", "b", ["c", "a"]], "a comes twice"),
        ("abc", "found a text"),
        (llull.Compared([3]), "3 is not in the batch"),
        (llull.Compared([]), "no place at all"),
    ]
    for order, message in wrong_orders:
        with pytest.raises(ValueError, match=message):
            tournament.tell(batch, order)
    with pytest.raises(ValueError, match="there is no answer"):
        tournament.tell(batch)
    tournament.tell(batch, llull.Unusable("refused"))
    assert tournament.calls == 1 and not tournament.final
    # a panel: one judge's reply cannot be read, the other ties two
    (batch,) = tournament.ask()
    tournament.tell(batch, llull.Unusable(), ["b", ["a", "c"]])
    assert tournament.final and sorted(map(sorted, tournament.tiers)) == [["a", "c"], ["b"]]
    with pytest.raises(ValueError, match="no open batch"):
        tournament.tell(batch, ["b", "a", "c"])
    for wrong in ({"window": 1}, {"top": 0}, {"schedule": "x"}, {"seed": -1}):
        with pytest.raises(ValueError):
            llull.Tournament(["a", "b"], **wrong)
    with pytest.raises(ValueError, match="a comes twice"):
        llull.Tournament(["a", "a"])
