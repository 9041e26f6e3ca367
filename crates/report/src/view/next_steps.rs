//! What to do next: queries, labels or judges that a verdict still needs.

use crate::comparison::ComparisonFinding;
use crate::decision::StudyVerdict;
use crate::report::Report;
use crate::text::{count, counted};

/// The most comparisons for which the number of queries is shown.
const COMPARISONS: usize = 3;

/// Returns what to do next, a sentence each, the most urgent first.
pub(crate) fn next_steps<T>(report: &Report<T>) -> Vec<String> {
    let decision = &report.decision;
    let mut steps = Vec::new();
    if let StudyVerdict::UnreliableJudge { .. } = decision.verdict {
        steps.push(
            "Use another judge, or fix the prompt; --ignore-checks shows the result anyway.".to_owned(),
        );
    }
    let lost = |counts: &[crate::coverage::Count]| counts.iter().map(|count| count.count).sum::<u64>();
    for judge in &report.coverage.judges {
        let (failed, unread) = (lost(&judge.failed), lost(&judge.unusable) + lost(&judge.refused));
        if failed + judge.not_asked > 0 {
            steps.push(format!(
                "{}: {} without an answer. Repeat llull run with the same flags; llull doctor shows what stops it.",
                judge.judge,
                counted(failed + judge.not_asked, "request")
            ));
        }
        if unread > 0 {
            steps.push(format!(
                "{}: {} unparsable, refused or missing; llull ledger status counts them by reason.",
                judge.judge,
                counted(unread, "reply")
            ));
        }
    }
    if let StudyVerdict::UnreliableJudge { .. } = decision.verdict {
        return steps;
    }
    let unclear = decision.decisive().filter(|found| found.decision == ComparisonFinding::Inconclusive);
    let needed = unclear.filter_map(|found| Some((found, found.queries_needed?)));
    steps.extend(needed.take(COMPARISONS).map(|(found, needed)| {
        format!(
            "About {} queries would be needed to tell {} from {}.",
            count(rounded_up(needed)),
            found.system,
            found.baseline
        )
    }));
    let corrected = decision.decisive().any(|found| found.ppi.is_some());
    if report.reference.is_none() && !corrected && report.coverage.labelled > 0 {
        steps.push("Grade a sample by hand to see how far the judge can be trusted: llull sample".to_owned());
    }
    steps
}

/// A number of two digits and zeros, not smaller: an estimate has no more.
fn rounded_up(number: usize) -> usize {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_two_digits() {
        assert_eq!([7, 99, 100, 143, 1_201].map(rounded_up), [7, 99, 100, 150, 1_300]);
    }
}
