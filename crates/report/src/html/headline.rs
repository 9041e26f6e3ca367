//! The decision in plain words, for a reader without statistics.

use crate::comparison::{BaselineComparison, ComparisonFinding, IncompleteReason};
use crate::decision::{DecisionSection, StudyVerdict};

/// How many systems a headline names of each kind.
const NAMED: usize = 3;

/// The decision in a sentence.
pub fn headline(decision: &DecisionSection) -> String {
    let decisive = || decision.decisive();
    let baseline = decision.baseline.as_deref().unwrap_or("the baseline");
    match &decision.verdict {
        StudyVerdict::Compared => {}
        StudyVerdict::UnreliableJudge { .. } => return "No verdict: the judge failed a check.".to_owned(),
        StudyVerdict::Incomplete { .. } => {
            return "No verdict yet: labels are missing that could change the result.".to_owned();
        }
        StudyVerdict::OneSystem { .. } => {
            return "There is one system, and nothing to compare it with.".to_owned();
        }
        StudyVerdict::NoPairs | StudyVerdict::NoLabels { .. } => {
            return "No verdict: nothing is labelled.".to_owned();
        }
        StudyVerdict::OneGrade { .. } => return "No verdict: all labels have one grade.".to_owned(),
        StudyVerdict::NoSystem | StudyVerdict::NotCompared => {
            return "No verdict: no two systems are compared.".to_owned();
        }
    }
    let found = |finding: ComparisonFinding| {
        let is_same = |c: &&BaselineComparison| {
            c.decision == finding || (finding.is_incomplete() && c.decision.is_incomplete())
        };
        decisive().filter(is_same).map(|c| c.system.as_str()).collect::<Vec<_>>()
    };
    let sentences = [
        (ComparisonFinding::Better, format!("better results than {baseline}"), "finds", "find"),
        (ComparisonFinding::Worse, format!("worse results than {baseline}"), "finds", "find"),
        (ComparisonFinding::Inconclusive, format!("no clear difference from {baseline}"), "shows", "show"),
        (ComparisonFinding::Identical, format!("the same results as {baseline}"), "finds", "find"),
        (ComparisonFinding::Unmeasured, format!("compared with {baseline}"), "cannot be", "cannot be"),
        (
            ComparisonFinding::NotTrusted,
            format!("compared with {baseline} while the judge fails a check"),
            "cannot be",
            "cannot be",
        ),
        (
            IncompleteReason::CouldReverse.into(),
            format!("labels that could change the comparison with {baseline}"),
            "lacks",
            "lack",
        ),
    ];
    let sentences = sentences.into_iter().filter_map(|(finding, what, one, several)| {
        let systems = found(finding);
        let verb = if systems.len() == 1 { one } else { several };
        (!systems.is_empty()).then(|| format!("{} {verb} {what}.", listed(&systems)))
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    match names {
        [first @ .., last] if more == 0 && !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ if more == 0 => names.join(", "),
        _ => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
