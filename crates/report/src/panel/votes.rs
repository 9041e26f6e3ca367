//! How the votes of a panel that compares count.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the votes of a panel that compares count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedVotesSection {
    /// `majority` or `judge-aware`.
    pub method: String,
    /// What it does, in words.
    pub meaning: String,
    /// Each judge.
    pub judges: Vec<CountedJudge>,
    /// The pairs of documents on which the votes cancel out, so that neither is ahead.
    pub split: usize,
    /// Why nothing is known of how well judges tell documents apart, where their votes do not say; null if they do, or
    /// if fewer than three judges cannot.
    pub unknown: Option<String>,
}

/// How much the votes of one judge count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedJudge {
    /// The judge.
    pub judge: String,
    /// How much a vote of it counts.
    pub weight: f64,
    /// How well it tells documents apart, by what the others say: the factor of the log-odds in a Bradley-Terry model
    /// with judges, whose geometric mean over judges is 1. Null if that is unknown.
    pub discrimination: Option<f64>,
}
