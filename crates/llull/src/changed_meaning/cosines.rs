//! Cosines of texts with what they became.

use llull_encoder::{Encoded, Encoder, TextRole, dot, encode_kept};
use serde::Serialize;

use crate::error::StudyError;
use crate::folder::Folder;
use crate::kept_vectors::kept_vectors;

/// How near texts are to what they were, by the cosine of their vectors, from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeaningKept {
    /// The mean.
    pub mean: f64,
    /// The lowest.
    pub lowest: f64,
}

impl MeaningKept {
    /// Returns the mean and the lowest of cosines; `None` without any.
    pub(super) fn of(cosines: &[f64]) -> Option<Self> {
        let lowest = cosines.iter().copied().min_by(f64::total_cmp)?;
        Some(Self { mean: cosines.iter().sum::<f64>() / cosines.len() as f64, lowest })
    }
}

/// Returns the cosine of each pair of texts. Their vectors are kept with the study. The texts of a pair are not told
/// apart as query and document.
pub(super) fn cosines(
    folder: &Folder,
    (encoder, encoded): (&dyn Encoder, &mut dyn FnMut(Encoded)),
    pairs: &[(&str, &str)],
) -> Result<Vec<f64>, StudyError> {
    let mut kept = kept_vectors(folder, encoder.name())?;
    let texts: Vec<&str> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    let rows = encode_kept(encoder, &mut kept, &texts, TextRole::Document, encoded)?;
    let cosine = |pair: &[u32]| match pair {
        [one, other] => f64::from(dot(kept.vector(*one), kept.vector(*other))),
        _ => 0.0,
    };
    Ok(rows.chunks(2).map(cosine).collect())
}
