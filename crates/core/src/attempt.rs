//! The fact that the ledger records: one attempt at one judgment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Reason, TaskKey, Unusable, Usage, Verdict};

/// A judge's answer to one question: a verdict, an unparsable reply or a failure, with its cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The result.
    pub outcome: Outcome,
    /// The reply verbatim, reasoning included. `None` if none arrived or the judge writes none.
    pub reply: Option<String>,
    /// The model that answered, if the provider names it.
    pub model: Option<String>,
    /// The tokens that the provider counted.
    pub usage: Usage,
    /// The price in US dollars. `None` means unknown, not 0.
    pub cost_usd: Option<f64>,
    /// The estimated number of tokens that were cut from the documents to fit the judge's budget.
    pub tokens_cut: u32,
    /// The request parameters that were left out or renamed because the server refused them, as JSON. `None` if the
    /// request was sent unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<String>,
    /// The provider's identifier of the request. A failure has it in its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl Answer {
    /// Creates an answer that was computed in this process, without a reply and at no cost.
    pub fn computed(outcome: Outcome) -> Self {
        Self { usage: Usage::new(0, 0), cost_usd: Some(0.0), ..outcome.into() }
    }
}

/// Creates an answer without a reply, whose cost is unknown.
impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            tokens_cut: 0,
            adjusted: None,
            request_id: None,
        }
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        Outcome::Failed(failure).into()
    }
}

/// One attempt at one judgment: the question, the answer and its time.
///
/// Attempts are appended and never changed. A task that failed twice and was then answered has three.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The key of the task.
    pub key: TaskKey,
    /// The query's identifier, for people and for joins. The key depends on it only if the judge does.
    pub topic: String,
    /// The document's identifier, likewise. In a comparison, the first document that was shown.
    pub document: String,
    /// All documents of a comparison in the order in which they were shown. Empty if one document was graded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// Which of several independent answers to the same question this is, from 0. From [`FIRST_RECHECK`] it is no
    /// vote.
    pub sample: u32,
    /// The judge's answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// The time from the request to the answer, in milliseconds.
    pub latency_ms: u32,
    /// The time of recording, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The version of the rules by which the reply was read.
    #[serde(default = "first_reader", skip_serializing_if = "is_first_reader")]
    pub reader: u32,
}

/// The version of the rules by which replies were read before attempts recorded it.
const FIRST_READER: u32 = 1;

fn first_reader() -> u32 {
    FIRST_READER
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_first_reader(reader: &u32) -> bool {
    *reader == FIRST_READER
}

/// The first sample index of answers that are not votes: to questions that were repeated to learn about the judge. It
/// is far above the number of independent answers in any vote.
pub const FIRST_RECHECK: u32 = 1_000_000;

/// The sample index of answers about documents that were changed, or compared with one that was.
pub const CHANGED: u32 = FIRST_RECHECK + 1;

/// The sample index of answers with the worked examples in another order.
pub const RESHUFFLED: u32 = FIRST_RECHECK + 2;

impl Attempt {
    /// Returns whether an answer counts as a vote, as opposed to one that only shows how the judge answers: such
    /// answers have sample indexes from [`FIRST_RECHECK`].
    pub fn is_vote(&self) -> bool {
        self.sample < FIRST_RECHECK
    }

    /// Returns in words how an answer that is no vote shows how the judge answers; `None` for a vote.
    pub fn recheck_kind(&self) -> Option<&'static str> {
        match self.sample {
            _ if self.is_vote() => None,
            CHANGED => Some("a probe with a changed text"),
            RESHUFFLED => Some("a repeat with the examples in another order"),
            _ => Some("a repeat of the same question"),
        }
    }

    /// Returns whether a reply arrived, so that its tokens and its price are missing if they are unknown. A refused
    /// request of which the server counted no tokens has no reply.
    pub fn is_answered(&self) -> bool {
        match &self.answer.outcome {
            Outcome::Judged { .. } => true,
            Outcome::Unusable(unusable) => {
                let Usage { prompt_tokens, completion_tokens, .. } = self.answer.usage;
                !unusable.reason.is_refusal() || prompt_tokens.or(completion_tokens).is_some()
            }
            Outcome::Failed(_) => false,
        }
    }

    /// Creates an attempt with a key and an answer. All other fields are empty or zero; `reader` is 1, the first
    /// version.
    pub fn new(key: TaskKey, answer: impl Into<Answer>) -> Self {
        Self {
            key,
            topic: String::new(),
            document: String::new(),
            documents: Vec::new(),
            sample: 0,
            answer: answer.into(),
            latency_ms: 0,
            at_ms: 0,
            reader: FIRST_READER,
        }
    }
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Outcome {
    /// An answer that counts.
    Judged {
        /// The answer.
        verdict: Verdict,
    },
    /// An answer that cannot be counted.
    Unusable(Unusable),
    /// No answer. A failure is never reused: the task is sent again.
    Failed(Failure),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Judged { verdict: Verdict::Graded(verdict) } => write!(f, "grade {}", verdict.grade),
            Self::Judged { verdict: Verdict::Compared(_) } => f.write_str("an order"),
            Self::Unusable(unusable) => write!(f, "unusable ({})", unusable.reason.name()),
            Self::Failed(failure) => failure.kind.fmt(f),
        }
    }
}

impl From<Result<Verdict, Unusable>> for Outcome {
    fn from(read: Result<Verdict, Unusable>) -> Self {
        match read {
            Ok(verdict) => Self::Judged { verdict },
            Err(unusable) => Self::Unusable(unusable),
        }
    }
}

/// Why no answer arrived. The message never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Failure {
    /// The kind of failure. It decides whether the task is retried.
    pub kind: FailureKind,
    /// The failure, with the HTTP status and the server's own words if there are any.
    pub message: String,
    /// The time that the server asks the client to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Failure {
    /// Creates a failure without a `retry_after_ms`.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after_ms: None }
    }
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    /// No reply within the time allowed.
    Timeout,
    /// No connection, or a broken one.
    Connection,
    /// 429: too many requests for now.
    RateLimited,
    /// 5xx, or a reply that violates the protocol.
    Server,
    /// This request is rejected (400, 422): not understood.
    Rejected,
    /// A content filter or the model's provider refuses this text. Others may be answered.
    Refused,
    /// This request is longer than the model or its server takes. Shorter ones may be answered.
    TooLong,
    /// 401 or 403: the key is missing, wrong or not allowed.
    Unauthorized,
    /// 404: no such model or address.
    NotFound,
    /// The account has no credit left.
    Quota,
}

/// Which requests a failure affects, and so how to react to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// It may pass: the same request is worth another try later.
    Transient,
    /// This request will fail again. Others may succeed.
    Task,
    /// Every request of this judge will fail: stop asking it.
    Judge,
}

impl FailureKind {
    /// All kinds, in the order in which reports list them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns which requests the failure affects.
    pub fn scope(self) -> Scope {
        match self {
            Self::Timeout | Self::Connection | Self::RateLimited | Self::Server => Scope::Transient,
            Self::Rejected | Self::Refused | Self::TooLong => Scope::Task,
            Self::Unauthorized | Self::NotFound | Self::Quota => Scope::Judge,
        }
    }

    /// Returns the reason to record if the failure refuses one question: it is then an answer that is not requested
    /// again, and no failure.
    pub fn refusal(self) -> Option<Reason> {
        match self {
            Self::Refused => Some(Reason::Refused),
            Self::TooLong => Some(Reason::TooLong),
            _ => None,
        }
    }

    /// Returns the name that files and JSON use.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the kind with this [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout => "timed out",
            Self::Connection => "connection failed",
            Self::RateLimited => "rate limited",
            Self::Server => "server error",
            Self::Rejected => "request rejected",
            Self::Refused => "text refused",
            Self::TooLong => "request too long",
            Self::Unauthorized => "not authorised",
            Self::NotFound => "not found",
            Self::Quota => "quota used up",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_that_is_no_vote_has_its_kind() {
        let kind = |sample| {
            let failure = Failure::new(FailureKind::Timeout, "");
            Attempt { sample, ..Attempt::new(TaskKey::of(b""), failure) }.recheck_kind()
        };
        assert_eq!([kind(0), kind(FIRST_RECHECK - 1)], [None, None]);
        assert_eq!(kind(FIRST_RECHECK), Some("a repeat of the same question"));
        assert_eq!(kind(CHANGED), Some("a probe with a changed text"));
        assert_eq!(kind(RESHUFFLED), Some("a repeat with the examples in another order"));
    }
}
