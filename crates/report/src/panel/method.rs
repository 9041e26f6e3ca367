//! How a panel's grades became labels, and how that was chosen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The method by which a panel's grades became labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelMethodSection {
    /// What the study says: a method, or `choose`.
    pub configured: String,
    /// The method of the labels. The median where that of the study waits for people's labels.
    pub method: String,
    /// What it does, in words.
    pub meaning: String,
    /// What has to be known of it: that it waits, that it was chosen, what it takes for granted.
    pub notes: Vec<String>,
    /// How many pairs people have labelled, where it learns from them; else 0.
    pub people: usize,
    /// What was tried, if people's labels made the choice; else empty.
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
