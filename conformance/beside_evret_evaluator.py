#!/usr/bin/env python3
"""Compares `llull evaluate --judge token-overlap-evret` with evret 0.0.3's Evaluator, on random datasets.

    python3 conformance/beside_evret_evaluator.py     # 150 datasets; the first time a minute to install the peer
    PEER_VENV=venv LLULL=target/debug/llull python3 conformance/beside_evret_evaluator.py --datasets 1000 --seed 7

Both read the same dataset, JSON or CSV; evret gets the results from a retriever in memory, llull from a file. Compared
are every metric of evret's, and which result is mapped to which expected answer. Datasets have queries with answers,
with identifiers and with both, answers that repeat but for case, documents with texts, results without text, with equal
identifiers, and queries without results.

Left out, since evret and llull differ by intention: queries that expect nothing (evret counts them as 0, llull leaves
them out and says so), one identifier twice among the results of a query that names documents (evret counts it twice in
nDCG and average precision), and expected identifiers that differ from the retrieved ones in case."""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from beside_evret import COMPENSATED, ROOT, answers, cased, joined, peer_python, WORDS

METRICS = {
    "hit_rate": "HitRate@{k}",
    "recall": "Recall@{k}",
    "precision": "Precision@{k}",
    "mrr": "MRR@{k}",
    "ndcg": "NDCG@{k}",
    "average_precision": "AveragePrecision@{k}",
    "err": "ERR@{k}",
    "rbp": "RBP@{k}",
}
PEER = COMPENSATED + """
import json, sys
from evret import (AveragePrecision, ERR, EvaluationDataset, Evaluator, HitRate, MRR, NDCG, Precision, RBP, Recall,
                   RetrievalResult, TokenOverlapJudge)
from evret.retrievers.base import BaseRetriever

class InMemory(BaseRetriever):
    def __init__(self, results):
        self.results = results
    def retrieve(self, query, k):
        found = self.results.get(query, [])[:k]
        return [RetrievalResult(r["doc_id"], r.get("score", 0), {"text": r["text"]} if "text" in r else {}) for r in found]

for line in sys.stdin:
    case = json.loads(line)
    path = case["dataset"]
    dataset = EvaluationDataset.from_csv(path) if path.endswith(".csv") else EvaluationDataset.from_json(path)
    kinds = [HitRate, Recall, Precision, MRR, NDCG, AveragePrecision, ERR, RBP]
    judge = TokenOverlapJudge(min_tokens=case["min_tokens"], overlap_ratio=case["threshold"])
    retriever = InMemory(case["results"])
    evaluator = Evaluator(retriever, [kind(k=k) for k in case["cutoffs"] for kind in kinds], judge)
    retrieved = retriever.batch_retrieve([q.query_text for q in dataset.queries], k=max(case["cutoffs"]))
    ids, expected = evaluator._build_metric_inputs(dataset=dataset, retrieved_results=retrieved)
    mapping = {q.query_id: [[rank + 1, label] for rank, label in enumerate(found) if label in wanted]
               for q, found, wanted in zip(dataset.queries, ids, expected)}
    print(json.dumps([evaluator.evaluate(dataset).summary(), mapping]))
"""


def folded(text):
    return " ".join(text.strip().lower().split())


def case(draw, folder, number):
    def text(least, most):
        return joined([cased(draw.choice(WORDS), draw) for _ in range(draw.randint(least, most))], draw).strip()

    queries, results, lines = [], {}, []
    pool = [f"d{at}" for at in range(30)]
    documents = [{"doc_id": doc, "text": text(0, 25)} for doc in draw.sample(pool, 8)]
    for at in range(draw.randint(1, 12)):
        query = {"query_id": f"q{at}", "query_text": f"{at} " + text(1, 6)}
        answers = [text(1, draw.choice([2, 8, 20])) or "x" for _ in range(draw.randint(1, 4))]
        if draw.random() < 0.2:
            answers.append("  " + draw.choice(answers).upper())
        by_id = draw.random() < 0.25
        if by_id:
            query["expected_doc_ids"] = draw.sample(pool, draw.randint(1, 4))
        if not by_id or draw.random() < 0.3:
            query["expected_answers"] = answers
        queries.append(query)
        if draw.random() < 0.1:
            continue
        found = []
        for doc in draw.sample(pool, draw.randint(0, 12)):
            if found and not by_id and draw.random() < 0.1:
                doc = found[-1]["doc_id"]
            result = {"doc_id": doc, "score": draw.random()}
            if draw.random() < 0.85:
                words = [w for w in draw.choice(answers).split() if draw.random() < 0.8]
                result["text"] = draw.choice([text(0, 3) + " " + " ".join(words), text(1, 20), draw.choice(answers)])
            found.append(result)
        results[query["query_text"]] = found
        lines.append({"query_id": query["query_id"], "results": found})
    dataset = folder / f"{number}.{draw.choice(['json', 'csv'])}"
    if dataset.suffix == ".json":
        dataset.write_text(json.dumps({"queries": queries, "documents": documents}, indent=1))
    else:
        names = ["query_id", "query_text", "expected_answers", "expected_doc_ids"]
        with dataset.open("w", newline="") as out:
            rows = csv.DictWriter(out, names)
            rows.writeheader()
            lists = [query[name] for query in queries for name in names[2:] if name in query]
            # evret splits a cell at commas unless it begins a JSON list; llull where the file is declared so.
            plain = not any("," in value or value.strip().startswith("[") for values in lists for value in values)
            written = ",".join if plain and draw.random() < 0.5 else json.dumps
            for query in queries:
                rows.writerow({**query, **{name: written(query[name]) if name in query else "" for name in names[2:]}})
    file = folder / f"{number}.results.jsonl"
    draw.shuffle(lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    cutoffs = sorted(draw.sample([1, 2, 3, 5, 10], 2))
    return {
        "dataset": str(dataset),
        "file": str(file),
        "results": results,
        "cutoffs": cutoffs,
        "min_tokens": draw.choice([1, 2, 3, 15]),
        "threshold": draw.choice([0.3, 0.5, 0.6, 0.9]),
    }


def own(llull, c):
    command = [llull, "evaluate", c["dataset"], "--results", c["file"], "--json", "-Q"]
    command += ["--answers-separator", ","] if c["dataset"].endswith(".csv") else []
    options = f"min_tokens={c['min_tokens']}, threshold={c['threshold']}"
    command += ["--judge", f"token-overlap-evret({options})"]
    names = [(f"{name}@{k}", written.format(k=k)) for k in c["cutoffs"] for name, written in METRICS.items()]
    for _, written in names:
        command += ["-m", written]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    output = json.loads(done.stdout)
    means = [figure["mean"] for figure in output["systems"][0]["figures"]]
    mapping = {
        query["query"]: [[found["rank"], folded(found["expected"])] for found in query["found"]]
        for query in output["answers"][0]["queries"]
    }
    return {name: mean for (name, _), mean in zip(names, means, strict=True)}, mapping


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", type=int, default=150)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    llull = os.environ.get("LLULL", ROOT / "target/debug/llull")
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        cases = [case(draw, Path(folder), number) for number in range(options.datasets)]
        theirs = [json.loads(line) for line in answers([peer_python(), "-c", PEER], cases)]
        assert len(theirs) == len(cases)
        figures = mapped = differ = 0
        for c, (summary, mapping) in zip(cases, theirs):
            metrics, found = own(llull, c)
            wrong = {n: (metrics[n], summary[n]) for n in summary if abs(metrics[n] - summary[n]) > 1e-12}
            places = {q: (found.get(q), mapping[q]) for q in mapping if found.get(q) != mapping[q]}
            figures, mapped = figures + len(summary), mapped + sum(map(len, mapping.values()))
            if wrong or places:
                differ += 1
                if differ <= 3:
                    print(c["dataset"], Path(c["dataset"]).read_text(), Path(c["file"]).read_text(), wrong, places)
        print(f"{len(cases)} datasets, {figures} figures, {mapped} results mapped: {differ} datasets differ")
        sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
