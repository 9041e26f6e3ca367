#!/usr/bin/env python3
"""Writes golden.rs: pairs of figures, and the correlations that other tools compute from them.

    python3 -m venv venv && venv/bin/pip install scipy==1.12.0 rbo==0.1.3 'numpy<2'
    venv/bin/pip download --no-deps autojudge-evaluate==1.1.0 && unzip autojudge_evaluate-*.whl
    PYTHONPATH=autojudge_evaluate venv/bin/python golden.py > golden.rs && rustfmt --edition 2024 golden.rs

Pearson, Spearman and Kendall: scipy. tau_AP,b: autojudge-evaluate 1.1.0, whose pyircore.py is pyircor's. tau_AP without
ties: the definition of Yilmaz et al. 2008, equation 10, written down here. RBO without ties: rbo 0.1.3, rbo_ext. RBO
with ties: the w-variant, extrapolated, of the authors' own rbo/Python/rbo.py (github.com/julian-urbano/sigir2024-rbo at
0338fd9); put it beside this script as sigir2024_rbo.py, with rbo(x, y, p, ties='w', score='ext')['ext'] as
rbo_w_ext(x, y, p).
"""
import random
import textwrap

from pyircore import tauap_b
from rbo import RankingSimilarity
from scipy import stats
from sigir2024_rbo import rbo_w_ext


def tau_ap(truth, estimate):
    order = sorted(range(len(estimate)), key=lambda i: -estimate[i])
    correct = [sum(truth[j] > truth[item] for j in order[:i]) / i for i, item in enumerate(order) if i > 0]
    return 2 * sum(correct) / (len(order) - 1) - 1


def groups(figures):
    """Items by figure, highest first; tied items in a set."""
    found = []
    for figure in sorted(set(figures), reverse=True):
        items = {f"i{n}" for n, other in enumerate(figures) if other == figure}
        found.append(items if len(items) > 1 else items.pop())
    return found


def text(figures):
    return '"' + " \\\n".join(textwrap.wrap(" ".join(map(repr, figures)), 100, break_on_hyphens=False)) + '"'


rng = random.Random(20250302)
print("//! Written by golden.py: see there for sources and versions.\n\nuse super::Case;\n")
print("pub(crate) const CASES: &[Case] = &[")
for size, steps in ((5, 0), (12, 0), (37, 0), (4, 3), (8, 4), (15, 5), (37, 12), (50, 100)):
    if steps:
        x = [rng.randrange(steps) / steps for _ in range(size)]
        y = [rng.randrange(steps) / steps if rng.random() < 0.6 else f for f in x]
    else:
        x = [float(f) for f in rng.sample(range(1000), size)]
        y = [round(f + rng.gauss(0, 250), 1) for f in x]
    tied = len(set(x)) < size or len(set(y)) < size
    assert len(set(x)) > 1 < len(set(y))
    rbos = [float(rbo_w_ext(groups(x), groups(y), p)) for p in (0.5, 0.9, 0.98)]
    if not tied:
        for p, rbo in zip((0.5, 0.9, 0.98), rbos):
            other = RankingSimilarity(groups(x), groups(y)).rbo_ext(p=p)
            assert abs(rbo - other) < 1e-12, (rbo, other)
    fields = {
        "x": text(x),
        "y": text(y),
        "pearson": repr(float(stats.pearsonr(x, y)[0])),
        "spearman": repr(float(stats.spearmanr(x, y)[0])),
        "tau_b": repr(float(stats.kendalltau(x, y)[0])),
        "tau_ap": "None" if tied else f"Some({tau_ap(x, y)!r})",
        "tau_ap_b": repr(float(tauap_b(x, y))),
        "rbo": "[" + ", ".join(f"({p}, {rbo!r})" for p, rbo in zip((0.5, 0.9, 0.98), rbos)) + "]",
    }
    print("Case { " + ", ".join(f"{name}: {value}" for name, value in fields.items()) + " },")
print("];")
