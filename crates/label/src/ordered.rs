//! Labels from the order of the tiers alone.

use llull_core::{Grade, Label};

use crate::tiers::{TierView, blocks, settled, spread_over};

/// How often [`geometric`] halves: the best tier's gain is at most 2^20, and what lies more than 20 tiers below it gains
/// nothing, which is less than a millionth of the best.
pub const HALVINGS: u32 = 20;

/// Tiers counted from the bottom: the last is 0, each better one has 1 more. One label for each of `items` items, by
/// position; an item that is in no tier has none.
///
/// Provisional tiers that follow each other share a grade, since nothing is known of the order within them, and count
/// as one: after a search for the top tiers the final ones count up from 1 and everything below them is 0. Where no
/// tier is final, as after a budget that ran out early, nothing is known and no item has a label: missing, not 0.
///
/// Grade 0 is the bottom of this pool, not "not relevant". An order of one tier prefers nothing, so nothing can be measured
/// under it: no item has a label, rather than every system a score of 0.
/// `low` and `high` equal the grade and `judges` is 1, for the tiers are one source however many judges voted in them.
///
/// ```
/// use llull_core::Ballot;
/// use llull_label::{TierView, ordinal};
///
/// let items = Ballot::of([vec![4], vec![0, 2], vec![1], vec![3]]).groups;
/// let finals = [true, true, false, false];
/// let tiers: Vec<_> =
///     items.iter().zip(finals).map(|(items, is_final)| TierView { items, is_final }).collect();
/// let grades: Vec<_> = ordinal(5, &tiers).iter().map(|label| label.map(|label| label.grade)).collect();
/// assert_eq!(grades, [Some(1), Some(0), Some(1), Some(0), Some(2)]);
/// assert_eq!(ordinal(2, &tiers[2..]), [None, None]);
/// assert_eq!(ordinal(1, &tiers[..1]), [None]);
/// ```
pub fn ordinal(items: usize, tiers: &[TierView<'_>]) -> Vec<Option<Label>> {
    by_level(items, tiers, |level, _| Grade::try_from(level).unwrap_or(Grade::MAX))
}

/// Gains that halve from tier to tier: the last tier is 0, the one above it 1, then 2, 4, 8 and so on, so that nDCG with
/// linear gain sees each tier worth twice the next. Tiers, provisional ones and missing labels are as in [`ordinal`].
///
/// With more than 22 tiers the gains are counted from the top: the best is 2^[`HALVINGS`], and a tier more than
/// `HALVINGS` below it gains 0. So the best tiers always stay apart, and only a tail is lost that is worth less than a
/// millionth of the best document.
///
/// ```
/// use llull_core::Item;
/// use llull_label::{TierView, geometric};
///
/// let items: Vec<[Item; 1]> = Item::first(5).map(|item| [item]).collect();
/// let tiers: Vec<_> = items.iter().map(|items| TierView { items, is_final: true }).collect();
/// let gains: Vec<_> = geometric(5, &tiers).iter().flatten().map(|label| label.grade).collect();
/// assert_eq!(gains, [8, 4, 2, 1, 0]);
/// ```
pub fn geometric(items: usize, tiers: &[TierView<'_>]) -> Vec<Option<Label>> {
    by_level(items, tiers, |level, levels| {
        // The best tier is at level `levels - 1`, and the lowest level that gains anything gains 1.
        let lowest = levels.saturating_sub(HALVINGS as usize + 1).max(1);
        match level.checked_sub(lowest) {
            Some(doublings) => 1 << doublings.min(HALVINGS as usize),
            None => 0,
        }
    })
}

/// 1 for the best `top` tiers and 0 for everything below them. No item has a label unless the best `top` tiers are
/// final: with fewer, it is not known where the line is. A pool with fewer than `top` tiers has no such line either.
///
/// ```
/// use llull_core::Item;
/// use llull_label::{TierView, binary};
///
/// let tiers = [(&[Item(1)], true), (&[Item(0)], false), (&[Item(2)], false)]
///     .map(|(items, is_final)| TierView { items, is_final });
/// let grades = |top| binary(3, &tiers, top).iter().map(|label| label.map(|label| label.grade)).collect::<Vec<_>>();
/// assert_eq!(grades(1), [Some(0), Some(1), Some(0)]);
/// assert_eq!(grades(2), [None, None, None]);
/// ```
pub fn binary(items: usize, tiers: &[TierView<'_>], top: usize) -> Vec<Option<Label>> {
    let is_known = tiers.get(..top).is_some_and(|best| best.iter().all(|tier| tier.is_final));
    if !is_known {
        return vec![None; items];
    }
    let grade = |rank: usize| Some(settled(Grade::from(rank < top)));
    spread_over(items, tiers.chunks(1).enumerate().map(|(rank, tier)| (tier, grade(rank))))
}

/// One grade a block, of its level (0 for the last) and the number of levels.
fn by_level(
    items: usize,
    tiers: &[TierView<'_>],
    grade: impl Fn(usize, usize) -> Grade,
) -> Vec<Option<Label>> {
    let blocks = blocks(tiers).unwrap_or_default();
    let levels = blocks.len();
    let label = |level| (levels > 1).then(|| settled(grade(level, levels)));
    spread_over(items, blocks.into_iter().rev().enumerate().map(|(level, block)| (block, label(level))))
}

#[cfg(test)]
mod tests {
    use llull_core::Item;
    use proptest::prelude::*;

    use super::*;

    fn grades(labels: &[Option<Label>]) -> Vec<Option<Grade>> {
        labels.iter().map(|label| label.map(|label| label.grade)).collect()
    }

    fn singles(finals: &[bool]) -> Vec<Vec<Item>> {
        Item::first(finals.len()).map(|item| vec![item]).collect()
    }

    fn views<'a>(tiers: &'a [Vec<Item>], finals: &[bool]) -> Vec<TierView<'a>> {
        tiers.iter().zip(finals).map(|(items, is_final)| TierView { items, is_final: *is_final }).collect()
    }

    #[test]
    fn provisional_tiers_between_final_ones_share_a_place() {
        let finals = [true, false, false, true, false];
        let tiers = singles(&finals);
        assert_eq!(grades(&ordinal(5, &views(&tiers, &finals))), [3, 2, 2, 1, 0].map(Some));
        assert_eq!(grades(&geometric(5, &views(&tiers, &finals))), [4, 2, 2, 1, 0].map(Some));
        assert_eq!(grades(&binary(5, &views(&tiers, &finals), 1)), [1, 0, 0, 0, 0].map(Some));
        assert_eq!(binary(5, &views(&tiers, &finals), 2), [None; 5]);
    }

    #[test]
    fn without_a_final_tier_nothing_is_known() {
        let tiers = singles(&[false; 3]);
        let views = views(&tiers, &[false; 3]);
        for labels in [ordinal(3, &views), geometric(3, &views), binary(3, &views, 1)] {
            assert_eq!(labels, [None; 3]);
        }
        assert_eq!(ordinal(2, &[]), [None; 2]);
    }

    #[test]
    fn a_line_below_all_tiers_is_none() {
        let tiers = singles(&[true; 2]);
        let views = views(&tiers, &[true; 2]);
        assert_eq!(grades(&binary(2, &views, 2)), [Some(1), Some(1)]);
        assert_eq!(binary(2, &views, 3), [None; 2]);
    }

    #[test]
    fn an_item_of_no_tier_has_no_label() {
        let tiers = singles(&[true; 2]);
        assert_eq!(grades(&ordinal(3, &views(&tiers, &[true; 2]))), [Some(1), Some(0), None]);
        assert_eq!(
            grades(&ordinal(1, &views(&tiers, &[true; 2]))),
            [Some(1)],
            "items beyond the list are not the list's"
        );
    }

    #[test]
    fn many_tiers_keep_the_best_apart() {
        for n in [21usize, 22, 23, 100] {
            let finals = vec![true; n];
            let tiers = singles(&finals);
            let gains: Vec<Grade> =
                geometric(n, &views(&tiers, &finals)).iter().flatten().map(|label| label.grade).collect();
            assert_eq!(gains[0], 1 << (n - 2).min(20), "{n} tiers");
            assert!(gains.windows(2).all(|pair| pair[0] / 2 == pair[1]), "{n} tiers halve: {gains:?}");
            assert_eq!(gains.last(), Some(&0));
        }
    }

    proptest! {
        #[test]
        fn grades_never_increase_down_the_tiers_and_final_ones_differ(
            sizes in proptest::collection::vec((1usize..4, any::<bool>()), 1..30),
            top in 1usize..5,
        ) {
            let finals: Vec<bool> = sizes.iter().map(|(_, is_final)| *is_final).collect();
            let mut items = 0u32;
            let tiers: Vec<Vec<Item>> = sizes.iter().map(|(size, _)| {
                let first = items;
                items += *size as u32;
                (first..items).map(Item).collect()
            }).collect();
            let views = views(&tiers, &finals);
            let n = items as usize;
            for labels in [ordinal(n, &views), geometric(n, &views), binary(n, &views, top)] {
                let grades = grades(&labels);
                prop_assert!(grades.windows(2).all(|pair| pair[0] >= pair[1]));
                prop_assert!(grades.iter().all(|grade| grade.is_some() == grades[0].is_some()));
                prop_assert!(labels.iter().flatten().all(|label| label.spread() == 0 && label.judges == 1));
            }
            let ordinal = grades(&ordinal(n, &views));
            for (pair, is_final) in tiers.windows(2).zip(finals.windows(2)) {
                let at = |tier: &Vec<Item>| ordinal[tier[0].index()];
                let apart = is_final[0] || is_final[1];
                prop_assert_eq!(at(&pair[0]) > at(&pair[1]), apart && finals.contains(&true));
            }
        }
    }
}
