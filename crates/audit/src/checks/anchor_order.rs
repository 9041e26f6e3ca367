//! Checks whether grades follow the order of the worked examples.

use std::collections::BTreeMap;

use crate::checks::length_words_ranks::{centred_ranks, correlation};
use crate::finding::{Finding, needs};
use crate::reference::Votes;
use crate::{AuditOptions, AuditedJudge, CheckKind};

/// A weaker correlation matters little, however certain it is: it explains a hundredth of the variance of grades.
const DECENT: f64 = 0.1;

/// Beyond this the example and not the document decides.
const SEVERE: f64 = 0.5;

/// With fewer grades a correlation is an accident: it is shown, and the check passes.
const LEAST: usize = 30;

/// A grade with the example that stood first or last: its query, the example's grade, its own.
type Beside = (usize, f64, f64);

/// Returns how grades correlate with the grade of the worked example shown first, or shown last if that correlation is
/// larger. `None` unless the order was drawn at random for each question.
///
/// It is Spearman's correlation within queries. Since the order was drawn, the null is known: any grade of a query
/// could have had any order. Over those permutations the sum of products of centred ranks has mean 0 and the variance
/// sum over queries of Sxx Syy / (m - 1) (Hoeffding, 1951), and is taken as normal. The p is two-sided and doubled,
/// for the first example and the last.
pub(crate) fn anchor_order(own: &Votes, judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let beside = |of: fn(f64, f64) -> f64| -> Vec<Beside> {
        let graded = judge.anchors.iter().filter_map(|anchors| {
            let grade = own.grades.get(&(anchors.query, anchors.document))?;
            Some((anchors.query, of(anchors.first, anchors.last), *grade))
        });
        graded.collect()
    };
    let ends = [("first", beside(|first, _| first)), ("last", beside(|_, last| last))];
    let n = ends.first().map_or(0, |(_, units)| units.len());
    if n == 0 {
        return None;
    }
    let found = ends.iter().filter_map(|(place, units)| {
        let cells = units.iter().map(|(query, anchor, grade)| ((*query, 0), *anchor, *grade)).collect();
        Some((*place, correlation(cells)?.0, p_of_permutation(units)))
    });
    let Some((place, r, p)) = found.max_by(|a, b| a.1.value.abs().total_cmp(&b.1.value.abs())) else {
        let why = "Grades or examples never vary within a query, so no correlation exists.";
        return Some(Finding { n, ..Finding::of_figures(CheckKind::AnchorOrder, why) });
    };
    let counts = n >= LEAST && r.value.abs() > DECENT;
    let few = if n < LEAST { needs(LEAST) } else { String::new() };
    let figures = format!(
        "Correlation of grades with the worked example shown {place}: {:.2} within queries ({n} grades; chance: \
         0).{few}",
        r.value
    );
    Some(Finding {
        n,
        value: Some(r.value),
        interval: r.interval(options.confidence, (-1.0, 1.0)),
        chance: Some(0.0),
        p: Some(if counts { (2.0 * p).min(1.0) } else { 1.0 }),
        severe: r.value.abs() > SEVERE,
        conclusion: format!(
            "Its grades {} the worked example shown {place} (correlation {:.2} on {n} grades; good judges stay \
             between -{DECENT:.2} and {DECENT:.2}).",
            if r.value > 0.0 { "follow" } else { "oppose" },
            r.value
        ),
        remedy: "Give every grade one example of similar length, or use another judge.",
        ..Finding::of_figures(CheckKind::AnchorOrder, figures)
    })
}

/// Returns the two-sided p of the correlation, under permutations of the examples within queries.
fn p_of_permutation(units: &[Beside]) -> f64 {
    let mut queries: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (query, anchor, grade) in units {
        let (anchors, grades) = queries.entry(*query).or_default();
        anchors.push(*anchor);
        grades.push(*grade);
    }
    let (mut sum, mut variance) = (0.0, 0.0);
    for (anchors, grades) in queries.values().filter(|(anchors, _)| anchors.len() > 1) {
        let (x, y) = (centred_ranks(anchors), centred_ranks(grades));
        let squares = |ranks: &[f64]| ranks.iter().map(|rank| rank * rank).sum::<f64>();
        sum += x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>();
        variance += squares(&x) * squares(&y) / (x.len() - 1) as f64;
    }
    if variance == 0.0 {
        return 1.0;
    }
    libm::erfc(sum.abs() / (2.0 * variance).sqrt())
}

#[cfg(test)]
mod tests {
    use llull_core::{Item, Seed, SplitMix64};

    use super::*;
    use crate::{
        AskedAs, AuditedCollection, CheckOutcome, GradedAnswer, JudgeCheck, ShownAnchors, judge_checks,
    };

    /// 30 queries of 8 documents; a grade is the truth with some noise, pulled towards the last example by `pull`.
    fn check(seed: u64, pull: f64, queries: usize) -> JudgeCheck {
        let mut stream = SplitMix64::new(Seed(seed).stream("anchors"));
        let mut uniform = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut judge = AuditedJudge { judge: "mini".into(), ..AuditedJudge::default() };
        for (query, at) in (0..queries).flat_map(|query| (0..8).map(move |at| (query, at))) {
            let (first, last) = ((4.0 * uniform()).floor(), (4.0 * uniform()).floor());
            let truth = 3.0 * uniform() + uniform() - 0.5;
            let grade = ((1.0 - pull) * truth + pull * last).round().clamp(0.0, 3.0);
            let (document, asked_as) = (Item(at), AskedAs::Vote);
            judge.graded.push(GradedAnswer { query, document, grade, asked_as, rationale: None });
            judge.anchors.push(ShownAnchors { query, document, first, last });
        }
        let found = judge_checks(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(seed)));
        found.into_iter().find(|check| check.kind == CheckKind::AnchorOrder).unwrap()
    }

    #[test]
    fn grades_that_follow_the_last_example_ring_and_others_seldom_do() {
        let raised = (0..100).filter(|&seed| check(seed, 0.0, 30).is_raised()).count();
        assert!(raised <= 3, "{raised} of 100");
        for seed in 0..20 {
            let pulled = check(seed, 0.3, 30);
            assert!(pulled.is_raised(), "{pulled:?}");
            assert!(pulled.finding.contains("shown last (correlation 0."), "{pulled:?}");
            assert_eq!(check(seed, 0.8, 30).outcome, CheckOutcome::Failed);
            assert_eq!(check(seed, 0.8, 3).outcome, CheckOutcome::Passed, "24 grades show little");
        }
    }

    /// All 5! orders of one query's grades, for x = 0 1 2 3 4 and y = 0 0 1 2 3, whose centred ranks over 5 have Sxx .4
    /// and Syy .38.
    #[test]
    fn the_null_is_that_of_all_permutations() {
        let (x, y) = ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 1.0, 2.0, 3.0]);
        let units: Vec<Beside> = x.iter().zip(y).map(|(x, y)| (0, *x, y)).collect();
        let (ranks_x, ranks_y) = (centred_ranks(&x), centred_ranks(&y));
        let mut orders = vec![Vec::new()];
        for _ in 0..5 {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<usize>| {
                    let left: Vec<usize> = (0..5).filter(|at| !order.contains(at)).collect();
                    left.into_iter().map(move |at| [order.clone(), vec![at]].concat())
                })
                .collect();
        }
        let sums: Vec<f64> = orders
            .iter()
            .map(|order| order.iter().zip(&ranks_x).map(|(at, x)| ranks_y[*at] * x).sum())
            .collect();
        let variance = sums.iter().map(|sum| sum * sum).sum::<f64>() / 120.0;
        let seen: f64 = ranks_x.iter().zip(&ranks_y).map(|(x, y)| x * y).sum();
        let expected = libm::erfc(seen / (2.0 * variance).sqrt());
        assert!((variance - 0.4 * 0.38 / 4.0).abs() < 1e-12, "{variance}");
        assert!((p_of_permutation(&units) - expected).abs() < 1e-12);
    }
}
