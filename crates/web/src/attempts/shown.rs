//! An attempt on a page: its judge, question and reply.

use llull::RecordedAttempt;
use llull::core::{Outcome, Verdict};
use llull::report::text::escape_html;
use serde::Serialize;

use super::index::LedgerIndex;
use crate::time::utc;

/// How long a reply or a message may be on a page, in bytes.
const WORDS: usize = 200_000;

/// An attempt without its reply.
#[derive(Debug, Serialize)]
pub(crate) struct AttemptView {
    pub(crate) place: u64,
    judge: String,
    query: String,
    /// The documents, in the order in which they were shown.
    documents: Vec<String>,
    /// How the answer checks the judge, in words; none for a vote.
    recheck: Option<&'static str>,
    /// Whether it repeats a question that had brought no verdict.
    repeats: bool,
    outcome: String,
    failed: bool,
    /// The details of the outcome: why a reply is unusable, or the server's message.
    detail: String,
    model: Option<String>,
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    tokens_cut: u32,
    cost: Option<f64>,
    latency_ms: u32,
    at: String,
    /// The parameters that the server refused, as JSON.
    adjusted: Option<String>,
}

impl AttemptView {
    pub(crate) fn new(recorded: &RecordedAttempt, index: &LedgerIndex) -> Self {
        let attempt = &recorded.attempt;
        let documents = match attempt.documents.as_slice() {
            [] => vec![attempt.document.clone()],
            shown => shown.to_vec(),
        };
        let (outcome, detail) = match &attempt.answer.outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => {
                (format!("grade {}", verdict.grade), String::new())
            }
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                (verdict.order_text(&documents), String::new())
            }
            Outcome::Unusable(refusal) if refusal.reason.is_refusal() => {
                (format!("refused: {}", refusal.reason), refusal.detail.clone())
            }
            Outcome::Unusable(unusable) => {
                (format!("unparsable: {}", unusable.reason), unusable.detail.clone())
            }
            Outcome::Failed(failure) => (format!("failed: {}", failure.kind), failure.message.clone()),
        };
        let judge = index.judge(recorded.judge).map_or_else(String::new, super::IndexedJudge::name);
        Self {
            place: recorded.place,
            judge,
            query: attempt.topic.clone(),
            documents,
            recheck: attempt.recheck_kind(),
            repeats: index.attempt(recorded.place).is_some_and(|found| found.repeats),
            outcome,
            failed: matches!(attempt.answer.outcome, Outcome::Failed(_)),
            detail,
            model: attempt.answer.model.clone(),
            prompt_tokens: attempt.answer.usage.prompt_tokens,
            completion_tokens: attempt.answer.usage.completion_tokens,
            tokens_cut: attempt.answer.tokens_cut,
            cost: attempt.answer.cost_usd,
            latency_ms: attempt.latency_ms,
            at: utc(attempt.at_ms),
            adjusted: attempt.answer.adjusted.clone(),
        }
    }
}

/// Text word for word.
#[derive(Debug, Serialize)]
pub(crate) struct WordsView {
    /// As HTML, line by line.
    html: String,
    /// How many bytes of it are not shown.
    cut: usize,
}

impl WordsView {
    /// Makes HTML of a text, whose lines stay lines.
    pub(crate) fn new(text: &str) -> Self {
        let (html, cut) = words(text);
        Self { html, cut }
    }
}

/// The explanation of a verdict; empty without one.
pub(crate) fn rationale(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Judged { verdict: Verdict::Graded(verdict) } => verdict.rationale.clone(),
        Outcome::Judged { verdict: Verdict::Compared(verdict) } => verdict.rationale.clone(),
        Outcome::Unusable(_) | Outcome::Failed(_) => String::new(),
    }
}

/// Text as HTML with its line breaks, and how many bytes are left out.
fn words(text: &str) -> (String, usize) {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= WORDS).unwrap_or(text.len());
    let lines: Vec<String> = text.get(..end).unwrap_or_default().split('\n').map(escape_html).collect();
    (lines.join("\n"), text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_nothing_of_them_acts() {
        let (html, cut) = words("{\"grade\": 3}\n<script>alert(1)</script>\u{1b}[2J");
        assert_eq!(html, "{&quot;grade&quot;: 3}\n&lt;script&gt;alert(1)&lt;/script&gt;\\u001b[2J");
        assert_eq!(cut, 0);
        let (html, cut) = words(&"ü".repeat(WORDS));
        assert_eq!((html.len(), cut), (WORDS, WORDS));
    }
}
