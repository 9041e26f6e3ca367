//! The methods that combine a panel's grades, by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How the grades of several judges become one. Its printed name is the name that users write.
///
/// ```
/// use llull_label::panel::PanelMethod;
///
/// let method: PanelMethod = "best:3".parse()?;
/// assert_eq!((method, method.to_string().as_str()), (PanelMethod::Best(3), "best:3"));
/// assert!(method.needs_truth() && !PanelMethod::Median.needs_truth());
/// # Ok::<(), llull_label::panel::UnknownPanelMethod>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PanelMethod {
    /// The grade that most judges gave, the lowest of equals.
    Majority,
    /// The lower of the two grades in the middle; documents are in its order.
    Median,
    /// The mean, for the order; the grade nearest to it, the lower of two.
    Mean,
    /// The mean, for measures and for the order; the median where a grade is shown.
    Fractional,
    /// Each judge's slope and thresholds on a hidden scale, and the pairs' places on it, learnt together without human
    /// labels.
    Ordinal,
    /// Each judge's confusion matrix and the pairs' grades, learnt together without human labels.
    DawidSkene,
    /// Each judge's severity and spread on a hidden scale, on which annotators are one more rater. It is learnt from
    /// all grades of judges and the human labels.
    Severity,
    /// The mean of the judges' grades as human grades: each judge's by Beta curves, learnt from human labels.
    Beta,
    /// Weights of the judges, learnt within queries from human labels and shrunk towards equal ones.
    Weights,
    /// The majority of the judges that agree best with human labels; 1 picks one judge.
    Best(usize),
    /// One judge alone, by its number from 0.
    Judge(usize),
}

/// The error for a name that is no method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no method {0:?}: write majority, median, mean, fractional, ordinal or dawid-skene, and with human \
     labels also severity, beta, weights, best:N for the majority of the N judges that agree best with them, or \
     choose for what serves best"
)]
pub struct UnknownPanelMethod(pub String);

impl PanelMethod {
    /// Returns whether the method learns from human labels.
    pub fn needs_truth(self) -> bool {
        matches!(self, Self::Severity | Self::Beta | Self::Weights | Self::Best(_))
    }
}

impl fmt::Display for PanelMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Majority => f.pad("majority"),
            Self::Median => f.pad("median"),
            Self::Mean => f.pad("mean"),
            Self::Fractional => f.pad("fractional"),
            Self::Ordinal => f.pad("ordinal"),
            Self::DawidSkene => f.pad("dawid-skene"),
            Self::Severity => f.pad("severity"),
            Self::Beta => f.pad("beta"),
            Self::Weights => f.pad("weights"),
            Self::Best(few) => f.pad(&format!("best:{few}")),
            Self::Judge(judge) => f.pad(&format!("judge:{judge}")),
        }
    }
}

impl FromStr for PanelMethod {
    type Err = UnknownPanelMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse::<usize>().ok();
        Ok(match name {
            "majority" => Self::Majority,
            "median" => Self::Median,
            "mean" => Self::Mean,
            "fractional" => Self::Fractional,
            "ordinal" => Self::Ordinal,
            "dawid-skene" => Self::DawidSkene,
            "severity" => Self::Severity,
            "beta" => Self::Beta,
            "weights" => Self::Weights,
            _ => match name.split_once(':') {
                Some(("best", few)) => number(few).filter(|few| *few > 0).map(Self::Best),
                Some(("judge", judge)) => number(judge).map(Self::Judge),
                _ => None,
            }
            .ok_or_else(|| UnknownPanelMethod(name.to_owned()))?,
        })
    }
}

impl From<PanelMethod> for String {
    fn from(method: PanelMethod) -> Self {
        method.to_string()
    }
}

impl TryFrom<String> for PanelMethod {
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
        use PanelMethod::{
            Best, Beta, DawidSkene, Fractional, Judge, Majority, Mean, Median, Ordinal, Severity, Weights,
        };
        for method in [
            Majority,
            Median,
            Mean,
            Fractional,
            Ordinal,
            Severity,
            Beta,
            DawidSkene,
            Weights,
            Best(3),
            Judge(0),
        ] {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        for wrong in ["best:0", "best", "mode", "judge:x", ""] {
            assert_eq!(wrong.parse::<PanelMethod>(), Err(UnknownPanelMethod(wrong.to_owned())));
        }
    }
}
