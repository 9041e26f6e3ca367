//! The training labels of a student, and its agreement with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The training labels of a student, and its agreement with held-out ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudentLessons {
    /// The source of the labels.
    pub labels: String,
    /// How many of them.
    pub pairs: usize,
    /// The number of their queries.
    pub queries: usize,
    /// By query, a hash of these labels; empty of a student that an earlier llull has taught.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trained_on: BTreeMap<String, String>,
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
