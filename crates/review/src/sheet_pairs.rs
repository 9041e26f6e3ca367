//! Which of a study's pairs the rows of a sheet are.

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

/// Finds the pairs of a sheet by what tells each from every other: its query, its texts and the rubric. What judges say
/// may have changed since it was written, so that another queue would have other pairs now: what the sheet has stays.
/// What a person settles is among all pairs that can be settled: whether it still is that person's, the desk says.
///
/// # Errors
/// Returns an error if the study has no sample and the sheet is of one, or a drawn pair is not in the pool any more.
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
