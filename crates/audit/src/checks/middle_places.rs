//! Checks whether a judge puts documents last that were shown in the middle of a list.

use llull_core::Item;

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::reversals::rotations;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, ComparedAnswer};

/// Decent judges stay within this share of the list, as for the first side of pairs.
const DECENT: f64 = 0.1;

/// Beyond this share places decide.
const SEVERE: f64 = 0.25;

/// The fewest documents of a list with a middle and two ends.
const LEAST_PLACES: usize = 3;

/// Returns how much further down the answer the middle third of the places finishes than the outer thirds, as a share
/// of the list. By chance it is 0. It counts lists in random order, and lists that were repeated with their halves
/// exchanged: there the same documents stood in the middle and at an end. Reversing leaves the middle in place. `None`
/// for a judge without lists of three documents or more.
pub(crate) fn middle_places(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let lists =
        |answer: &&ComparedAnswer| answer.asked_as == AskedAs::Vote && answer.shown.len() >= LEAST_PLACES;
    judge.compared.iter().find(lists)?;
    let in_random_order = judge.compared.iter().filter(|_| judge.order_randomised).filter(lists);
    let units = in_random_order.map(|answer| (answer.query, excess(answer), 1.0));
    let rotated = rotations(judge);
    let moved = rotated.iter().filter_map(|(one, other)| Some((one.query, moved(one, other)?, 1.0)));
    let units: Vec<(usize, f64, f64)> = units.chain(moved).collect();
    let Some(found) = Clustered::ratio(&units) else {
        let why =
            "Documents were not shown in random order and no list was rotated, so places are no evidence.";
        return Some(Finding::of_figures(CheckKind::MiddlePlaces, why));
    };
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
    let (mut middle, mut ends) = ((0.0, 0.0), (0.0, 0.0));
    for (_, is_middle, finish) in finishes(answer) {
        let sum = if is_middle { &mut middle } else { &mut ends };
        *sum = (sum.0 + finish, sum.1 + 1.0);
    }
    middle.0 / middle.1 - ends.0 / ends.1
}

/// How much lower documents finish in the middle than the same ones at an end; `None` if none was in both.
fn moved(one: &ComparedAnswer, other: &ComparedAnswer) -> Option<f64> {
    let others: Vec<(Item, bool, f64)> = finishes(other).collect();
    let (mut sum, mut n) = (0.0, 0.0);
    for (item, is_middle, finish) in finishes(one) {
        let there = others.iter().find(|there| there.0 == item && there.1 != is_middle);
        if let Some((_, _, there)) = there {
            sum += if is_middle { finish - there } else { there - finish };
            n += 1.0;
        }
    }
    (n > 0.0).then(|| sum / n)
}

/// The documents as shown: whether in the middle third, and the place in the answer, from 0 to 1.
fn finishes(answer: &ComparedAnswer) -> impl Iterator<Item = (Item, bool, f64)> + '_ {
    let levels: Vec<usize> = answer.shown.iter().map(|item| answer.level(*item)).collect();
    let n = levels.len();
    // Of four documents two are the middle.
    let third = n.div_ceil(3).min((n - 1) / 2);
    answer.shown.iter().enumerate().map(move |(place, item)| {
        let level = levels[place];
        // Documents on one level share its mean place.
        let before = levels.iter().filter(|other| **other < level).count() as f64;
        let beside = levels.iter().filter(|other| **other == level).count() as f64;
        (*item, place >= third && place < n - third, (before + (beside - 1.0) / 2.0) / (n - 1) as f64)
    })
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

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

    /// A judge that ranks by worth, and with `loses` puts the middle last; its lists are shown best first, and again
    /// with their halves exchanged.
    fn rotated(places: usize, loses: bool) -> AuditedJudge {
        let answer = |query: usize, shown: Vec<usize>, asked_as| {
            let is_middle = |place: usize| loses && place >= places / 3 && place < places - places / 3;
            let mut order: Vec<(bool, usize)> =
                shown.iter().enumerate().map(|(place, item)| (is_middle(place), *item)).collect();
            order.sort_unstable();
            ComparedAnswer {
                query,
                shown: shown.into_iter().map(Item::at).collect(),
                groups: order.into_iter().map(|(_, item)| vec![Item::at(item)]).collect(),
                asked_as,
                rationale: None,
            }
        };
        let both = |query: usize| {
            let shown: Vec<usize> = (0..places).collect();
            let mut again = shown.clone();
            again.rotate_left(places / 2);
            [answer(query, shown, AskedAs::Vote), answer(query, again, AskedAs::Rotated)]
        };
        AuditedJudge {
            judge: "lists".into(),
            compared: (0..20).flat_map(both).collect(),
            ..AuditedJudge::default()
        }
    }

    #[test]
    fn rotated_lists_show_the_middle_whatever_the_order() {
        for places in [3, 4, 5, 10, 20] {
            let check = found(&rotated(places, true)).unwrap();
            assert_eq!((check.outcome, check.n), (CheckOutcome::Failed, 20), "{check:?}");
            assert!(check.value.unwrap() > 0.25, "{places} {check:?}");
            let check = found(&rotated(places, false)).unwrap();
            assert_eq!((check.outcome, check.value), (CheckOutcome::Passed, Some(0.0)), "{check:?}");
        }
    }
}
