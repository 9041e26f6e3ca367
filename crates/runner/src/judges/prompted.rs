//! A language model with a prompt and a rubric.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use futures::future::BoxFuture;
use llull_core::{
    Failure, FailureKind, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Sampling, TaskKey, Verdict,
};
use llull_judge::{
    AnchorOrder, Prompt, PromptError, PromptInput, Rendered, Rubric, answer_schema, fit, read_answer,
};
use llull_llm::{ChatModel, ChatReply, ResponseSchema};

use super::{TASK, asking};
use crate::{Answer, Case, Judge};

/// How a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptedSettings {
    /// The judge's name in the study.
    pub name: String,
    /// Sampling parameters. Where there is a seed, sample n is asked with the seed plus n.
    pub sampling: Sampling,
    /// The order of the rubric's worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of a document is shown, in estimated tokens. What is cut is not part of a question's meaning.
    pub document_tokens: u32,
    /// How many questions may be open at once.
    pub concurrency: usize,
}

/// A language model that grades one document at a time, by a prompt and a rubric.
pub struct PromptedJudge {
    settings: PromptedSettings,
    model: Arc<dyn ChatModel>,
    prompt: Prompt,
    rubric: Arc<Rubric>,
    schema: ResponseSchema,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl PromptedJudge {
    /// A judge of these parts.
    pub fn new(
        settings: PromptedSettings,
        model: Arc<dyn ChatModel>,
        prompt: Prompt,
        rubric: Arc<Rubric>,
    ) -> Self {
        let mut options = BTreeMap::new();
        if let AnchorOrder::Shuffled(seed) = settings.anchor_order {
            options.insert("anchor_order".to_owned(), format!("shuffled {seed}"));
        }
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
            model: model.name().to_owned(),
            prompt: prompt.name.clone(),
            prompt_hash: prompt.hash(),
            rubric_hash: rubric.hash,
            scale: rubric.scale,
            sampling: Some(settings.sampling),
            options,
        };
        let schema = ResponseSchema {
            name: "judgment".to_owned(),
            schema: answer_schema(prompt.answer, rubric.scale),
        };
        let fingerprint = spec.fingerprint();
        Self { settings, model, prompt, rubric, schema, spec, fingerprint }
    }

    /// What would be sent about this case, word for word.
    ///
    /// # Errors
    /// When the template cannot be filled in.
    pub fn render(&self, case: &Case<'_>) -> Result<Rendered, PromptError> {
        self.prompt.render(&PromptInput {
            query: &case.topic.text,
            document: &shown(case),
            rubric: &self.rubric,
            anchor_order: self.settings.anchor_order,
            document_tokens: self.settings.document_tokens,
        })
    }

    /// The JSON schema of the reply.
    pub fn schema(&self) -> &serde_json::Value {
        &self.schema.schema
    }

    fn read(&self, reply: ChatReply, tokens_cut: u32) -> Answer {
        let outcome = match read_answer(&asking::raw(&reply), self.prompt.answer, self.rubric.scale) {
            Ok(verdict) => Outcome::Judged { verdict: Verdict::Graded(verdict) },
            Err(unusable) => Outcome::Unusable(unusable),
        };
        asking::answer(reply, outcome, tokens_cut)
    }
}

/// The document as it is shown, before it is cut.
fn shown<'a>(case: &Case<'a>) -> Cow<'a, str> {
    case.document().map_or(Cow::Borrowed(""), |document| document.shown())
}

impl Judge for PromptedJudge {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn concurrency(&self) -> usize {
        self.settings.concurrency
    }

    fn notices(&self) -> Vec<String> {
        self.model.notices().iter().map(ToString::to_string).collect()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let text = shown(case);
        let fitted = fit(&text, self.settings.document_tokens);
        KeyBuilder::new(TASK)
            .part("judge", &self.fingerprint.0)
            .text("query", &case.topic.text)
            .text("document", fitted.shown)
            // A document that was cut is followed by a note, so it is not the same as one that ends there.
            .number("cut", u64::from(fitted.tokens_cut > 0))
            .number("sample", u64::from(sample))
            .finish()
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let rendered = match self.render(&case) {
                Ok(rendered) => rendered,
                Err(error) => return Answer::failed(Failure::new(FailureKind::Rejected, error.to_string())),
            };
            let schema = self.schema.clone();
            let request = asking::request(&rendered, self.settings.sampling, sample, schema, None);
            match self.model.chat(&request).await {
                Ok(reply) => self.read(reply, rendered.tokens_cut),
                Err(failure) => Answer { tokens_cut: rendered.tokens_cut, ..Answer::failed(failure) },
            }
        })
    }
}
