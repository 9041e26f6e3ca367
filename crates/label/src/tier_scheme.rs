//! The schemes that turn tiers into labels, by name.

use std::{fmt, str::FromStr};

use llull_core::Grade;
use serde::{Deserialize, Serialize};

/// How tiers become labels. Each prints as, and parses from, its name in the configuration: `rating`, `ordinal`,
/// `geometric`, `binary(2)`, `anchored`.
///
/// ```
/// use llull_label::TierScheme;
///
/// let scheme: TierScheme = "binary(2)".parse().unwrap();
/// assert_eq!((scheme, scheme.to_string().as_str()), (TierScheme::Binary { top: 2 }, "binary(2)"));
/// assert!("binary(0)".parse::<TierScheme>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TierScheme {
    /// Ratings of the whole pool, from 0 to 10: [`tournament_rating`](crate::tournament_rating).
    #[default]
    Rating,
    /// Tiers counted from the bottom: [`ordinal`](crate::ordinal).
    Ordinal,
    /// Gains that halve from tier to tier: [`geometric`](crate::geometric).
    Geometric,
    /// The best tiers against the rest: [`binary`](crate::binary).
    Binary {
        /// The number of best tiers; at least 1.
        top: u32,
    },
    /// Grades of some members of each tier, fitted so that they never rise down the tiers:
    /// [`anchored`](crate::anchored()).
    Anchored,
}

/// A text that is not the name of a [`TierScheme`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a scheme for labels from tiers: use rating, ordinal, geometric, binary(N) with N at least 1, or \
     anchored"
)]
pub struct SchemeError(pub String);

impl TierScheme {
    /// Returns the meaning of its grades and their limits, in sentences for a report.
    pub fn meaning(self) -> String {
        const UNSETTLED: &str = "Documents whose order was not settled share one grade; a query without a settled \
                                 tier has no labels.";
        const PREFERENCES: &str = "Documents whose order was not settled share one grade; a query without a settled \
                                   tier, or with a single tier, has no labels.";
        match self {
            Self::Rating => "A grade from 0 to 10 is the place of a document's rating between the lowest and the \
                             highest of its query: the Bradley-Terry rating of all votes, averaged inside a tier. It \
                             covers the whole pool, also below the best documents that were put in order. It does not \
                             say that a document is relevant. Compat measures by the tiers instead. A query without a \
                             settled tier, or whose ratings are all equal, has no labels."
                .to_owned(),
            Self::Ordinal => format!(
                "A grade is the number of tiers below: a higher grade was found better than a lower one of the same \
                 query. It does not say that a document is relevant; the worst tier is 0 even where all are good. \
                 {PREFERENCES}"
            ),
            Self::Geometric => format!(
                "A grade is a gain that halves from tier to tier, down to 1 and then 0 for the worst tier of the \
                 query. It says which documents were found better, not that one is relevant. {PREFERENCES}"
            ),
            Self::Binary { top } => {
                let best = if top == 1 { "best tier".to_owned() } else { format!("best {top} tiers") };
                format!(
                    "A grade of 1 is a document in the {best} of its query, 0 any other. It does not say that a \
                     document is relevant: a query without one relevant document still has a best tier. A query \
                     whose {best} could not be settled has no labels."
                )
            }
            Self::Anchored => format!(
                "A grade is on the rubric's scale: a graded judge graded some members of each tier, and grades that \
                 never rise from a tier to a worse one were fitted to that (isotonic regression, weighted by members \
                 graded, rounded to the scale). {UNSETTLED} A tier of which no grade is known has a label only where \
                 its neighbours leave one grade."
            ),
        }
    }

    /// Returns the lowest grade that means "relevant": the rubric's cutoff for anchored labels, 1 for binary ones by
    /// their definition, `None` if no grade means so.
    pub fn relevant_from(self, rubric_cutoff: Grade) -> Option<Grade> {
        match self {
            Self::Anchored => Some(rubric_cutoff),
            Self::Binary { .. } => Some(1),
            Self::Rating | Self::Ordinal | Self::Geometric => None,
        }
    }
}

/// The rating from which a document counts as relevant by default; see [`TierScheme::measured_from`].
const RELEVANT_RATING: Grade = 7;

impl TierScheme {
    /// Returns the lowest grade that P, RR, R and AP count as relevant if they name none, under a rubric with this
    /// cutoff. Grades that are places in an order do not mean relevant, so it is a convention: a rating of at least 7,
    /// or every document above the last tier. With simulated judges on TREC DL 2019, 7 orders 37 systems most like
    /// human labels of grade 2 and more (P, RR, R and AP; mean tau .83), with 5 and 6 close behind.
    pub fn measured_from(self, rubric_cutoff: Grade) -> Grade {
        match self {
            Self::Anchored => rubric_cutoff,
            Self::Rating => RELEVANT_RATING,
            Self::Ordinal | Self::Geometric | Self::Binary { .. } => 1,
        }
    }
}

impl fmt::Display for TierScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rating => f.write_str("rating"),
            Self::Ordinal => f.write_str("ordinal"),
            Self::Geometric => f.write_str("geometric"),
            Self::Binary { top } => write!(f, "binary({top})"),
            Self::Anchored => f.write_str("anchored"),
        }
    }
}

impl FromStr for TierScheme {
    type Err = SchemeError;

    fn from_str(name: &str) -> Result<Self, SchemeError> {
        let top =
            || name.strip_prefix("binary(")?.strip_suffix(')')?.trim().parse().ok().filter(|top| *top > 0);
        match name {
            "rating" => Ok(Self::Rating),
            "ordinal" => Ok(Self::Ordinal),
            "geometric" => Ok(Self::Geometric),
            "anchored" => Ok(Self::Anchored),
            _ => top().map(|top| Self::Binary { top }).ok_or_else(|| SchemeError(name.to_owned())),
        }
    }
}

impl TryFrom<String> for TierScheme {
    type Error = SchemeError;

    fn try_from(name: String) -> Result<Self, SchemeError> {
        name.parse()
    }
}

impl From<TierScheme> for String {
    fn from(scheme: TierScheme) -> Self {
        scheme.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_as_it_prints() {
        for name in ["rating", "ordinal", "geometric", "binary(1)", "binary(12)", "anchored"] {
            let scheme: TierScheme = name.parse().unwrap();
            assert_eq!(scheme.to_string(), name);
            assert_eq!(
                serde_json::from_str::<TierScheme>(&serde_json::to_string(&scheme).unwrap()).unwrap(),
                scheme
            );
        }
        assert_eq!("binary( 3 )".parse(), Ok(TierScheme::Binary { top: 3 }));
        for wrong in ["", "Ordinal", "binary", "binary()", "binary(0)", "binary(-1)", "binary(x)", "tiers"] {
            let error = wrong.parse::<TierScheme>().unwrap_err().to_string();
            assert!(error.contains("use rating, ordinal, geometric, binary(N)"), "{error}");
        }
    }

    #[test]
    fn only_a_scheme_that_says_so_claims_relevance() {
        let from = |name: &str| name.parse::<TierScheme>().unwrap().relevant_from(2);
        assert_eq!(
            ["ordinal", "geometric", "binary(3)", "anchored"].map(from),
            [None, None, Some(1), Some(2)]
        );
        let measured = |name: &str| name.parse::<TierScheme>().unwrap().measured_from(2);
        assert_eq!(["rating", "ordinal", "binary(3)", "anchored"].map(measured), [7, 1, 1, 2]);
        assert!(TierScheme::Binary { top: 1 }.meaning().contains("in the best tier of"));
        assert!(TierScheme::Binary { top: 2 }.meaning().contains("in the best 2 tiers of"));
    }
}
