//! The limits of an account, as a server's headers state them.

use std::time::{Duration, Instant};

use llull_core::Usage;
use llull_http::Response;

/// A limit of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// The subject.
    pub subject: LimitSubject,
    /// The limit.
    pub limit: u64,
    /// The rest of it, if the server states it.
    pub left: Option<u64>,
    /// The time until the whole limit is left again: the server's, or that of a limit for a minute that refills all
    /// the time.
    pub full_in: Duration,
    /// The time of the answer that states it.
    pub at: Instant,
}

/// The subject of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSubject {
    /// Requests.
    Requests,
    /// Tokens of prompts and replies.
    Tokens,
    /// Tokens of prompts.
    InputTokens,
    /// Tokens of replies.
    OutputTokens,
}

impl LimitSubject {
    /// Returns its name: `requests`, `tokens`, `input tokens`, `output tokens`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Tokens => "tokens",
            Self::InputTokens => "input tokens",
            Self::OutputTokens => "output tokens",
        }
    }

    /// Returns the part of a limit that one request uses; `None` if its tokens are unknown.
    pub fn used_by(self, request: &Usage) -> Option<u64> {
        match self {
            Self::Requests => Some(1),
            Self::Tokens => Some(request.prompt_tokens?.saturating_add(request.completion_tokens?)),
            Self::InputTokens => request.prompt_tokens,
            Self::OutputTokens => request.completion_tokens,
        }
    }
}

/// The headers of a subject's limit, its rest and the time until it is full: OpenAI, Azure, Groq, Together. Then
/// Anthropic.
const HEADERS: [(LimitSubject, [&str; 3]); 6] = [
    (
        LimitSubject::Requests,
        ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
    ),
    (
        LimitSubject::Tokens,
        ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
    ),
    (
        LimitSubject::Requests,
        [
            "anthropic-ratelimit-requests-limit",
            "anthropic-ratelimit-requests-remaining",
            "anthropic-ratelimit-requests-reset",
        ],
    ),
    (
        LimitSubject::Tokens,
        [
            "anthropic-ratelimit-tokens-limit",
            "anthropic-ratelimit-tokens-remaining",
            "anthropic-ratelimit-tokens-reset",
        ],
    ),
    (
        LimitSubject::InputTokens,
        [
            "anthropic-ratelimit-input-tokens-limit",
            "anthropic-ratelimit-input-tokens-remaining",
            "anthropic-ratelimit-input-tokens-reset",
        ],
    ),
    (
        LimitSubject::OutputTokens,
        [
            "anthropic-ratelimit-output-tokens-limit",
            "anthropic-ratelimit-output-tokens-remaining",
            "anthropic-ratelimit-output-tokens-reset",
        ],
    ),
];

/// Returns the limits that an answer states; none if it states none.
pub(crate) fn rate_limits(response: &Response) -> Vec<RateLimit> {
    let number =
        |name: &str| response.header(name)?.trim().parse::<f64>().ok().filter(|number| *number >= 0.0);
    let at = Instant::now();
    let stated = HEADERS.into_iter().filter_map(|(subject, [limit, left, full_in])| {
        let (limit, left) = (number(limit)? as u64, number(left).map(|left| left as u64));
        let full_in = response.duration(full_in).unwrap_or_else(|| refill(limit, left));
        Some(RateLimit { subject, limit, left, full_in, at })
    });
    stated.collect()
}

/// Returns the time in which a limit for a minute is full again; a minute if its rest is unknown.
fn refill(limit: u64, left: Option<u64>) -> Duration {
    let used = limit.saturating_sub(left.unwrap_or(0));
    Duration::from_millis(60_000_u64.saturating_mul(used).checked_div(limit).unwrap_or(60_000))
}
