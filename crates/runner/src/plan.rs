//! Plans: the questions of a run, wave by wave.

use std::sync::Arc;

use llull_core::Status;

use crate::{index::JudgeIndex, workload::Workload};

/// A state machine without I/O that decides the questions. The [driver](crate::Driver) runs any plan, and
/// [`Evidence::read`](crate::Evidence::read) plays it from a ledger without any request.
///
/// The questions of a plan depend only on the answers that it has observed. So an interrupted run is resumed by
/// running its plan from the start, with the answers of the ledger.
pub trait Plan {
    /// Returns the questions of the next wave, or `None` if there are no more. Each judge gets all of them.
    fn next(&mut self) -> Option<Arc<Workload>>;

    /// Observes the answers to the questions of the wave. Some may be missing, if the run was stopped or a judge
    /// failed.
    fn observe(&mut self, wave: &WaveAnswers<'_>);
}

/// The status of each question of a wave with each judge, in the order of the wave's questions. It does not depend on
/// the order in which answers arrived.
#[derive(Clone, Copy)]
pub struct WaveAnswers<'a> {
    judges: usize,
    questions: usize,
    status: &'a dyn Fn(JudgeIndex, usize) -> &'a Status,
}

impl<'a> WaveAnswers<'a> {
    /// Creates the answers of `judges` judges to `questions` questions. `status` returns the status of a question
    /// with a judge.
    pub fn new(judges: usize, questions: usize, status: &'a dyn Fn(JudgeIndex, usize) -> &'a Status) -> Self {
        Self { judges, questions, status }
    }

    /// Returns the judges.
    pub fn judges(&self) -> impl Iterator<Item = JudgeIndex> + use<> {
        (0..self.judges).map(JudgeIndex)
    }

    /// Returns the number of questions of the wave.
    pub fn questions(&self) -> usize {
        self.questions
    }

    /// Returns the status of a question of the wave with a judge, for the first sample.
    pub fn status(&self, judge: JudgeIndex, question: usize) -> &'a Status {
        (self.status)(judge, question)
    }
}

/// A plan that asks every question of a workload in one wave.
#[derive(Debug)]
pub struct Exhaustive(Option<Arc<Workload>>);

impl Exhaustive {
    /// Creates a plan of the questions of a workload.
    pub fn new(workload: Arc<Workload>) -> Self {
        Self(Some(workload))
    }
}

impl Plan for Exhaustive {
    fn next(&mut self) -> Option<Arc<Workload>> {
        self.0.take()
    }

    fn observe(&mut self, _: &WaveAnswers<'_>) {}
}
