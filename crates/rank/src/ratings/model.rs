//! The rating models and their names.

use strum::{Display, EnumString, IntoStaticStr};

/// A rating model. It is displayed as, and parsed from, its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownModel, parse_err_fn = UnknownModel::of)]
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
        self.into()
    }
}

/// The error for a name that is not the name of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no rating model is called {0:?}; there are bradley-terry, judge-aware, plackett-luce, thurstone, \
     elo and copeland"
)]
pub struct UnknownModel(String);

impl UnknownModel {
    fn of(name: &str) -> Self {
        Self(name.to_owned())
    }
}
