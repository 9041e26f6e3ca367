//! One document of a query: its text, and every judge's reply.

use llull::report::text::shorten;
use llull::report::{GradeScale, TopicDetail};
use llull::store::Detail;
use llull::{RecordedAttempt, Study, StudyError, StudyEvidence, Summary};
use serde_json::{Value, json};

use crate::attempts::{AttemptView, LedgerIndex, WordsView, rationale};
use crate::query_page::QueryHead;
use crate::titled::titled;

/// How many replies the page has at most.
const REPLIES: usize = 40;
/// How long a query, and an explanation, may be, in characters.
const TEXT: usize = 2_000;

/// Reads the values of the page: the document at this place of a query, and the replies about it; `None` if there is no
/// such document.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn document_view(
    (study, index): (&Study, &LedgerIndex),
    evidence: &StudyEvidence,
    summary: &Summary,
    (number, topic): (usize, &TopicDetail),
    at: usize,
) -> Result<Option<Value>, StudyError> {
    let Some(document) = topic.documents.get(at) else { return Ok(None) };
    let facts = study.ledger().attempts_at(index.places_about(&topic.id), Detail::Facts)?;
    let is_about = |found: &&RecordedAttempt| match found.attempt.documents.as_slice() {
        [] => found.attempt.document == document.id,
        shown => shown.contains(&document.id),
    };
    let mut places: Vec<u64> = facts.iter().filter(is_about).map(|found| found.place).collect();
    let left_out = places.len().saturating_sub(REPLIES);
    places.truncate(REPLIES);
    let replies = study.ledger().attempts_at(&places, Detail::Replies)?;
    let case =
        evidence.pooled.cases().find(|case| case.topic.id == topic.id && case.document_id() == document.id);
    let text = case.and_then(|case| case.document());
    let ranks = summary.systems.iter().zip(&document.ranks);
    Ok(Some(json!({
        "query": QueryHead { number, id: &topic.id },
        "question": shorten(&topic.text, TEXT),
        "id": document.id,
        "title": titled(document),
        "grade": document.grade,
        "level": GradeScale::of(summary).level(document.grade),
        // The whole text; null if the document is not judged, or has no text.
        "text": text.map(|found| WordsView::new(&found.text)),
        "ranks": ranks.filter_map(|(system, rank)| Some((&system.system, (*rank)?))).collect::<Vec<_>>(),
        "replies": replies.iter().map(|found| reply(found, index)).collect::<Vec<_>>(),
        "left_out": left_out,
    })))
}

/// An attempt with the judge's own words.
fn reply(found: &RecordedAttempt, index: &LedgerIndex) -> Value {
    let answer = &found.attempt.answer;
    json!({
        "attempt": AttemptView::new(found, index),
        "rationale": shorten(&rationale(&answer.outcome), TEXT),
        "reply": answer.reply.as_deref().map(WordsView::new),
    })
}
