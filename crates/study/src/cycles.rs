//! A stronger judge's answers about documents in cycles.

use llull_rank::TournamentOutcome;
use llull_runner::{DocumentIndex, Evidence, TopicIndex};

/// A stronger judge's answers about documents that form a cycle by the votes of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleEscalation {
    /// The judge.
    pub to: String,
    /// Each tier of its questions, in the order of the queries and tiers.
    pub cycles: Vec<EscalatedCycle>,
}

/// A tier with a cycle, and the stronger judge's result for it.
#[derive(Debug, Clone, PartialEq)]
pub struct EscalatedCycle {
    /// The query.
    pub topic: TopicIndex,
    /// The documents of the tier. The outcome's items are positions in this list.
    pub documents: Vec<DocumentIndex>,
    /// The stronger judge's result; `None` while answers are missing, or if they give none. Then the tier of the others
    /// stays.
    pub settled: Option<TournamentOutcome>,
    /// Whether a question to it is still open.
    pub open: bool,
}

impl EscalatedCycle {
    /// Reads the result of the stronger judge's tournament of these documents.
    pub(crate) fn new(
        topic: TopicIndex,
        documents: Vec<DocumentIndex>,
        found: TournamentOutcome,
        answers: &Evidence,
    ) -> Self {
        let of_cycle = |documents_of: &[DocumentIndex]| documents_of.iter().all(|at| documents.contains(at));
        let open = answers.judges().first().is_some_and(|judge| {
            answers.questions().enumerate().any(|(at, question)| {
                question.topic == topic && of_cycle(question.documents) && judge.is_open(judge.status(at))
            })
        });
        let settled = Some(found).filter(|outcome| outcome.complete && !open);
        Self { topic, documents, settled, open }
    }
}
