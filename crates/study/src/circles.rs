//! What a stronger judge says of documents that go in a circle.

use llull_rank::TournamentOutcome;
use llull_runner::{DocumentIndex, Evidence, TopicIndex};

/// What a stronger judge says of documents that lead each other in a circle by the votes of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct CircleEscalation {
    /// The judge.
    pub to: String,
    /// Each tier that it sees, in the order of the queries and tiers.
    pub circles: Vec<EscalatedCircle>,
}

/// A tier in which documents lead each other in a circle, and what the stronger judge says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct EscalatedCircle {
    /// The query.
    pub topic: TopicIndex,
    /// The documents of the tier. The outcome's items are positions in this list.
    pub documents: Vec<DocumentIndex>,
    /// What the stronger judge has settled of them; `None` while its answers are not all there, or if they do not
    /// settle it. The tier of the others stands then.
    pub settled: Option<TournamentOutcome>,
    /// Whether a question to it is still open.
    pub open: bool,
}

impl EscalatedCircle {
    /// Reads what a tournament of the stronger judge has settled of these documents.
    pub(crate) fn new(
        topic: TopicIndex,
        documents: Vec<DocumentIndex>,
        found: TournamentOutcome,
        answers: &Evidence,
    ) -> Self {
        let of_circle = |documents_of: &[DocumentIndex]| documents_of.iter().all(|at| documents.contains(at));
        let open = answers.judges().first().is_some_and(|judge| {
            answers.questions().enumerate().any(|(at, question)| {
                question.topic == topic && of_circle(question.documents) && judge.is_open(judge.status(at))
            })
        });
        let settled = Some(found).filter(|outcome| outcome.complete && !open);
        Self { topic, documents, settled, open }
    }
}
