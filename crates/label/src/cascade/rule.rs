//! The rule that decides which pairs are hard.

use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, Scale};
use serde::{Deserialize, Serialize};

use crate::split::split;

/// The entropy in bits from which a panel is unsure: that of two equally likely grades.
const UNSURE: f64 = 1.0;

/// The rule for a stronger judge: it gets pairs for which any part of the rule holds. Its printed form is what users
/// write.
///
/// ```
/// use llull_label::cascade::{EscalationRule, MarginRule};
///
/// let rule: EscalationRule = "split | margin < 0.2".parse()?;
/// assert!(rule.split && !rule.unsure && rule.margin == Some(MarginRule::Below(0.2)));
/// assert_eq!(rule.to_string(), "split | margin < 0.2");
/// # Ok::<(), llull_label::cascade::UnknownEscalation>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct EscalationRule {
    /// Pairs whose grades are [`split`].
    pub split: bool,
    /// Pairs on which the panel is at least as undecided as between two equally likely grades: an entropy of one bit.
    pub unsure: bool,
    /// Documents in a cycle of a tournament.
    pub cycle: bool,
    /// Pairs whose likeliest grade is hardly likelier than the next.
    pub margin: Option<MarginRule>,
}

/// How small a margin is hard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MarginRule {
    /// One below this, above 0 and at most 1.
    Below(f64),
    /// A margin below a threshold that human labels choose.
    Chosen,
}

/// The error for a rule that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} says nothing that can be hard: write one or more of split, unsure, margin < 0.2 (above 0 and at most 1) and \
     cycle, with | between them, or margin alone for a threshold that human labels choose"
)]
pub struct UnknownEscalation(pub String);

/// The grades and probabilities of a panel for one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PanelOpinion<'a> {
    /// The grades that were given.
    pub given: &'a [Grade],
    /// The panel's probability of each grade of the scale; zeros, or empty, if no judge graded the pair.
    pub probabilities: &'a [f64],
}

impl PanelOpinion<'_> {
    /// Returns by how much the likeliest grade is likelier than the next, from 0 to 1. It is rounded to nine places:
    /// three votes against two are a margin of .2, without the rounding error of the sum. `None` for a pair without a
    /// grade.
    pub fn margin(&self) -> Option<f64> {
        let (mut first, mut second) = (0.0_f64, 0.0_f64);
        for chance in self.probabilities {
            if *chance > first {
                (first, second) = (*chance, first);
            } else {
                second = second.max(*chance);
            }
        }
        (first > 0.0).then(|| libm::round((first - second) * 1e9) / 1e9)
    }

    fn entropy(&self) -> f64 {
        let chances = self.probabilities.iter().filter(|chance| **chance > 0.0);
        chances.map(|chance| -chance * libm::log2(*chance)).sum()
    }
}

impl EscalationRule {
    /// Returns whether a pair is hard. `threshold` is the one that human labels chose, and applies if the rule uses
    /// it. A pair without a grade is hard.
    pub fn is_hard(&self, opinion: &PanelOpinion<'_>, scale: Scale, threshold: Option<f64>) -> bool {
        let Some(margin) = opinion.margin() else { return true };
        let below = match self.margin {
            Some(MarginRule::Below(least)) => Some(least),
            Some(MarginRule::Chosen) => threshold,
            None => None,
        };
        self.split && split(opinion.given, scale).is_some()
            || self.unsure && opinion.entropy() >= UNSURE - 1e-9
            || below.is_some_and(|least| margin < least)
    }
}

impl fmt::Display for EscalationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = self.margin.map(|margin| match margin {
            MarginRule::Below(least) => format!("margin < {least}"),
            MarginRule::Chosen => "margin".to_owned(),
        });
        let plain = [(self.split, "split"), (self.unsure, "unsure"), (self.cycle, "cycle")];
        let plain = plain.into_iter().filter(|part| part.0).map(|part| part.1.to_owned());
        f.write_str(&plain.chain(margin).collect::<Vec<_>>().join(" | "))
    }
}

impl FromStr for EscalationRule {
    type Err = UnknownEscalation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownEscalation(text.to_owned());
        let mut rule = Self::default();
        for part in text.split('|') {
            let words: Vec<&str> = part.split_whitespace().collect();
            match words.as_slice() {
                ["split"] => rule.split = true,
                ["unsure"] => rule.unsure = true,
                ["cycle"] => rule.cycle = true,
                ["margin"] if rule.margin.is_none() => rule.margin = Some(MarginRule::Chosen),
                ["margin", "<", least] if rule.margin.is_none() => {
                    let least = least.parse().ok().filter(|least: &f64| *least > 0.0 && *least <= 1.0);
                    rule.margin = Some(MarginRule::Below(least.ok_or_else(unknown)?));
                }
                _ => return Err(unknown()),
            }
        }
        Ok(rule)
    }
}

impl From<EscalationRule> for String {
    fn from(rule: EscalationRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for EscalationRule {
    type Error = UnknownEscalation;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hard(rule: &str, given: &[Grade], threshold: Option<f64>) -> bool {
        let mut probabilities = [0.0; 4];
        for grade in given {
            probabilities[*grade as usize] += 1.0 / given.len() as f64;
        }
        let rule: EscalationRule = rule.parse().unwrap();
        rule.is_hard(
            &PanelOpinion { given, probabilities: &probabilities },
            Scale::new(0, 3).unwrap(),
            threshold,
        )
    }

    #[test]
    fn each_part_finds_its_own() {
        assert!(
            hard("split", &[0, 2], None) && !hard("split", &[0, 1], None) && !hard("split", &[0, 0, 3], None)
        );
        assert!(
            hard("unsure", &[0, 1], None)
                && !hard("unsure", &[0, 0, 3], None)
                && hard("unsure", &[0, 1, 2], None)
        );
        assert!(hard("margin < 0.5", &[0, 0, 3], None) && !hard("margin < 0.3", &[0, 0, 3], None));
        assert!(hard("margin", &[0, 0, 3], Some(0.5)) && !hard("margin", &[0, 0, 3], None));
        assert!(!hard("margin < 0.2", &[0, 0, 0, 1, 1], None), "3/5 - 2/5 is .2, and no float says so");
        assert!(hard("split", &[], None), "nobody graded it");
    }

    #[test]
    fn rules_are_read_as_they_are_printed() {
        for text in ["split", "split | unsure | cycle | margin < 0.25", "unsure | margin"] {
            assert_eq!(text.parse::<EscalationRule>().map(|rule| rule.to_string()), Ok(text.to_owned()));
        }
        for wrong in
            ["", "split |", "margin < 0", "margin < 1.5", "margin > 0.2", "margin | margin < 0.1", "hard"]
        {
            assert_eq!(wrong.parse::<EscalationRule>(), Err(UnknownEscalation(wrong.to_owned())), "{wrong}");
        }
    }
}
