//! Cosines of texts with what they became.

use llull_encoder::{Encoded, Encoder, encode_kept};

use crate::error::StudyError;
use crate::folder::Folder;
use crate::known_meaning::{ROLE, known_cosines};
use crate::saved::saved_vectors;

/// Returns the cosine of each pair of texts; `None` if one of them has no vector. Vectors are kept with the study.
pub(super) fn cosines(
    folder: &Folder,
    (encoder, encoded): (&dyn Encoder, &mut dyn FnMut(Encoded)),
    pairs: &[(&str, &str)],
) -> Result<Vec<Option<f64>>, StudyError> {
    let mut kept = saved_vectors(folder, encoder.name())?;
    let texts: Vec<&str> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    encode_kept(encoder, &mut kept, &texts, ROLE, encoded)?;
    Ok(known_cosines(&kept, pairs))
}
