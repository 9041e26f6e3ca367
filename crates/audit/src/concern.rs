//! How much an alarm matters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an alarm says of a judge, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// Nothing beyond what decent judges do, or too little to say.
    Fine,
    /// Something that a reader should look at before acting on the figures.
    Look,
    /// The answers do not carry a decision.
    DoNotTrust,
}

impl Concern {
    /// Returns the word that outputs use: `fine`, `look` or `do not trust`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Look => "look",
            Self::DoNotTrust => "do not trust",
        }
    }
}
