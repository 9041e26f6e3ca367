//! A prompt and a rubric, put to a language model: the request it is sent, and how its reply is read.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use llull_core::{Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Sampling, TaskKey, Unusable, Verdict};
use llull_judge::{
    AnchorOrder, CompareInput, CompareKind, ComparePrompt, Comparison, Fitted, Prompt, PromptError,
    PromptInput, RawReply, Rendered, Rubric, Token, answer_probabilities, answer_schema, comparison_schema,
    fit, fit_together, read_answer, read_comparison,
};
use llull_llm::{ChatReply, ChatRequest, Finish, Message, ReplyToken, ResponseSchema, Role};

use super::task_key::TASK;
use crate::{
    answer::Answer,
    case::Case,
    judge::{JudgeIdentity, PromptJudge, PromptRequest},
};

/// How a prompt is put to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptedSettings {
    /// The judge's name in the study.
    pub name: String,
    /// The model's name as configured, `openai/gpt-4o-mini`. It decides answers, so it is part of every key.
    pub model: String,
    /// Sampling parameters. If there is a seed, sample n is asked with the seed plus n.
    pub sampling: Sampling,
    /// The order of the rubric's worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of a document is shown, in estimated tokens. What is cut is not part of a question's meaning.
    pub document_tokens: u32,
    /// How much is shown of all documents of a comparison together, in estimated tokens; beyond it the longest are cut to
    /// one length. [`window_that_fits`](llull_judge::window_that_fits) says how many documents need no such cut. Not
    /// read by a prompt that grades.
    pub window_tokens: u32,
    /// Whether a comparison may call documents equally good: `Neither` of two, a tie in an order. Makes no difference to
    /// a prompt that grades or picks the best one.
    pub allow_neither: bool,
    /// How many alternatives to ask for at each token with their log-probabilities, from which the probabilities of the
    /// answers of a comparison are read: at least as many as there are answers; most servers give no more than 20.
    /// `None` asks for none.
    pub logprobs: Option<u8>,
}

impl PromptedSettings {
    /// The settings that a study has unless it says otherwise, for a judge of this name that is this model.
    pub fn new(name: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            model: model.into(),
            sampling: Sampling::default(),
            anchor_order: AnchorOrder::Ascending,
            document_tokens: llull_judge::DEFAULT_DOCUMENT_TOKENS,
            window_tokens: llull_judge::DEFAULT_WINDOW_TOKENS,
            allow_neither: true,
            logprobs: None,
        }
    }
}

/// A prompt that grades or one that compares.
#[derive(Debug, Clone)]
pub enum AnyPrompt {
    /// Grades one document.
    Grades(Prompt),
    /// Compares several.
    Compares(ComparePrompt),
}

impl From<Prompt> for AnyPrompt {
    fn from(prompt: Prompt) -> Self {
        Self::Grades(prompt)
    }
}

impl From<ComparePrompt> for AnyPrompt {
    fn from(prompt: ComparePrompt) -> Self {
        Self::Compares(prompt)
    }
}

/// A prompt and a rubric for a language model that grades one document at a time or compares several, as the prompt asks.
/// Documents are shown in the order in which the case has them.
#[derive(Debug, Clone)]
pub struct Prompted {
    settings: PromptedSettings,
    prompt: AnyPrompt,
    rubric: Arc<Rubric>,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl Prompted {
    /// Puts these parts together. The paradigm is that of the prompt.
    pub fn new(settings: PromptedSettings, prompt: impl Into<AnyPrompt>, rubric: Arc<Rubric>) -> Self {
        let prompt = prompt.into();
        let (paradigm, name, prompt_hash) = match &prompt {
            AnyPrompt::Grades(prompt) => (Paradigm::Graded, &prompt.name, prompt.hash()),
            AnyPrompt::Compares(prompt) => (prompt.kind.paradigm(), &prompt.name, prompt.hash()),
        };
        let spec = JudgeSpec {
            paradigm,
            model: settings.model.clone(),
            prompt: name.clone(),
            prompt_hash,
            rubric_hash: rubric.hash,
            scale: rubric.scale,
            sampling: Some(settings.sampling),
            options: options(&settings, &prompt),
        };
        let fingerprint = spec.fingerprint();
        Self { settings, prompt, rubric, spec, fingerprint }
    }

    fn render(&self, case: &Case<'_>) -> Result<Rendered, PromptError> {
        let texts: Vec<_> = case.texts().collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let settings = &self.settings;
        match &self.prompt {
            AnyPrompt::Grades(prompt) => prompt.render(&PromptInput {
                query: &case.topic.text,
                document: texts.first().copied().unwrap_or_default(),
                rubric: &self.rubric,
                anchor_order: settings.anchor_order,
                document_tokens: settings.document_tokens,
            }),
            AnyPrompt::Compares(prompt) => prompt.render(&CompareInput {
                query: &case.topic.text,
                documents: &texts,
                rubric: &self.rubric,
                anchor_order: settings.anchor_order,
                document_tokens: settings.document_tokens,
                window_tokens: settings.window_tokens,
                ties: settings.allow_neither,
            }),
        }
    }

    /// As much of each document as the prompt shows.
    fn fit<'t>(&self, texts: &'t [Cow<'_, str>]) -> Vec<Fitted<'t>> {
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let settings = &self.settings;
        match &self.prompt {
            AnyPrompt::Grades(_) => texts.iter().map(|text| fit(text, settings.document_tokens)).collect(),
            AnyPrompt::Compares(_) => fit_together(&texts, settings.document_tokens, settings.window_tokens),
        }
    }

    fn form(&self, prompt: &ComparePrompt, case: &Case<'_>) -> Comparison {
        prompt.comparison(case.document_count(), self.settings.allow_neither)
    }

    fn schema(&self, case: &Case<'_>) -> ResponseSchema {
        match &self.prompt {
            AnyPrompt::Grades(prompt) => ResponseSchema {
                name: "judgment".to_owned(),
                schema: answer_schema(prompt.answer, self.rubric.scale),
            },
            AnyPrompt::Compares(prompt) => ResponseSchema {
                name: "comparison".to_owned(),
                schema: comparison_schema(&self.form(prompt, case)),
            },
        }
    }

    fn verdict(&self, case: &Case<'_>, reply: &ChatReply) -> Result<Verdict, Unusable> {
        let raw = RawReply {
            text: &reply.text,
            cut_off: reply.finish == Finish::Length,
            refused: reply.finish == Finish::Refused,
        };
        match &self.prompt {
            AnyPrompt::Grades(prompt) => {
                read_answer(&raw, prompt.answer, self.rubric.scale).map(Verdict::Graded)
            }
            AnyPrompt::Compares(prompt) => {
                let form = self.form(prompt, case);
                let mut verdict = read_comparison(&raw, &form)?;
                let tokens: Vec<_> = reply.tokens.iter().map(token).collect();
                verdict.probabilities = answer_probabilities(&tokens, &form, &verdict).unwrap_or_default();
                Ok(Verdict::Compared(verdict))
            }
        }
    }
}

/// What else changes an answer. Log-probabilities change what is recorded of it, so a judge that asks for them is not the
/// same as one that does not; otherwise old answers without them would be reused for it.
fn options(settings: &PromptedSettings, prompt: &AnyPrompt) -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    if let AnchorOrder::Shuffled(seed) = settings.anchor_order {
        options.insert("anchor_order".to_owned(), format!("shuffled {seed}"));
    }
    if let AnyPrompt::Compares(prompt) = prompt
        && prompt.kind != CompareKind::Best
    {
        let ties = if settings.allow_neither { "allowed" } else { "forbidden" };
        options.insert("ties".to_owned(), ties.to_owned());
    }
    if let Some(alternatives) = settings.logprobs {
        options.insert("logprobs".to_owned(), alternatives.to_string());
    }
    options
}

fn token(token: &ReplyToken) -> Token<'_> {
    Token {
        text: &token.text,
        logprob: token.logprob,
        alternatives: token.alternatives.iter().map(|(text, logprob)| (text.as_str(), *logprob)).collect(),
    }
}

impl JudgeIdentity for Prompted {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let texts: Vec<_> = case.texts().collect();
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", &case.topic.text);
        self.fit(&texts)
            .iter()
            .fold(key, |key, fitted| {
                // A document that was cut is followed by a note, so it is not the same as one that ends there.
                key.text("document", fitted.shown).number("cut", u64::from(fitted.tokens_cut > 0))
            })
            .number("sample", u64::from(sample))
            .finish()
    }
}

impl PromptJudge for Prompted {
    fn request(&self, case: &Case<'_>, sample: u32) -> Result<PromptRequest, PromptError> {
        let rendered = self.render(case)?;
        let messages = rendered.messages.into_iter().map(|message| Message {
            role: match message.role {
                llull_judge::Role::System => Role::System,
                llull_judge::Role::User => Role::User,
            },
            content: message.content,
        });
        let mut sampling = self.settings.sampling;
        sampling.seed = sampling.seed.map(|seed| seed.wrapping_add(u64::from(sample)));
        let chat = ChatRequest {
            messages: messages.collect(),
            sampling,
            schema: Some(self.schema(case)),
            logprobs: self.settings.logprobs,
        };
        Ok(PromptRequest { chat, tokens: rendered.tokens, tokens_cut: rendered.tokens_cut })
    }

    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer {
        let outcome = match self.verdict(case, &reply) {
            Ok(verdict) => Outcome::Judged { verdict },
            Err(unusable) => Outcome::Unusable(unusable),
        };
        // Reasoning that a server sends apart from the text is kept as models that send it along write it, so that the
        // whole reads as one reply.
        let text = match reply.reasoning {
            Some(reasoning) => format!("<think>\n{reasoning}\n</think>\n{}", reply.text),
            None => reply.text,
        };
        let texts: Vec<_> = case.texts().collect();
        let cut = self.fit(&texts).iter().fold(0u32, |sum, fitted| sum.saturating_add(fitted.tokens_cut));
        Answer {
            outcome,
            reply: Some(text),
            model: reply.model,
            usage: reply.usage,
            cost_usd: reply.cost_usd,
            tokens_cut: cut,
        }
    }
}
