"""Writes trec_eval.txt. Run by hand: pip install pytrec_eval-terrier==0.5.11 ir_measures==0.4.3; python make.py > trec_eval.txt

Inputs are random. Figures are pytrec_eval-terrier's (trec_eval's own C code), by measure:
  rel=2                relevance_level=2
  exponential gain     linear gain over the grades 2^g - 1, which is its definition
  RR@k                 recip_rank of the run cut off at k in trec_eval's order
  Judged@k             ir_measures' own, on the runs without tied scores, which it would order differently
Topics that pytrec_eval leaves out because the run does not answer them count as 0, as with trec_eval -c.
"""
import random

import ir_measures
import pytrec_eval

LINEAR = {
    "ndcg": "nDCG", "ndcg_cut_1": "nDCG@1", "ndcg_cut_5": "nDCG@5", "ndcg_cut_10": "nDCG@10",
    "map": "AP", "map_cut_5": "AP@5", "recip_rank": "RR", "P_1": "P@1", "P_5": "P@5", "P_10": "P@10",
    "recall_5": "R@5", "recall_100": "R@100", "success_1": "Success@1", "success_5": "Success@5",
}
REL2 = {
    "map": "AP(rel=2)", "map_cut_5": "AP(rel=2)@5", "recip_rank": "RR(rel=2)", "P_5": "P(rel=2)@5",
    "recall_5": "R(rel=2)@5", "success_5": "Success(rel=2)@5",
}
EXPONENTIAL = {"ndcg": "nDCG(dcg='exp-log2')", "ndcg_cut_5": "nDCG(dcg='exp-log2')@5"}


def evaluate(qrels, run, names, level=1):
    asked = {n.rsplit("_", 1)[0] + "." + n.rsplit("_", 1)[1] if n[-1].isdigit() else n for n in names}
    figures = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level).evaluate(run)
    return {(t, printed): figures.get(t, {}).get(n, 0.0) for t in qrels for n, printed in names.items()}


def top(run, k):
    return {t: dict(sorted(docs.items(), key=lambda d: (d[1], d[0]), reverse=True)[:k]) for t, docs in run.items()}


rng = random.Random(20240601)
for case in range(12):
    tied = case % 2 == 0
    qrels, run = {}, {}
    for topic in (f"t{n}" for n in range(rng.randint(2, 5))):
        docs = [f"d{n}" for n in range(rng.randint(3, 18))]
        top_grade = rng.choice([0, 1, 3, 3])
        judged = [d for d in docs if rng.random() < 0.7] or docs[:1]
        qrels[topic] = {d: rng.randint(-1, top_grade) for d in judged}
        retrieved = rng.sample(docs, rng.randint(1, len(docs)))
        scores = rng.sample(range(40), len(retrieved))
        run[topic] = {d: (rng.randint(-2, 3) if tied else s) / 4 for d, s in zip(retrieved, scores)}
    if case % 3 == 0:
        del run[rng.choice(sorted(run))]
    figures = evaluate(qrels, run, LINEAR) | evaluate(qrels, run, REL2, level=2)
    exponential = {t: {d: 2**g - 1 if g > 0 else g for d, g in docs.items()} for t, docs in qrels.items()}
    figures |= evaluate(exponential, run, EXPONENTIAL)
    figures |= evaluate(qrels, top(run, 3), {"recip_rank": "RR@3"})
    if not tied:
        measures = [ir_measures.parse_measure(m) for m in ("Judged@3", "Judged@10")]
        answered = {t: run[t] for t in run}
        figures |= {(m.query_id, str(m.measure)): m.value for m in ir_measures.iter_calc(measures, qrels, answered)}
    print("case", case)
    for topic, docs in qrels.items():
        for doc, grade in docs.items():
            print("qrel", topic, doc, grade)
    for topic, docs in run.items():
        for doc, score in docs.items():
            print("hit", topic, doc, score)
    for (topic, measure), value in sorted(figures.items()):
        print("figure", topic, measure, repr(value))
