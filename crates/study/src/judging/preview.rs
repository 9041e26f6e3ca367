//! Previews the exact prompts of judges.

use std::sync::Arc;

use llull_config::{JudgeSettings, TournamentSettings};
use llull_core::Seed;
use llull_judge::{PromptRole, Rendered};
use llull_llm::Role;
use llull_runner::{Case, DocumentIndex, PooledDocument, PromptJudge, PromptRequest, Workload};
use serde::Serialize;

use super::attributes::{attribute_groups, field_of};
use super::prompts::prompted;
use crate::error::StudyError;
use crate::inputs::{Corpus, InputError, Inputs, texts_without_corpus};
use crate::study_config::StudyConfig;

/// The prompt of one judge about one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptPreview {
    /// The judge.
    pub judge: String,
    /// The topic's identifier.
    pub topic: String,
    /// The document's identifier; if documents are compared, all of them, in the shown order, with commas.
    pub document: String,
    /// The messages in order.
    pub messages: Vec<PreviewMessage>,
    /// The JSON schema of the reply.
    pub schema: serde_json::Value,
    /// Estimated tokens of all messages.
    pub tokens: u32,
    /// Estimated tokens of the document that the prompt leaves out.
    pub tokens_cut: u32,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PreviewMessage {
    /// `system` or `user`.
    pub role: &'static str,
    /// The text.
    pub content: String,
}

impl PromptPreview {
    /// The prompt of this request about a case.
    pub(super) fn new(judge: &str, case: &Case<'_>, request: PromptRequest) -> Self {
        let messages = request.chat.messages.into_iter().map(|message| PreviewMessage {
            role: match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            },
            content: message.content,
        });
        Self {
            judge: judge.to_owned(),
            topic: case.topic.id.clone(),
            document: case.document_ids().collect::<Vec<_>>().join(", "),
            schema: request.chat.schema.map(|schema| schema.schema).unwrap_or_default(),
            tokens: request.tokens,
            tokens_cut: request.tokens_cut,
            messages: messages.collect(),
        }
    }

    /// The prompt of a model that writes: its name in place of a judge's, and what it writes about.
    pub fn of_writer(
        prompt: &str,
        (topic, document): (&str, &str),
        rendered: Rendered,
        schema: serde_json::Value,
    ) -> Self {
        let messages = rendered.messages.into_iter().map(|message| PreviewMessage {
            role: match message.role {
                PromptRole::System => "system",
                PromptRole::User => "user",
            },
            content: message.content,
        });
        Self {
            judge: prompt.to_owned(),
            topic: topic.to_owned(),
            document: document.to_owned(),
            messages: messages.collect(),
            schema,
            tokens: rendered.tokens,
            tokens_cut: rendered.tokens_cut,
        }
    }
}

/// Returns the prompt of each language model among the judges about a document, by default the first of the pool, then
/// their prompts about the rubric's attributes. No model is contacted, and no key is needed.
///
/// # Errors
/// Returns an error if the query or the document does not exist, or a template cannot be rendered.
pub(crate) fn previews(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    query: Option<&str>,
    document: Option<&str>,
) -> Result<Vec<PromptPreview>, StudyError> {
    let settings = config.settings;
    let unknown = |query: &str| {
        StudyError::Inputs(InputError::UnknownQuery {
            query: query.to_owned(),
            topics: settings.topics.to_string(),
        })
    };
    let (query, document) = chosen(inputs, query, document, unknown)?;
    let ids = match &settings.tournament {
        None => vec![document],
        Some(tournament) => compared_with(settings.seed, inputs, &query, &document, tournament),
    };
    let wanted = |id: &str| ids.iter().any(|wanted| wanted == id);
    let (documents, place) = match &settings.corpus {
        Some(_) => {
            let corpus = Corpus::of(config)?;
            (corpus.find(wanted, &mut |_| ())?.found, corpus.name())
        }
        None => (texts_without_corpus(config, wanted)?, "the results of the systems".to_owned()),
    };
    let text = |id: &String| documents.get(id).cloned().map(PooledDocument::Found);
    if let Some(missing) = ids.iter().find(|id| text(id).is_none()) {
        let document = missing.clone();
        return Err(StudyError::Inputs(InputError::UnknownDocument { document, corpus: place }));
    }
    let stock: Vec<PooledDocument> = ids.iter().filter_map(text).collect();
    let places: Vec<DocumentIndex> = (0u32..).map(DocumentIndex).take(stock.len()).collect();
    let Some(topic) = inputs.topics.get(&query) else { return Err(unknown(&query)) };
    let Some(case) = Case::new(topic, &places, &stock) else { return Ok(Vec::new()) };
    let rubric = Arc::new(inputs.rubric.clone());
    let preview = |judge: &JudgeSettings, tournament: Option<&TournamentSettings>, case: &Case<'_>| {
        let prompted = prompted(config, judge, tournament, &rubric)?;
        Ok(PromptPreview::new(&judge.name, case, prompted.request(case, 0)?))
    };
    let judges = settings.judges.iter().filter(|judge| judge.kind.is_language_model());
    let previews = judges.map(|judge| preview(judge, settings.tournament.as_ref(), &case));
    let mut previews = previews.collect::<Result<Vec<_>, StudyError>>()?;
    for group in attribute_groups(settings, &inputs.rubric) {
        let shown = match &group.field {
            None => stock.clone(),
            Some(field) => {
                let whole = Workload::new(vec![topic.clone()], stock.clone(), Vec::new())?;
                field_of(config, field, &whole)?.documents().to_vec()
            }
        };
        // Judges get no question about a pair without the field.
        if shown.iter().any(|document| document.document().is_none()) {
            continue;
        }
        let Some(case) = Case::new(topic, &places, &shown) else { continue };
        for judge in &group.judges {
            previews.push(preview(judge, Some(&group.tournament), &case)?);
        }
    }
    Ok(previews)
}

/// Returns a document and probable others of its set, the best guesses first, in the shown order.
fn compared_with(
    seed: u64,
    inputs: &Inputs,
    query: &str,
    document: &str,
    tournament: &TournamentSettings,
) -> Vec<String> {
    let mut ids = vec![document.to_owned()];
    if let Some(pooled) = inputs.asked().topics.iter().find(|pooled| pooled.id == query) {
        let best = pooled.fused_order().into_iter().filter_map(|at| pooled.documents.get(at as usize));
        let others = best.map(|document| document.id.to_string()).filter(|id| id != document);
        ids.extend(others.take(tournament.window - 1));
    }
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let order = llull_judge::shown_order(Seed(seed), query, &names, 0);
    order.into_iter().filter_map(|at| ids.get(at).cloned()).collect()
}

/// Returns the named query and document, or the first of the pool.
fn chosen(
    inputs: &Inputs,
    query: Option<&str>,
    document: Option<&str>,
    unknown: impl Fn(&str) -> StudyError,
) -> Result<(String, String), StudyError> {
    let mut pooled = inputs.asked().topics.iter();
    let pooled = match query {
        Some(id) => pooled.find(|pooled| pooled.id == id).ok_or_else(|| unknown(id))?,
        None => pooled
            .find(|pooled| !pooled.documents.is_empty())
            .ok_or(StudyError::Inputs(InputError::EmptyPool))?,
    };
    let document = match (document, pooled.documents.first()) {
        (Some(id), _) => id.to_owned(),
        (None, Some(first)) => first.id.to_string(),
        (None, None) => return Err(StudyError::Inputs(InputError::NoDocument(pooled.id.clone()))),
    };
    Ok((pooled.id.clone(), document))
}
