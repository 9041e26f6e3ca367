//! The panel's median of graded judges.

use llull_core::{Grade, LabelSet, Status};
use llull_label::by_median;
use llull_runner::{JudgeEvidence, Workload};

/// Returns the median of all these judges' verdicts on each pair of the pool; a pair without a verdict has no label.
pub(crate) fn graded_labels(pooled: &Workload, judges: &[&JudgeEvidence]) -> LabelSet {
    let mut by_judge: Vec<_> = judges.iter().map(|judge| judge.questions()).collect();
    by_median(pooled.cases().map(|case| {
        let votes: Vec<Option<Grade>> = by_judge
            .iter_mut()
            .flat_map(|judge| judge.next().into_iter().flatten().map(Status::grade))
            .collect();
        (case.topic.id.as_str(), case.document_id(), votes)
    }))
}
