//! A plan whose questions depend on answers, and judges that compare.

use std::sync::Arc;

use llull_core::{Answer, ComparedVerdict, JudgeSpec, Outcome, Paradigm, Status, Verdict};
use llull_runner::{
    Cancel, Case, DocumentIndex, DocumentSet, Judge, JudgeIndex, Plan, Reporter, RunError, RunOptions,
    RunOutcome, TopicIndex, WaveAnswers, Workload,
};
use llull_store::LedgerWriter;

use crate::stage::{Stub, accounted, graded, run_plan, workload};

const TOPICS: u32 = 3;
const DOCUMENTS: u32 = 8;

/// 8 documents: 4 pairs, 2 pairs, 1 pair for each query.
pub(crate) const QUESTIONS: usize = 7 * TOPICS as usize;

/// Orders the documents of a case by number, the highest first.
pub(crate) fn order(case: &Case<'_>) -> ComparedVerdict {
    let number = |id: &str| id.trim_start_matches('d').parse::<u32>().unwrap();
    let mut order: Vec<(u32, u16)> = case.document_ids().map(number).zip(0..).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    ComparedVerdict { order: order.into_iter().map(|(_, place)| vec![place]).collect(), ..Default::default() }
}

pub(crate) fn ordered(case: &Case<'_>) -> Answer {
    Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(order(case)) }, ..graded(0) }
}

pub(crate) fn comparer(
    name: &str,
    script: impl Fn(&Case<'_>, u32) -> Option<Answer> + Send + Sync + 'static,
) -> Stub {
    let stub = Stub::new(name, script);
    Stub { spec: JudgeSpec { paradigm: Paradigm::Listwise, ..stub.spec.clone() }, ..stub }
}

pub(crate) fn steady() -> Stub {
    comparer("j", |case, _| Some(ordered(case)))
}

/// A knockout for each query: pairs of the remaining documents, in order, until one is left. If a question has no
/// answer, its first document wins.
pub(crate) struct Knockout {
    stock: Arc<Workload>,
    left: Vec<Vec<DocumentIndex>>,
    asked: Vec<DocumentSet>,
    /// The observed status of each question with each judge, by wave.
    pub(crate) observed: Vec<Vec<Vec<Status>>>,
}

impl Knockout {
    pub(crate) fn new() -> Self {
        let stock = workload(TOPICS, DOCUMENTS);
        let left = |topic| (topic * DOCUMENTS..(topic + 1) * DOCUMENTS).map(DocumentIndex).collect();
        Self { stock, left: (0..TOPICS).map(left).collect(), asked: Vec::new(), observed: Vec::new() }
    }

    pub(crate) fn left(&self) -> Vec<Vec<u32>> {
        self.left.iter().map(|left| left.iter().map(|document| document.0).collect()).collect()
    }

    pub(crate) fn run(
        &mut self,
        judges: &[Arc<dyn Judge>],
        store: &mut dyn LedgerWriter,
        options: &RunOptions,
        reporter: &dyn Reporter,
        cancel: &Cancel,
    ) -> Result<RunOutcome, RunError> {
        let outcome = run_plan(self, judges, store, options, reporter, cancel)?;
        accounted(&outcome);
        Ok(outcome)
    }
}

impl Plan for Knockout {
    fn next(&mut self) -> Option<Arc<Workload>> {
        let pairs = |(topic, left): (u32, &Vec<DocumentIndex>)| {
            let pairs = left.chunks_exact(2);
            let set =
                |pair: &[DocumentIndex]| DocumentSet { topic: TopicIndex(topic), documents: pair.to_vec() };
            pairs.map(set).collect::<Vec<_>>()
        };
        self.asked = (0..).zip(&self.left).flat_map(pairs).collect();
        (!self.asked.is_empty()).then(|| Arc::new(self.stock.comparing(self.asked.clone()).unwrap()))
    }

    fn observe(&mut self, wave: &WaveAnswers<'_>) {
        assert_eq!(wave.questions(), self.asked.len());
        let of_judge = |judge| (0..wave.questions()).map(|at| wave.status(judge, at).clone()).collect();
        self.observed.push(wave.judges().map(of_judge).collect());
        let mut left = vec![Vec::new(); TOPICS as usize];
        for (at, set) in self.asked.iter().enumerate() {
            let order = wave.status(JudgeIndex(0), at).order();
            let best = order.map_or(0, |verdict| usize::from(verdict.order[0][0]));
            left[set.topic.get()].push(set.documents[best]);
        }
        self.left = left;
    }
}
