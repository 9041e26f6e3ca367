//! Checks whether a judge puts documents last that were shown in the middle of a list.

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, ComparedAnswer};

/// Decent judges stay within this share of the list, as for the first side of pairs.
const DECENT: f64 = 0.1;

/// Beyond this share places decide.
const SEVERE: f64 = 0.25;

/// The fewest documents of a list with a middle and two ends.
const LEAST_PLACES: usize = 3;

/// Returns how much further down the answer the middle third of the places finishes than the outer thirds, as a share
/// of the list. By chance it is 0. Reversing a list leaves its middle in place, so only lists in random order count.
/// `None` for a judge without lists of three documents or more.
pub(crate) fn middle_places(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let lists =
        |answer: &&ComparedAnswer| answer.asked_as == AskedAs::Vote && answer.shown.len() >= LEAST_PLACES;
    judge.compared.iter().find(lists)?;
    if !judge.order_randomised {
        let why = "Documents were not shown in random order, so their places are no evidence.";
        return Some(Finding::of_figures(CheckKind::MiddlePlaces, why));
    }
    let units: Vec<(usize, f64, f64)> =
        judge.compared.iter().filter(lists).map(|answer| (answer.query, excess(answer), 1.0)).collect();
    let found = Clustered::ratio(&units)?;
    let value = found.value;
    let figures = format!(
        "Documents shown in the middle finish {:.0}% of the list {} than those at the ends, in {} lists (chance: 0%).",
        100.0 * value.abs(),
        if value > 0.0 { "lower" } else { "higher" },
        units.len()
    );
    Some(Finding {
        n: units.len(),
        value: Some(value),
        interval: found.interval(options.confidence, (-1.0, 1.0)),
        chance: Some(0.0),
        p: Some(found.p_beyond(0.0, DECENT)),
        severe: value.abs() > SEVERE,
        conclusion: format!(
            "The judge {} the middle of lists: documents there finish {:.0}% of the list {} than those at the ends, in \
             {} lists (good judges: at most 10%).",
            if value > 0.0 { "loses" } else { "favours" },
            100.0 * value.abs(),
            if value > 0.0 { "lower" } else { "higher" },
            units.len()
        ),
        remedy: "Use shorter lists, or use another judge.",
        ..Finding::of_figures(CheckKind::MiddlePlaces, figures)
    })
}

/// The mean finish of the middle third of the places less that of the others, from -1 to 1.
fn excess(answer: &ComparedAnswer) -> f64 {
    let levels: Vec<usize> = answer.shown.iter().map(|item| answer.level(*item)).collect();
    let last = (levels.len() - 1) as f64;
    // Documents on one level share its mean place.
    let finish = |level: usize| {
        let before = levels.iter().filter(|other| **other < level).count() as f64;
        let beside = levels.iter().filter(|other| **other == level).count() as f64;
        (before + (beside - 1.0) / 2.0) / last
    };
    // Of four documents two are the middle.
    let third = levels.len().div_ceil(3).min((levels.len() - 1) / 2);
    let (mut middle, mut ends) = ((0.0, 0.0), (0.0, 0.0));
    for (place, level) in levels.iter().enumerate() {
        let is_middle = place >= third && place < levels.len() - third;
        let sum = if is_middle { &mut middle } else { &mut ends };
        *sum = (sum.0 + finish(*level), sum.1 + 1.0);
    }
    middle.0 / middle.1 - ends.0 / ends.1
}

#[cfg(test)]
mod tests {
    use llull_core::{Item, Seed};

    use super::*;
    use crate::{AuditedCollection, CheckOutcome, judge_checks};

    /// Lists of documents in random order, of 20 queries; the judge ranks by its own noise, and by `penalty` in the
    /// middle.
    fn listing(lists: usize, penalty: f64, places: usize) -> AuditedJudge {
        let drawn = |list: usize, item: usize, what: &str| {
            (Seed(3).stream(&format!("{what} {list} {item}")) % 1000) as f64 / 1000.0
        };
        let answer = |list: usize| {
            let mut shown: Vec<usize> = (0..places).collect();
            shown.sort_by(|a, b| drawn(list, *a, "shown").total_cmp(&drawn(list, *b, "shown")));
            let mut order: Vec<(f64, usize)> = shown
                .iter()
                .enumerate()
                .map(|(place, item)| {
                    let is_middle = place >= places / 3 && place < places - places / 3;
                    (drawn(list, *item, "worth") + if is_middle { penalty } else { 0.0 }, *item)
                })
                .collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            ComparedAnswer {
                query: list % 20,
                shown: shown.into_iter().map(Item::at).collect(),
                groups: order.into_iter().map(|(_, item)| vec![Item::at(item)]).collect(),
                asked_as: AskedAs::Vote,
                rationale: None,
            }
        };
        AuditedJudge {
            judge: "lists".into(),
            compared: (0..lists).map(answer).collect(),
            order_randomised: true,
            ..AuditedJudge::default()
        }
    }

    fn found(judge: &AuditedJudge) -> Option<crate::JudgeCheck> {
        let checks = judge_checks(
            std::slice::from_ref(judge),
            &AuditedCollection { documents: vec![Vec::new(); 20], ..AuditedCollection::default() },
            &AuditOptions::new(Seed(1)),
        );
        checks.into_iter().find(|check| check.kind == CheckKind::MiddlePlaces)
    }

    #[test]
    fn a_judge_that_puts_the_middle_last_fails() {
        for places in [3, 4, 5, 10] {
            let check = found(&listing(100, 2.0, places)).unwrap();
            assert_eq!(check.outcome, CheckOutcome::Failed, "{check:?}");
            assert!(check.finding.starts_with("The judge loses the middle of lists: "), "{check:?}");
            assert_eq!(found(&listing(100, 0.0, places)).unwrap().outcome, CheckOutcome::Passed);
        }
    }

    #[test]
    fn pairs_fixed_orders_and_one_list_show_nothing() {
        assert_eq!(found(&listing(100, 2.0, 2)), None);
        let fixed = AuditedJudge { order_randomised: false, ..listing(100, 2.0, 10) };
        assert!(found(&fixed).is_some_and(|check| check.value.is_none()));
        assert_eq!(found(&listing(1, 2.0, 10)).unwrap().outcome, CheckOutcome::Passed);
    }
}
