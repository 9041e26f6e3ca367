"""Writes diversity.txt. Run by hand: pip install pyndeval==0.0.8; python make_diversity.py > diversity.txt

Inputs are random. Figures are pyndeval's, which is NIST's ndeval.c (4.5) behind Python:
  alpha_nDCG@k    alpha-nDCG@k
  ERR_IA@k        ERR-IA@k; not at k = 1, where ndeval.c does not divide by the number of subtopics
  StRecall@k      strec@k
It gets runs without tied scores, in trec_eval's order (score, then document id, both descending), which is that of
`ndeval -traditional`; pyndeval itself has ties in ascending order of ids. Topics that it leaves out because the run does
not answer them count as 0, as with ndeval -c.
"""
import random

import pyndeval

SETTINGS = [(0.5, 1), (0.5, 2), (0.0, 1), (0.3, 1), (0.75, 2), (1.0, 1)]
CUTOFFS = [1, 2, 5, 20]


def printed(name, parameters, cutoff):
    given = [f"{key}={value}" for key, value, default in parameters if value != default]
    return f"{name}({','.join(given)})@{cutoff}" if given else f"{name}@{cutoff}"


def figures(qrels, run):
    order = {t: sorted(docs.items(), key=lambda d: (d[1], d[0]), reverse=True) for t, docs in run.items()}
    spaced = [
        pyndeval.ScoredDoc(t, d, float(len(docs) - i))
        for t, docs in order.items()
        for i, (d, _) in enumerate(docs)
    ]
    lines = [pyndeval.SubtopicQrel(*line) for line in qrels]
    topics = list(dict.fromkeys(line[0] for line in qrels))
    found = {}
    for alpha, rel in SETTINGS:
        asked = {f"alpha-nDCG@{k}": printed("alpha_nDCG", [("alpha", alpha, 0.5), ("rel", rel, 1)], k) for k in CUTOFFS}
        if alpha == 0.5:
            asked |= {f"ERR-IA@{k}": printed("ERR_IA", [("rel", rel, 1)], k) for k in CUTOFFS if k > 1}
            asked |= {f"strec@{k}": printed("StRecall", [("rel", rel, 1)], k) for k in CUTOFFS}
        measured = pyndeval.RelevanceEvaluator(lines, list(asked), relevance_level=rel, alpha=alpha).evaluate(spaced)
        for topic in topics:
            for name, ours in asked.items():
                found[topic, ours] = measured[topic][name] if topic in measured else 0.0
    return found


def write(case, qrels, run):
    print("case", case)
    for line in qrels:
        print("qrel", *line)
    for topic, docs in run.items():
        for doc, score in docs.items():
            print("hit", topic, doc, score)
    for (topic, measure), value in sorted(figures(qrels, run).items()):
        print("figure", topic, measure, repr(value))


rng = random.Random(20250722)
for case in range(16):
    tied = case % 2 == 0
    qrels, run = [], {}
    several = [1.0, 0.35, 0.6][case % 3]
    for topic in (f"t{n}" for n in range(rng.randint(2, 4))):
        docs = [f"{'dé日'[case % 3]}{n}" for n in range(rng.randint(3, 26))]
        subtopics = rng.sample(["1", "2", "3", "4", "5", "0"], rng.choice([1, 2, 3, 4, 6]))
        top_grade = rng.choice([0, 1, 3, 3])
        lines = []
        for doc in docs:
            if rng.random() < 0.8:
                chosen = rng.sample(subtopics, 1) if case % 3 == 0 else [s for s in subtopics if rng.random() < several]
                lines += [(topic, s, doc, rng.randint(-2, top_grade)) for s in chosen]
        qrels += lines or [(topic, subtopics[0], docs[0], 1)]
        retrieved = rng.sample(docs, rng.randint(1, len(docs)))
        scores = rng.sample(range(60), len(retrieved))
        run[topic] = {d: (rng.randint(-2, 3) if tied else s) / 4 for d, s in zip(retrieved, scores)}
    rng.shuffle(qrels)
    if case % 4 == 1:
        del run[rng.choice(sorted(run))]
    write(case, qrels, run)

# the greedy list begins with c, and a with b is better than c with either: more than 1
covered = {"a": "123", "b": "456", "c": "1245"}
write("greedy", [("t", s, d, 1) for d, subtopics in covered.items() for s in subtopics], {"t": {"a": 2.0, "b": 1.0}})
