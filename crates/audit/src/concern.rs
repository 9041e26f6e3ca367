//! The verdict of a check.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict of a check on a judge, ascending by seriousness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// Passed: within the range of decent judges, or too few answers for a verdict.
    Fine,
    /// Something that a reader should look at before acting on the figures.
    Look,
    /// The answers do not carry a decision.
    DoNotTrust,
}

impl Concern {
    /// Returns the word that outputs use, such as `look`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Look => "look",
            Self::DoNotTrust => "do not trust",
        }
    }
}
