#!/usr/bin/env python3
"""Writes golden/*.rs: values by query, and the figures that scipy and statsmodels compute from them.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python golden.py && rustfmt --edition 2024 golden/*.rs

If neither has a figure (intervals of effect sizes, randomised Tukey HSD), it is computed here from its definition with
their distributions.
"""

import itertools
import pathlib

import numpy as np
import scipy.optimize
from scipy import special, stats
from statsmodels.stats import multitest, power, weightstats



def literal(value):
    if value is None:
        return "None"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))})"
    if isinstance(value, (list, np.ndarray)):
        return f"&[{', '.join(map(literal, value))}]"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))


def write(file, doc, constants):
    """Writes golden/FILE.rs with constants of (name, type, value, doc)."""
    lines = [f"//! {doc} Written by golden.py, which says how."]
    lines += [f"/// {doc}\npub(crate) const {name}: {kind} = {literal(value)};" for name, kind, value, doc in constants]
    path = pathlib.Path(__file__).parent / "golden" / f"{file}.rs"
    path.write_text("\n\n".join(lines) + "\n")


def samples():
    """Pairs of systems: (name, baseline, candidate). Values with few decimals, so that Rust reads the same numbers."""
    rng = np.random.default_rng(20261122)
    def scores(n, lift, decimals, spread=0.15):
        topics = rng.beta(2, 2, n)
        systems = [np.clip(topics + shift + spread * rng.standard_normal(n), 0, 1) for shift in (0, lift)]
        return [np.round(system, decimals) for system in systems]
    yield "seven", *scores(7, 0.2, 4)
    yield "ten, worse", *scores(10, -0.1, 4)
    yield "twelve in tenths", *scores(12, 0.1, 1)
    yield "twenty-eight", *scores(28, 0.06, 4)
    yield "forty-three", *scores(43, 0.05, 4)
    yield "fifty-three in tenths", *scores(53, 0.03, 1)
    yield "two hundred", *scores(200, 0.015, 4)


def wilcoxon(d, alternative, method):
    return stats.wilcoxon(d, alternative=alternative, method=method)


def exact_wilcoxon(d, alternative):
    """By enumeration, with scipy's ranks: its own exact method knows no ties."""
    d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    won = ranks[d > 0].sum()
    sums = np.array([0.0])
    for rank in ranks:
        sums = np.concatenate([sums, sums + rank])
    less, greater = np.mean(sums <= won), np.mean(sums >= won)
    return {"less": less, "greater": greater, "two-sided": min(1.0, 2 * min(less, greater))}[alternative]


def tests(baseline, candidate):
    """Names of tests, the statistic, and the two-sided p."""
    d = np.round(candidate - baseline, 10)
    n, wins, losses = len(d), int((d > 0).sum()), int((d < 0).sum())
    t = stats.ttest_rel(candidate, baseline)
    yield "t", float(t.statistic), t.pvalue
    yield "sign", float(wins), stats.binomtest(wins, wins + losses).pvalue
    ranked = float(wilcoxon(d, "greater", "asymptotic").statistic)
    plain = len(set(np.abs(d))) == n and 0 not in d
    if plain and n <= 50:
        yield "wilcoxon", ranked, wilcoxon(d, "two-sided", "exact").pvalue
    elif wins + losses <= 13:
        yield "wilcoxon", ranked, exact_wilcoxon(d, "two-sided")
        assert np.isclose(exact_wilcoxon(d, "two-sided"), wilcoxon(d, "two-sided", "auto").pvalue, atol=1e-14)
    elif n > 50 and wins + losses > 50:
        yield "wilcoxon", ranked, wilcoxon(d, "two-sided", "auto").pvalue
    if n <= 13:
        exact = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
        yield "permutation", float(d.mean()), exact.pvalue
    elif n <= 30:
        # Every one of the 2^n sums, by the halves' tables: what scipy's definition says, without its loop.
        halves = [np.array([0.0]), np.array([0.0])]
        for index, value in enumerate(d):
            halves[index % 2] = np.concatenate([halves[index % 2] - value, halves[index % 2] + value])
        observed, slack = d.sum(), 1e-9
        greater = less = 0
        right = np.sort(halves[1])
        for left in halves[0]:
            greater += len(right) - np.searchsorted(right, observed - slack - left)
            less += np.searchsorted(right, observed + slack - left)
        yield "permutation", float(d.mean()), min(1.0, 2 * min(greater, less) / 2**n)
    else:
        # A million draws, apart from llull's: the tolerance in the test is what chance does with 10,000 of its own.
        drawn = stats.permutation_test(
            (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples",
            n_resamples=1_000_000, batch=10_000, vectorized=True, rng=np.random.default_rng(7),
        )
        yield "permutation", float(d.mean()), drawn.pvalue


def shift_interval(t, degrees, root):
    """The noncentralities at which 2.5% of the statistics lie beyond t, over the root."""
    ends = []
    for share in (0.975, 0.025):
        function = lambda shift: stats.nct.cdf(t, degrees, shift) - share
        ends.append(scipy.optimize.brentq(function, t - 12, t + 12, xtol=1e-13, rtol=1e-14) / root)
    return tuple(map(float, ends))


def effects(baseline, candidate):
    n = len(baseline)
    d = candidate - baseline
    dz = d.mean() / d.std(ddof=1)
    yield "d_z", float(dz), *shift_interval(dz * n**0.5, n - 1, n**0.5)
    yield from independent(baseline, candidate)
    signs = np.sign(np.round(d, 10))
    yield "paired delta", float(signs.mean()), *cliff_interval(signs.mean(), signs.var(ddof=1) / n, n)


def independent(baseline, candidate):
    n1, n2 = len(baseline), len(candidate)
    root, degrees = (n1 * n2 / (n1 + n2)) ** 0.5, n1 + n2 - 2
    # t of two samples is d times the root.
    d = stats.ttest_ind(candidate, baseline).statistic / root
    low, high = shift_interval(d * root, degrees, root)
    yield "d", float(d), low, high
    factor = np.exp(special.gammaln(degrees / 2) - special.gammaln((degrees - 1) / 2)) / (degrees / 2) ** 0.5
    yield "g", *(float(x * factor) for x in (d, low, high))


def cliff_interval(delta, variance, n):
    """Feng and Cliff (2004)."""
    z = stats.norm.ppf(0.975)
    if variance == 0 and abs(delta) == 1:
        low, high = stats.binomtest(n, n).proportion_ci(method="wilson")
        ends = (2 * low - 1, 2 * high - 1)
        return tuple(map(float, ends if delta > 0 else (-ends[1], -ends[0])))
    half = z * variance**0.5 * ((1 - delta**2) ** 2 + z**2 * variance) ** 0.5
    scale = 1 - delta**2 + z**2 * variance
    return float(max(-1, (delta - delta**3 - half) / scale)), float(min(1, (delta - delta**3 + half) / scale))


def tukey(systems, permutations, seed):
    """Carterette (2012), algorithm 1, straight."""
    rng = np.random.default_rng(seed)
    ranges = []
    for _ in range(permutations):
        means = rng.permuted(systems, axis=0).mean(axis=1)
        ranges.append(means.max() - means.min())
    ranges, means = np.array(ranges), systems.mean(axis=1)
    pairs = itertools.combinations(range(len(systems)), 2)
    return [float((1 + (ranges >= abs(means[b] - means[a]) - 1e-9).sum()) / (1 + permutations)) for a, b in pairs]


def main():
    data = list(samples())
    rng = np.random.default_rng(5)
    topics = rng.beta(2, 2, 30)
    shifts = np.array([[0], [0.02], [0.05], [0.09]])
    systems = np.round(np.clip(topics + shifts + 0.1 * rng.standard_normal((4, 30)), 0, 1), 3)
    write_samples(data, systems)
    write_tests(data)
    first, other = data[3][1], data[4][2][:17]
    write_effects(data, first, other)
    write_power()
    write_draws(data, systems)


def write_samples(data, systems):
    write("samples", "Values of systems by query.", [
        ("SAMPLES", "&[(&str, &[f64], &[f64])]", [(n, list(map(float, a)), list(map(float, b))) for n, a, b in data],
         "Two systems over the same queries: a name, the baseline's values, the candidate's."),
        ("SYSTEMS", "&[&[f64]]", [list(map(float, row)) for row in systems], "Four systems over 30 queries."),
    ])


def write_tests(data):
    equivalence = []
    for n, a, b in data:
        for low, high in [(-0.05, 0.05), (-0.1, 0.2)]:
            p, lower, upper = weightstats.ttost_paired(b, a, low, high)
            equivalence.append((n, low, high, float(p), float(lower[1]), float(upper[1])))
    families = [[0.01, 0.04, 0.03], [0.001, 0.2, 0.2, 0.04, 0.0399, 0.9, 0.012, 0.012, 1.0, 0.0], [0.05], []]
    adjusted = lambda p, method: list(map(float, multitest.multipletests(p, method=method)[1])) if p else []
    write("tests", "p, equivalence and corrections, by scipy and statsmodels.", [
        ("TESTS", "&[(&str, &str, f64, f64)]",
         [(n, test, statistic, float(p)) for n, a, b in data for test, statistic, p in tests(a, b)],
         "Sample, test, statistic, and two-sided p: scipy 1.17.1's ttest_rel, binomtest, wilcoxon, permutation_test."),
        ("EQUIVALENCE", "&[(&str, f64, f64, f64, f64, f64)]", equivalence,
         "Sample, margins, p, its lower and its upper part: statsmodels 0.15.0, ttost_paired."),
        ("FAMILIES", "&[(&[f64], &[f64], &[f64])]", [(p, adjusted(p, "holm"), adjusted(p, "fdr_bh")) for p in families],
         "p, Holm's, Benjamini and Hochberg's: statsmodels 0.15.0, multipletests."),
    ])


def write_effects(data, first, other):
    write("effects", "Effect sizes and their intervals, by scipy.", [
        ("EFFECTS", "&[(&str, &str, f64, f64, f64)]", [(n, *effect) for n, a, b in data for effect in effects(a, b)],
         "Sample, effect size, value, 95% interval: scipy 1.17.1's ttest_ind and nct."),
        ("UNEQUAL", "&[(&str, f64, f64, f64)]", list(independent(first, other)),
         "The same of 28 and 17 values: the baseline of the fourth sample and the first 17 of the candidate of the\n"
         "/// fifth."),
    ])


def write_power():
    powers = []
    for effect in (0.1, 0.25, 0.5, 1.2, -0.4):
        for n in (2, 10, 53, 400):
            for alpha in (0.05, 0.01):
                value = power.TTestPower().power(effect, n, alpha)
                if not np.isnan(value):  # some are if the power is 0 or 1 to many digits
                    powers.append((effect, n, alpha, float(value)))
    needed = []
    for effect in (0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.5):
        for goal in (0.8, 0.95):
            needed.append((effect, goal, float(power.TTestPower().solve_power(effect, alpha=0.05, power=goal))))
    detectable = []
    for n in (5, 10, 43, 53, 200):
        # solve_power stops at six digits, and far from the answer power is not a number.
        start = float(power.TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8))
        shortfall = lambda effect: power.TTestPower().power(effect, n, 0.05) - 0.8
        detectable.append((n, float(scipy.optimize.brentq(shortfall, start - 1e-3, start + 1e-3, xtol=1e-14))))
    write("power", "Power of the paired t test, by statsmodels.", [
        ("POWERS", "&[(f64, usize, f64, f64)]", powers,
         "d_z, queries, level, two-sided power: statsmodels 0.15.0, TTestPower().power."),
        ("NEEDED", "&[(f64, f64, f64)]", needed,
         "d_z, power at 0.05, queries before rounding up: statsmodels 0.15.0, TTestPower().solve_power."),
        ("DETECTABLE", "&[(usize, f64)]", detectable,
         "Queries and the d_z found with power 0.8: TTestPower().power, inverted."),
    ])


def write_draws(data, systems):
    intervals = []
    for method in ("percentile", "BCa", "expanded percentile", "expanded BCa"):
        ends = [bootstrap(data[3][2] - data[3][1], method, np.random.default_rng(seed)) for seed in range(4)]
        intervals.append((method, *map(float, np.mean(ends, axis=0))))
    write("draws", "Figures by random draws: Tukey HSD, bootstrap intervals, the bootstrap test.", [
        ("TUKEY", "&[f64]", tukey(systems, 200_000, 11),
         "p of the six pairs of SYSTEMS by randomised Tukey HSD: 200,000 permutations by numpy 2.4.6, after\n"
         "/// Carterette's algorithm 1."),
        ("BOOTSTRAPS", "&[(&str, f64, f64)]", intervals,
         "95% intervals of candidate minus baseline: scipy 1.17.1, stats.bootstrap, the mean of four seeds of 500,000\n"
         "/// resamples."),
        ("BOOTSTRAP_TESTS", "&[(&str, f64)]", [(name, bootstrap_test(y - x)) for name, x, y in data],
         "p: scipy 1.17.1, stats.bootstrap of stats.ttest_1samp's statistic, 400,000 resamples."),
    ])


def bootstrap(d, method, rng):
    """For "expanded" the confidence is that of Hesterberg (2015) for 0.95: of t, with the plug-in standard error."""
    units = np.sqrt(np.var(d, ddof=1) / np.var(d)) * stats.t.ppf(0.975, len(d) - 1)
    confidence = 2 * stats.norm.cdf(units) - 1 if method.startswith("expanded") else 0.95
    return stats.bootstrap((d,), np.mean, n_resamples=500_000, batch=5_000, method=method.removeprefix("expanded "),
                           rng=rng, confidence_level=confidence).confidence_interval


def bootstrap_test(d):
    """Sakai's: |t| of resamples of the differences less their mean, at least that of the differences."""
    t = lambda values, axis: stats.ttest_1samp(values, 0, axis=axis).statistic
    drawn = stats.bootstrap((d - d.mean(),), t, vectorized=True, n_resamples=400_000, batch=5_000, method="percentile",
                            rng=np.random.default_rng(8)).bootstrap_distribution
    return float(np.mean(np.abs(drawn) >= abs(t(d, 0)) * (1 - 1e-9)))


main()
