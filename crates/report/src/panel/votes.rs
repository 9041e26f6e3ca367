//! The votes of a panel that compares, with their weights.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the votes of a panel that compares count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedVotesSection {
    /// `majority` or `judge-aware`.
    pub method: String,
    /// An explanation of the method.
    pub meaning: String,
    /// Each judge.
    pub judges: Vec<CountedJudge>,
    /// The pairs of documents on which the votes cancel out, so that neither is ahead.
    pub split: usize,
    /// Why the judges' discrimination is unknown. Null if it is known, or if there are fewer than three judges, who
    /// cannot show it.
    pub unknown: Option<String>,
}

/// How much the votes of one judge count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedJudge {
    /// The judge.
    pub judge: String,
    /// How much a vote of it counts.
    pub weight: f64,
    /// How well it separates documents, by the votes of the others: the factor of the log-odds in a Bradley-Terry
    /// model with judges. The geometric mean over judges is 1. Null if it is unknown.
    pub discrimination: Option<f64>,
}
