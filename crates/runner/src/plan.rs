//! The seam: what to ask, wave by wave.

use std::sync::Arc;

use llull_core::Status;

use crate::{index::JudgeIndex, workload::Workload};

/// Decides what to ask: a state machine without I/O. One [driver](crate::Driver) runs every plan and knows none, and
/// [`Evidence::read`](crate::Evidence::read) plays it from a ledger with nothing asked.
///
/// What a plan asks depends on nothing but what it has observed, so a run that was interrupted goes on by playing its plan
/// again: what was answered is in the ledger.
pub trait Plan {
    /// Returns the questions of the next wave, or `None` if nothing is left to ask. Each judge is asked all of them.
    fn next(&mut self) -> Option<Arc<Workload>>;

    /// Observes how the questions of the wave stand now. Not every one needs an answer: a run may have stopped, or a judge
    /// may have failed.
    fn observe(&mut self, wave: &WaveAnswers<'_>);
}

/// How the questions of a wave stand with each judge, in the order of the wave's questions. It depends on what was
/// answered, never on the order in which answers arrived.
#[derive(Clone, Copy)]
pub struct WaveAnswers<'a> {
    judges: usize,
    questions: usize,
    status: &'a dyn Fn(JudgeIndex, usize) -> &'a Status,
}

impl<'a> WaveAnswers<'a> {
    /// Returns the answers of so many judges to so many questions. `status` says how a question stands with a judge.
    pub fn new(judges: usize, questions: usize, status: &'a dyn Fn(JudgeIndex, usize) -> &'a Status) -> Self {
        Self { judges, questions, status }
    }

    /// Returns the judges.
    pub fn judges(&self) -> impl Iterator<Item = JudgeIndex> + use<> {
        (0..self.judges).map(JudgeIndex)
    }

    /// Returns how many questions the wave has.
    pub fn questions(&self) -> usize {
        self.questions
    }

    /// Returns how a question of the wave stands with a judge; of several samples, the first.
    pub fn status(&self, judge: JudgeIndex, question: usize) -> &'a Status {
        (self.status)(judge, question)
    }
}

/// Asks every question of a workload, in one wave.
#[derive(Debug)]
pub struct Exhaustive(Option<Arc<Workload>>);

impl Exhaustive {
    /// Returns a plan of these questions.
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
