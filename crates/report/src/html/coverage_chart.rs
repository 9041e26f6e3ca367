//! The chart of the outcomes of a judge's requests.

use crate::charts::{Part, PartKind, shares};
use crate::coverage::JudgeCoverage;

/// Draws the outcomes of a judge's requests; `None` if every request was answered.
pub(super) fn coverage_chart(judge: &JudgeCoverage) -> Option<String> {
    let lost: u64 =
        judge.unusable.iter().chain(&judge.refused).chain(&judge.failed).map(|count| count.count).sum();
    if judge.not_asked + judge.without_text + lost == 0 {
        return None;
    }
    let part = |name: &str, count, kind| Part { name: name.to_owned(), count, kind };
    let parts = [
        part("answered", judge.judged, PartKind::Good),
        part("not asked", judge.not_asked, PartKind::Neutral),
        part("no text", judge.without_text, PartKind::Neutral),
        part("lost", lost, PartKind::Bad),
    ];
    Some(shares(&format!("Requests to {}", judge.judge), &parts))
}
