//! The levels of an order of tiers, and labels by level.

use llull_core::{Grade, Item, Label};

use crate::tier_view::TierView;

/// A level of the order: a final tier by itself, or a run of provisional tiers as one. The members of a run are below
/// the final tier before it and above the final tier after it; their own order is unknown.
pub(crate) type Level<'a> = &'a [TierView<'a>];

/// Returns the levels of these tiers, best first; `None` if no tier is final, so that no order is known.
pub(crate) fn levels<'a>(tiers: &'a [TierView<'a>]) -> Option<Vec<Level<'a>>> {
    let settled = tiers.iter().any(|tier| tier.is_final);
    settled.then(|| tiers.chunk_by(|a, b| !a.is_final && !b.is_final).collect())
}

/// Returns every item of a level.
pub(crate) fn members<'a>(level: Level<'a>) -> impl Iterator<Item = Item> + 'a {
    level.iter().flat_map(|tier| tier.items).copied()
}

/// Returns a label that depends on the order alone. It counts as one judge however many voted: their votes gave one
/// order, and the label must not suggest that several judges agreed on its grade.
pub(crate) fn settled(grade: Grade) -> Label {
    Label::of_grade(grade)
}

/// Returns the labels of `items` items from the label of each level.
pub(crate) fn spread_over<'a>(
    items: usize,
    labelled: impl IntoIterator<Item = (Level<'a>, Option<Label>)>,
) -> Vec<Option<Label>> {
    let mut labels = vec![None; items];
    for (level, label) in labelled {
        for item in members(level) {
            if let Some(place) = labels.get_mut(item.index()) {
                *place = label;
            }
        }
    }
    labels
}

/// Returns the labels of `items` items from the grade of each level. `grade` takes the number of the level (0 for the
/// last) and the number of levels. With a single level no item has a label.
pub(crate) fn labels_by_level(
    items: usize,
    tiers: &[TierView<'_>],
    grade: impl Fn(usize, usize) -> Grade,
) -> Vec<Option<Label>> {
    let levels = levels(tiers).unwrap_or_default();
    let count = levels.len();
    let label = |number| (count > 1).then(|| settled(grade(number, count)));
    spread_over(items, levels.into_iter().rev().enumerate().map(|(number, level)| (level, label(number))))
}
