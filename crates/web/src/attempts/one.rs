//! One attempt in full: its prompt and its reply.

use llull::core::{Attempt, Document};
use llull::report::text::shorten;
use llull::runner::{PooledDocument, Workload};
use llull::store::Detail;
use llull::{AskedPrompt, Study, StudyError, attempt_texts};
use serde::Serialize;
use serde_json::{Value, json};

use super::index::LedgerIndex;
use super::shown::{AttemptView, WordsView, rationale};

/// How long a query may be, in characters.
const TEXT: usize = 2_000;

#[derive(Debug, Serialize)]
pub(crate) struct OneAttempt {
    attempt: AttemptView,
    rationale: String,
    reply: Option<WordsView>,
    /// The text of the query; empty if the prompt cannot be rendered again, since texts may have changed.
    question: String,
    /// The texts of its documents; empty likewise.
    texts: Vec<Value>,
    /// The prompt; empty if it cannot be rendered again.
    messages: Vec<Value>,
    /// Why it cannot.
    unknown: Option<String>,
    /// The JSON schema that the request set for the reply.
    schema: Option<WordsView>,
    /// The judge's specification, field by field.
    asked_of: Vec<(String, String)>,
    /// All attempts at the same question by the same judge.
    attempts: Vec<Value>,
    /// The number of the query's page, if it is one of the study's.
    pub(crate) query: Option<usize>,
}

impl OneAttempt {
    /// Reads the attempt at this place; `None` if the ledger has fewer.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn read(
        study: &Study,
        pooled: &Workload,
        index: &LedgerIndex,
        place: u64,
    ) -> Result<Option<Self>, StudyError> {
        let Some(recorded) = study.ledger().attempts_at(&[place], Detail::Replies)?.pop() else {
            return Ok(None);
        };
        let attempt = &recorded.attempt;
        let judge = index.judge(recorded.judge).and_then(|judge| judge.registered.as_ref());
        let asked = match judge {
            Some(judge) => study.attempts().prompt(pooled, &judge.spec, attempt),
            None => AskedPrompt::Unknown("its judge is not known".to_owned()),
        };
        let (messages, schema, unknown) = match asked {
            AskedPrompt::Unknown(why) => (Vec::new(), None, Some(why)),
            AskedPrompt::Exact(prompt) => {
                let message = |found: &llull::PreviewMessage| {
                    let words = WordsView::new(&found.content);
                    json!({"role": found.role, "words": words})
                };
                let messages = prompt.messages.iter().map(message).collect();
                (messages, Some(WordsView::new(&format!("{:#}", prompt.schema))), None)
            }
        };
        // Without its prompt, the texts may be others than those of the attempt.
        let (question, texts) = if unknown.is_none() { texts(pooled, attempt) } else { Default::default() };
        let places = index.attempt(place).map(|found| index.places_of_question(found)).unwrap_or_default();
        let other = |place: u64| {
            let outcome = index.attempt(place)?.ended.names().0;
            Some(json!({"place": place, "outcome": outcome}))
        };
        Ok(Some(Self {
            attempt: AttemptView::new(&recorded, index),
            rationale: rationale(&attempt.answer.outcome),
            question,
            texts,
            reply: attempt.answer.reply.as_deref().map(WordsView::new),
            messages,
            unknown,
            schema,
            asked_of: judge.map(|judge| specification(&judge.spec)).unwrap_or_default(),
            attempts: places.into_iter().filter_map(other).collect(),
            query: None,
        }))
    }
}

/// The query of an attempt, and its documents in the order in which they were shown.
fn texts(pooled: &Workload, attempt: &Attempt) -> (String, Vec<Value>) {
    let Ok((topic, documents)) = attempt_texts(pooled, attempt) else { return Default::default() };
    let documents = documents.iter().filter_map(PooledDocument::document);
    let text = |found: &Document| {
        let words = WordsView::new(&found.text);
        json!({"id": found.id, "title": found.title, "words": words})
    };
    (shorten(&topic.text, TEXT), documents.map(text).collect())
}

/// The settings of a judge that affect its answers, in words.
fn specification(spec: &llull::core::JudgeSpec) -> Vec<(String, String)> {
    let mut found = vec![
        ("model".to_owned(), spec.model.clone()),
        ("paradigm".to_owned(), spec.paradigm.name().to_owned()),
        ("prompt".to_owned(), format!("{} ({})", spec.prompt, spec.prompt_hash.short())),
        ("rubric".to_owned(), spec.rubric_hash.short()),
        ("scale".to_owned(), spec.scale.to_string()),
    ];
    if let Some(sampling) = &spec.sampling {
        let number =
            |value: Option<f64>| value.map_or("the server's own".to_owned(), |value| value.to_string());
        found.push(("temperature".to_owned(), number(sampling.temperature)));
        found.push(("top_p".to_owned(), number(sampling.top_p)));
        found.push(("max_tokens".to_owned(), sampling.max_tokens.to_string()));
        let seed = sampling.seed.map_or("none".to_owned(), |seed| seed.to_string());
        found.push(("seed".to_owned(), seed));
    }
    found.extend(spec.options.clone());
    found
}
