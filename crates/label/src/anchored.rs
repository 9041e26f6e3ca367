//! The anchored scheme: labels from tiers and grades of some members.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use llull_core::{Grade, Item, Label, Scale, Seed};

use crate::isotonic::{WeightedValue, never_increasing};
use crate::levels::{Level, levels, members, settled, spread_over};
use crate::tier_view::TierView;

/// The labels from tiers and the grades of some of their members, and how well the two fit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchored {
    /// The label of each item, by position; `None` is missing.
    pub labels: Vec<Option<Label>>,
    /// The fit of each level of the order, best first; empty if no tier is final.
    pub levels: Vec<AnchoredLevel>,
    /// How far the grades contradict the tiers.
    pub contradiction: Contradiction,
}

/// One level of the order (a final tier, or a run of provisional ones) with the grades of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchoredLevel {
    /// The number of its tiers: 1, or the length of the run of provisional ones.
    pub tiers: usize,
    /// The number of its members with a grade.
    pub graded: u32,
    /// The mean of these grades.
    pub mean: Option<f64>,
    /// The fit before rounding; `None` if no member has a grade.
    pub fitted: Option<f64>,
    /// The label of its members: the rounded fit, or the only grade that its neighbours allow; `None` is missing.
    pub label: Option<Label>,
}

/// A grade that an anchor cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// The grade is not on the scale.
    #[error(
        "item {item} has grade {grade}, which is not on the scale {scale}: anchors need the rubric's grades"
    )]
    OffScale {
        /// The item.
        item: Item,
        /// Its grade.
        grade: Grade,
        /// The scale.
        scale: Scale,
    },
    /// The item is in no tier, or there is no such item.
    #[error("item {item} has a grade but is in no tier: grade members of the tiers only")]
    Unplaced {
        /// The item.
        item: Item,
    },
}

/// Returns labels on the rubric's scale for each of `items` items, from tiers and the grades of some members.
///
/// Every level of the order (a final tier, or a run of provisional ones, of which only the place of the whole is
/// known) has the mean of its members' grades. The nearest grades that never increase down the levels are fitted to
/// these means ([`never_increasing`], weighted by graded members) and rounded, halves downwards, which is as cautious
/// as [`median`](crate::median).
///
/// All members of a level get its label, including the graded ones: a judge's grades scatter, and the comparisons
/// found the members of a tier alike. `low` and `high` of the label are the lowest and highest grade of the level's
/// own anchors, so they need not enclose the grade if the anchors contradict the tiers. `judges` is 1.
///
/// A level without a grade gets a label only if the order leaves it no choice: the nearest levels with grades above and
/// below have equal labels, or the one below has the scale's highest or the one above its lowest grade. Otherwise its
/// label is missing. If no tier is final, no item has a label.
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
/// Returns an error if a grade is not on the scale, or belongs to an item of no tier.
pub fn anchored(
    items: usize,
    tiers: &[TierView<'_>],
    grades: &BTreeMap<Item, Grade>,
    scale: Scale,
) -> Result<Anchored, AnchorError> {
    check(items, tiers, grades, scale)?;
    let Some(levels) = levels(tiers) else {
        return Ok(Anchored { labels: vec![None; items], ..Anchored::default() });
    };
    let given: Vec<Vec<Grade>> = levels
        .iter()
        .map(|level| members(level).filter_map(|item| grades.get(&item).copied()).collect())
        .collect();
    let fitted = fit(&levels, &given, scale);
    Ok(Anchored {
        labels: spread_over(items, levels.into_iter().zip(fitted.iter().map(|level| level.label))),
        contradiction: contradiction(&given, &fitted),
        levels: fitted,
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

/// Fits every level to the grades that its members were given.
fn fit(levels: &[Level<'_>], given: &[Vec<Grade>], scale: Scale) -> Vec<AnchoredLevel> {
    let means: Vec<WeightedValue> = given.iter().filter_map(|grades| mean(grades)).collect();
    let mut fitted = never_increasing(&means).into_iter();
    let mut levels: Vec<AnchoredLevel> = levels
        .iter()
        .zip(given)
        .map(|(level, grades)| {
            let mean = mean(grades).map(|mean| mean.value);
            let fitted = mean.and_then(|_| fitted.next());
            AnchoredLevel {
                tiers: level.len(),
                graded: grades.len() as u32,
                mean,
                fitted,
                label: fitted.map(|fitted| Label {
                    grade: rounded(fitted),
                    low: grades.iter().copied().min().unwrap_or_default(),
                    high: grades.iter().copied().max().unwrap_or_default(),
                    judges: 1,
                    mean: None,
                }),
            }
        })
        .collect();
    fill(&mut levels, scale);
    levels
}

/// Labels the levels without a grade for which the order leaves a single grade.
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
            None if least == most => level.label = Some(settled(most)),
            None => {}
        }
    }
}

fn mean(grades: &[Grade]) -> Option<WeightedValue> {
    let sum: i64 = grades.iter().copied().map(i64::from).sum();
    let weight = grades.len() as f64;
    (!grades.is_empty()).then(|| WeightedValue { value: sum as f64 / weight, weight })
}

/// The nearest whole number, the lower one of two. A fit that is a half but for its last bits counts as a half.
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

/// How far the grades of the anchors contradict the order of the tiers. The counts of several queries can be added.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contradiction {
    /// The number of items with a grade.
    pub graded: u64,
    /// The number of pairs of graded items on different levels.
    pub pairs: u64,
    /// The number of these pairs with the higher grade on the lower level.
    pub wrong: u64,
    /// The squared distance of each level's mean grade from its fit, times the level's graded items, summed.
    pub squares: f64,
}

impl Contradiction {
    /// Returns the share of the pairs in the wrong order, from 0 to 1; `None` without a pair.
    pub fn share(self) -> Option<f64> {
        (self.pairs > 0).then(|| self.wrong as f64 / self.pairs as f64)
    }

    /// Returns how far the levels' mean grades lie from the fit, in grades: the root of the mean squared distance,
    /// weighted by graded items. 0 if the means never rise down the tiers; `None` without a grade.
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

/// Draws the members to grade: up to `per_tier` of every level (a final tier, or a run of provisional ones), best level
/// first. Returns none if no tier is final, since they would give no label.
///
/// Members are drawn by the smallest hash of the seed and the name that `id` gives the item. So the draw is fair and
/// does not depend on the order of a tier's members, nor on their positions, which change if documents are added: a
/// drawn member stays drawn while its tier does not gain members. Use a different seed for every query
/// (`Seed(seed.stream("anchors q1"))`).
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
    for level in levels(tiers).unwrap_or_default() {
        let mut ticketed: Vec<(u64, Item)> =
            members(level).map(|item| (seed.stream(&format!("anchor {}", id(item))), item)).collect();
        ticketed.sort_unstable();
        drawn.extend(ticketed.iter().take(per_tier).map(|(_, item)| *item));
    }
    drawn
}
