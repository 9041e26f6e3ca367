//! Questions about a given list of pairs of documents.

use std::sync::Arc;

use llull_core::Seed;
use llull_runner::{
    DocumentIndex, DocumentSet, Exhaustive, JudgeFailure, JudgeStop, PooledDocument, StopReason, TopicIndex,
    Workload,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::budget_tracker::BudgetEnd;
use super::error::JudgeError;
use super::outcome::{JudgeTally, RunEnd};
use super::study_context::StudyContext;
use crate::error::StudyError;

/// Two documents of a query, to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedPair<'a> {
    /// The query.
    pub query: &'a str,
    /// The documents, in any order.
    pub documents: [&'a str; 2],
}

/// The outcome of judging a list of pairs.
#[derive(Debug, Clone)]
pub struct ListedPairsOutcome {
    /// The number of different pairs of the pool.
    pub pairs: usize,
    /// The number of pairs with a document that is not in their query's pool. No judge sees them.
    pub outside: usize,
    /// Each judge's tasks.
    pub tallies: Vec<JudgeTally>,
    /// The reason why the run stopped early, if it did.
    pub stopped: Option<StopReason>,
    /// The judges that were stopped because their replies are unparsable.
    pub stopped_judges: Vec<JudgeStop>,
    /// The last failure, if no attempt was answered.
    pub unanswered: Option<JudgeFailure>,
    /// The limit that stopped it, if one did.
    pub budget: Option<BudgetEnd>,
}

impl ListedPairsOutcome {
    /// Returns why nothing was judged, as [`JudgingOutcome`](crate::JudgingOutcome::cause_of_nothing) does.
    pub fn cause_of_nothing(&self) -> Option<StudyError> {
        self.end().cause_of_nothing()
    }

    /// Returns warnings: of judges that were stopped, of requests that were refused or failed, of an early end.
    pub fn warnings(&self) -> Vec<String> {
        self.end().warnings(|_| "pairs")
    }

    fn end(&self) -> RunEnd<'_> {
        RunEnd {
            tallies: &self.tallies,
            stopped: self.stopped.as_ref(),
            stopped_judges: &self.stopped_judges,
            unanswered: self.unanswered.as_ref(),
            budget: self.budget.as_ref(),
        }
    }
}

impl StudyContext<'_> {
    /// Returns a plan that asks about each of these pairs once, in the order in which a tournament would show it first,
    /// with the number of its questions and that of pairs outside the pool.
    ///
    /// # Errors
    /// Returns an error if judges grade.
    pub(super) fn listed(&self, pairs: &[ListedPair<'_>]) -> Result<(Exhaustive, usize, usize), StudyError> {
        if self.config.settings.tournament.is_none() {
            return Err(StudyError::Judges(JudgeError::PairsOfGrades));
        }
        let pooled = &self.texts.pooled;
        let places = places(pooled);
        let (mut questions, mut seen, mut outside) = (Vec::new(), FxHashSet::default(), 0);
        for ListedPair { query, documents: [one, other] } in pairs {
            let found = places.get(&(*query, *one)).zip(places.get(&(*query, *other)));
            let Some((&(topic, one_at), &(_, other_at))) = found.filter(|_| one != other) else {
                outside += 1;
                continue;
            };
            let shown = llull_judge::shown_order(Seed(self.config.settings.seed), query, &[*one, *other], 0);
            let documents = match shown.first() {
                Some(0) => vec![one_at, other_at],
                _ => vec![other_at, one_at],
            };
            if seen.insert((topic, documents.clone())) {
                questions.push(DocumentSet { topic, documents });
            }
        }
        let number = questions.len();
        Ok((Exhaustive::new(Arc::new(pooled.comparing(questions)?)), number, outside))
    }
}

/// The places of the pool's documents by query and document.
fn places(pooled: &Workload) -> FxHashMap<(&str, &str), (TopicIndex, DocumentIndex)> {
    let place = |question: llull_runner::Question<'_>| {
        let document = *question.documents.first()?;
        let id = pooled.document(document).map(PooledDocument::id)?;
        Some(((pooled.topic(question.topic)?.id.as_str(), id), (question.topic, document)))
    };
    pooled.questions().filter_map(place).collect()
}
