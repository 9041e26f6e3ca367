//! A language model that writes questions, as a judge of a study: its topics are categories, its documents passages.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use llull_core::{
    Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Sampling, TaskKey,
    Unusable, Verdict,
};
use llull_judge::{
    PromptRole, QuestionCategory, QuestionPrompt, RawReply, WrittenQuestion, question_schema, read_question,
};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Finish, Message, ResponseSchema, Role};
use llull_runner::{Answer, Case, Judge, JudgeIdentity, Rereader};
use serde::{Deserialize, Serialize};

use super::check::answers_question_rubric;
use super::options::SynthesisError;
use crate::config::{JudgeKind, JudgeSettings};
use crate::environment::Environment;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::judging::{Estimate, connected, estimate_of_requests};

/// The grade of a reply that is a question, and of one that says that there is none to be had: those of the check.
pub(super) const WRITTEN: i32 = 1;
const DECLINED: i32 = 0;

/// A question as a verdict's explanation holds it.
#[derive(Serialize, Deserialize)]
struct Written {
    question: String,
    answer: Option<String>,
}

/// Returns the question that a verdict's explanation holds; `None` if it is none.
pub(super) fn written(rationale: &str) -> Option<WrittenQuestion> {
    let Written { question, answer } = serde_json::from_str(rationale).ok()?;
    Some(WrittenQuestion { question, answer })
}

/// A language model that writes questions.
pub(super) struct QuestionWriter {
    name: String,
    prompt: QuestionPrompt,
    spec: JudgeSpec,
    fingerprint: Hash,
    sampling: Sampling,
    concurrency: usize,
    /// `None` if it is only read what it has written.
    model: Option<Arc<dyn ChatModel>>,
}

impl QuestionWriter {
    /// Makes a writer of a language model, connected if there is an environment with its key. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns an error if it is no language model, or its name, address or key cannot be used.
    pub(super) fn new(
        settings: &JudgeSettings,
        environment: Option<Environment<'_>>,
    ) -> Result<Self, SynthesisError> {
        let JudgeKind::Prompted { sampling, extra, .. } = &settings.kind else {
            return Err(SynthesisError::NoModel(settings.name.clone()));
        };
        let prompt = QuestionPrompt::new()?;
        let mut options = BTreeMap::from([("writes".to_owned(), "questions".to_owned())]);
        if !extra.is_empty() {
            let sorted: BTreeMap<_, _> = extra.iter().collect();
            options.insert("extra".to_owned(), serde_json::json!(sorted).to_string());
        }
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
            model: settings.model.clone(),
            prompt: prompt.name().to_owned(),
            prompt_hash: prompt.hash(),
            rubric_hash: Hash::of(b""),
            scale: answers_question_rubric().map_err(StudyError::from)?.scale,
            sampling: Some(*sampling),
            options,
        };
        let model = environment.map(|environment| connected(settings, environment)).transpose()?;
        Ok(Self {
            name: settings.name.clone(),
            prompt,
            fingerprint: spec.fingerprint(),
            spec,
            sampling: *sampling,
            concurrency: settings.concurrency,
            model,
        })
    }

    fn request(&self, case: &Case<'_>) -> Result<(ChatRequest, u32), Failure> {
        let rejected = |error: String| Failure::new(FailureKind::Rejected, error);
        let category = category(case).map_err(&rejected)?;
        let passage = case.texts().next().unwrap_or_default();
        let rendered = self.prompt.render(category, &passage).map_err(|error| rejected(error.to_string()))?;
        let messages = rendered.messages.into_iter().map(|message| Message {
            role: match message.role {
                PromptRole::System => Role::System,
                PromptRole::User => Role::User,
            },
            content: message.content,
        });
        let schema = ResponseSchema { name: "question".to_owned(), schema: question_schema() };
        let chat = ChatRequest {
            messages: messages.collect(),
            sampling: self.sampling,
            schema: Some(schema),
            logprobs: None,
        };
        Ok((chat, rendered.tokens))
    }

    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer {
        let outcome =
            match category(case).map_err(|_| unknown()).and_then(|category| verdict(category, &reply)) {
                Ok(verdict) => Outcome::Judged { verdict: Verdict::Graded(verdict) },
                Err(unusable) => Outcome::Unusable(unusable),
            };
        Answer::replied(outcome, reply, 0)
    }
}

fn category(case: &Case<'_>) -> Result<QuestionCategory, String> {
    case.topic.text.parse().map_err(|error: llull_judge::UnknownCategory| error.to_string())
}

fn unknown() -> Unusable {
    Unusable { reason: llull_core::Reason::WrongShape, detail: "no category was asked for".to_owned() }
}

fn verdict(category: QuestionCategory, reply: &ChatReply) -> Result<GradedVerdict, Unusable> {
    let raw = RawReply {
        text: &reply.text,
        cut_off: reply.finish == Finish::Length,
        refused: reply.finish == Finish::Refused,
    };
    Ok(match read_question(&raw, category)? {
        None => GradedVerdict { grade: DECLINED, ..GradedVerdict::default() },
        Some(WrittenQuestion { question, answer }) => GradedVerdict {
            grade: WRITTEN,
            rationale: serde_json::json!({ "question": question, "answer": answer }).to_string(),
            ..GradedVerdict::default()
        },
    })
}

impl JudgeIdentity for QuestionWriter {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let key = KeyBuilder::new("llull written question v1").part("writer", &self.fingerprint.0);
        let key = key.text("category", &case.topic.text);
        let key = case.texts().fold(key, |key, text| key.text("passage", &text));
        key.number("sample", u64::from(sample)).finish()
    }

    /// Its replies are no grades that other rules could read.
    fn rereader(&self) -> Option<Rereader> {
        None
    }
}

impl Judge for QuestionWriter {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn notices(&self) -> Vec<String> {
        let notices = self.model.iter().flat_map(|model| model.notices());
        notices.map(|notice| notice.to_string()).collect()
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            let Some(model) = &self.model else {
                let message = "it is only read what this model has written";
                return Answer::failed(Failure::new(FailureKind::Unauthorized, message));
            };
            let request = match self.request(&case) {
                Ok((request, _)) => request,
                Err(failure) => return Answer::failed(failure),
            };
            match model.chat(&request).await {
                Ok(reply) => self.read(&case, reply),
                Err(failure) => Answer::failed(failure),
            }
        })
    }
}

/// Returns what the questions of a [writing study](super::Synthesis::writing_study) that are not in its ledger would
/// cost.
///
/// # Errors
/// Returns an error if the prompt cannot be rendered.
pub fn writer_estimate(
    settings: &JudgeSettings,
    evidence: &StudyEvidence,
) -> Result<Option<Estimate>, SynthesisError> {
    let writer = QuestionWriter::new(settings, None)?;
    let Some(answers) = evidence.judges.judges().first() else { return Ok(None) };
    let (mut calls, mut tokens) = (0, 0);
    for (case, mut statuses) in evidence.judges.cases().zip(answers.questions()) {
        if statuses.any(|status| answers.is_open(status)) {
            let request = writer.request(&case);
            let (_, prompt) = request.map_err(|failure| StudyError::NothingAnswered(failure.message))?;
            (calls, tokens) = (calls + 1, tokens + u64::from(prompt));
        }
    }
    Ok(Some(estimate_of_requests(settings, answers, calls, tokens)))
}
