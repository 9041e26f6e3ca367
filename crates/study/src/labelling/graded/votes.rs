//! The panel's labels by graded judges.

use llull_core::{Grade, LabelSet, Status};
use llull_files::lower_middle_effect;
use llull_label::{LowerMiddle, labels_by, panel_label};
use llull_runner::{JudgeEvidence, Workload};

/// Returns the median of all these judges' verdicts on each pair of the pool, with their mean; a pair without a verdict
/// has no label.
pub fn graded_labels(pooled: &Workload, judges: &[&JudgeEvidence]) -> LabelSet {
    labels_by(panel_label, graded_votes(pooled, judges))
}

/// Every pair of the pool with the grade of each judge, `None` where it has none.
pub(crate) fn graded_votes<'a>(
    pooled: &'a Workload,
    judges: &[&'a JudgeEvidence],
) -> impl Iterator<Item = (&'a str, &'a str, Vec<Option<Grade>>)> {
    let mut by_judge: Vec<_> = judges.iter().map(|judge| judge.questions()).collect();
    pooled.cases().map(move |case| {
        let votes: Vec<Option<Grade>> = by_judge
            .iter_mut()
            .flat_map(|judge| judge.next().into_iter().flatten().map(Status::grade))
            .collect();
        (case.topic.id.as_str(), case.document_id(), votes)
    })
}

/// Describes the effect of taking the lower of two middle grades in a panel; `None` without an effect. The pairs at the
/// places in `escalated`, ascending, do not count: a stronger judge gives their labels.
pub(crate) fn lower_middle_note(
    pooled: &Workload,
    judges: &[&JudgeEvidence],
    escalated: &[usize],
) -> Option<String> {
    let given = graded_votes(pooled, judges)
        .enumerate()
        .filter(|(place, _)| escalated.binary_search(place).is_err())
        .map(|(_, (_, _, votes))| votes.into_iter().flatten().collect());
    lower_middle_effect(&LowerMiddle::of(given))
}
