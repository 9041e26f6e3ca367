//! Which of a study's pairs the rows of a sheet are.

use std::sync::Arc;

use llull_core::Hash;
use llull_data::{QueueSheetFile, QueueSheetForm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compared_queue::every_side;
use super::item::{QueuedItem, item_id};
use super::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};
use super::queued::queued;
use super::sheet_origin::SheetOrigin;
use super::verdict::ReviewForm;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::review_error::ReviewError;

/// The pairs of a sheet.
pub(super) struct SheetPairs {
    /// Those that can be answered.
    pub(super) queued: Queued,
    /// Those that the study has, and that are not this person's to settle any more.
    pub(super) not_theirs: FxHashSet<String>,
}

/// Finds the pairs of a sheet by what tells each from every other: its query, its texts and the rubric. What judges say
/// may have changed since it was written, so that another queue would have other pairs now: what the sheet has stays.
/// Only what a person settles has to be that person's still.
///
/// # Errors
/// Returns an error if the study has no sample and the sheet is of one, or a drawn pair is not in the pool any more.
pub(super) fn sheet_pairs(
    source: &QueueSource<'_>,
    rubric: Hash,
    (origin, sheet): (&SheetOrigin, &QueueSheetFile),
    options: &ReviewOptions,
) -> Result<SheetPairs, StudyError> {
    let numbers: FxHashMap<&str, usize> =
        sheet.answers.iter().map(|row| (row.item.as_str(), row.number)).collect();
    let all = || match sheet.form {
        QueueSheetForm::Compare => every_side(source.evidence, rubric),
        QueueSheetForm::Grade | QueueSheetForm::Answers => Ok(every_pair(source.evidence, rubric)),
    };
    let drawn = || queued(source, rubric, origin.seed, options).map(|(queued, _)| queued);
    let (mut found, mut not_theirs) = match &options.queue {
        ReviewQueue::Sample => (drawn()?, FxHashSet::default()),
        ReviewQueue::Adjudicate(_) => {
            let all = all()?;
            let ids = all.items.iter().map(|item| item.id.clone()).collect();
            match drawn() {
                Err(StudyError::Review(ReviewError::Empty { .. })) => {
                    (Queued { items: Vec::new(), ..all }, ids)
                }
                drawn => (drawn?, ids),
            }
        }
        _ => (all()?, FxHashSet::default()),
    };
    found.items.retain(|item| numbers.contains_key(item.id.as_str()));
    if origin.pairs.is_some() {
        for item in &mut found.items {
            item.number = numbers.get(item.id.as_str()).copied();
        }
    }
    for item in &found.items {
        not_theirs.remove(&item.id);
    }
    Ok(SheetPairs { queued: found, not_theirs })
}

/// Every pair of the pool, to grade.
fn every_pair(evidence: &StudyEvidence, rubric: Hash) -> Queued {
    let asked = Arc::clone(&evidence.pooled);
    let item = |place| {
        let case = asked.case_at(place)?;
        Some(QueuedItem { id: item_id(&case, rubric), place, number: None })
    };
    let items = (0..asked.len()).filter_map(item).collect();
    Queued { asked, items, form: ReviewForm::Grade }
}
