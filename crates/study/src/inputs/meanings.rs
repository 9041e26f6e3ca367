//! Computes cosines of queries and documents for students with encoders.

use llull_config::JudgeKind;
use llull_encoder::{Encoded, Encoder, KeptVectors, TextRole, dot, encode_kept};
use llull_judge::Meanings;
use llull_runner::Case;

use crate::error::StudyError;
use crate::saved::saved_student;
use crate::study_config::StudyConfig;

/// Students compare texts without a distinction of queries and documents.
const ROLE: TextRole = TextRole::Document;

/// Returns the encoders of the students among a study's judges, each once.
///
/// # Errors
/// Returns an error if a student is missing or not sound.
pub(crate) fn student_encoders(config: StudyConfig<'_>) -> Result<Vec<String>, StudyError> {
    let mut found: Vec<String> = Vec::new();
    for judge in config.settings.judges.iter().chain(&config.settings.graders) {
        let JudgeKind::Student { name } = &judge.kind else { continue };
        if let Some(encoder) = saved_student(config.folder, name)?.encoder
            && !found.contains(&encoder)
        {
            found.push(encoder);
        }
    }
    Ok(found)
}

/// Returns the texts of questions, with those of their documents that have one.
pub(crate) fn texts_of<'a>(cases: impl Iterator<Item = Case<'a>>) -> Vec<(String, String)> {
    let both = |case: Case<'_>| Some((case.topic.text.clone(), case.document()?.shown().into_owned()));
    cases.filter_map(both).collect()
}

/// Returns whether every text has a vector.
pub(crate) fn all_encoded(kept: &KeptVectors, texts: &[(String, String)]) -> bool {
    texts.iter().all(|(query, text)| kept.row(query, ROLE).is_some() && kept.row(text, ROLE).is_some())
}

/// Encodes the texts without a vector.
///
/// # Errors
/// Returns an error if the encoder fails, or a vector cannot be saved. Earlier vectors stay saved.
pub(crate) fn encode_texts(
    encoder: &dyn Encoder,
    kept: &mut KeptVectors,
    texts: &[(String, String)],
    encoded: &mut dyn FnMut(Encoded),
) -> Result<(), StudyError> {
    let all: Vec<&str> = texts.iter().flat_map(|(query, text)| [query.as_str(), text.as_str()]).collect();
    encode_kept(encoder, kept, &all, ROLE, encoded)?;
    Ok(())
}

/// Returns the cosines of texts that have vectors; the others are left out.
pub(crate) fn meanings(kept: &KeptVectors, texts: &[(String, String)]) -> Meanings {
    let mut meanings = Meanings::default();
    for (query, text) in texts {
        if let (Some(one), Some(other)) = (kept.row(query, ROLE), kept.row(text, ROLE)) {
            meanings.insert(query, text, f64::from(dot(kept.vector(one), kept.vector(other))));
        }
    }
    meanings
}
