//! Finds the study's pairs for the rows of a sheet.

use llull_core::Hash;
use llull_data::{SheetAnswer, SheetFile, SheetForm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compared_queue::every_side;
use crate::error::ReviewError;
use crate::graded_queue::{drawn_to_grade, graded_item, pooled_of_sample, to_grade};
use crate::queue::{QueueSource, Queued, ReviewQueue};
use crate::queued::compared_by_chance;

/// Finds the pairs of a sheet by their identifiers: hashes of query, texts and rubric. Those of an old sheet are found
/// by their numbers in the sample.
///
/// Judges' answers may have changed since the sheet was written, so the queue may have other pairs now; the sheet's
/// pairs still count. Pairs to settle are found among all that can be settled; the desk checks that they are still the
/// annotator's.
///
/// # Errors
/// Returns an error if the sheet is of a sample that does not exist, or the pool lacks a pair that can be settled.
pub(crate) fn sheet_pairs(
    source: &QueueSource<'_>,
    rubric: Hash,
    sheet: &SheetFile,
    queue: &ReviewQueue,
) -> Result<Queued, ReviewError> {
    let evidence = source.evidence;
    let mut found = match (queue, sheet.form) {
        (ReviewQueue::Sample, _) => pooled_of_sample(source, rubric)?,
        (ReviewQueue::Adjudicate(_), SheetForm::Compare) => {
            compared_by_chance(evidence, rubric, sheet.draw.seed)?.0
        }
        (ReviewQueue::Adjudicate(_), _) => drawn_to_grade(source, rubric, sheet.draw.seed)?,
        (_, SheetForm::Compare) => every_side(evidence, rubric)?,
        (_, SheetForm::Grade | SheetForm::Answers) => every_pair(source, rubric),
    };
    let (mut numbers, mut old) = (FxHashMap::default(), FxHashSet::default());
    for SheetAnswer { number, item, .. } in &sheet.answers {
        match item {
            Some(item) => drop(numbers.insert(item.as_str(), *number)),
            None => drop(old.insert(*number)),
        }
    }
    found.items.retain(|item| {
        numbers.contains_key(item.id.as_str()) || item.number.is_some_and(|number| old.contains(&number))
    });
    if sheet.draw.pairs.is_some() {
        for item in &mut found.items {
            item.number = numbers.get(item.id.as_str()).copied();
        }
    }
    Ok(found)
}

/// Every pair of the pool, to grade.
fn every_pair(source: &QueueSource<'_>, rubric: Hash) -> Queued {
    let pooled = &source.evidence.pooled;
    let items = (0..pooled.len()).filter_map(|place| graded_item(pooled, rubric, place, None));
    to_grade(source, items.collect())
}
