#!/usr/bin/env python3
"""Writes golden.rs: ratings, and the figures that other tools compute from them.

    python3 -m venv venv
    venv/bin/pip install scikit-learn==1.9.1 krippendorff==0.9.0 evalica==0.4.2 statsmodels==0.15.0 irrCAC==0.4.4 \
        scipy==1.12.0
    venv/bin/python golden.py > golden.rs && rustfmt --edition 2024 golden.rs

Two raters: scikit-learn (kappa, precision, recall, F1), krippendorff (alpha), statsmodels (Fleiss' kappa of two raters
is Scott's pi), irrCAC (AC1, AC2). Panels: krippendorff, and evalica, which must agree to 1e-12; irrCAC; statsmodels for
panels without gaps.
"""
import random
import textwrap

import evalica
import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score, f1_score, precision_score, recall_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

LEVELS = ("nominal", "ordinal", "interval")


def alphas(raters):
    data = np.array([[np.nan if g is None else g for g in rater] for rater in raters], dtype=float)
    found = [krippendorff.alpha(reliability_data=data, level_of_measurement=level) for level in LEVELS]
    for level, alpha in zip(LEVELS, found):
        other = evalica.alpha(pd.DataFrame(data), distance=level).alpha
        assert abs(other - alpha) < 1e-12, (level, alpha, other)
    return found


def irrcac(raters, what, weights="identity"):
    frame = pd.DataFrame(raters).T.astype(float)
    found = getattr(CAC(frame, weights=weights, digits=16), what)()
    return float(found["est"]["coefficient_value"])


def gwet(raters):
    return [irrcac(raters, "gwet", weights) for weights in ("identity", "linear", "quadratic")]


ARRAYS = {"alpha": "plain", "gwet": "plain", "kappa": "options"}


def literal(value, array=None):
    if isinstance(value, str):
        return '"' + " \\\n".join(textwrap.wrap(value, 100, break_on_hyphens=False)) + '"'
    if isinstance(value, (list, tuple)):
        some = "Some({})" if array == "options" else "{}"
        inner = ", ".join("None" if v is None else some.format(literal(v)) for v in value)
        return f"({inner})" if isinstance(value, tuple) else ("" if array else "&") + f"[{inner}]"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))


print("//! Written by golden.py: see there for sources and versions.\n")
print("use super::{Panel, Two};\n")

rng = random.Random(20250301)
print("pub(crate) const TWO: &[Two] = &[")
sets = (((0, 1), 40, 0.3), ((0, 1, 2, 3), 60, 0.4), ((0, 1, 2, 3), 300, 0.6), ((-1, 0, 2, 5), 120, 0.5))
for scale, size, wrong in sets:
    truth = [rng.choice(scale) for _ in range(size)]
    other = [rng.choice(scale) if rng.random() < wrong else g for g in truth]
    assert set(truth) == set(other) == set(scale)
    relevant = lambda grades: ([g >= c for g in grades] for c in scale[1:])
    cuts = list(zip(scale[1:], relevant(truth), relevant(other)))
    # scikit-learn weighs places among the grades, llull the grades: the same only where none is skipped.
    even = scale[-1] - scale[0] == len(scale) - 1
    weights = (None, "linear", "quadratic")
    kappa = [cohen_kappa_score(truth, other, weights=w) if even or w is None else None for w in weights]
    table, _ = aggregate_raters(np.array([truth, other]).T)
    fields = {
        "truth": " ".join(map(str, truth)),
        "other": " ".join(map(str, other)),
        "kappa": kappa,
        "kappa_at": [(c, float(cohen_kappa_score(t, o))) for c, t, o in cuts],
        "precision_at": [(c, float(precision_score(t, o))) for c, t, o in cuts],
        "recall_at": [(c, float(recall_score(t, o))) for c, t, o in cuts],
        "f1_at": [(c, float(f1_score(t, o))) for c, t, o in cuts],
        "alpha": alphas([truth, other]),
        "pi": float(fleiss_kappa(table)),
        "gwet": gwet([truth, other]),
    }
    print("Two { " + ", ".join(f"{name}: {literal(value, ARRAYS.get(name))}" for name, value in fields.items()) + " },")
print("];\n")

# Krippendorff 2011, example C: .743 nominal, .815 ordinal, .849 interval.
N = None
krippendorffs = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


def panel(raters, units, scale, wrong, gaps):
    truth = [rng.choice(scale) for _ in range(units)]
    rate = lambda g: None if rng.random() < gaps else rng.choice(scale) if rng.random() < wrong else g
    return [[rate(g) for g in truth] for _ in range(raters)]


print("pub(crate) const PANELS: &[Panel] = &[")
for raters in (krippendorffs, panel(5, 40, (0, 1, 2, 3), 0.5, 0.0), panel(5, 60, (0, 1, 2, 3), 0.5, 0.3),
               panel(13, 50, (0, 1, 2, 3), 0.4, 0.75), panel(3, 50, (-2, 0, 1, 7), 0.6, 0.2),
               panel(4, 30, (0, 1), 0.2, 0.1)):
    units = [[g for g in unit if g is not None] for unit in zip(*raters)]
    gaps = any(len(unit) < len(raters) for unit in units)
    fleiss = irrcac(raters, "fleiss")
    if not gaps:
        table, _ = aggregate_raters(np.array(raters).T)
        assert abs(fleiss_kappa(table) - fleiss) < 1e-12
    fields = {
        "units": " | ".join(" ".join(map(str, unit)) for unit in units),
        "alpha": alphas(raters),
        "fleiss": fleiss,
        "gwet": gwet(raters),
    }
    named = (f"{name}: {literal(value, ARRAYS.get(name))}" for name, value in fields.items())
    print("Panel { " + ", ".join(named) + " },")
print("];")
