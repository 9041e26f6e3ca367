//! Labels from the order of the tiers alone: ordinal, geometric, binary.

use llull_core::{Grade, Item, Label};
use llull_label::{TierView, binary, geometric, ordinal};
use proptest::prelude::*;

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
