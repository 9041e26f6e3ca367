//! Converts the outcomes of probes for judge checks.

use std::cmp::Ordering;

use llull_audit::{AuditedJudge, ProbedAnswer, ProbedAnswers};
use llull_core::{Judgment, Scale, Status, order_in_groups};
use rustc_hash::FxHashMap;

use crate::evidence::{ProbeEvidence, ProbedTask, StudyEvidence};
use crate::probes::JudgeProbe;

/// Adds each judge's answers about changed documents, or about examples in another order. A probe without an answer is
/// left out.
pub(super) fn add_probed(judges: &mut [AuditedJudge], scale: Scale, evidence: &StudyEvidence) {
    let compared = evidence.compared().is_some();
    let tasks = || {
        let tasks = evidence.probed.iter().flat_map(ProbeEvidence::tasks);
        tasks.filter(|task| task.of.probe != JudgeProbe::Contamination)
    };
    let again: FxHashMap<(usize, usize), f64> = tasks()
        .filter(|task| task.of.repeated)
        .filter_map(|task| Some(((task.judge, task.of.vote), worth(task.status, &task, scale)?)))
        .collect();
    for task in tasks().filter(|task| !task.of.repeated) {
        let Some(judge) = judges.get_mut(task.judge) else { continue };
        let votes = evidence.judges.judges().get(task.judge);
        let before = votes.and_then(|votes| worth(votes.status(task.of.vote), &task, scale));
        let (Some(before), Some(after)) = (before, worth(task.status, &task, scale)) else { continue };
        let (query, kind) = (task.question.topic.get(), task.of.probe.kind());
        let again = again.get(&(task.judge, task.of.vote)).copied();
        let answer = ProbedAnswer { query, before, after, again };
        match judge.probed.iter_mut().find(|probed| probed.kind == kind) {
            Some(probed) => probed.answers.push(answer),
            None => judge.probed.push(ProbedAnswers { kind, compared, answers: vec![answer] }),
        }
    }
}

/// The worth of the document by an answer, from 0 to 1; `None` without an answer.
fn worth(status: &Status, task: &ProbedTask<'_>, scale: Scale) -> Option<f64> {
    match status {
        Status::Judged(Judgment::Grade(grade)) => {
            let (low, high) = (f64::from(scale.low()), f64::from(scale.high()));
            Some((f64::from(*grade) - low) / (high - low))
        }
        Status::Judged(Judgment::Order(verdict)) => {
            Some(beaten(&verdict.order, task.of.place, task.question.documents.len()))
        }
        _ => None,
    }
}

/// The share of the others that a document beats, ties by half. Those in no group are below all groups.
fn beaten(groups: &[Vec<u16>], place: usize, shown: usize) -> f64 {
    let won = (0..shown).filter(|other| *other != place).map(|other| lead(groups, place, other));
    won.sum::<f64>() / (shown.max(2) - 1) as f64
}

/// 1 if the document at a place is above another in groups, 0 if it is below, and 0.5 if they are tied.
pub(super) fn lead(groups: &[Vec<u16>], place: usize, other: usize) -> f64 {
    match order_in_groups(groups, &(place as u16), &(other as u16)) {
        Some(Ordering::Less) => 1.0,
        Some(Ordering::Equal) | None => 0.5,
        Some(Ordering::Greater) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_beats() {
        let best_of_four = [vec![2]];
        assert_eq!(beaten(&best_of_four, 2, 4), 1.0);
        assert_eq!(beaten(&best_of_four, 0, 4), 1.0 / 3.0, "tied with two, below one");
        let order = [vec![1], vec![0, 2]];
        assert_eq!([0, 1, 2].map(|place| beaten(&order, place, 3)), [0.25, 1.0, 0.25]);
        assert_eq!([0, 1].map(|place| beaten(&[vec![0, 1]], place, 2)), [0.5, 0.5]);
    }
}
