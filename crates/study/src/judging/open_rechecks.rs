//! The repeated questions that are still open for a judge.

use llull_config::{JudgeKind, Settings};
use llull_core::Status;
use llull_runner::Case;

use super::plan::RecheckRule;
use crate::evidence::StudyEvidence;

/// The repeated questions that are still open for one judge.
pub(super) struct OpenRechecks<'a> {
    /// The open questions at present.
    pub(super) cases: Vec<Case<'a>>,
    rule: RecheckRule,
    /// Whether questions are repeated for it at all.
    asked: bool,
    /// The numbers of its answers: votes, and repetitions.
    votes: usize,
    done: usize,
}

impl<'a> OpenRechecks<'a> {
    /// Reads the state of the judge at a position of the study.
    pub(super) fn new(settings: &Settings, evidence: &'a StudyEvidence, at: usize) -> Self {
        let mut cases = Vec::new();
        let mut done = 0;
        if let Some(found) = &evidence.rechecked
            && let Some(judge) = found.of_judge(at)
        {
            for (case, status) in found.asked().cases().zip(judge.tasks()) {
                if judge.is_open(status) {
                    cases.push(case);
                } else {
                    done += 1;
                }
            }
        }
        let votes = evidence.judges.judges().get(at);
        Self {
            cases,
            rule: RecheckRule::of(settings),
            asked: settings.judges.get(at).is_some_and(|judge| match &judge.kind {
                JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } | JudgeKind::Own(_) => true,
                JudgeKind::Replay { .. }
                | JudgeKind::Similarity {}
                | JudgeKind::Student { .. }
                | JudgeKind::Tree { .. }
                | JudgeKind::Annotator { .. } => false,
                JudgeKind::Custom { judge } => !judge.0.in_process(),
            }),
            votes: votes.map_or(0, |judge| judge.tasks().filter(|status| Status::is_judged(status)).count()),
            done,
        }
    }

    /// Returns the number of its requests after this number of further votes: exact for 0.
    pub(super) fn calls(&self, more: u64) -> u64 {
        match more {
            0 => self.cases.len() as u64,
            _ if !self.asked => 0,
            more => (self.rule.calls(self.votes + more as usize).saturating_sub(self.done)) as u64,
        }
    }
}
