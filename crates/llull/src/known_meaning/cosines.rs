//! Cosines of texts with what they became, of the vectors that are kept.

use llull_encoder::{KeptVectors, TextRole, dot};

/// The texts of a pair are not told apart as query and document.
pub(crate) const ROLE: TextRole = TextRole::Document;

/// Returns the cosine of each pair of texts; `None` if one of them has no vector.
pub(crate) fn known_cosines(kept: &KeptVectors, pairs: &[(&str, &str)]) -> Vec<Option<f64>> {
    let cosine = |(one, other): &(&str, &str)| {
        let [one, other] = [kept.row(one, ROLE)?, kept.row(other, ROLE)?];
        Some(f64::from(dot(kept.vector(one), kept.vector(other))))
    };
    pairs.iter().map(cosine).collect()
}
