//! One document of a query: its text, and every judge's reply.

use llull::report::text::shorten;
use llull::report::{TopicDetail, grade_level};
use llull::store::Detail;
use llull::{Study, StudyError, StudyEvidence, Summary};
use serde::Serialize;

use crate::attempts::{AttemptView, LedgerIndex, WordsView, rationale};
use crate::query_page::QueryHead;
use crate::titled::titled;

/// How many replies the page has at most.
const REPLIES: usize = 40;
/// How long a query, and an explanation, may be, in characters.
const TEXT: usize = 2_000;

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct DocumentPageView<'a> {
    query: QueryHead<'a>,
    question: String,
    id: &'a str,
    title: &'a str,
    grade: Option<i32>,
    level: Option<u32>,
    /// The whole text; `None` if no judge is asked about the document.
    text: Option<WordsView>,
    ranks: Vec<(&'a str, u32)>,
    replies: Vec<Reply>,
    left_out: usize,
}

/// An attempt with the judge's own words.
#[derive(Serialize)]
struct Reply {
    attempt: AttemptView,
    rationale: String,
    reply: Option<WordsView>,
}

impl<'a> DocumentPageView<'a> {
    /// Reads the replies about the document at this place of a query; `None` if there is no such document.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn read(
        (study, index): (&Study, &LedgerIndex),
        evidence: &StudyEvidence,
        summary: &'a Summary,
        (number, topic): (usize, &'a TopicDetail),
        at: usize,
    ) -> Result<Option<Self>, StudyError> {
        let Some(document) = topic.documents.get(at) else { return Ok(None) };
        let facts = study.attempts_at(index.places_about(&topic.id), Detail::Facts)?;
        let is_about = |found: &&llull::RecordedAttempt| match found.attempt.documents.as_slice() {
            [] => found.attempt.document == document.id,
            shown => shown.contains(&document.id),
        };
        let mut places: Vec<u64> = facts.iter().filter(is_about).map(|found| found.place).collect();
        let left_out = places.len().saturating_sub(REPLIES);
        places.truncate(REPLIES);
        let replies = study.attempts_at(&places, Detail::Replies)?;
        let case = evidence
            .pooled
            .cases()
            .find(|case| case.topic.id == topic.id && case.document_id() == document.id);
        let ranks = summary.systems.iter().zip(&document.ranks);
        Ok(Some(Self {
            query: QueryHead { number, id: &topic.id },
            question: shorten(&topic.text, TEXT),
            id: &document.id,
            title: titled(document),
            grade: document.grade,
            level: grade_level(summary, document.grade),
            text: case.and_then(|case| case.document()).map(|found| WordsView::new(&found.text)),
            ranks: ranks.filter_map(|(system, rank)| Some((system.system.as_str(), (*rank)?))).collect(),
            replies: replies.iter().map(|found| Reply::new(found, index)).collect(),
            left_out,
        }))
    }
}

impl Reply {
    fn new(found: &llull::RecordedAttempt, index: &LedgerIndex) -> Self {
        let answer = &found.attempt.answer;
        Self {
            attempt: AttemptView::new(found, index),
            rationale: shorten(&rationale(&answer.outcome), TEXT),
            reply: answer.reply.as_deref().map(WordsView::new),
        }
    }
}
