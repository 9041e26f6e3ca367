//! Finds the study's pairs for the rows of a sheet.

use std::sync::Arc;

use llull_core::Hash;
use llull_data::{QueueSheetFile, QueueSheetForm};
use llull_study::StudyEvidence;
use rustc_hash::FxHashMap;

use crate::compared_queue::every_side;
use crate::error::ReviewError;
use crate::graded_queue::{drawn_to_grade, graded_item, of_sample};
use crate::queue::{QueueSource, Queued, ReviewQueue};
use crate::queued::compared_by_chance;
use crate::sheet_origin::SheetOrigin;
use crate::verdict::ReviewForm;

/// Finds the pairs of a sheet by their identifiers: hashes of query, texts and rubric.
///
/// Judges' answers may have changed since the sheet was written, so the queue may have other pairs now; the sheet's
/// pairs still count. Pairs to settle are found among all that can be settled; the desk checks that they are still the
/// annotator's.
///
/// # Errors
/// Returns an error if the sheet is of a sample that does not exist, or the pool lacks a drawn pair.
pub(crate) fn sheet_pairs(
    source: &QueueSource<'_>,
    rubric: Hash,
    (origin, sheet): (&SheetOrigin, &QueueSheetFile),
    queue: &ReviewQueue,
) -> Result<Queued, ReviewError> {
    let evidence = source.evidence;
    let mut found = match (queue, sheet.form) {
        (ReviewQueue::Sample, _) => of_sample(source, rubric)?,
        (ReviewQueue::Adjudicate(_), QueueSheetForm::Compare) => {
            compared_by_chance(evidence, rubric, origin.seed)?.0
        }
        (ReviewQueue::Adjudicate(_), _) => drawn_to_grade(source, rubric, origin.seed)?,
        (_, QueueSheetForm::Compare) => every_side(evidence, rubric)?,
        (_, QueueSheetForm::Grade | QueueSheetForm::Answers) => every_pair(evidence, rubric),
    };
    let numbers: FxHashMap<&str, usize> =
        sheet.answers.iter().map(|row| (row.item.as_str(), row.number)).collect();
    found.items.retain(|item| numbers.contains_key(item.id.as_str()));
    if origin.pairs.is_some() {
        for item in &mut found.items {
            item.number = numbers.get(item.id.as_str()).copied();
        }
    }
    Ok(found)
}

/// Every pair of the pool, to grade.
fn every_pair(evidence: &StudyEvidence, rubric: Hash) -> Queued {
    let asked = Arc::clone(&evidence.pooled);
    let items = (0..asked.len()).filter_map(|place| graded_item(&asked, rubric, place, None)).collect();
    Queued { asked, items, form: ReviewForm::Grade }
}
