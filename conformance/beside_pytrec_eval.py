#!/usr/bin/env python3
"""Compares every figure of llull with pytrec_eval-terrier's, on random labels and runs.

    python3 conformance/beside_pytrec_eval.py            # 300 cases; the first time a minute to install the peer
    python3 conformance/beside_pytrec_eval.py --cases 5000 --seed 7
    PEER_VENV=venv LLULL=llull python3 conformance/beside_pytrec_eval.py

The random cases have tied scores, scores that are negative, tiny or infinite, queries that a run does not answer,
queries without a relevant document, queries that only the run has, documents without a label, labels below 0, lists
from one document to more than every cutoff, and identifiers in many scripts whose character order differs from their
byte order. llull reads files, pytrec_eval the same data from memory. All scores fit 32 bits exactly, since
pytrec_eval rounds them to 32 bits. The script compares all queries, and the means by which trec_eval sums them up, at
relevance levels 1 and 2. Numbers may differ by a relative error of 1e-9. Where a run shares no labelled document with
the labels, pytrec_eval says 0 throughout and llull refuses the two files; the script checks that it refuses just these.

Not compared: queries whose labels are all below 0 (pytrec_eval may never end on them); runid and relstring (not
numbers); utility, binG, G, ndcg_rel and Rndcg (llull has no such measure, or a different one). pytrec_eval rounds
recall levels up, as llull's IPrec@x does and its iprec_at_recall_x does not, so the former is compared."""

import argparse
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEER = "pytrec_eval-terrier==0.5.11"
CUTOFFS = [1, 3, 5, 10, 100]
# (name of pytrec_eval's measure in the request, its key in the result, llull's measure; {rel} is the relevance level)
MEASURES = (
    [
        ("map", "map", "AP(rel={rel})"),
        ("gm_map", "gm_map", "GMAP(rel={rel})"),
        ("Rprec", "Rprec", "Rprec(rel={rel})"),
        ("bpref", "bpref", "Bpref(rel={rel})"),
        ("gm_bpref", "gm_bpref", "gm_bpref(rel={rel})"),
        ("recip_rank", "recip_rank", "RR(rel={rel})"),
        ("infAP", "infAP", "infAP(rel={rel})"),
        ("11pt_avg", "11pt_avg", "11pt_avg(rel={rel},rounding='up')"),
        ("ndcg", "ndcg", "nDCG"),
        ("set_P", "set_P", "SetP(rel={rel})"),
        ("set_relative_P", "set_relative_P", "SetP(rel={rel},relative=True)"),
        ("set_recall", "set_recall", "SetR(rel={rel})"),
        ("set_map", "set_map", "SetAP(rel={rel})"),
        ("set_F", "set_F", "SetF(rel={rel})"),
        ("num_ret", "num_ret", "NumRet"),
        ("num_rel", "num_rel", "NumRel(rel={rel})"),
        ("num_rel_ret", "num_rel_ret", "NumRet(rel={rel})"),
        ("num_nonrel_judged_ret", "num_nonrel_judged_ret", "num_nonrel_judged_ret(rel={rel})"),
    ]
    + [
        (f"{name}.{k}", f"{name}_{k}", measure + f"@{k}")
        for k in CUTOFFS
        for name, measure in [
            ("P", "P(rel={rel})"),
            ("recall", "R(rel={rel})"),
            ("map_cut", "AP(rel={rel})"),
            ("ndcg_cut", "nDCG"),
            ("success", "Success(rel={rel})"),
            ("relative_P", "P(rel={rel},relative=True)"),
        ]
    ]
    + [
        (f"iprec_at_recall.{at}", f"iprec_at_recall_{at}", f"IPrec(rel={{rel}})@{float(at):g}")
        for at in ["0.00", "0.10", "0.20", "0.50", "1.00"]
    ]
    + [(f"Rprec_mult.{by}", f"Rprec_mult_{by}", f"Rprec(rel={{rel}},mult={float(by):g})") for by in ["0.20", "1.60"]]
)
GEOMETRIC = {"gm_map", "gm_bpref"}
ALPHABETS = ["abc", "aAbB_-", "äßéø", "доку", "文書検索", "🙂🙃x", "a\u0301e\u0301", "０１0 1".replace(" ", "")]


def draw(source):
    """Returns labels and a run: {query: {document: grade}}, {query: {document: score}}."""
    alphabet = source.choice(ALPHABETS)
    name = lambda: "".join(source.choices(alphabet, k=source.randint(1, 5)))
    documents = sorted({name() for _ in range(source.choice([3, 10, 40, 250]))})
    grades = source.choice([[0, 1], [0, 0, 0, 1, 2, 3], [-1, 0, 1, 2], [0], [-2, -1, 0], [0, 1, 5, 12]])
    scores = source.choice(["few", "many", "one", "extreme"])

    def score():
        match scores:
            case "few":
                return source.randint(-2, 2) / 4
            case "one":
                return 1.5
            case "many":
                return struct.unpack("f", struct.pack("f", source.uniform(-40, 40)))[0]
            case "extreme":
                return source.choice([2.0**-140, -(2.0**-140), 2.0**100, -(2.0**100), 0.0, math.inf, -math.inf, 0.25])

    qrels, run = {}, {}
    for number in range(source.randint(1, 8)):
        query = f"{name()}{number}"
        if source.random() < 0.95:
            judged = source.sample(documents, source.randint(1, len(documents)))
            qrels[query] = {document: source.choice(grades) for document in judged}
            if all(grade < 0 for grade in qrels[query].values()):  # pytrec_eval may not end
                qrels[query][judged[0]] = 0
        if source.random() < 0.85:
            found = source.sample(documents, source.randint(1, len(documents)))
            run[query] = {document: score() for document in found}
    return qrels, run


def write(folder, qrels, run, source):
    lines = [f"{query} 0 {document} {grade}" for query, judged in qrels.items() for document, grade in judged.items()]
    (folder / "case.qrels").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    lines = [
        f"{query} Q0 {document} 0 {score!r} tag"
        for query, found in run.items()
        for document, score in found.items()
    ]
    if source.random() < 0.5:
        source.shuffle(lines)
    (folder / "case.run").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def of_llull(llull, folder, measures, shares=True):
    """Returns {(measure, query or None): value}. The means are over answered queries, as in trec_eval without -c.

    Where labels and run share no document, returns None: llull has to refuse them."""
    files = [folder / "case.qrels", folder / "case.run"]
    command = [llull, "measure", *files, "-q", "--answered-only", "--format", "jsonl"]
    for measure in measures:
        command += ["-m", measure]
    output = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if not shares and output.returncode == 1 and " in common. " in output.stderr:
        return None
    if output.returncode != 0 or not shares:
        sys.exit(f"llull ended with {output.returncode}: {output.stderr}")
    lines = map(json.loads, output.stdout.splitlines())
    return {(line["measure"], line["query"]): line["value"] for line in lines}


def names_of(llull, folder, measures):
    """Returns llull's own spelling of each measure."""
    names = {}
    for measure in measures:
        (name, _), *_ = of_llull(llull, folder, [measure])
        names[measure] = name
    return names


def same(a, b):
    return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    import pytrec_eval

    llull = os.environ.get("LLULL", ROOT / "target" / "release" / "llull")
    compared, answered, unanswered, refused, wrong = 0, 0, 0, 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "case.qrels").write_text("q 0 d 1\n")
        (folder / "case.run").write_text("q Q0 d 1 1 t\n")
        measures = {rel: [measure.format(rel=rel) for _, _, measure in MEASURES] for rel in (1, 2)}
        names = {rel: names_of(llull, folder, measures[rel]) for rel in (1, 2)}
        for case in range(args.cases):
            source = random.Random(f"{args.seed} {case}")
            rel = source.choice([1, 1, 2])
            qrels, run = draw(source)
            if not qrels or not run:
                continue
            write(folder, qrels, run, source)
            evaluator = pytrec_eval.RelevanceEvaluator(qrels, {asked for asked, _, _ in MEASURES}, relevance_level=rel)
            theirs = evaluator.evaluate(run)
            shares = any(document in run.get(query, {}) for query, judged in qrels.items() for document in judged)
            ours = of_llull(llull, folder, list(names[rel]), shares)
            if ours is None:
                refused += 1
                continue
            answered += len(theirs)
            unanswered += len(qrels) - len(theirs)
            for _, key, measure in MEASURES:
                name = names[rel][measure.format(rel=rel)]
                for query, figures in theirs.items():
                    value = math.exp(figures[key]) if key in GEOMETRIC else figures[key]
                    mine = max(ours[name, query], 1e-5) if key in GEOMETRIC else ours[name, query]
                    compared += 1
                    if not same(mine, value):
                        wrong.append(f"case {case} (level {rel}) {name} {query}: {mine} and pytrec_eval {value}")
                mean = ours[name, None]
                if theirs:
                    value = pytrec_eval.compute_aggregated_measure(key, [figures[key] for figures in theirs.values()])
                    compared += 1
                    if mean is None or not same(mean, value):
                        wrong.append(f"case {case} (level {rel}) {name} over all: {mean} and pytrec_eval {value}")
                elif mean is not None and name not in ("NumRet", "NumRel") and not name.startswith(("Num", "num_")):
                    wrong.append(f"case {case} {name}: {mean} where nothing is answered")
    for line in wrong[:20]:
        print(line)
    print(
        f"{args.cases} cases, {answered} queries answered and {unanswered} not: "
        f"{compared} figures compared, {len(wrong)} differ; {refused} cases refused, which share no document"
    )
    return 1 if wrong or compared < args.cases * 50 else 0


if __name__ == "__main__":
    sys.path.append(str(ROOT / "benches"))
    from peers import run_with

    run_with([PEER], ROOT / "target" / "peer-venv", main)
