//! The outcome of a check.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outcome of a check on a judge, ascending by seriousness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// Within the range of good judges, or too few answers for a decision.
    Passed,
    /// Agreement below that of published judges, though the judge is not shown to be wrong.
    Weak,
    /// A reason to look closer before acting on the figures.
    Warning,
    /// The judge is unreliable: its answers carry no decision.
    Failed,
}

impl CheckOutcome {
    /// Returns the word that outputs use, such as `warning`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Weak => "weak",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}
