//! Language models that write instead of judging.
//!
//! They write questions about passages, and facts of answers. They are judges of a study in memory, so that retries,
//! budgets, the ledger and its keys are those of every study.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{Environment, JudgeKind, JudgeSettings};
use llull_core::{
    Answer, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Paradigm, Sampling, Scale,
    TaskKey, Unusable, Verdict,
};
use llull_judge::{PromptError, PromptRole, RawReply, Rendered};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Finish, Message, RateLimit, ResponseSchema, Role};
use llull_runner::{Case, Judge, JudgeIdentity, Rereader};
use llull_study::{Estimate, LedgerError, StudyError, StudyEvidence, connect_model, estimate_of_requests};

/// The grade of a reply with a text, and of one in which the model declined to write.
pub(crate) const WRITTEN: i32 = 1;
const DECLINED: i32 = 0;

/// A language model that writes.
pub(crate) struct ModelWriter<F> {
    name: String,
    form: F,
    spec: JudgeSpec,
    fingerprint: Hash,
    sampling: Sampling,
    concurrency: usize,
    /// `None` if only its recorded replies are read.
    model: Option<Arc<dyn ChatModel>>,
}

impl<F: WrittenForm> ModelWriter<F> {
    /// Makes a writer of a language model, connected if there is an environment with its key. No request is sent yet.
    /// `scale` is that of its study, with 0 and 1 among the grades.
    ///
    /// # Errors
    /// Returns an error if it is no language model, or its name, address or key cannot be used.
    pub(crate) fn new(
        settings: &JudgeSettings,
        form: F,
        scale: Scale,
        environment: Option<Environment<'_>>,
    ) -> Result<Self, WriterError> {
        let JudgeKind::Prompted { sampling, extra, .. } = &settings.kind else {
            return Err(WriterError::NoModel(settings.name.clone()));
        };
        let mut options = BTreeMap::from([("writes".to_owned(), F::WRITES.to_owned())]);
        if !extra.is_empty() {
            let sorted: BTreeMap<_, _> = extra.iter().collect();
            options.insert("extra".to_owned(), serde_json::json!(sorted).to_string());
        }
        let (prompt, prompt_hash) = form.prompt();
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
            model: settings.model.clone(),
            prompt: prompt.to_owned(),
            prompt_hash,
            rubric_hash: Hash::of(b""),
            scale,
            sampling: Some(*sampling),
            options,
        };
        let model = environment.map(|environment| connect_model(settings, environment)).transpose()?;
        Ok(Self {
            name: settings.name.clone(),
            form,
            fingerprint: spec.fingerprint(),
            spec,
            sampling: *sampling,
            concurrency: settings.concurrency,
            model,
        })
    }

    fn request(&self, case: &Case<'_>) -> Result<(ChatRequest, u32), Failure> {
        let rendered = self.form.render(case).map_err(|error| Failure::new(FailureKind::Rejected, error))?;
        let messages = rendered.messages.into_iter().map(|message| Message {
            role: match message.role {
                PromptRole::System => Role::System,
                PromptRole::User => Role::User,
            },
            content: message.content,
        });
        let chat = ChatRequest {
            messages: messages.collect(),
            sampling: self.sampling,
            schema: Some(self.form.schema()),
            logprobs: None,
        };
        Ok((chat, rendered.tokens))
    }

    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer {
        let read = self.verdict(case, &reply).map(Verdict::Graded);
        reply.into_answer(read, 0)
    }

    fn verdict(&self, case: &Case<'_>, reply: &ChatReply) -> Result<GradedVerdict, Unusable> {
        let raw = RawReply {
            text: &reply.text,
            cut_off: reply.finish == Finish::Length,
            refused: reply.finish == Finish::Refused,
        };
        Ok(match self.form.read(case, &raw)? {
            None => GradedVerdict { grade: DECLINED, ..GradedVerdict::default() },
            Some(rationale) => GradedVerdict { grade: WRITTEN, rationale, ..GradedVerdict::default() },
        })
    }
}

impl<F: WrittenForm> JudgeIdentity for ModelWriter<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.form.key(&self.fingerprint, case).number("sample", u64::from(sample)).finish()
    }

    /// No other rules could read its replies as grades.
    fn rereader(&self) -> Option<Rereader> {
        None
    }
}

impl<F: WrittenForm> Judge for ModelWriter<F> {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn notices(&self) -> Vec<String> {
        let notices = self.model.iter().flat_map(|model| model.notices());
        notices.map(|notice| notice.to_string()).collect()
    }

    fn limits(&self) -> Option<(&str, Vec<RateLimit>)> {
        let model = self.model.as_ref()?;
        Some((model.account(), model.limits())).filter(|(_, limits)| !limits.is_empty())
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            let Some(model) = &self.model else {
                let message = "it is only read what this model has written";
                return Answer::from(Failure::new(FailureKind::Unauthorized, message));
            };
            let request = match self.request(&case) {
                Ok((request, _)) => request,
                Err(failure) => return Answer::from(failure),
            };
            match model.chat(&request).await {
                Ok(reply) => self.read(&case, reply),
                Err(failure) => Answer::from(failure),
            }
        })
    }
}

/// Returns the cost of the texts that a study's ledger lacks.
///
/// # Errors
/// Returns an error if the writer is no language model, or the prompt cannot be rendered.
pub(crate) fn estimate_of_writer<F: WrittenForm>(
    settings: &JudgeSettings,
    form: F,
    scale: Scale,
    evidence: &StudyEvidence,
) -> Result<Option<Estimate>, WriterError> {
    let writer = ModelWriter::new(settings, form, scale, None)?;
    let Some(answers) = evidence.judges.judges().first() else { return Ok(None) };
    let (mut calls, mut tokens) = (0, 0);
    for (case, mut statuses) in evidence.judges.cases().zip(answers.questions()) {
        if statuses.any(|status| answers.is_open(status)) {
            let request = writer.request(&case);
            let (_, prompt) = request
                .map_err(|failure| StudyError::Ledger(LedgerError::NothingAnswered(failure.message)))?;
            (calls, tokens) = (calls + 1, tokens + u64::from(prompt));
        }
    }
    Ok(Some(estimate_of_requests(settings, answers, calls, tokens)))
}

/// An error of a model that writes.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// The judge cannot write.
    #[error("{0} is no language model, and only language models write")]
    NoModel(String),
    /// The prompt is wrong.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The error of its study.
    #[error(transparent)]
    Study(Box<StudyError>),
}

impl From<StudyError> for WriterError {
    fn from(error: StudyError) -> Self {
        Self::Study(Box::new(error))
    }
}

/// The form of texts that a model writes: the prompt, and the reading of its replies.
pub(crate) trait WrittenForm: Send + Sync + 'static {
    /// The kind of text, for the judge's fingerprint.
    const WRITES: &'static str;

    /// Returns the prompt's name, and the hash of the part that a model can see.
    fn prompt(&self) -> (&'static str, Hash);

    /// Returns the form of a reply, for servers that enforce one.
    fn schema(&self) -> ResponseSchema;

    /// Returns the prompt. An error is the reason for having none.
    fn render(&self, case: &Case<'_>) -> Result<Rendered, String>;

    /// Begins the key of a question to a writer of this fingerprint: all inputs of the text.
    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder;

    /// Reads a reply: the text in the form of the verdict's explanation; `None` if the model declined to write.
    fn read(&self, case: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable>;
}
