//! Counts the pairs of a sample that annotators set aside.

use std::collections::BTreeMap;

use llull_config::Folder;
use llull_study::people::{HumanLabels, PooledCases};
use llull_study::{Inputs, StudyEvidence};
use serde::Serialize;

use crate::error::ReviewError;
use crate::item::item_id;
use crate::marks::{Marks, MarksFile, ReviewMark};

/// The number of pairs that an annotator set aside and has not labelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SetAside {
    /// Skipped.
    pub skipped: usize,
    /// Left for later.
    pub later: usize,
    /// Read, but undecidable.
    pub cannot_tell: usize,
}

/// Returns the pairs of a sample that each annotator set aside.
///
/// # Errors
/// Returns an error if the file of marks cannot be read.
pub(super) fn set_aside(
    folder: &Folder,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: &HumanLabels,
) -> Result<BTreeMap<String, SetAside>, ReviewError> {
    let mut marks = Marks::default();
    marks.refresh(&MarksFile::Study(folder.clone()))?;
    let names = marks.annotators();
    let mut found: BTreeMap<String, SetAside> = BTreeMap::new();
    if names.is_empty() {
        return Ok(found);
    }
    let cases = PooledCases::of(&evidence.pooled);
    for pair in &human_labels.pairs {
        let Some(case) = cases.get(&pair.query, &pair.document) else { continue };
        let item = item_id(case, inputs.rubric.hash);
        for name in &names {
            if pair.answers.iter().any(|answer| answer.annotator == *name) {
                continue;
            }
            let Some(mark) = marks.of(name, &item) else { continue };
            let aside = found.entry((*name).to_owned()).or_default();
            match mark {
                ReviewMark::Skip => aside.skipped += 1,
                ReviewMark::Later => aside.later += 1,
                ReviewMark::CannotTell => aside.cannot_tell += 1,
                ReviewMark::Open => {}
            }
        }
    }
    Ok(found)
}
