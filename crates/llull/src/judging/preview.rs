//! Exactly what a judge would be sent.

use std::sync::Arc;

use llull_core::Seed;
use llull_data::read_documents;
use llull_llm::Role;
use llull_runner::{Case, PooledDocument, PromptJudge};
use serde::Serialize;

use crate::config::{JudgeKind, JudgeSettings, TournamentSettings};
use crate::panel::prompted;
use crate::{Prepared, Study, StudyError};

/// What one judge would be sent about one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptPreview {
    /// The judge.
    pub judge: String,
    /// The topic's identifier.
    pub topic: String,
    /// The document's identifier; where documents are compared, all of them, in the order shown, with commas.
    pub document: String,
    /// The messages in order.
    pub messages: Vec<PreviewMessage>,
    /// The JSON schema of the reply.
    pub schema: serde_json::Value,
    /// Estimated tokens of all messages.
    pub tokens: u32,
    /// Estimated tokens of the document that are not shown.
    pub tokens_cut: u32,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PreviewMessage {
    /// `system` or `user`.
    pub role: &'static str,
    /// What is said.
    pub content: String,
}

impl Study {
    /// What each language model among the judges would be sent about a document: the first of the pool where nothing
    /// is named. No model is contacted, and no key is needed.
    ///
    /// # Errors
    /// When the topic or the document is not there, or a template cannot be rendered.
    pub fn preview(
        &self,
        prepared: &Prepared,
        topic: Option<&str>,
        document: Option<&str>,
    ) -> Result<Vec<PromptPreview>, StudyError> {
        let (topic, document) = self.chosen(prepared, topic, document)?;
        let ids = match &self.settings().tournament {
            None => vec![document],
            Some(tournament) => self.compared_with(prepared, &topic, &document, tournament),
        };
        let corpus = self.corpus_path()?;
        let documents = read_documents(&corpus, |id| ids.iter().any(|wanted| wanted == id), &mut |_| ())?;
        let text = |id: &String| documents.found.get(id).cloned().map(PooledDocument::Found);
        let missing = || ids.iter().find(|id| text(id).is_none());
        if let Some(missing) = missing() {
            return Err(StudyError::Unfit(format!("document {missing:?} is not in {}", corpus.display())));
        }
        let stock: Vec<PooledDocument> = ids.iter().filter_map(text).collect();
        let places: Vec<u32> = (0u32..).take(stock.len()).collect();
        let Some(topic) = prepared.topics.get(&topic) else {
            return Err(self.no_topic(&topic));
        };
        let Some(case) = Case::new(topic, &places, &stock) else { return Ok(Vec::new()) };
        let prompted = |judge: &&JudgeSettings| matches!(judge.kind, JudgeKind::Prompted { .. });
        let judges = self.settings().judges.iter().filter(prompted);
        judges.map(|settings| self.preview_of(prepared, settings, &case)).collect()
    }

    /// What one judge would be sent about a case.
    fn preview_of(
        &self,
        prepared: &Prepared,
        settings: &JudgeSettings,
        case: &Case<'_>,
    ) -> Result<PromptPreview, StudyError> {
        let rubric = Arc::new(prepared.rubric.clone());
        let judge = prompted(self, settings, self.settings().tournament.as_ref(), &rubric)?;
        let request = judge.request(case, 0)?;
        let messages = request.chat.messages.into_iter().map(|message| PreviewMessage {
            role: match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            },
            content: message.content,
        });
        Ok(PromptPreview {
            judge: settings.name.clone(),
            topic: case.topic.id.clone(),
            document: case.document_ids().collect::<Vec<_>>().join(", "),
            schema: request.chat.schema.map(|schema| schema.schema).unwrap_or_default(),
            tokens: request.tokens,
            tokens_cut: request.tokens_cut,
            messages: messages.collect(),
        })
    }

    /// A document and those that it might be shown with, the best guesses first, in the order in which they would be shown.
    fn compared_with(
        &self,
        prepared: &Prepared,
        topic: &str,
        document: &str,
        tournament: &TournamentSettings,
    ) -> Vec<String> {
        let mut ids = vec![document.to_owned()];
        if let Some(pooled) = prepared.pool.topics.iter().find(|pooled| pooled.id == topic) {
            let best = pooled.fused_order().into_iter().filter_map(|at| pooled.documents.get(at as usize));
            let others = best.map(|document| document.id.to_string()).filter(|id| id != document);
            ids.extend(others.take(tournament.window - 1));
        }
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let order = llull_judge::shown_order(Seed(self.settings().seed), topic, &names, 0);
        order.into_iter().filter_map(|at| ids.get(at).cloned()).collect()
    }

    fn chosen(
        &self,
        prepared: &Prepared,
        topic: Option<&str>,
        document: Option<&str>,
    ) -> Result<(String, String), StudyError> {
        let pooled = match topic {
            Some(id) => {
                prepared.pool.topics.iter().find(|topic| topic.id == id).ok_or_else(|| self.no_topic(id))?
            }
            None => {
                prepared.pool.topics.iter().find(|topic| !topic.documents.is_empty()).ok_or_else(|| {
                    StudyError::Unfit("the pool is empty: no system returned a document".into())
                })?
            }
        };
        let document = match (document, pooled.documents.first()) {
            (Some(id), _) => id.to_owned(),
            (None, Some(first)) => first.id.to_string(),
            (None, None) => {
                return Err(StudyError::Unfit(format!(
                    "no system returned a document for query {:?}; name one with --document",
                    pooled.id
                )));
            }
        };
        Ok((pooled.id.clone(), document))
    }

    fn no_topic(&self, id: &str) -> StudyError {
        StudyError::Unfit(format!("query {id:?} is not in {}", self.settings().topics.display()))
    }
}
