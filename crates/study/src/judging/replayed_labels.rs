//! The labels of a replay judge, on the rubric's scale.

use std::sync::Arc;

use llull_config::{Folder, JudgeSettings, LabelReading, Source, hash_file};
use llull_core::{Hash, Qrels, Scale, Topics};
use llull_files::{WithNotes, inferred_scale, read_labels_with, suggested};
use llull_label::GradeMap;

use crate::error::StudyError;
use crate::judging::error::JudgeError;

/// The labels of a replay judge, and their identity.
pub(super) struct ReplayedLabels {
    pub(super) qrels: Arc<Qrels>,
    /// The hash of the file, and of the map of its grades.
    pub(super) hash: Hash,
    /// The known difference of the labels' scale from the rubric's.
    pub(super) difference: Option<String>,
    /// Notes about the reading of grades.
    pub(super) notes: Vec<String>,
}

pub(super) struct LabelForm<'a> {
    /// The declared scale.
    pub(super) scale: Option<&'a GradeMap>,
    /// The reading of grades.
    pub(super) reading: LabelReading,
    /// The queries, which labels may name by their texts.
    pub(super) topics: &'a Topics,
}

/// Reads the labels, which may name queries by their texts, and maps their grades if the scale declares that. If
/// judges `grade`, a declared scale must be the rubric's or be mapped to it.
///
/// # Errors
/// Returns an error if the file cannot be read, or the declared scale is not on the rubric's.
pub(super) fn replayed(
    folder: &Folder,
    judge: &JudgeSettings,
    labels: &Source<Qrels>,
    LabelForm { scale, reading, topics }: LabelForm<'_>,
    rubric: Scale,
    grade: bool,
) -> Result<ReplayedLabels, StudyError> {
    let (qrels, hash, notes) = match labels {
        Source::File(path) => {
            let file = folder.existing(path, "labels")?;
            let WithNotes { mut value, notes } = read_labels_with(&file, reading.0.clone())?;
            value.name_queries(topics);
            let hash = hash_file(&file)?;
            // Another reading gives other answers, and so another hash.
            let hash = match reading.is_usual() {
                true => hash,
                false => Hash::of(format!("{hash} {reading}").as_bytes()),
            };
            // Without options, the reading has no new note.
            (Arc::new(value), hash, if reading.is_usual() { Vec::new() } else { notes })
        }
        Source::Memory(labels) => {
            let mut bytes = Vec::new();
            llull_data::write_qrels(labels, &mut bytes)?;
            (Arc::clone(labels), Hash::of(&bytes), Vec::new())
        }
    };
    let ends = (rubric.low(), rubric.high());
    let Some(scale) = scale else {
        let own = inferred_scale(&qrels);
        let differs = grade && qrels.pairs() > 0 && (own.1 != ends.1 || own.0 < ends.0.min(0));
        let difference = differs.then(|| {
            format!(
                "its labels go from {} to {}, and the rubric's scale from {} to {}: write scale = \"{}\" in its table \
                 to map them to that scale, or scale = \"{}..{}\" if that is their scale",
                own.0,
                own.1,
                ends.0,
                ends.1,
                suggested(own, ends),
                ends.0,
                ends.1
            )
        });
        return Ok(ReplayedLabels { qrels, hash, difference, notes });
    };
    if grade && !(rubric.contains(scale.ends().0) && scale.ends().1 == rubric.high()) {
        return Err(StudyError::Judges(JudgeError::JudgeScale {
            judge: judge.name.clone(),
            difference: format!(
                "scale = \"{scale}\" is not the rubric's, {rubric}: map each grade to it, such as \"{}\"",
                suggested(scale.ends(), ends)
            ),
        }));
    }
    if scale.is_identity() {
        return Ok(ReplayedLabels { qrels, hash, difference: None, notes });
    }
    // Answers under another map are other answers.
    let hash = Hash::of(format!("{hash} {scale}").as_bytes());
    Ok(ReplayedLabels { qrels: Arc::new(scale.applied(&qrels).0), hash, difference: None, notes })
}
