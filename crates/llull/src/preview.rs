//! Exactly what a judge would be sent.

use std::sync::Arc;

use llull_data::read_documents;
use llull_judge::Role;
use llull_runner::Case;
use serde::Serialize;

use crate::config::JudgeKind;
use crate::judged::Asking;
use crate::panel::prompted;
use crate::{Prepared, Study, StudyError};

/// What one judge would be sent about one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptPreview {
    /// The judge.
    pub judge: String,
    /// The topic's identifier.
    pub topic: String,
    /// The document's identifier.
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
        let corpus = self.corpus_path()?;
        let documents = read_documents(&corpus, |id| id == document, &mut |_| ())?;
        let Some(text) = documents.found.get(&document) else {
            return Err(StudyError::Unfit(format!("document {document:?} is not in {}", corpus.display())));
        };
        let Some(topic) = prepared.topics.get(&topic) else {
            return Err(self.no_topic(&topic));
        };
        let case = Case { topic, document_id: &document, document: Some(text) };
        let rubric = Arc::new(prepared.rubric.clone());
        let mut previews = Vec::new();
        for settings in
            self.settings().judges.iter().filter(|judge| matches!(judge.kind, JudgeKind::Prompted { .. }))
        {
            let judge = prompted(self, settings, &rubric, &|_| None, Asking::Nothing)?;
            let rendered = judge.render(&case)?;
            previews.push(PromptPreview {
                judge: settings.name.clone(),
                topic: topic.id.clone(),
                document: document.clone(),
                schema: judge.schema().clone(),
                tokens: rendered.tokens,
                tokens_cut: rendered.tokens_cut,
                messages: rendered
                    .messages
                    .into_iter()
                    .map(|message| PreviewMessage {
                        role: match message.role {
                            Role::System => "system",
                            Role::User => "user",
                        },
                        content: message.content,
                    })
                    .collect(),
            });
        }
        Ok(previews)
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
