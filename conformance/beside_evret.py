#!/usr/bin/env python3
"""Compares llull's judges of expected answers with evret 0.0.3's TokenOverlapJudge, on random contexts.

    python3 conformance/beside_evret.py               # 10,000 contexts; the first time a minute to install the peer
    PEER_VENV=venv LLULL_MATCH=target/debug/examples/match_contexts python3 conformance/beside_evret.py --seed 7

Contexts have answers of no to thirty words, texts that repeat some of them, in the same and in another order, with
negations, numbers, punctuation, letters of other scripts, single letters and nothing at all; parameters are random,
too. `token-overlap-evret` has to give evret's answer for each. Where `token-overlap` differs, the reason has to be one
of those of `reason`, which are checked on the context itself: a difference without one fails the script.

evret sums weights in the order of a set, which is another in every process. From Python 3.12 on `sum` compensates what
is rounded off, so that the order does not matter; before, evret's module is given a `sum` that does what 3.12's does
(Neumaier's), so any Python from 3.10 on gives the answers that evret gives with 3.12."""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "benches"))
from peers import python_with

PEER = "evret==0.0.3"
# What every script of the peer begins with: evret's `sum` is that of Python 3.12, for numbers that are added up from 0.
# With 3.10 evret can be installed but not imported, for want of this one name.
COMPENSATED = """
import datetime, importlib, math, sys
if sys.version_info < (3, 11):
    datetime.UTC = datetime.timezone.utc

def compensated(numbers):
    total = rounded_off = 0.0
    for number in numbers:
        larger = total + number
        if abs(total) >= abs(number):
            rounded_off += (total - larger) + number
        else:
            rounded_off += (number - larger) + total
        total = larger
    return total + rounded_off if math.isfinite(rounded_off) else total

if sys.version_info < (3, 12):
    importlib.import_module("evret.judges.token_overlap").sum = compensated
"""
ANSWERS = COMPENSATED + """
import json, sys
from evret.judges import TokenOverlapJudge
from evret.judges.base import JudgmentContext
from evret.judges.token_overlap import DEFAULT_STOPWORDS, NEGATION_TOKENS
print(json.dumps([sorted(DEFAULT_STOPWORDS), sorted(NEGATION_TOKENS)]))
for line in sys.stdin:
    c = json.loads(line)
    judge = TokenOverlapJudge(c["min_tokens"], c["threshold"], c["query_boost"])
    print(judge.judge(JudgmentContext(c["query"], c["expected"], c["retrieved"])))
"""
WORDS = (
    "retrieval generation augmented index vector database token overlap answer passage query rank document "
    "search engine model language embedding semantic lexical score threshold precision recall hit rate chunk "
    "ab cd x1 7 42 1999 2024 3 the a of is and to in with for not no never without cannot can't isn't don't "
    "Paris Größe naïve café 東京 Москва ελλάδα İstanbul RAG LLM state-of-the-art C++ e.g. U.S. km/h"
).split()
MARKS = [" ", " ", " ", " ", " ", "  ", "\n", "\t", ", ", ". ", "-", " — ", "\x1c", "\u00a0", "; "]


def joined(words, draw):
    text = "".join(word + draw.choice(MARKS) for word in words)
    return text.strip() if draw.random() < 0.8 else text


def cased(word, draw):
    return draw.choice([word, word, word, word.lower(), word.upper(), word.capitalize()])


def context(draw):
    def some(most):
        return [cased(draw.choice(WORDS), draw) for _ in range(draw.randint(draw.random() > 0.1, most))]

    expected = some(draw.choice([2, 8, 30]))
    kind = draw.randrange(8)
    if kind == 0:
        retrieved = some(30)
    elif kind == 1:
        retrieved = [draw.choice("abcixz7 ")]
    elif kind == 2:
        at, to = sorted([draw.randint(0, len(expected)), draw.randint(0, len(expected))])
        retrieved = expected[at:to]
    elif kind == 3:
        retrieved = some(9) + expected + some(9)
    else:
        share = draw.random()
        retrieved = [word for word in expected if draw.random() < share] + some(draw.choice([1, 4, 20]))
        if draw.random() < 0.5:
            draw.shuffle(retrieved)
    if draw.random() < 0.1:
        expected, retrieved = retrieved, expected
    same = draw.random() < 0.5
    expected_text = joined(expected, draw)
    return {
        "query": joined(some(6), draw),
        "expected": expected_text,
        "retrieved": " ".join(retrieved) if same else joined(retrieved, draw),
        "min_tokens": draw.choice([1, 1, 2, 3, 5, 15]),
        "threshold": draw.choice([0.2, 0.4, 0.5, 0.6, 0.6, 0.6, 0.8, 1.0, round(draw.uniform(0.05, 1), 3)]),
        "query_boost": draw.random() < 0.8,
    }


def folded(text):
    return " ".join(text.lower().split())


def ascii_words(text):
    return re.findall("[a-z0-9]+", text.lower())


def reason(c, peer, step, stops, negations):
    """Why llull's answer and evret's differ, by what is in the context; None if nothing explains it."""
    expected, retrieved = folded(c["expected"]), folded(c["retrieved"])
    counted = {word for word in ascii_words(expected) if word not in stops}
    seen = {word for word in ascii_words(retrieved) if word not in stops}
    substring = bool(expected and retrieved) and (expected in retrieved or retrieved in expected)
    negates = [bool(set(ascii_words(text)) & negations) for text in (expected, retrieved)]
    contained = step.startswith("the answer stands") or step.startswith("the passage stands")
    if not expected and not retrieved:
        return "two empty texts"
    if negates[0] != negates[1]:
        return "one of the texts negates"
    if peer and substring:
        return "contained as letters, not as whole words or enough of them"
    if contained:
        return "contained but for punctuation and spaces"
    if not peer and len(counted & seen) < c["min_tokens"]:
        short = len(counted) < c["min_tokens"]
        return "the answer has fewer words than are asked" if short else "stop words or letters beyond a to z are shared"
    if not expected.isascii() or not retrieved.isascii():
        return "letters beyond a to z"
    if set(ascii_words(expected)) & stops:
        return "stop words do not count in evret"
    return "weights, the phrase's bonus, 0.1 for the query" if counted & seen else None


def answers(command, contexts, judge=None):
    lines = [json.dumps({**c, "judge": judge} if judge else c) for c in contexts]
    found = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(f"{command}: {found.stderr}")
    return found.stdout.split("\n")[:-1]


def peer_python():
    """Returns the Python that has the peer."""
    return python_with([PEER], os.environ.get("PEER_VENV") or ROOT / "target" / "venv-evret")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contexts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    matcher = Path(os.environ.get("LLULL_MATCH", ROOT / "target/debug/examples/match_contexts"))
    if not matcher.exists():
        sys.exit(f"{matcher} is not built: cargo build -p llull-conformance --example match_contexts")
    draw = random.Random(options.seed)
    contexts = [context(draw) for _ in range(options.contexts)]
    lists, *theirs = answers([peer_python(), "-c", ANSWERS], contexts)
    stops, negations = map(set, json.loads(lists))
    theirs = [answer == "True" for answer in theirs]
    variant = [line.split(" ", 1) for line in answers([matcher], contexts, "token-overlap-evret")]
    own = [line.split(" ", 1) for line in answers([matcher], contexts, "token-overlap")]
    assert len(theirs) == len(variant) == len(own) == len(contexts)

    wrong = [at for at, (matches, _) in enumerate(variant) if (matches == "true") != theirs[at]]
    print(f"{len(contexts)} contexts, {sum(theirs)} matches by evret")
    print(f"token-overlap-evret differs in {len(wrong)}")
    for at in wrong[:5]:
        print("  ", json.dumps(contexts[at]), "evret:", theirs[at], "llull:", variant[at])
    by_step = collections.Counter(step.split(" ")[0] if step[0].isalpha() else "shared" for _, step in variant)
    print("  decided by:", dict(by_step))

    reasons, unexplained = collections.Counter(), []
    for at, (matches, step) in enumerate(own):
        if (matches == "true") != theirs[at]:
            found = reason(contexts[at], theirs[at], step, stops, negations)
            if found is None:
                unexplained.append(at)
            else:
                reasons[(found, "evret" if theirs[at] else "llull")] += 1
    print(f"token-overlap differs in {sum(reasons.values()) + len(unexplained)}:")
    for (found, who), times in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"  {times:5} a match for {who} only: {found}")
    for at in unexplained[:5]:
        print("   unexplained:", json.dumps(contexts[at]), "evret:", theirs[at], "llull:", own[at])
    sys.exit(1 if wrong or unexplained else 0)


if __name__ == "__main__":
    main()
