//! Measures that are sums over retrieved documents.

use llull_core::Grade;

use crate::parameters::Parameters;

/// The sum of a linear measure over retrieved documents: Σ weight(rank) · worth(grade).
pub(crate) struct Linear {
    /// The weight of a rank, from 1, in a list of this length.
    pub(crate) weight: fn(usize, usize, &Parameters) -> f64,
    /// The worth of a document with this label; one without a label is worth 0.
    pub(crate) worth: fn(Grade, &Parameters) -> f64,
}
