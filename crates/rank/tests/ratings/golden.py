#!/usr/bin/env python3
"""Writes golden.rs: comparisons, and what other tools make of them.

    python3 -m venv venv && venv/bin/pip install choix==0.4.1 evalica==0.4.2 numpy==2.4.6 scipy==1.17.1
    venv/bin/python golden.py > golden.rs && rustfmt --edition 2024 golden.rs

Where no tool has a model as llull has it (ties in Plackett-Luce, other priors, standard errors), the log-likelihood is written down
here as its definition says, without any of llull's algebra: gradients by complex steps, Hessians by differences of them, the maximum with
scipy's BFGS and Newton's method.
"""

import itertools
import math

import choix
import evalica
import numpy as np
import scipy.optimize
from choix import ep

TIGHT = 1e-13


def rust(name, kind, value, doc):
    def literal(value):
        if isinstance(value, (list, tuple, np.ndarray)):
            inner = ", ".join(map(literal, value))
            return f"({inner})" if isinstance(value, tuple) else f"&[{inner}]"
        if isinstance(value, (bool, np.bool_)):
            return str(bool(value)).lower()
        return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))

    print(f"/// {doc}\npub(crate) const {name}: {kind} = {literal(value)};")


def gradient(function, at):
    """By complex steps: exact to rounding."""
    step = 1e-30
    return np.array([function(at + 1j * step * unit).imag / step for unit in np.eye(len(at))])


def hessian(function, at):
    step = 1e-5
    rows = [(gradient(function, at + step * u) - gradient(function, at - step * u)) / (2 * step) for u in np.eye(len(at))]
    return (np.array(rows) + np.array(rows).T) / 2


def maximum(function, size):
    start = scipy.optimize.minimize(lambda x: -function(x), np.zeros(size), jac=lambda x: -gradient(function, x)).x
    for _ in range(20):
        start = start - np.linalg.pinv(hessian(function, start), rcond=1e-8) @ gradient(function, start)
    assert np.abs(gradient(function, start)).max() < 1e-10
    return start


def centred_errors(function, at, items):
    """Roots of the diagonal of C V C, V the (pseudo) inverse of the information, C the projection that takes off the mean."""
    covariance = np.linalg.pinv(-hessian(function, at), rcond=1e-8)[:items, :items]
    projection = np.eye(items) - 1 / items
    return np.sqrt(np.diag(projection @ covariance @ projection))


def logistic_prior(strength):
    return lambda s: strength * np.sum(s - 2 * np.log(1 + np.exp(s)))


def choix_prior(alpha):
    return lambda s: alpha * len(s) * np.sum(s - np.exp(s))


def bradley_terry(games, prior):
    def value(s):
        total = prior(s)
        for a, b, tied in games:
            total = total + ((s[a] + s[b]) / 2 if tied else s[a]) - np.log(np.exp(s[a]) + np.exp(s[b]))
        return total

    return value


def plackett_luce(ballots, prior):
    """Breslow's factor for ties; the last group's factors count (g-1)/g each if nothing is behind it."""

    def value(s):
        total = prior(s)
        for groups, rest in ballots:
            for index, group in enumerate(groups):
                left = [item for later in groups[index:] for item in later] + rest
                share = (len(group) - 1) / len(group) if len(left) == len(group) else 1
                for item in group:
                    total = total + share * (s[item] - np.log(sum(np.exp(s[other]) for other in left)))
        return total

    return value


def thurstone(items, games, alpha):
    ep._converged.__defaults__ = (TIGHT,)
    mean, covariance = choix.ep_pairwise(items, games, alpha, model="probit", max_iter=1000)
    return mean, np.sqrt(np.diag(covariance))


def write_decided(random):
    strengths = np.linspace(1.5, -1.5, 9)
    games = []
    while len(games) < 70:
        a, b = random.choice(9, 2, replace=False)
        games.append((a, b) if random.random() < 1 / (1 + math.exp(strengths[b] - strengths[a])) else (b, a))
    untied = [(a, b, False) for a, b in games]
    rust("GAMES", "&[(u32, u32)]", games, "70 comparisons of 9 items: winner, loser.")
    for name, alpha in [("0", 0.0), ("01", 0.1)]:
        scores = choix.ilsr_pairwise(9, games, alpha=alpha, tol=TIGHT, max_iter=10**5)
        rust(f"CHOIX_PAIRWISE_{name}", "&[f64]", scores, f"choix 0.4.1: `ilsr_pairwise(9, GAMES, alpha={alpha})`.")
    for name, prior in [("NONE", lambda s: 0), ("LOGISTIC", logistic_prior(0.5)), ("CHOIX", choix_prior(0.1))]:
        function = bradley_terry(untied, prior)
        at = maximum(function, 9)
        errors = centred_errors(function, at, 9)
        rust(f"BRADLEY_TERRY_{name}", "&[(f64, f64)]", list(zip(at - at.mean(), errors)), "Scores and errors, maximised here.")
    chain = [(0, 1), (1, 2), (2, 3)]
    scores = choix.ilsr_pairwise(4, chain, alpha=0.01, tol=TIGHT, max_iter=10**5)
    rust("CHOIX_CHAIN", "&[f64]", scores, "choix 0.4.1: `ilsr_pairwise(4, [(0, 1), (1, 2), (2, 3)], alpha=0.01)`.")
    islands = [(0, 2), (2, 0), (0, 2), (1, 3), (3, 4), (4, 1), (1, 4)]
    scores = choix.ilsr_pairwise(5, islands, alpha=0.05, tol=TIGHT, max_iter=10**5)
    rust("ISLANDS", "&[(u32, u32)]", islands, "Items 0 and 2, and items 1, 3 and 4.")
    rust("CHOIX_ISLANDS", "&[f64]", scores, "choix 0.4.1: `ilsr_pairwise(5, ISLANDS, alpha=0.05)`.")
    for name, alpha in [("1", 1.0), ("01", 0.1)]:
        pairs = list(zip(*thurstone(9, games, alpha)))
        rust(f"CHOIX_PROBIT_{name}", "&[(f64, f64)]", pairs, f'choix 0.4.1: `ep_pairwise(9, GAMES, {alpha}, model="probit")`, mean and deviation.')
    pairs = list(zip(*thurstone(4, chain, 1.0)))
    rust("CHOIX_PROBIT_CHAIN", "&[(f64, f64)]", pairs, "The same for 0 > 1 > 2 > 3 with 1.")
    write_elo([(a, b, False) for a, b in games], 9, "GAMES", 1500.0, 24.0)


def write_elo(games, items, name, initial, k):
    winners = [evalica.Winner.Draw if tied else evalica.Winner.X for _, _, tied in games]
    xs, ys = [a for a, _, _ in games], [b for _, b, _ in games]
    found = evalica.elo(xs, ys, winners, initial=initial, base=10.0, scale=400.0, k=k).scores
    rust(f"EVALICA_ELO_{name}", "&[f64]", [found[item] for item in range(items)], f"evalica 0.4.2: `elo(initial={initial}, base=10, scale=400, k={k})`.")


def write_tied(random):
    strengths = np.linspace(1, -1, 7)
    games = []
    for a, b in itertools.combinations(range(7), 2):
        for _ in range(3):
            better, worse = math.exp((strengths[a] - strengths[b]) / 2), math.exp((strengths[b] - strengths[a]) / 2)
            won = random.random() * (better + worse + 0.8)
            games.append((a, b, False) if won < better else (b, a, False) if won < better + worse else (a, b, True))
    random.shuffle(games)
    games = [(int(a), int(b), bool(tied)) for a, b, tied in games]
    rust("TIED", "&[(u32, u32, bool)]", games, "63 comparisons of 7 items, three of each pair: winner, loser, or a tie of the two.")
    winners = [evalica.Winner.Draw if tied else evalica.Winner.X for _, _, tied in games]
    xs, ys = [a for a, _, _ in games], [b for _, b, _ in games]
    found = evalica.bradley_terry(xs, ys, winners, tolerance=1e-14, limit=10**5)
    scores = np.log([found.scores[item] for item in range(7)])
    rust("EVALICA_BRADLEY_TERRY", "&[f64]", scores - scores.mean(), "evalica 0.4.2: logarithms of `bradley_terry`, less their mean.")
    write_elo(games, 7, "TIED", 1000.0, 30.0)


def write_rankings(random):
    strengths = np.linspace(1.2, -1.2, 8)
    rankings = []
    for _ in range(18):
        shown = random.choice(8, 5, replace=False)
        rankings.append([int(item) for item in sorted(shown, key=lambda item: -strengths[item] - random.gumbel())])
    rust("RANKINGS", "&[&[u32]]", rankings, "18 orders of 5 of 8 items, best first.")
    for name, alpha in [("0", 0.0), ("01", 0.1)]:
        scores = choix.ilsr_rankings(8, rankings, alpha=alpha, tol=TIGHT, max_iter=10**5)
        rust(f"CHOIX_RANKINGS_{name}", "&[f64]", scores, f"choix 0.4.1: `ilsr_rankings(8, RANKINGS, alpha={alpha})`.")
    # Each order cut up: groups of a size that goes round, and the last item or two left as the rest of some.
    ballots = []
    for index, order in enumerate(rankings):
        kept = order[: 5 - index % 3]
        size = 1 + index % 4
        ballots.append(([kept[at : at + size] for at in range(0, len(kept), size)], order[len(kept) :]))
    rust("BALLOTS", "&[(&[&[u32]], &[u32])]", ballots, "The orders with ties: groups and rest.")
    for name, prior in [("NONE", lambda s: 0), ("LOGISTIC", logistic_prior(0.5))]:
        function = plackett_luce(ballots, prior)
        at = maximum(function, 8)
        errors = centred_errors(function, at, 8)
        rust(f"PLACKETT_LUCE_{name}", "&[(f64, f64)]", list(zip(at - at.mean(), errors)), "Scores and errors of BALLOTS, maximised here.")


print("//! Written by golden.py, which says from what.\n\n#![allow(clippy::excessive_precision, reason = \"as the tools print them\")]\n")
source = np.random.default_rng(3)
np.random.seed(3)
write_decided(source)
write_tied(source)
write_rankings(source)
