//! The decision as somebody wants to hear it who has never read a table of figures.

use crate::comparison::ComparisonFinding;
use crate::decision::{DecisionSection, NOTHING};

/// How many systems a headline names of each kind.
const NAMED: usize = 3;

/// The decision in a sentence.
pub(super) fn headline(decision: &DecisionSection) -> String {
    let decisive = || decision.comparisons.iter().filter(|found| found.measure == decision.primary);
    let nothing = decision.summary.iter().any(|sentence| sentence.starts_with(NOTHING));
    if nothing && !decision.distrusted.is_empty() && !decision.alarms_ignored {
        return "Nothing is decided: the judge cannot be trusted.".to_owned();
    }
    if nothing {
        return "Nothing is decided.".to_owned();
    }
    let Some(baseline) = decision.baseline.as_deref().filter(|_| decisive().next().is_some()) else {
        return "There is one system, and nothing to compare it with.".to_owned();
    };
    let found = |finding: ComparisonFinding| {
        decisive().filter(|c| c.decision == finding).map(|c| c.system.as_str()).collect::<Vec<_>>()
    };
    let sentences = [
        (ComparisonFinding::Better, format!("better results than {baseline}"), "finds", "find"),
        (ComparisonFinding::Worse, format!("worse results than {baseline}"), "finds", "find"),
        (
            ComparisonFinding::Inconclusive,
            format!("told apart from {baseline} by these queries"),
            "cannot be",
            "cannot be",
        ),
        (ComparisonFinding::Identical, format!("the same results as {baseline}"), "finds", "find"),
        (ComparisonFinding::Unmeasured, format!("compared with {baseline}"), "cannot be", "cannot be"),
        (
            ComparisonFinding::NotTrusted,
            format!("compared with {baseline} while the judge is not trusted"),
            "cannot be",
            "cannot be",
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
