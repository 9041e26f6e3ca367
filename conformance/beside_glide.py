#!/usr/bin/env python3
"""Coverage and width of GLIDE's intervals (glide-py) on the draws of conformance/tests/published/prediction_powered_dl19.rs.

    python3.12 -m venv venv && venv/bin/pip install glide-py==0.11.0
    venv/bin/python conformance/beside_glide.py [--data ../shared/data/dl19] [--draws 1000]

Same systems, pairs, queries and random numbers as the test, so that the figures of people's labels alone are the
test's: they are printed first, to be compared. GLIDE is given each pair's weight times label, times the size of the frame,
whose mean is the difference of the two systems: to PPIMeanEstimator, and to StratifiedPPIMeanEstimator in strata of the
sign of the weight (it refuses strata of the judge's grade, in which the judge's figures do not vary); of queries
PPIMeanEstimator on their differences. Its intervals are for an infinite population, with the
normal quantile. Draws that it refuses (all labels equal) are counted, and are in no figure."""

import argparse
import gzip
import math
import warnings
from pathlib import Path

import numpy as np
from glide.estimators import PPIMeanEstimator, StratifiedPPIMeanEstimator
from scipy import stats

MASK = (1 << 64) - 1
JUDGES = ["umbrela.gpt-4o", "umbrela.llama3.2"]


class SplitMix64:
    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
        return bits ^ (bits >> 31)


def places(of, count, stream):
    """The first numbers of a shuffle, as the test draws them."""
    every = list(range(of))
    for at in range(min(count, of)):
        other = at + stream.next() % (of - at)
        every[at], every[other] = every[other], every[at]
    return every[:count]


def text(path):
    return gzip.open(path, "rt") if path.suffix == ".gz" else open(path)


def qrels(path):
    """Labels by query; of a pair that stands twice, the last."""
    labels = {}
    for line in text(path):
        topic, _, document, grade = line.split()
        labels.setdefault(topic, {})[document] = int(grade)
    return labels


def run(path):
    """Documents by query, as trec_eval orders them: by score, ties by identifier, both descending."""
    hits = {}
    for line in text(path):
        topic, _, document, _, score, _ = line.split()
        hits.setdefault(topic, []).append((np.float32(score), document.encode(), document))
    return {topic: [hit[2] for hit in sorted(found, reverse=True)] for topic, found in hits.items()}


def ndcg(ranking, labels, k=10):
    gain = lambda grades: sum(max(g, 0) / math.log2(at + 2) for at, g in enumerate(grades[:k]))
    best = gain(sorted(labels.values(), reverse=True))
    return gain([labels.get(document, 0) for document in ranking]) / best if best > 0 else 0.0


def worth(measure, grade):
    return {"P@10": float(grade >= 1), "P(rel=2)@10": float(grade >= 2), "DCG@10": float(max(grade, 0))}[measure]


def frame(measure, a, b, judge, human):
    """Weight and both labels of each pair in which two systems differ: by query, then document."""
    rows = []
    for topic in human:
        weights = {}
        for system, sign in ((a, 1.0), (b, -1.0)):
            for rank, document in enumerate(system.get(topic, [])[:10]):
                share = 1 / math.log2(rank + 2) if measure == "DCG@10" else 0.1
                weights[document] = weights.get(document, 0.0) + sign * share / len(human)
        for document in sorted(human[topic], key=str.encode):
            weight, grade = weights.get(document, 0.0), judge.get(topic, {}).get(document)
            if grade is not None and abs(weight) > 1e-12:
                rows.append((weight, worth(measure, grade), worth(measure, human[topic][document])))
    return np.array(rows)


class Held:
    def __init__(self):
        self.draws, self.held, self.width, self.refused = 0, 0, 0.0, 0

    def add(self, low, high, truth):
        self.draws, self.held, self.width = self.draws + 1, self.held + (low <= truth <= high), self.width + high - low

    def __str__(self):
        refused = f" ({self.refused} refused)" if self.refused else ""
        return f"{self.held / self.draws:.3f} / {self.width / self.draws:.3f}{refused}"


def by_t(values, frame):
    """People's labels alone, with Student's t and the finite population's correction."""
    n = len(values)
    half = stats.t.ppf(0.975, n - 1) * math.sqrt(values.var(ddof=1) / n * (1 - n / frame))
    return values.mean() - half, values.mean() + half


def by_glide(labelled, judged, groups, held, truth):
    try:
        if groups is not None:
            found = StratifiedPPIMeanEstimator().estimate(labelled, judged, groups)
        else:
            found = PPIMeanEstimator().estimate(labelled, judged)
        held.add(found.confidence_interval.lower_bound, found.confidence_interval.upper_bound, truth)
    except (ValueError, ZeroDivisionError, OverflowError):
        held.refused += 1


def drawn(values, at):
    labelled = np.full(len(values), np.nan)
    labelled[at] = values[at]
    return labelled


def pairs(draws, runs, judge, human, name):
    differ = [at for at in range(len(runs) - 1) if len(frame("P@10", runs[at], runs[at + 1], judge, human)) >= 200]
    chosen = [differ[at * (len(differ) - 1) // 4] for at in range(5)]
    for measure in ["P@10", "P(rel=2)@10", "DCG@10"]:
        for share in [0.05, 0.1, 0.2]:
            people, plain, strata = Held(), Held(), Held()
            for seed, at in enumerate(chosen):
                weight, f, y = frame(measure, runs[at], runs[at + 1], judge, human).T
                size, stream = len(weight), SplitMix64(seed)
                human_terms, judged, truth = weight * y * size, weight * f * size, float((weight * y).sum())
                groups = (weight > 0).astype(int)
                for _ in range(draws):
                    where = places(size, math.floor(share * size + 0.5), stream)
                    people.add(*by_t(human_terms[where], size), truth)
                    labelled = drawn(human_terms, where)
                    by_glide(labelled, judged, None, plain, truth)
                    by_glide(labelled, judged, groups, strata, truth)
            print(f"{name} | {measure} | {share} | {people} | {plain} | {strata}", flush=True)


def queries(draws, runs, judge, human, name):
    scores = lambda labels: np.array([[ndcg(r.get(t, []), labels.get(t, {})) for t in human] for r in runs])
    pooled = {t: {d: g for d, g in judge.get(t, {}).items() if d in human[t]} for t in human}
    judged, by_people = scores(pooled), scores(human)
    for sampled in (9, 17):
        people, plain = Held(), Held()
        for at in range(len(runs) - 1):
            f, y = judged[at] - judged[at + 1], by_people[at] - by_people[at + 1]
            if not (f**4).sum() or (f**2).sum() ** 2 / (f**4).sum() < 4:
                continue
            stream = SplitMix64(at)
            for _ in range(draws):
                where = places(len(y), sampled, stream)
                people.add(*by_t(y[where], len(y)), y.mean())
                by_glide(drawn(y, where), f, None, plain, y.mean())
        print(f"{name} | nDCG@10 | {sampled} queries | {people} | {plain}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parent / "../../shared/data/dl19")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--judge", choices=JUDGES, action="append")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    human = qrels(args.data / "human.qrels")
    runs = [run(path) for path in sorted((args.data / "runs").iterdir())]
    means = [np.mean([ndcg(r.get(t, []), human[t]) for t in human]) for r in runs]
    runs = [runs[at] for at in sorted(range(len(runs)), key=lambda at: -means[at])]
    print("judge | measure | labelled | people only | GLIDE | GLIDE in strata")
    for name in args.judge or JUDGES:
        judge = qrels(args.data / f"labels/{name}.qrels.gz")
        queries(args.draws, runs, judge, human, name)
        pairs(args.draws, runs, judge, human, name)


if __name__ == "__main__":
    main()
