//! Options for labels with decimals or repeated pairs.

use std::str::FromStr;

use crate::tables::Columns;

/// How qrels are read that do not have one whole grade for each pair. By default such a file is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadQrelsOptions {
    /// Whether decimal grades are rounded to whole ones, halves away from 0.
    pub round: bool,
    /// The choice among several grades of a pair.
    pub repeats: Option<RepeatedGrades>,
    /// The columns of a table that the user names.
    pub columns: Columns,
}

/// The choice among several grades of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedGrades {
    /// The first in the file.
    First,
    /// The last.
    Last,
    /// The median; of an even number the lower of the two in the middle.
    Median,
    /// The most frequent one; of several the lowest.
    Votes,
}

impl RepeatedGrades {
    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Median => "median",
            Self::Votes => "votes",
        }
    }

    /// Returns the grade that counts of these, which are in the order of the file; `None` if there are none.
    pub fn of(self, grades: &[f64]) -> Option<f64> {
        let mut sorted = grades.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        match self {
            Self::First => grades.first().copied(),
            Self::Last => grades.last().copied(),
            Self::Median => sorted.get(sorted.len().checked_sub(1)? / 2).copied(),
            Self::Votes => {
                let mut most: Option<&[f64]> = None;
                for alike in sorted.chunk_by(|a, b| a == b) {
                    if most.is_none_or(|most| alike.len() > most.len()) {
                        most = Some(alike);
                    }
                }
                most?.first().copied()
            }
        }
    }
}

impl FromStr for RepeatedGrades {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::First),
            "last" => Ok(Self::Last),
            "median" => Ok(Self::Median),
            "votes" => Ok(Self::Votes),
            _ => Err(format!("{text:?} is none of first, last, median and votes")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_of_several_grades() {
        let of = |name: &str, grades: &[f64]| name.parse::<RepeatedGrades>().unwrap().of(grades);
        let grades = [3.0, 0.0, 2.0, 2.0, 0.0, 1.0];
        let counted = ["first", "last", "median", "votes"].map(|name| of(name, &grades));
        assert_eq!(counted, [3.0, 1.0, 1.0, 0.0].map(Some));
        assert_eq!(of("median", &[1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!(of("votes", &[]), None);
        assert!("mean".parse::<RepeatedGrades>().is_err());
    }
}
