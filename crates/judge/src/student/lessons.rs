//! What a student was learnt from.

use serde::{Deserialize, Serialize};

/// What a student was learnt from, and how far it agrees with that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudentLessons {
    /// Whose labels it has learnt.
    pub labels: String,
    /// How many of them.
    pub pairs: usize,
    /// The number of their queries.
    pub queries: usize,
    /// How far it agrees with the labels of queries that it had not seen, in folds over queries.
    pub held_out: HeldOutAgreement,
    /// The same of the similarity baseline, which has learnt nothing.
    pub similarity: HeldOutAgreement,
}

/// How far grades agree with labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutAgreement {
    /// Spearman's rank correlation within queries, the mean; `None` if the labels tell nothing apart in any.
    pub rho: Option<f64>,
    /// The ends of its 95% interval over queries; `None` with too few of them.
    pub rho_interval: Option<(f64, f64)>,
    /// Cohen's kappa within queries.
    pub kappa: Option<f64>,
    /// Quadratically weighted kappa over all pairs.
    pub kappa_quadratic: Option<f64>,
}
