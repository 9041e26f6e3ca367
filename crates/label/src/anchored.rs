//! Labels from tiers and a graded judge's grades of some of their members.

use std::{collections::BTreeMap, ops::AddAssign};

use llull_core::{Grade, Item, Label, Scale, Seed};

use crate::isotonic::{WeightedValue, never_increasing};
use crate::tiers::{Block, TierView, blocks, members, spread_over};

/// The labels that tiers and the grades of some of their members amount to, and how well the two fit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchored {
    /// One label for each item, by position; `None` is missing.
    pub labels: Vec<Option<Label>>,
    /// One fit for every level of the order, best first; empty where no tier is final.
    pub levels: Vec<AnchoredLevel>,
    /// How far the grades contradict the tiers.
    pub contradiction: Contradiction,
}

/// One level of the order, which is a final tier or a run of provisional ones, with the grades of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchoredLevel {
    /// How many tiers it is made of: 1, or as many provisional ones as follow each other.
    pub tiers: usize,
    /// Its members that have a grade.
    pub graded: u32,
    /// The mean of these grades.
    pub mean: Option<f64>,
    /// The fit before it is rounded; `None` where no member has a grade.
    pub fitted: Option<f64>,
    /// The label of its members: the rounded fit, or the one grade that its neighbours leave; `None` is missing.
    pub label: Option<Label>,
}

/// How far the grades of the anchors contradict the order of the tiers. Counts of several topics add up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contradiction {
    /// Items with a grade.
    pub graded: u64,
    /// Pairs of graded items on different levels.
    pub pairs: u64,
    /// How many of these have the higher grade on the lower level.
    pub wrong: u64,
    /// The squared distance of each level's mean grade from its fit, times the level's graded items, summed.
    pub squares: f64,
}

impl Contradiction {
    /// The share of the pairs in the wrong order, from 0 to 1; `None` without a pair.
    pub fn share(self) -> Option<f64> {
        (self.pairs > 0).then(|| self.wrong as f64 / self.pairs as f64)
    }

    /// How far the levels' mean grades lie from the fit, in grades: the root of the mean squared distance, weighted by
    /// graded items. 0 when the means never rise down the tiers; `None` without a grade.
    pub fn distance(self) -> Option<f64> {
        (self.graded > 0).then(|| (self.squares / self.graded as f64).sqrt())
    }
}

impl AddAssign for Contradiction {
    fn add_assign(&mut self, other: Self) {
        self.graded += other.graded;
        self.pairs += other.pairs;
        self.wrong += other.wrong;
        self.squares += other.squares;
    }
}

/// A grade that cannot be one of an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// It is not on the scale.
    #[error("item {item} has grade {grade}, which is not on the scale {} to {}: anchors need the rubric's grades", .scale.low(), .scale.high())]
    OffScale {
        /// The item.
        item: Item,
        /// Its grade.
        grade: Grade,
        /// The scale.
        scale: Scale,
    },
    /// The item is in no tier, or is none of the items.
    #[error("item {item} has a grade and is in no tier: grade members of the tiers only")]
    Unplaced {
        /// The item.
        item: Item,
    },
}

/// The members to grade: up to `per_tier` of every level (a final tier, or a run of provisional ones), best level
/// first. None where no tier is final, since no label would come of it.
///
/// Members are drawn by the smallest hash of seed and what `id` calls the item. So the draw is fair and does not depend on
/// the order of a tier's members, nor on their positions, which change when documents are added: who was drawn stays drawn
/// while its tier does not gain members. Give every topic a seed of its own (`Seed(seed.stream("anchors q1"))`).
///
/// ```
/// use llull_core::{Item, Seed};
/// use llull_label::{TierView, anchors};
///
/// let items = [vec![3, 0, 4], vec![1]].map(|tier| tier.into_iter().map(Item).collect::<Vec<_>>());
/// let tiers = items.each_ref().map(|items| TierView { items, is_final: true });
/// let drawn = anchors(&tiers, 2, Seed(7), |item| ["a", "b", "c", "d", "e"][item.index()]);
/// assert_eq!((drawn.len(), drawn.last()), (3, Some(&Item(1))));
/// ```
pub fn anchors<'a>(
    tiers: &[TierView<'_>],
    per_tier: usize,
    seed: Seed,
    id: impl Fn(Item) -> &'a str,
) -> Vec<Item> {
    let mut drawn = Vec::new();
    for block in blocks(tiers).unwrap_or_default() {
        let mut ticketed: Vec<(u64, Item)> =
            members(block).map(|item| (seed.stream(&format!("anchor {}", id(item))), item)).collect();
        ticketed.sort_unstable();
        drawn.extend(ticketed.iter().take(per_tier).map(|(_, item)| *item));
    }
    drawn
}

/// Labels on the rubric's scale for each of `items` items, from tiers and the grades of some members.
///
/// Every level of the order (a final tier, or a run of provisional ones, of which only the place of the whole is
/// known) has the mean of its members' grades; to these means the nearest grades that never increase down the levels
/// are fitted ([`never_increasing`], weighted by graded members) and rounded, halves downwards, as [`median`](crate::median)
/// is cautious. All members of a level have its label, the graded ones too: a judge's grades scatter, and that a tier's
/// members are alike is what the comparisons found. `low` and `high` of the label are the lowest and highest grade of
/// the level's own anchors, so they need not enclose the grade where the anchors contradict the tiers; `judges` is 1.
///
/// A level without a grade has a label only where the order leaves it no choice: the nearest levels with grades above
/// and below have equal labels, or the one below has the scale's highest or the one above its lowest grade. Otherwise
/// it is missing. Where no tier is final, no item has a label.
///
/// ```
/// use std::collections::BTreeMap;
/// use llull_core::{Ballot, Item, Scale};
/// use llull_label::{TierView, anchored};
///
/// let items = Ballot::of([vec![0], vec![1, 2], vec![3], vec![4]]).groups;
/// let tiers: Vec<_> = items.iter().map(|items| TierView { items, is_final: true }).collect();
/// let grades = BTreeMap::from([(0, 3), (1, 1), (2, 0), (4, 0)].map(|(item, grade)| (Item(item), grade)));
/// let found = anchored(5, &tiers, &grades, Scale::default()).unwrap();
/// let labels: Vec<_> = found.labels.iter().map(|label| label.map(|label| label.grade)).collect();
/// assert_eq!(labels, [Some(3), Some(0), Some(0), Some(0), Some(0)]);
/// assert_eq!(found.levels[1].fitted, Some(0.5));
/// assert_eq!(found.contradiction.share(), Some(0.0));
/// ```
///
/// # Errors
/// When a grade is not on the scale, or belongs to an item of no tier.
pub fn anchored(
    items: usize,
    tiers: &[TierView<'_>],
    grades: &BTreeMap<Item, Grade>,
    scale: Scale,
) -> Result<Anchored, AnchorError> {
    check(items, tiers, grades, scale)?;
    let Some(blocks) = blocks(tiers) else {
        return Ok(Anchored { labels: vec![None; items], ..Anchored::default() });
    };
    let given: Vec<Vec<Grade>> = blocks
        .iter()
        .map(|block| members(block).filter_map(|item| grades.get(&item).copied()).collect())
        .collect();
    let levels = fit(&blocks, &given, scale);
    Ok(Anchored {
        labels: spread_over(items, blocks.iter().zip(&levels).map(|(block, level)| (*block, level.label))),
        contradiction: contradiction(&given, &levels),
        levels,
    })
}

fn check(
    items: usize,
    tiers: &[TierView<'_>],
    grades: &BTreeMap<Item, Grade>,
    scale: Scale,
) -> Result<(), AnchorError> {
    let mut placed = vec![false; items];
    for item in members(tiers) {
        if let Some(place) = placed.get_mut(item.index()) {
            *place = true;
        }
    }
    for (&item, &grade) in grades {
        if !scale.contains(grade) {
            return Err(AnchorError::OffScale { item, grade, scale });
        }
        if placed.get(item.index()) != Some(&true) {
            return Err(AnchorError::Unplaced { item });
        }
    }
    Ok(())
}

/// The fit of every level, of the grades that each was given.
fn fit(blocks: &[Block<'_>], given: &[Vec<Grade>], scale: Scale) -> Vec<AnchoredLevel> {
    let means: Vec<WeightedValue> = given.iter().filter_map(|grades| mean(grades)).collect();
    let mut fitted = never_increasing(&means).into_iter();
    let mut levels: Vec<AnchoredLevel> = blocks
        .iter()
        .zip(given)
        .map(|(block, grades)| {
            let mean = mean(grades).map(|mean| mean.value);
            let fitted = mean.and_then(|_| fitted.next());
            AnchoredLevel {
                tiers: block.len(),
                graded: grades.len() as u32,
                mean,
                fitted,
                label: fitted.map(|fitted| Label {
                    grade: rounded(fitted),
                    low: grades.iter().copied().min().unwrap_or_default(),
                    high: grades.iter().copied().max().unwrap_or_default(),
                    judges: 1,
                }),
            }
        })
        .collect();
    fill(&mut levels, scale);
    levels
}

/// Labels the levels without a grade to which the order leaves one grade only.
fn fill(levels: &mut [AnchoredLevel], scale: Scale) {
    let mut most = scale.high();
    let mut bounds: Vec<Grade> = Vec::with_capacity(levels.len());
    for level in levels.iter() {
        most = level.label.map_or(most, |label| label.grade);
        bounds.push(most);
    }
    let mut least = scale.low();
    for (level, most) in levels.iter_mut().zip(bounds).rev() {
        match level.label {
            Some(label) => least = label.grade,
            None if least == most => level.label = Some(crate::tiers::settled(most)),
            None => {}
        }
    }
}

fn mean(grades: &[Grade]) -> Option<WeightedValue> {
    let sum: i64 = grades.iter().copied().map(i64::from).sum();
    let weight = grades.len() as f64;
    (!grades.is_empty()).then(|| WeightedValue { value: sum as f64 / weight, weight })
}

/// The nearest whole number, of two the lower. A fit that should be a half but for its last bits counts as one.
fn rounded(fitted: f64) -> Grade {
    (fitted - 0.5 - 1e-9).ceil() as Grade
}

fn contradiction(given: &[Vec<Grade>], levels: &[AnchoredLevel]) -> Contradiction {
    let (mut pairs, mut wrong) = (0, 0);
    let mut above: BTreeMap<Grade, u64> = BTreeMap::new();
    for grades in given {
        pairs += grades.len() as u64 * above.values().sum::<u64>();
        wrong += grades.iter().map(|grade| above.range(..grade).map(|(_, n)| n).sum::<u64>()).sum::<u64>();
        for grade in grades {
            *above.entry(*grade).or_default() += 1;
        }
    }
    let squares = levels
        .iter()
        .filter_map(|level| Some(f64::from(level.graded) * (level.mean? - level.fitted?).powi(2)));
    Contradiction { graded: above.values().sum(), pairs, wrong, squares: squares.sum() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        let tiers =
            [some(&[3, 3, 2]), some(&[1]), some(&[2, 3]), some(&[2, 1, 1, 0]), some(&[0, 1]), some(&[0])];
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
        let (three, two, one, zero): (&[_], &[_], &[_], &[_]) =
            (&[Some(3)], &[Some(2)], &[Some(1)], &[Some(0)]);
        assert_eq!(grades(&[two, gap, two, gap, one]), [Some(2), Some(2), Some(2), None, Some(1)]);
        assert_eq!(
            grades(&[gap, three, gap, gap, zero, gap]),
            [Some(3), Some(3), None, None, Some(0), Some(0)]
        );
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
}
