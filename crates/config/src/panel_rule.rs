//! The rule that combines a panel's grades or votes, as written.

use std::fmt;
use std::str::FromStr;

use llull_label::panel::{PanelMethod, UnknownPanelMethod};
use serde::{Deserialize, Serialize};

/// How the grades of several judges become a label, or their votes an order: `method` in `llull.toml`,
/// `--method` of commands.
///
/// ```
/// use llull_config::PanelRule;
/// use llull_label::panel::PanelMethod;
///
/// assert_eq!("mean".parse(), Ok(PanelRule::By(PanelMethod::Mean)));
/// assert!("choose".parse::<PanelRule>()?.needs_human_labels());
/// # Ok::<(), llull_label::panel::UnknownPanelMethod>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PanelRule {
    /// By this method.
    By(PanelMethod),
    /// By the method that fits the panel best, according to the human labels of the study's sample.
    Choose,
    /// For judges that compare: votes are weighted by how well each judge separates documents.
    JudgeAware,
}

impl PanelRule {
    /// Returns whether it learns from the human labels of the study's sample.
    pub fn needs_human_labels(self) -> bool {
        match self {
            Self::By(method) => method.needs_truth(),
            Self::Choose => true,
            Self::JudgeAware => false,
        }
    }
}

impl fmt::Display for PanelRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::By(method) => method.fmt(f),
            Self::Choose => f.pad("choose"),
            Self::JudgeAware => f.pad("judge-aware"),
        }
    }
}

impl FromStr for PanelRule {
    type Err = UnknownPanelMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match (name, name.parse()) {
            ("choose", _) => Ok(Self::Choose),
            ("judge-aware", _) => Ok(Self::JudgeAware),
            // One judge is named by its name, with --judge.
            (_, Ok(PanelMethod::Judge(_))) => Err(UnknownPanelMethod(name.to_owned())),
            (_, method) => method.map(Self::By),
        }
    }
}

impl From<PanelRule> for String {
    fn from(rule: PanelRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for PanelRule {
    type Error = UnknownPanelMethod;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for name in ["choose", "judge-aware", "median", "best:3", "dawid-skene", "weights"] {
            assert_eq!(name.parse::<PanelRule>().map(|rule| rule.to_string()), Ok(name.to_owned()));
        }
        for wrong in ["judge:0", "best:0", "mode", ""] {
            assert_eq!(wrong.parse::<PanelRule>(), Err(UnknownPanelMethod(wrong.to_owned())));
        }
    }
}
