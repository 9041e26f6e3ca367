//! Tests labels from tiers and grades of some members.

use std::collections::BTreeMap;

use llull_core::{Grade, Item, Scale, Seed};
use llull_label::{AnchorError, Anchored, Contradiction, TierView, anchored, anchors};
use proptest::prelude::*;

/// Tiers of these grades, item by item; `None` is an item without a grade.
fn case(tiers: &[&[Option<Grade>]]) -> (Vec<Vec<Item>>, BTreeMap<Item, Grade>) {
    let mut grades = BTreeMap::new();
    let mut next = 0;
    let mut place = |grade: &Option<Grade>| {
        grades.extend(grade.map(|grade| (Item(next), grade)));
        next += 1;
        Item(next - 1)
    };
    let items = tiers.iter().map(|tier| tier.iter().map(&mut place).collect()).collect();
    (items, grades)
}

fn views(tiers: &[Vec<Item>], is_final: bool) -> Vec<TierView<'_>> {
    tiers.iter().map(|items| TierView { items, is_final }).collect()
}

fn found(tiers: &[&[Option<Grade>]]) -> Anchored {
    let (items, grades) = case(tiers);
    let count = items.iter().map(Vec::len).sum();
    anchored(count, &views(&items, true), &grades, Scale::default()).unwrap()
}

fn level_grades(found: &Anchored) -> Vec<Option<Grade>> {
    found.levels.iter().map(|level| level.label.map(|label| label.grade)).collect()
}

/// Means, fit and sum of squares from scipy 1.17.1, `optimize.isotonic_regression(means, weights=counts,
/// increasing=False)`; pairs counted in Python.
#[test]
fn the_fit_and_what_contradicts_it() {
    let some = |grades: &[Grade]| grades.iter().map(|grade| Some(*grade)).collect::<Vec<_>>();
    let tiers = [some(&[3, 3, 2]), some(&[1]), some(&[2, 3]), some(&[2, 1, 1, 0]), some(&[0, 1]), some(&[0])];
    let found = found(&tiers.each_ref().map(Vec::as_slice));
    let fitted: Vec<f64> = found.levels.iter().filter_map(|level| level.fitted).collect();
    let expected = [2.6666666666666665, 2.0, 2.0, 1.0, 0.5, 0.0];
    assert!(fitted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fitted:?}");
    assert_eq!(level_grades(&found), [3, 2, 2, 1, 0, 0].map(Some), "a half is rounded down");
    let contradiction = found.contradiction;
    assert_eq!((contradiction.graded, contradiction.pairs, contradiction.wrong), (13, 67, 5));
    assert_eq!(contradiction.share(), Some(5.0 / 67.0));
    assert!((contradiction.distance().unwrap() - (1.5f64 / 13.0).sqrt()).abs() < 1e-12);
    let second = found.levels[1].label.unwrap();
    assert_eq!((second.grade, second.low, second.high, second.judges), (2, 1, 1, 1));
    let third = found.levels[3].label.unwrap();
    assert_eq!((third.low, third.high), (0, 2));
}

#[test]
fn a_level_without_a_grade_is_labelled_only_where_the_order_decides() {
    let grades = |tiers: &[&[Option<Grade>]]| level_grades(&found(tiers));
    let gap: &[Option<Grade>] = &[None, None];
    let (three, two, one, zero): (&[_], &[_], &[_], &[_]) = (&[Some(3)], &[Some(2)], &[Some(1)], &[Some(0)]);
    assert_eq!(grades(&[two, gap, two, gap, one]), [Some(2), Some(2), Some(2), None, Some(1)]);
    assert_eq!(grades(&[gap, three, gap, gap, zero, gap]), [Some(3), Some(3), None, None, Some(0), Some(0)]);
    assert_eq!(grades(&[gap, two, gap]), [None, Some(2), None]);
    assert_eq!(grades(&[gap, gap]), [None, None]);
    let filled = found(&[two, gap, two]);
    assert_eq!((filled.levels[1].fitted, filled.levels[1].graded), (None, 0));
    assert_eq!(filled.labels[1].map(|label| (label.low, label.high)), Some((2, 2)));
    assert_eq!(found(&[gap]).contradiction, Contradiction::default());
    assert_eq!((Contradiction::default().share(), Contradiction::default().distance()), (None, None));
}

#[test]
fn provisional_tiers_are_one_level_and_without_a_final_one_there_is_no_label() {
    let (items, grades) = case(&[&[Some(3)], &[Some(0)], &[Some(2)]]);
    let mut tiers = views(&items, false);
    let none = anchored(3, &tiers, &grades, Scale::default()).unwrap();
    assert_eq!((none.labels, none.levels.len()), (vec![None; 3], 0));
    let id = |item: Item| ["a", "b", "c"][item.index()];
    assert_eq!(anchors(&tiers, 2, Seed(1), id), Vec::<Item>::new());
    tiers[0].is_final = true;
    let found = anchored(3, &tiers, &grades, Scale::default()).unwrap();
    let labels: Vec<_> =
        found.labels.iter().flatten().map(|label| (label.grade, label.low, label.high)).collect();
    assert_eq!(labels, [(3, 3, 3), (1, 0, 2), (1, 0, 2)]);
    assert_eq!((found.levels[1].tiers, found.levels[1].graded), (2, 2));
    assert_eq!(anchors(&tiers, 1, Seed(1), id).len(), 2);
}

#[test]
fn grades_that_no_anchor_can_have_are_refused() {
    let (items, _) = case(&[&[None], &[None]]);
    let refuse = |item: Item, grade| {
        anchored(2, &views(&items, true), &BTreeMap::from([(item, grade)]), Scale::default()).unwrap_err()
    };
    assert_eq!(refuse(Item(2), 1), AnchorError::Unplaced { item: Item(2) });
    let error = refuse(Item(0), 4).to_string();
    assert_eq!(
        error,
        "item 0 has grade 4, which is not on the scale 0 to 3: anchors need the rubric's grades"
    );
}

#[test]
fn the_draw_is_fair_and_keeps_to_its_items() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let drawn = |items: &[u32], seed| {
        let items: Vec<Item> = items.iter().copied().map(Item).collect();
        anchors(&[TierView { items: &items, is_final: true }], 3, Seed(seed), |item| ids[item.index()])
    };
    assert_eq!(drawn(&[5, 1, 9, 4, 7], 1), drawn(&[7, 9, 5, 4, 1], 1), "whatever the order");
    let first = drawn(&[5, 1, 9, 4, 7], 1);
    let without: Vec<u32> = [5, 1, 9, 4, 7].into_iter().filter(|item| Item(*item) != first[2]).collect();
    assert_eq!(drawn(&without, 1)[..2], first[..2], "what is left stays drawn");
    let (tier, moved) = ([0, 1, 2, 3, 4], ["new", "a", "b", "c", "d", "e"]);
    let before: Vec<&str> = drawn(&tier, 1).iter().map(|item| ids[item.index()]).collect();
    let tiers = [TierView { items: &tier.map(|item| Item(item + 1)), is_final: true }];
    let after: Vec<&str> = anchors(&tiers, 3, Seed(1), |item| moved[item.index()])
        .iter()
        .map(|item| moved[item.index()])
        .collect();
    assert_eq!(before, after, "wherever they stand");
    let all: Vec<u32> = (0..10).collect();
    let mut counts = [0u32; 10];
    for seed in 0..2000 {
        drawn(&all, seed).iter().for_each(|item| counts[item.index()] += 1);
    }
    // 600 expected of each; four standard deviations are 82.
    assert!(counts.iter().all(|count| (518..=682).contains(count)), "{counts:?}");
}

fn any_tier() -> impl Strategy<Value = Vec<Option<Grade>>> {
    proptest::collection::vec(proptest::option::of(0i32..=3), 1..5)
}

proptest! {
    #[test]
    fn labels_never_increase_and_stay_on_the_scale(tiers in proptest::collection::vec(any_tier(), 1..12)) {
        let found = found(&tiers.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let grades: Vec<Grade> = found.labels.iter().flatten().map(|label| label.grade).collect();
        prop_assert!(grades.windows(2).all(|pair| pair[0] >= pair[1]));
        prop_assert!(grades.iter().all(|grade| Scale::default().contains(*grade)));
        for (tier, level) in tiers.iter().zip(&found.levels) {
            prop_assert_eq!(tier.iter().flatten().count() as u32, level.graded);
            prop_assert!(level.graded == 0 || level.label.is_some());
        }
    }

    #[test]
    fn grades_that_follow_the_tiers_are_kept(mut grades in proptest::collection::vec(0i32..=3, 1..20)) {
        grades.sort_unstable_by(|a, b| b.cmp(a));
        let tiers: Vec<[Option<Grade>; 1]> = grades.iter().map(|grade| [Some(*grade)]).collect();
        let found = found(&tiers.iter().map(|tier| &tier[..]).collect::<Vec<_>>());
        prop_assert_eq!(found.labels.iter().flatten().map(|label| label.grade).collect::<Vec<_>>(), grades);
        prop_assert_eq!((found.contradiction.wrong, found.contradiction.squares), (0, 0.0));
    }
}
