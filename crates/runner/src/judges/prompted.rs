//! Renders requests from a prompt and a rubric, and reads replies.

use std::{collections::BTreeMap, sync::Arc};

use llull_core::{
    Answer, Hash, JudgeSpec, KeyBuilder, Paradigm, RESHUFFLED, Sampling, TaskKey, Unusable, Verdict,
};
use llull_judge::{
    AnchorOrder, AnswerForm, CompareKind, DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS, Prompt,
    PromptError, PromptInput, PromptKind, PromptRole, RawReply, RenderedMessage, Rubric, Token, read_reply,
};
use llull_llm::{ChatReply, ChatRequest, ExtraFields, Finish, Message, ReplyToken, ResponseSchema, Role};
use serde_json::Value;

use super::task_key::TASK;
use crate::{
    case::Case,
    judge::{JudgeIdentity, PromptJudge, PromptRequest},
    reread::Rereader,
};

/// Settings of a [`Prompted`] judge.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptedSettings {
    /// The judge's name in the study.
    pub name: String,
    /// The model's name as configured, such as `openai/gpt-4o-mini`. It affects answers, so it is part of every key.
    pub model: String,
    /// Sampling parameters. If there is a seed, sample n is requested with the seed plus n.
    pub sampling: Sampling,
    /// The order of the rubric's worked examples.
    pub anchor_order: AnchorOrder,
    /// The maximum length of a document, in estimated tokens. Text that is cut off is not part of a task's key.
    pub document_tokens: u32,
    /// The maximum length of all documents of a comparison together, in estimated tokens. If they are longer, the
    /// longest are cut to a common length. [`window_that_fits`](llull_judge::window_that_fits) returns how many
    /// documents fit without such a cut. Ignored by a prompt that grades.
    pub window_tokens: u32,
    /// Whether a comparison may call documents equally good: `Neither` of two, or a tie in an order. Ignored by a
    /// prompt that grades or picks the best one.
    pub allow_neither: bool,
    /// The number of alternatives to request at each token, with their log-probabilities. The probabilities of the
    /// answers of a comparison are computed from them. There should be at least as many as possible answers; most
    /// servers return at most 20. `None` requests none.
    pub logprobs: Option<u8>,
    /// Fields that are added to the body of every request. They may affect answers, so they are part of every key.
    pub extra: ExtraFields,
    /// The only field of the documents that the judge sees; `None` for whole documents. It is part of every key, so
    /// that a document with one field is a new question.
    pub attribute: Option<String>,
}

impl PromptedSettings {
    /// Creates the default settings for a judge with this name and model.
    pub fn new(name: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            model: model.into(),
            sampling: Sampling::default(),
            anchor_order: AnchorOrder::Ascending,
            document_tokens: DEFAULT_DOCUMENT_TOKENS,
            window_tokens: DEFAULT_WINDOW_TOKENS,
            allow_neither: true,
            logprobs: None,
            extra: ExtraFields::new(),
            attribute: None,
        }
    }
}

/// A prompt and a rubric for a language model that grades one document at a time or compares several. Documents are
/// shown in the order of the case.
#[derive(Debug, Clone)]
pub struct Prompted {
    settings: PromptedSettings,
    prompt: Prompt,
    rubric: Arc<Rubric>,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl Prompted {
    /// Creates a judge with the paradigm of the prompt.
    pub fn new(settings: PromptedSettings, prompt: Prompt, rubric: Arc<Rubric>) -> Self {
        let spec = JudgeSpec {
            paradigm: prompt.kind.paradigm(),
            model: settings.model.clone(),
            prompt: prompt.name.clone(),
            prompt_hash: prompt.hash(),
            rubric_hash: rubric.hash,
            scale: rubric.scale,
            sampling: Some(settings.sampling),
            options: options(&settings, prompt.kind),
        };
        let fingerprint = spec.fingerprint();
        Self { settings, prompt, rubric, spec, fingerprint }
    }

    /// Returns the same judge under another name and specification, whose answers were given to the same texts.
    pub(super) fn as_registered(&self, name: String, spec: JudgeSpec) -> Self {
        let fingerprint = spec.fingerprint();
        let settings = PromptedSettings { name, ..self.settings.clone() };
        Self { settings, spec, fingerprint, ..self.clone() }
    }

    /// Returns whether the prompt shows worked examples in an order that another can take the place of.
    pub fn orders_examples(&self) -> bool {
        let documents: &[&str] = match self.prompt.kind.paradigm() {
            Paradigm::Graded => &["a document"],
            Paradigm::Pairwise | Paradigm::Listwise => &["a document", "another document"],
        };
        let own = PromptInput::new("a query", documents, &self.rubric);
        let another = own.anchor_order.another(&self.rubric.grades, own.query, documents);
        let shown = |order| self.prompt.render(&PromptInput { anchor_order: order, ..own }).ok();
        match (shown(own.anchor_order), another.and_then(shown)) {
            (Some(one), Some(other)) => one.messages != other.messages,
            _ => false,
        }
    }

    /// Returns the order of the worked examples: the judge's own, or another where a question asks for that.
    fn anchor_order(&self, case: &Case<'_>, sample: u32) -> AnchorOrder {
        let own = self.settings.anchor_order;
        if sample != RESHUFFLED {
            return own;
        }
        let another = self.with_input(case, |input| {
            let shown: Vec<&str> = self.prompt.fit(input).iter().map(|fitted| fitted.shown).collect();
            own.another(&self.rubric.grades, input.query, &shown)
        });
        another.unwrap_or(own)
    }

    /// Calls `read` with the template's input for a case.
    fn with_input<R>(&self, case: &Case<'_>, read: impl FnOnce(&PromptInput<'_>) -> R) -> R {
        let texts: Vec<_> = case.texts().collect();
        let documents: Vec<&str> = texts.iter().map(|text| &**text).collect();
        read(&PromptInput {
            query: &case.topic.text,
            documents: &documents,
            rubric: &self.rubric,
            anchor_order: self.settings.anchor_order,
            document_tokens: self.settings.document_tokens,
            window_tokens: self.settings.window_tokens,
            ties: self.settings.allow_neither,
        })
    }

    fn form(&self, case: &Case<'_>) -> AnswerForm {
        self.prompt.kind.form(self.rubric.scale, case.document_count(), self.settings.allow_neither)
    }

    fn verdict(&self, case: &Case<'_>, reply: &ChatReply) -> Result<Verdict, Unusable> {
        let raw = RawReply {
            text: &reply.text,
            cut_off: reply.finish == Finish::Length,
            refused: reply.finish == Finish::Refused,
        };
        let tokens: Vec<_> = reply.tokens.iter().map(token).collect();
        read_reply(&raw, &tokens, &self.form(case), self.prompt.place)
    }

    fn tokens_cut(&self, case: &Case<'_>) -> u32 {
        self.with_input(case, |input| {
            self.prompt.fit(input).iter().fold(0, |sum: u32, fitted| sum.saturating_add(fitted.tokens_cut))
        })
    }
}

/// Returns the other settings that affect an answer. Log-probabilities are among them: otherwise old answers without
/// them would be reused for a judge that requests them.
fn options(settings: &PromptedSettings, prompt: PromptKind) -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    match settings.anchor_order {
        AnchorOrder::Ascending => {}
        AnchorOrder::Shuffled(seed) => {
            options.insert("anchor_order".to_owned(), format!("shuffled {seed}"));
        }
        AnchorOrder::ShuffledByQuestion(seed) => {
            options.insert("anchor_order".to_owned(), format!("shuffled by question {seed}"));
        }
    }
    if let PromptKind::Compares { kind: CompareKind::Choice | CompareKind::Ranking, .. } = prompt {
        let ties = if settings.allow_neither { "allowed" } else { "forbidden" };
        options.insert("ties".to_owned(), ties.to_owned());
    }
    if let Some(alternatives) = settings.logprobs {
        options.insert("logprobs".to_owned(), alternatives.to_string());
    }
    if let Some(field) = &settings.attribute {
        options.insert("attribute".to_owned(), field.clone());
    }
    if !settings.extra.is_empty() {
        options.insert("extra".to_owned(), sorted(&Value::Object(settings.extra.clone())).to_string());
    }
    options
}

/// Returns a JSON value with the fields of its objects in alphabetical order: the order in which a study lists them
/// does not affect an answer.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(name, value)| (name, sorted(value))).collect();
            Value::Object(fields.into_iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        other => other.clone(),
    }
}

fn message(message: RenderedMessage) -> Message {
    let role = match message.role {
        PromptRole::System => Role::System,
        PromptRole::User => Role::User,
    };
    Message { role, content: message.content }
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
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", &case.topic.text);
        let key = self.with_input(case, |input| {
            self.prompt.fit(input).iter().fold(key, |key, fitted| {
                // A cut document is followed by a note, so it differs from a document that ends there.
                key.text("document", fitted.shown).number("cut", u64::from(fitted.tokens_cut > 0))
            })
        });
        key.number("sample", u64::from(sample)).finish()
    }

    fn rereader(&self) -> Option<Rereader> {
        Some(Rereader::new(&self.prompt, self.rubric.scale, self.settings.allow_neither))
    }
}

impl PromptJudge for Prompted {
    fn request(&self, case: &Case<'_>, sample: u32) -> Result<PromptRequest, PromptError> {
        let anchor_order = self.anchor_order(case, sample);
        let rendered =
            self.with_input(case, |input| self.prompt.render(&PromptInput { anchor_order, ..*input }))?;
        let form = self.form(case);
        let mut sampling = self.settings.sampling;
        sampling.seed = sampling.seed.map(|seed| seed.wrapping_add(u64::from(sample)));
        let chat = ChatRequest {
            messages: rendered.messages.into_iter().map(message).collect(),
            sampling,
            schema: Some(ResponseSchema { name: form.name().to_owned(), schema: form.schema() }),
            logprobs: self.settings.logprobs,
        };
        Ok(PromptRequest { chat, tokens: rendered.tokens, tokens_cut: rendered.tokens_cut })
    }

    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer {
        let read = self.verdict(case, &reply);
        reply.into_answer(read, self.tokens_cut(case))
    }
}
