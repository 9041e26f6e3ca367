//! A language model that compares, with a prompt and a rubric.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Hash, JudgeSpec, KeyBuilder, Outcome, Sampling, TaskKey, Verdict};
use llull_judge::{
    AnchorOrder, CompareInput, CompareKind, ComparePrompt, Comparison, PromptError, Rendered, Rubric, Token,
    answer_probabilities, comparison_schema, fit_together, read_comparison,
};
use llull_llm::{ChatModel, ChatReply, ResponseSchema};

use super::{TASK, asking};
use crate::{Answer, Case, Judge};

/// How a model is asked to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparerSettings {
    /// The judge's name in the study.
    pub name: String,
    /// Sampling parameters. Where there is a seed, sample n is asked with the seed plus n.
    pub sampling: Sampling,
    /// The order of the rubric's worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of a document is shown, in estimated tokens. What is cut is not part of a question's meaning.
    pub document_tokens: u32,
    /// How much is shown of all documents of a question together, in estimated tokens; beyond it the longest are cut to one
    /// length. [`window_that_fits`](llull_judge::window_that_fits) says how many documents need no such cut.
    pub window_tokens: u32,
    /// How many questions may be open at once.
    pub concurrency: usize,
    /// Whether it may say that documents are equally good: `Neither` of two, a tie in an order. Where it picks the best
    /// one this changes nothing.
    pub allow_neither: bool,
    /// How many alternatives to ask for of each token with their log-probabilities, from which the probabilities of answers
    /// are read: at least as many as there are answers, and most servers give no more than 20. `None` asks for none.
    pub logprobs: Option<u8>,
}

/// A language model that compares the documents of a case in the order in which the case has them: two at a time or several,
/// as its prompt has it.
pub struct PromptedComparer {
    settings: ComparerSettings,
    model: Arc<dyn ChatModel>,
    prompt: ComparePrompt,
    rubric: Arc<Rubric>,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl PromptedComparer {
    /// A judge of these parts. Its paradigm is what the prompt asks for: pairwise for a choice, else listwise.
    pub fn new(
        settings: ComparerSettings,
        model: Arc<dyn ChatModel>,
        prompt: ComparePrompt,
        rubric: Arc<Rubric>,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm: prompt.kind.paradigm(),
            model: model.name().to_owned(),
            prompt: prompt.name.clone(),
            prompt_hash: prompt.hash(),
            rubric_hash: rubric.hash,
            scale: rubric.scale,
            sampling: Some(settings.sampling),
            options: options(&settings, prompt.kind),
        };
        let fingerprint = spec.fingerprint();
        Self { settings, model, prompt, rubric, spec, fingerprint }
    }

    /// What would be sent about this case, word for word.
    ///
    /// # Errors
    /// When the template cannot be filled in, or is not made for this number of documents.
    pub fn render(&self, case: &Case<'_>) -> Result<Rendered, PromptError> {
        let documents = shown(case);
        let documents: Vec<&str> = documents.iter().map(|document| &**document).collect();
        self.prompt.render(&CompareInput {
            query: &case.topic.text,
            documents: &documents,
            rubric: &self.rubric,
            anchor_order: self.settings.anchor_order,
            document_tokens: self.settings.document_tokens,
            window_tokens: self.settings.window_tokens,
            ties: self.settings.allow_neither,
        })
    }

    /// The JSON schema of the reply about so many documents.
    pub fn schema(&self, documents: usize) -> serde_json::Value {
        comparison_schema(&self.form(documents))
    }

    fn form(&self, documents: usize) -> Comparison {
        self.prompt.comparison(documents, self.settings.allow_neither)
    }

    fn read(&self, reply: ChatReply, documents: usize, tokens_cut: u32) -> Answer {
        let form = self.form(documents);
        let outcome = match read_comparison(&asking::raw(&reply), &form) {
            Ok(mut verdict) => {
                let tokens: Vec<Token<'_>> = reply.tokens.iter().map(token).collect();
                verdict.probabilities = answer_probabilities(&tokens, &form, &verdict).unwrap_or_default();
                Outcome::Judged { verdict: Verdict::Compared(verdict) }
            }
            Err(unusable) => Outcome::Unusable(unusable),
        };
        asking::answer(reply, outcome, tokens_cut)
    }
}

/// What else changes an answer. Log-probabilities change what is recorded of it, so a judge that is to give them is another
/// one than a judge that did not: else old answers without them would be taken for its own.
fn options(settings: &ComparerSettings, kind: CompareKind) -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    if let AnchorOrder::Shuffled(seed) = settings.anchor_order {
        options.insert("anchor_order".to_owned(), format!("shuffled {seed}"));
    }
    if kind != CompareKind::Best {
        let ties = if settings.allow_neither { "allowed" } else { "forbidden" };
        options.insert("ties".to_owned(), ties.to_owned());
    }
    if let Some(alternatives) = settings.logprobs {
        options.insert("logprobs".to_owned(), alternatives.to_string());
    }
    options
}

/// The documents as they are shown, before they are cut.
fn shown<'a>(case: &Case<'a>) -> Vec<Cow<'a, str>> {
    case.documents().map(|document| document.map_or(Cow::Borrowed(""), |found| found.shown())).collect()
}

fn token(token: &llull_llm::ReplyToken) -> Token<'_> {
    Token {
        text: &token.text,
        logprob: token.logprob,
        alternatives: token.alternatives.iter().map(|(text, logprob)| (text.as_str(), *logprob)).collect(),
    }
}

impl Judge for PromptedComparer {
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
        let documents = shown(case);
        let documents: Vec<&str> = documents.iter().map(|document| &**document).collect();
        let fitted = fit_together(&documents, self.settings.document_tokens, self.settings.window_tokens);
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", &case.topic.text);
        fitted
            .iter()
            .fold(key, |key, fitted| {
                // As for a graded document: one that was cut is not the same as one that ends there.
                key.text("document", fitted.shown).number("cut", u64::from(fitted.tokens_cut > 0))
            })
            .number("sample", u64::from(sample))
            .finish()
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let rendered = match self.render(&case) {
                Ok(rendered) => rendered,
                Err(error) => return Answer::failed(Failure::new(FailureKind::Rejected, error.to_string())),
            };
            let schema = ResponseSchema { name: "comparison".to_owned(), schema: self.schema(case.shows()) };
            let settings = &self.settings;
            let request = asking::request(&rendered, settings.sampling, sample, schema, settings.logprobs);
            match self.model.chat(&request).await {
                Ok(reply) => self.read(reply, case.shows(), rendered.tokens_cut),
                Err(failure) => Answer { tokens_cut: rendered.tokens_cut, ..Answer::failed(failure) },
            }
        })
    }
}
