"""The study's runs in the form that notorious needs: objects whose `search(text)` returns ranked (document, text).

`judge_at_size.py` copies this file into the peer's project as its `configs_module`; `LLULL_BENCH_STUDY` names the
folder with topics.tsv, corpus.jsonl and the runs. The corpus is read once and shared by all runs, since the peer never
reads it itself.
"""

import json
import os
from pathlib import Path

STUDY = Path(os.environ["LLULL_BENCH_STUDY"])


def topics():
    """Returns the query ids by query text, since `search` gets only the text."""
    with (STUDY / "topics.tsv").open(encoding="utf-8") as lines:
        return {text: topic for topic, text in (line.rstrip("\n").split("\t") for line in lines)}


def corpus():
    """Returns the texts by document id. The synthetic documents have no titles."""
    with (STUDY / "corpus.jsonl").open(encoding="utf-8") as lines:
        return {row["_id"]: row["text"] for row in map(json.loads, lines)}


class FromRun:
    """A retriever that answers from a TREC run. The lines of each query are in rank order."""

    def __init__(self, path, topic_of, text_of):
        self.topic_of, self.text_of, self.ranking = topic_of, text_of, {}
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                topic, _, document, _, _, _ = line.split()
                self.ranking.setdefault(topic, []).append(document)

    def search(self, query):
        return [(document, self.text_of[document]) for document in self.ranking[self.topic_of[query]]]


_topic_of, _text_of = topics(), corpus()
CONFIGS = {path.stem: FromRun(path, _topic_of, _text_of) for path in sorted(STUDY.glob("system-*.run"))}
