//! The methods that order compared items.

use std::str::FromStr;

use llull_rank::ratings::Model;

/// What is computed from comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankingMethod {
    /// A score for each item.
    Rating(Model),
    /// Tiers: the strongly connected components of the tournament graph.
    Tiers,
}

impl RankingMethod {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rating(model) => model.name(),
            Self::Tiers => "tiers",
        }
    }
}

impl FromStr for RankingMethod {
    type Err = <Model as FromStr>::Err;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "tiers" { Ok(Self::Tiers) } else { name.parse().map(Self::Rating) }
    }
}
