//! Reconstructs the exact prompt of a recorded attempt, if possible.
//!
//! A prompt is no part of the ledger. It follows from the rubric, the template and the texts, of which copies may be
//! saved, and the key of the attempt is the hash of its prompt. A prompt with another key is not shown.

use std::sync::Arc;

use llull_config::Settings;
use llull_core::{Attempt, CHANGED, Hash, JudgeSpec, Topic};
use llull_judge::{AnchorOrder, DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS};
use llull_runner::{
    Case, DocumentIndex, JudgeIdentity, PooledDocument, PromptJudge, Prompted, PromptedSettings, Workload,
};
use rustc_hash::FxHashMap;

use super::changed_rubric_or_prompt::short;
use super::preview::PromptPreview;
use crate::saved::{find_prompt, find_rubric};
use crate::study_config::StudyConfig;

/// The prompt of a recorded attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum AskedPrompt {
    /// Word for word: its key is that of the attempt.
    Exact(PromptPreview),
    /// It cannot be reconstructed, or need not be: the reason, as a sentence without its full stop.
    Unknown(String),
}

/// Makes prompts of recorded attempts again. Rubrics and templates are read once for each judge.
pub(crate) struct SentPrompts<'a> {
    config: StudyConfig<'a>,
    texts: PooledTextIndex<'a>,
    /// By fingerprint: the judge under each limit of texts, or the reason why its prompts cannot be made again.
    judges: FxHashMap<Hash, Result<Vec<Prompted>, String>>,
}

impl<'a> SentPrompts<'a> {
    /// `pooled` has the texts of the pool.
    pub(crate) fn new(config: StudyConfig<'a>, pooled: &'a Workload) -> Self {
        Self { config, texts: PooledTextIndex::new(pooled), judges: FxHashMap::default() }
    }

    /// Returns the prompt of an attempt of a judge.
    pub(crate) fn of(&mut self, then: &JudgeSpec, attempt: &Attempt) -> AskedPrompt {
        self.made_again(then, attempt).map_or_else(AskedPrompt::Unknown, AskedPrompt::Exact)
    }

    fn made_again(&mut self, then: &JudgeSpec, attempt: &Attempt) -> Result<PromptPreview, String> {
        let Self { config, texts, judges } = self;
        if attempt.sample == CHANGED {
            return Err("a text of it was changed, to probe the judge, and is not saved".to_owned());
        }
        let known = judges.entry(then.fingerprint()).or_insert_with(|| judges_then(*config, then));
        let prompted = known.as_ref().map_err(Clone::clone)?;
        let (topic, stock) = texts.of(attempt)?;
        let places: Vec<DocumentIndex> = (0u32..).map(DocumentIndex).take(stock.len()).collect();
        let case = Case::new(topic, &places, &stock).ok_or("the attempt names no document")?;
        let same = prompted.iter().find(|prompted| prompted.key(&case, attempt.sample) == attempt.key);
        let Some(prompted) = same else {
            let reason = "what would be sent now has another key: a text of it, or how much of a document is shown, \
                          has changed since";
            return Err(reason.to_owned());
        };
        let request = prompted.request(&case, attempt.sample).map_err(|error| error.to_string())?;
        Ok(PromptPreview::new("", &case, request))
    }
}

/// Returns an earlier form of a judge, under each limit of texts that it may have had.
fn judges_then(config: StudyConfig<'_>, then: &JudgeSpec) -> Result<Vec<Prompted>, String> {
    let Some(sampling) = then.sampling else {
        return Err("this judge is no language model and is sent no prompt".to_owned());
    };
    if let Some(field) = then.options.get("attribute") {
        return Err(format!("the judge was shown the field {field} alone, which is not read here"));
    }
    let rubric = find_rubric(config, then.rubric_hash).ok_or_else(|| {
        format!("it was another rubric then ({}), of which no copy was saved", short(then.rubric_hash))
    })?;
    let prompt = find_prompt(config, then).ok_or_else(|| {
        format!("the prompt {} was another one then, of which no copy was saved", then.prompt)
    })?;
    let base = with_options(PromptedSettings { sampling, ..PromptedSettings::new("", &then.model) }, then)
        .ok_or("its request had an option that this llull does not know")?;
    let rubric = Arc::new(rubric);
    let judges = budgets(config.settings).into_iter().map(|(document_tokens, window_tokens)| {
        let found = PromptedSettings { document_tokens, window_tokens, ..base.clone() };
        Prompted::new(found, prompt.clone(), Arc::clone(&rubric))
    });
    Ok(judges.filter(|judge| judge.spec().fingerprint() == then.fingerprint()).collect())
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

/// The texts of the pool, by the identifiers in attempts. A document may be in the pool for another query only.
struct PooledTextIndex<'a> {
    topics: FxHashMap<&'a str, &'a Topic>,
    documents: FxHashMap<&'a str, &'a PooledDocument>,
}

impl<'a> PooledTextIndex<'a> {
    fn new(pooled: &'a Workload) -> Self {
        let with_text = pooled.documents().iter().filter(|document| document.document().is_some());
        Self {
            topics: pooled.topics().iter().map(|topic| (topic.id.as_str(), topic)).collect(),
            documents: with_text.map(|document| (document.id(), document)).collect(),
        }
    }

    fn of(&self, attempt: &Attempt) -> Result<(&'a Topic, Vec<PooledDocument>), String> {
        let topic = self.topics.get(attempt.topic.as_str()).copied();
        let topic =
            topic.ok_or_else(|| format!("the query {} is not in the topics any more", attempt.topic))?;
        let ids = match attempt.documents.as_slice() {
            [] => std::slice::from_ref(&attempt.document),
            shown => shown,
        };
        let text = |id: &String| {
            let found = self.documents.get(id.as_str()).copied().cloned();
            found.ok_or_else(|| format!("the document {id} is not in the pool any more"))
        };
        Ok((topic, ids.iter().map(text).collect::<Result<_, _>>()?))
    }
}

/// Returns the query of an attempt, and its documents in the order in which they were shown.
///
/// # Errors
/// Returns a sentence without its full stop if the query, or the text of a document, is not there any more.
pub fn attempt_texts<'a>(
    pooled: &'a Workload,
    attempt: &Attempt,
) -> Result<(&'a Topic, Vec<PooledDocument>), String> {
    PooledTextIndex::new(pooled).of(attempt)
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
