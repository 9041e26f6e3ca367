"""Writes trec_eval.txt. Run by hand, with perl:

    pip install pytrec_eval-terrier==0.5.11 ir_measures==0.4.3 cwl-eval==1.0.12 ranx==0.3.21 evret==0.0.3
    python make.py > trec_eval.txt

Inputs are random. Figures are pytrec_eval-terrier's (trec_eval's own C code), by measure:
  rel=2                relevance_level=2
  exponential gain     linear gain over the grades 2^g - 1, which is its definition
  RR@k                 recip_rank of the run cut off at k in trec_eval's order
  Judged@k             ir_measures' own, on the runs without tied scores, which it would order differently
  judged_only=True     judged_docs_only_flag=True
  gains                the same over the grades that the table turns into gains
  SetF(beta=2)         set_F with parameter 4, since trec_eval does not square it
  ERR@k                gdeval.pl, through ir_measures, which prints five decimals and wants topics to be numbers
  ERR(max_rel=3)@k     evret, over grades from 0 to 3, and the same over the ideal order for nERR
  RBP, INSQ, INST      cwl_eval, through ir_measures
  DCG@k                ranx, on the runs without tied scores
Topics that pytrec_eval leaves out because the run does not answer them count as 0, as with trec_eval -c.
"""
import random

import ir_measures
import numpy
import pytrec_eval
from evret.metrics import ERR
from ranx import Qrels, Run
from ranx import evaluate as ranx_evaluate

LINEAR = {
    "ndcg": "nDCG", "ndcg_cut_1": "nDCG@1", "ndcg_cut_5": "nDCG@5", "ndcg_cut_10": "nDCG@10",
    "map": "AP", "map_cut_5": "AP@5", "recip_rank": "RR", "P_1": "P@1", "P_5": "P@5", "P_10": "P@10",
    "recall_5": "R@5", "recall_100": "R@100", "success_1": "Success@1", "success_5": "Success@5",
}
REL2 = {
    "map": "AP(rel=2)", "map_cut_5": "AP(rel=2)@5", "recip_rank": "RR(rel=2)", "P_5": "P(rel=2)@5",
    "recall_5": "R(rel=2)@5", "success_5": "Success(rel=2)@5",
}
MORE = {
    "Rprec": "Rprec", "bpref": "Bpref", "infAP": "infAP", "11pt_avg": "11pt_avg(rounding='up')",
    "iprec_at_recall_0.00": "IPrec@0", "iprec_at_recall_0.30": "IPrec@0.3", "iprec_at_recall_1.00": "IPrec@1",
    "Rprec_mult_0.20": "Rprec(mult=0.2)", "Rprec_mult_1.60": "Rprec(mult=1.6)",
    "relative_P_5": "P(relative=True)@5", "set_P": "SetP", "set_relative_P": "SetP(relative=True)",
    "set_recall": "SetR", "set_F": "SetF", "set_map": "SetAP",
    "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRet(rel=1)",
    "num_nonrel_judged_ret": "num_nonrel_judged_ret",
}
MORE_REL2 = {
    "Rprec": "Rprec(rel=2)", "bpref": "Bpref(rel=2)", "infAP": "infAP(rel=2)",
    "iprec_at_recall_0.30": "IPrec(rel=2)@0.3",
    "set_P": "SetP(rel=2)", "set_recall": "SetR(rel=2)", "set_F": "SetF(rel=2)", "num_rel_ret": "NumRet(rel=2)",
}
JUDGED_ONLY = {
    "ndcg": "nDCG(judged_only=True)", "ndcg_cut_5": "nDCG(judged_only=True)@5", "map": "AP(judged_only=True)",
    "recip_rank": "RR(judged_only=True)", "P_5": "P(judged_only=True)@5", "recall_5": "R(judged_only=True)@5",
    "success_1": "Success(judged_only=True)@1", "Rprec": "Rprec(judged_only=True)",
    "iprec_at_recall_0.30": "IPrec(judged_only=True)@0.3",
    "set_P": "SetP(judged_only=True)", "set_F": "SetF(judged_only=True)", "set_map": "SetAP(judged_only=True)",
}
GAINS = {"ndcg": "nDCG(gains={1:4,2:1,3:9})", "ndcg_cut_5": "nDCG(gains={1:4,2:1,3:9})@5"}
CWL = [
    "RBP(rel=1,p=0.8)", "RBP(rel=2,p=0.95)", "INSQ(max_rel=3)", "INSQ(T=2.0,max_rel=4)", "INST(max_rel=3)",
    "INST(T=2.0,max_rel=4)",
]
EXPONENTIAL = {"ndcg": "nDCG(dcg='exp-log2')", "ndcg_cut_5": "nDCG(dcg='exp-log2')@5"}


def evaluate(qrels, run, names, level=1, judged_only=False):
    asked = {n.rsplit("_", 1)[0] + "." + n.rsplit("_", 1)[1] if n[-1].isdigit() else n for n in names}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level, judged_docs_only_flag=judged_only)
    figures = evaluator.evaluate(run)
    return {
        (t, printed): figures[t][n] if t in figures else 0.0
        for t in qrels for n, printed in names.items() if n != "num_rel" or t in figures
    }


def through_ir_measures(names, qrels, run):
    """What ir_measures' program prints, on the run in trec_eval's order."""
    numbers = {t: str(n) for n, t in enumerate(qrels)}
    order = {t: sorted(docs.items(), key=lambda d: (d[1], d[0]), reverse=True) for t, docs in run.items()}
    spaced = {numbers[t]: {d: float(len(docs) - i) for i, (d, _) in enumerate(docs)} for t, docs in order.items()}
    kept = {numbers[t]: docs for t, docs in qrels.items()}
    back = {n: t for t, n in numbers.items()}
    measures = [ir_measures.parse_measure(m) for m in names]
    figures = {(t, m): 0.0 for t in qrels for m in names}
    for metric in ir_measures.iter_calc(measures, kept, spaced):
        name = names[measures.index(metric.measure)]
        figures[back[metric.query_id], name] = float(metric.value)
    return figures


def err(qrels, run, k):
    official = lambda docs: sorted(docs.items(), key=lambda d: (d[1], d[0]), reverse=True)
    order = {t: [d for d, _ in official(docs)] for t, docs in run.items()}
    figures = {}
    for topic, docs in qrels.items():
        gains = {d: g for d, g in docs.items() if g > 0}
        ideal = sorted(gains, key=gains.get, reverse=True)
        reached = ERR(k=k, max_grade=3).score_query(order.get(topic, []), gains) if gains else 0.0
        best = ERR(k=k, max_grade=3).score_query(ideal, gains) if gains else 0.0
        figures[topic, f"ERR(max_rel=3)@{k}"] = reached
        figures[topic, f"nERR(max_rel=3)@{k}"] = reached / best if best else 0.0
    return figures


def top(run, k):
    return {t: dict(sorted(docs.items(), key=lambda d: (d[1], d[0]), reverse=True)[:k]) for t, docs in run.items()}


rng = random.Random(20240601)
for case in range(12):
    tied = case % 2 == 0
    qrels, run = {}, {}
    for topic in (f"t{n}" for n in range(rng.randint(2, 5))):
        docs = [f"{'dé日'[case % 3]}{n}" for n in range(rng.randint(3, 18))]
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
    figures |= evaluate(qrels, run, MORE) | evaluate(qrels, run, MORE_REL2, level=2)
    figures |= evaluate(qrels, run, JUDGED_ONLY, judged_only=True)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"set_F.4"})
    beta = evaluator.evaluate(run)
    figures |= {(t, "SetF(beta=2)"): next(iter(beta[t].values())) if t in beta else 0.0 for t in qrels}
    gains = {t: {d: {1: 4, 2: 1, 3: 9}.get(g, g) for d, g in docs.items()} for t, docs in qrels.items()}
    figures |= evaluate(gains, run, GAINS)
    figures |= through_ir_measures(CWL + ["ERR@5"], qrels, run) | err(qrels, run, 5)
    if not tied:
        answered = {t: {d: max(g, 0) for d, g in qrels[t].items()} for t in run}
        linear = ranx_evaluate(Qrels(answered), Run(run), ["dcg@5", "dcg_burges@5"], return_mean=False)
        for name, printed in [("dcg@5", "DCG@5"), ("dcg_burges@5", "DCG(dcg='exp-log2')@5")]:
            values = dict(zip(sorted(answered), numpy.atleast_1d(linear[name])))
            figures |= {(t, printed): float(values.get(t, 0.0)) for t in qrels}
    figures = {key: value for key, value in figures.items() if value == value}
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
