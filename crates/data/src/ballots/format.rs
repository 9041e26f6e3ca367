//! The forms of comparisons.

use std::{fmt, str::FromStr};

/// A form of comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BallotFormat {
    /// Comma- or tab-separated under a header with `left`, `right` and `winner`.
    Csv,
    /// `query winner loser` or `query a b winner`, in any white space.
    Columns,
    /// One JSON object on each line: a pair or a ranking.
    Jsonl,
    /// trec_eval's `query ujg ujsubg item level` (`-R prefs`).
    Prefs,
    /// trec_eval's `query ujg item level` (`-R qrels_prefs`). Its first line may also be one of columns, so it must be
    /// named.
    QrelsPrefs,
}

impl BallotFormat {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Columns, Self::Jsonl, Self::Prefs, Self::QrelsPrefs];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Columns => "columns",
            Self::Jsonl => "jsonl",
            Self::Prefs => "prefs",
            Self::QrelsPrefs => "qrels-prefs",
        }
    }
}

impl fmt::Display for BallotFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BallotFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            format!(
                "there is no format {text:?} of comparisons; there are {}",
                Self::ALL.map(Self::name).join(", ")
            )
        })
    }
}
