//! The method that makes labels of a panel's grades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The method by which a panel's grades became labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelMethodSection {
    /// The study's setting: a method, or `choose`.
    pub configured: String,
    /// The method of the labels. It is the median while the study's method waits for human labels.
    pub method: String,
    /// An explanation of the method.
    pub meaning: String,
    /// Remarks: that it waits, that it was chosen, or an assumption.
    pub notes: Vec<String>,
    /// The number of pairs with human labels, if the method learns from them; otherwise 0.
    pub people: usize,
    /// The compared methods, if human labels made the choice; otherwise empty.
    pub tried: Vec<TriedMethod>,
}

/// A method, or a judge alone, on queries that it was not fitted to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TriedMethod {
    /// The method's name, or `judge NAME`.
    pub method: String,
    /// Kappa with people within queries; null if it is undefined.
    pub kappa: Option<f64>,
    /// The mean over queries of Spearman's correlation with people.
    pub rho: Option<f64>,
    /// The lower end of the interval of its kappa less that of the chosen method; null for that itself.
    pub kappa_low: Option<f64>,
    /// The upper end.
    pub kappa_high: Option<f64>,
}
