//! The rating models and their names.

use std::{fmt, str::FromStr};

/// A rating model. It is displayed as, and parsed from, its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// [`bradley_terry`]: `bradley-terry`.
    BradleyTerry,
    /// [`judge_aware`]: `judge-aware`.
    JudgeAware,
    /// [`plackett_luce`]: `plackett-luce`.
    PlackettLuce,
    /// [`thurstone`]: `thurstone`.
    Thurstone,
    /// [`elo`]: `elo`.
    Elo,
    /// [`copeland`]: `copeland`.
    Copeland,
}

impl Model {
    /// Every model, in the order of the documentation.
    pub const ALL: [Self; 6] = [
        Self::BradleyTerry,
        Self::JudgeAware,
        Self::PlackettLuce,
        Self::Thurstone,
        Self::Elo,
        Self::Copeland,
    ];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::BradleyTerry => "bradley-terry",
            Self::JudgeAware => "judge-aware",
            Self::PlackettLuce => "plackett-luce",
            Self::Thurstone => "thurstone",
            Self::Elo => "elo",
            Self::Copeland => "copeland",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not the name of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no rating model is called {0:?}; there are bradley-terry, judge-aware, plackett-luce, thurstone, \
     elo and copeland"
)]
pub struct UnknownModel(String);

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| UnknownModel(name.to_owned()))
    }
}
