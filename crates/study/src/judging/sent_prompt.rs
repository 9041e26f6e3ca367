//! Reconstructs the exact prompt of a recorded attempt, if possible.
//!
//! A prompt is no part of the ledger. It follows from the rubric, the template and the texts, of which copies may be
//! saved, and the key of the attempt is the hash of its prompt. A prompt with another key is not shown.

use std::sync::Arc;

use llull_config::{Folder, Settings};
use llull_core::{Attempt, CHANGED, JudgeSpec};
use llull_judge::{AnchorOrder, DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS, Prompt, Rubric};
use llull_runner::{
    Case, DocumentIndex, JudgeIdentity, PooledDocument, PromptJudge, Prompted, PromptedSettings, Workload,
};

use super::changed_rubric_or_prompt::short;
use super::preview::PromptPreview;
use crate::saved::{find_prompt, find_rubric};

/// The prompt of a recorded attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum AskedPrompt {
    /// Word for word: its key is that of the attempt.
    Exact(PromptPreview),
    /// It cannot be reconstructed, or need not be: the reason, as a sentence without its full stop.
    Unknown(String),
}

/// Returns the prompt of an attempt. `pooled` has the texts of the pool.
pub(crate) fn asked_prompt(
    settings: &Settings,
    folder: &Folder,
    pooled: &Workload,
    then: &JudgeSpec,
    attempt: &Attempt,
) -> AskedPrompt {
    made_again(settings, folder, pooled, then, attempt)
        .map_or_else(AskedPrompt::Unknown, |found| AskedPrompt::Exact(*found))
}

fn made_again(
    settings: &Settings,
    folder: &Folder,
    pooled: &Workload,
    then: &JudgeSpec,
    attempt: &Attempt,
) -> Result<Box<PromptPreview>, String> {
    let Some(sampling) = then.sampling else {
        return Err("this judge is no language model and is sent no prompt".to_owned());
    };
    if let Some(field) = then.options.get("attribute") {
        return Err(format!("the judge was shown the field {field} alone, which is not read here"));
    }
    if attempt.sample == CHANGED {
        return Err("a text of it was changed, to probe the judge, and is not saved".to_owned());
    }
    let rubric = find_rubric(settings, folder, then.rubric_hash).ok_or_else(|| {
        format!("it was another rubric then ({}), of which no copy was saved", short(then.rubric_hash))
    })?;
    let prompt = find_prompt(settings, folder, then).ok_or_else(|| {
        format!("the prompt {} was another one then, of which no copy was saved", then.prompt)
    })?;
    let base = with_options(PromptedSettings { sampling, ..PromptedSettings::new("", &then.model) }, then)
        .ok_or("its request had an option that this llull does not know")?;
    let (topic, stock) = attempt_texts(pooled, attempt)?;
    let places: Vec<DocumentIndex> = (0u32..).map(DocumentIndex).take(stock.len()).collect();
    let case = Case::new(topic, &places, &stock).ok_or("the attempt names no document")?;
    let rubric = Arc::new(rubric);
    for (document_tokens, window_tokens) in budgets(settings) {
        let found = PromptedSettings { document_tokens, window_tokens, ..base.clone() };
        if let Some(preview) = exact(found, &prompt, &rubric, (then, attempt), &case)? {
            return Ok(Box::new(preview));
        }
    }
    Err("what would be sent now has another key: a text of it, or how much of a document is shown, has changed since"
        .to_owned())
}

/// Returns the prompt under these settings; `None` if its key is not that of the attempt.
fn exact(
    settings: PromptedSettings,
    prompt: &Prompt,
    rubric: &Arc<Rubric>,
    (then, attempt): (&JudgeSpec, &Attempt),
    case: &Case<'_>,
) -> Result<Option<PromptPreview>, String> {
    let prompted = Prompted::new(settings, prompt.clone(), Arc::clone(rubric));
    let same = prompted.spec().fingerprint() == then.fingerprint()
        && prompted.key(case, attempt.sample) == attempt.key;
    if !same {
        return Ok(None);
    }
    let request = prompted.request(case, attempt.sample).map_err(|error| error.to_string())?;
    Ok(Some(PromptPreview::new("", case, request)))
}

/// Adds a specification's options, beyond model and sampling; `None` if one is unknown here.
pub(super) fn with_options(mut settings: PromptedSettings, then: &JudgeSpec) -> Option<PromptedSettings> {
    let seed = |text: &str| text.trim().parse::<u64>().ok();
    for (name, value) in &then.options {
        match name.as_str() {
            "anchor_order" => {
                let words = value.strip_prefix("shuffled ")?;
                settings.anchor_order = match words.strip_prefix("by question ") {
                    Some(number) => AnchorOrder::ShuffledByQuestion(seed(number)?),
                    None => AnchorOrder::Shuffled(seed(words)?),
                };
            }
            "ties" => settings.allow_neither = value == "allowed",
            "logprobs" => settings.logprobs = Some(value.parse().ok()?),
            "extra" => settings.extra = serde_json::from_str(value).ok()?,
            _ => return None,
        }
    }
    Some(settings)
}

/// Returns the query of an attempt, and its documents in the order in which they were shown. A document may be in the
/// pool for another query only.
///
/// # Errors
/// Returns a sentence without its full stop if the query, or the text of a document, is not there any more.
pub fn attempt_texts<'a>(
    pooled: &'a Workload,
    attempt: &Attempt,
) -> Result<(&'a llull_core::Topic, Vec<PooledDocument>), String> {
    let topic = pooled.topics().iter().find(|topic| topic.id == attempt.topic);
    let topic = topic.ok_or_else(|| format!("the query {} is not in the topics any more", attempt.topic))?;
    let ids = match attempt.documents.as_slice() {
        [] => std::slice::from_ref(&attempt.document),
        shown => shown,
    };
    let text = |id: &String| {
        let found = pooled.documents().iter().find(|document| document.id() == id);
        let found = found.filter(|document| document.document().is_some()).cloned();
        found.ok_or_else(|| format!("the document {id} is not in the pool any more"))
    };
    Ok((topic, ids.iter().map(text).collect::<Result<_, _>>()?))
}

/// The limits of a document and of all documents together: those of the study's judges, then the defaults.
fn budgets(settings: &Settings) -> Vec<(u32, u32)> {
    let window = settings.tournament.as_ref().map_or(DEFAULT_WINDOW_TOKENS, |found| found.window_tokens);
    let judges = settings.judges.iter().chain(&settings.graders);
    let mut found: Vec<(u32, u32)> = judges
        .filter_map(|judge| Some((judge.kind.document_tokens()?, window)))
        .chain([(DEFAULT_DOCUMENT_TOKENS, window), (DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS)])
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
