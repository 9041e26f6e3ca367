//! The fact that the ledger records: one attempt at one judgment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{TaskKey, Unusable, Usage, Verdict};

/// One attempt at one judgment: what was asked, what came back, what it cost.
///
/// Attempts are appended and never changed. A task that failed twice and then was answered has three.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was asked.
    pub key: TaskKey,
    /// The topic's identifier, for people and for joins; the key does not depend on it unless the judge does.
    pub topic: String,
    /// The document's identifier, likewise; of a comparison the first that was shown.
    pub document: String,
    /// All documents of a comparison in the order in which they were shown; empty where one document was graded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// Which of several independent answers to the same question this is, from 0.
    pub sample: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// The reply verbatim, reasoning included; `None` when none arrived, or the judge writes none.
    pub reply: Option<String>,
    /// The model that the provider says has answered, where it says so.
    pub model: Option<String>,
    /// Tokens, as far as the provider counted them.
    pub usage: Usage,
    /// Its price in US dollars; `None` is unknown, which is not 0.
    pub cost_usd: Option<f64>,
    /// From asking to answer, in milliseconds.
    pub latency_ms: u32,
    /// Estimated tokens of the document that did not fit the judge's budget and were not shown.
    pub tokens_cut: u32,
    /// When it was recorded: milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
}

impl Attempt {
    /// An attempt of which nothing else is known: no topic, no document, no reply, no tokens, no cost, no time.
    pub fn new(key: TaskKey, outcome: Outcome) -> Self {
        Self {
            key,
            topic: String::new(),
            document: String::new(),
            documents: Vec::new(),
            sample: 0,
            outcome,
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            latency_ms: 0,
            tokens_cut: 0,
            at_ms: 0,
        }
    }
}

/// What came of an attempt.
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
    /// No answer. Never reused: the task is asked again.
    Failed(Failure),
}

/// Why no answer arrived. The message never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Failure {
    /// What kind of failure it is; decides whether to try again.
    pub kind: FailureKind,
    /// What happened, with the status and the server's own words where there are any.
    pub message: String,
    /// How long the server asks us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Failure {
    /// A failure of this kind, with no word on when to come back.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after_ms: None }
    }
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// No reply within the time allowed.
    Timeout,
    /// No connection, or it broke.
    Connection,
    /// 429: too many requests for now.
    RateLimited,
    /// 5xx, or a reply that is not what the protocol says.
    Server,
    /// This request is refused (400, 413, 422): too long, or not understood.
    Rejected,
    /// 401 or 403: the key is missing, wrong or not allowed.
    Unauthorized,
    /// 404: no such model or address.
    NotFound,
    /// The account has no credit left.
    Quota,
}

/// How far a failure reaches, hence what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// It may pass: try the same request again, later.
    Transient,
    /// This request will fail again; others need not.
    Task,
    /// Every request of this judge will fail: stop asking it.
    Judge,
}

impl FailureKind {
    /// Every kind, in the order in which reports list them.
    pub const ALL: [Self; 8] = [
        Self::Timeout,
        Self::Connection,
        Self::RateLimited,
        Self::Server,
        Self::Rejected,
        Self::Unauthorized,
        Self::NotFound,
        Self::Quota,
    ];

    /// How far it reaches.
    pub fn scope(self) -> Scope {
        match self {
            Self::Timeout | Self::Connection | Self::RateLimited | Self::Server => Scope::Transient,
            Self::Rejected => Scope::Task,
            Self::Unauthorized | Self::NotFound | Self::Quota => Scope::Judge,
        }
    }

    /// The name that files and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Connection => "connection",
            Self::RateLimited => "rate_limited",
            Self::Server => "server",
            Self::Rejected => "rejected",
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not_found",
            Self::Quota => "quota",
        }
    }

    /// The kind with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
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
            Self::Unauthorized => "not authorised",
            Self::NotFound => "not found",
            Self::Quota => "quota used up",
        })
    }
}
