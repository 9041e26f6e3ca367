//! The seam: whoever can be asked about a document.

use futures::future::BoxFuture;
use llull_core::{Document, JudgeSpec, Outcome, TaskKey, Topic, Usage};

/// What a judge is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The topic.
    pub topic: &'a Topic,
    /// The document's identifier.
    pub document_id: &'a str,
    /// The document; absent only for judges that do not [need text](Judge::needs_text).
    pub document: Option<&'a Document>,
}

/// What came of asking once.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A verdict, an unusable reply or a failure.
    pub outcome: Outcome,
    /// The reply verbatim, if the judge writes one.
    pub reply: Option<String>,
    /// The model that has answered, as its server calls it.
    pub model: Option<String>,
    /// Tokens.
    pub usage: Usage,
    /// The price in US dollars, if known.
    pub cost_usd: Option<f64>,
    /// Estimated tokens of the document that were not shown.
    pub tokens_cut: u32,
}

impl Answer {
    /// The answer of a judge that computes it here: no reply, no tokens, no cost.
    pub fn computed(outcome: Outcome) -> Self {
        Self {
            outcome,
            reply: None,
            model: None,
            usage: Usage { prompt_tokens: Some(0), completion_tokens: Some(0) },
            cost_usd: Some(0.0),
            tokens_cut: 0,
        }
    }

    /// No answer. What it cost is unknown.
    pub fn failed(failure: llull_core::Failure) -> Self {
        Self {
            outcome: Outcome::Failed(failure),
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            tokens_cut: 0,
        }
    }
}

/// Whoever can be asked about a document: a prompted model, a baseline, a file of old answers.
pub trait Judge: Send + Sync {
    /// The judge's name in the study.
    fn name(&self) -> &str;

    /// What decides its answers.
    fn spec(&self) -> &JudgeSpec;

    /// How many questions may be open at once; 0 counts as 1.
    fn concurrency(&self) -> usize;

    /// Whether it reads the document's text.
    fn needs_text(&self) -> bool {
        true
    }

    /// Whether it computes its answers here: at once, for nothing, and the same each time. Such a judge is asked in
    /// bulk, without a time limit, and never a second time about an answer that was unusable.
    fn in_process(&self) -> bool {
        false
    }

    /// What it has learnt so far that readers of the results should know; each is reported once.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// The key of a question: the hash of its meaning.
    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey;

    /// Asks once. Retries are the dispatcher's business.
    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer>;
}
