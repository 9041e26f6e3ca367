//! Every attempt at a query's questions as a page shows it: what was asked of whom, what came back, word for word.

use llull::RecordedAttempt;
use llull::core::{ComparedVerdict, Outcome, Verdict};
use llull::report::text::escape_html;
use serde::Serialize;

/// How many attempts one page has.
const ATTEMPTS: usize = 100;
/// How long a reply may be on a page, in bytes.
const REPLY: usize = 50_000;

/// One page of a query's attempts.
#[derive(Debug, Serialize)]
pub(crate) struct AnswersView {
    pub(crate) attempts: Vec<AttemptView>,
    /// How many there are in all.
    pub(crate) found: usize,
    /// The number of the page, from 1.
    pub(crate) page: usize,
    pub(crate) pages: usize,
}

/// An attempt.
#[derive(Debug, Serialize)]
pub(crate) struct AttemptView {
    judge: String,
    /// The documents, in the order in which they were shown.
    documents: Vec<String>,
    /// What is no vote: a recheck or a probe.
    is_vote: bool,
    outcome: String,
    failed: bool,
    /// What the outcome does not say: why a reply is unusable, what a server said.
    detail: String,
    rationale: String,
    model: Option<String>,
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    cost: Option<f64>,
    latency_ms: u32,
    /// The reply as HTML, line by line.
    reply: Option<String>,
    /// How many bytes of it are not shown.
    cut: usize,
}

impl AnswersView {
    /// Makes a page of these attempts.
    pub(crate) fn new(attempts: &[RecordedAttempt], page: usize) -> Self {
        let pages = attempts.len().div_ceil(ATTEMPTS).max(1);
        let page = page.clamp(1, pages);
        let shown = attempts.iter().skip((page - 1) * ATTEMPTS).take(ATTEMPTS);
        Self { attempts: shown.map(AttemptView::new).collect(), found: attempts.len(), page, pages }
    }
}

impl AttemptView {
    fn new(recorded: &RecordedAttempt) -> Self {
        let attempt = &recorded.attempt;
        let documents = match attempt.documents.as_slice() {
            [] => vec![attempt.document.clone()],
            shown => shown.to_vec(),
        };
        let (outcome, detail, rationale) = match &attempt.outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => {
                (format!("grade {}", verdict.grade), String::new(), verdict.rationale.clone())
            }
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                (order(verdict, &documents), String::new(), verdict.rationale.clone())
            }
            Outcome::Unusable(unusable) => {
                (format!("unusable: {}", unusable.reason), unusable.detail.clone(), String::new())
            }
            Outcome::Failed(failure) => {
                (format!("failed: {}", failure.kind), failure.message.clone(), String::new())
            }
        };
        let reply = attempt.reply.as_deref().map(words);
        Self {
            judge: recorded.judge.clone(),
            documents,
            is_vote: attempt.is_vote(),
            outcome,
            failed: matches!(attempt.outcome, Outcome::Failed(_)),
            detail,
            rationale,
            model: attempt.model.clone(),
            prompt_tokens: attempt.usage.prompt_tokens,
            completion_tokens: attempt.usage.completion_tokens,
            cost: attempt.cost_usd,
            latency_ms: attempt.latency_ms,
            cut: reply.as_ref().map_or(0, |(_, cut)| *cut),
            reply: reply.map(|(html, _)| html),
        }
    }
}

/// An order of documents, best first: those on one place with `=` between them.
fn order(verdict: &ComparedVerdict, documents: &[String]) -> String {
    let name = |at: &u16| documents.get(usize::from(*at)).cloned().unwrap_or_default();
    let group = |group: &Vec<u16>| group.iter().map(name).collect::<Vec<_>>().join(" = ");
    match verdict.order.as_slice() {
        [both] if documents.len() == 2 && both.len() == 2 => "neither is better".to_owned(),
        groups => groups.iter().map(group).collect::<Vec<_>>().join(" > "),
    }
}

/// Text as HTML whose lines stay lines, and how many bytes are left out.
fn words(text: &str) -> (String, usize) {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= REPLY).unwrap_or(text.len());
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
        let (html, cut) = words(&"ü".repeat(40_000));
        assert_eq!((html.len(), cut), (REPLY, 30_000));
    }

    #[test]
    fn an_order_names_documents() {
        let verdict = |order: &[&[u16]]| ComparedVerdict {
            order: order.iter().map(|group| group.to_vec()).collect(),
            ..ComparedVerdict::default()
        };
        let three = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(order(&verdict(&[&[2], &[0, 1]]), &three), "c > a = b");
        assert_eq!(order(&verdict(&[&[0, 1]]), &three[..2]), "neither is better");
        assert_eq!(order(&verdict(&[&[1], &[0]]), &three[..2]), "b > a");
    }
}
