//! The traits of a judge: how its answers are found in a ledger, how a prompt is put to a model and its reply
//! read, and how the judge is asked.

use futures::future::BoxFuture;
use llull_core::{JudgeSpec, TaskKey};
use llull_judge::PromptError;
use llull_llm::{ChatReply, ChatRequest};

use crate::{answer::Answer, case::Case};

/// What identifies a judge and its answers in a ledger. Nothing can be asked through it, so it needs no model and
/// no key.
pub trait JudgeIdentity: Send + Sync {
    /// Returns the judge's name in the study.
    fn name(&self) -> &str;

    /// Returns everything that decides its answers.
    fn spec(&self) -> &JudgeSpec;

    /// Returns the key of a question: the hash of its meaning.
    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey;

    /// Returns whether it reads the documents' texts.
    fn needs_text(&self) -> bool {
        true
    }

    /// Returns whether it can answer about this document at all, given the identifiers of query and document. A
    /// document that the judge is known not to know is left out of its comparisons, which would be unusable
    /// otherwise.
    fn knows(&self, _topic: &str, _document: &str) -> bool {
        true
    }

    /// Returns whether it computes its answers in this process: at once, for nothing, and the same each time. Such
    /// a judge is asked in bulk, without a time limit, and never a second time after an unusable answer.
    fn in_process(&self) -> bool {
        false
    }
}

/// A judge that can be asked: a prompted model, a baseline, a file of old answers.
///
/// An `Arc<dyn Judge>` coerces to an `Arc<dyn JudgeIdentity>`.
pub trait Judge: JudgeIdentity {
    /// Returns how many questions may be open at once; 0 counts as 1.
    fn concurrency(&self) -> usize;

    /// Returns what it has learnt so far that readers of the results should know. Each notice is reported once.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Asks once. Retries are left to the dispatcher.
    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer>;
}

/// What is sent to a model about one question.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptRequest {
    /// The messages, the sampling parameters and the JSON schema of the reply.
    pub chat: ChatRequest,
    /// Estimated tokens of the messages.
    pub tokens: u32,
    /// Estimated tokens of the documents that were cut off.
    pub tokens_cut: u32,
}

/// A judge whose questions are prompts for a language model, as two pure functions: one renders the request, the
/// other reads the reply. It has no model, so a batch API or another program can send the request.
/// [`ModelJudge`](crate::ModelJudge) puts it together with a [`ChatModel`](llull_llm::ChatModel).
pub trait PromptJudge: JudgeIdentity {
    /// Renders the request about a case. Equal arguments give equal requests.
    ///
    /// # Errors
    /// Returns an error if the template cannot be filled in, or is not made for this number of documents.
    fn request(&self, case: &Case<'_>, sample: u32) -> Result<PromptRequest, PromptError>;

    /// Reads the reply to a request about this case: a verdict, or the reason why the reply cannot be counted.
    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer;
}
