//! Cosines of texts with what they became.

use llull_encoder::{Encoded, Encoder, KeptVectors, TextRole, dot, encode_kept};

use crate::error::StudyError;
use crate::folder::Folder;
use crate::kept_vectors::kept_vectors;

/// The texts of a pair are not told apart as query and document.
const ROLE: TextRole = TextRole::Document;

/// Returns the cosine of each pair of texts; `None` if one of them has no vector. Vectors are kept with the study.
pub(super) fn cosines(
    folder: &Folder,
    (encoder, encoded): (&dyn Encoder, &mut dyn FnMut(Encoded)),
    pairs: &[(&str, &str)],
) -> Result<Vec<Option<f64>>, StudyError> {
    let mut kept = kept_vectors(folder, encoder.name())?;
    let texts: Vec<&str> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    encode_kept(encoder, &mut kept, &texts, ROLE, encoded)?;
    Ok(known_cosines(&kept, pairs))
}

/// The same of the vectors that are kept.
pub(super) fn known_cosines(kept: &KeptVectors, pairs: &[(&str, &str)]) -> Vec<Option<f64>> {
    let cosine = |(one, other): &(&str, &str)| {
        let [one, other] = [kept.row(one, ROLE)?, kept.row(other, ROLE)?];
        Some(f64::from(dot(kept.vector(one), kept.vector(other))))
    };
    pairs.iter().map(cosine).collect()
}
