//! The limits of an account, as a server's headers state them.

use llull_http::Response;

/// A limit of an account: so many requests or tokens in a time that the server does not state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// The subject: `requests`, `tokens`, `input tokens`, `output tokens`.
    pub what: &'static str,
    /// The limit.
    pub limit: u64,
    /// The rest of it, if the server states it.
    pub left: Option<u64>,
}

/// The subjects, with the headers of the limit and of its rest: OpenAI, Azure, Groq, Together; then Anthropic.
const HEADERS: [(&str, &str, &str); 6] = [
    ("requests", "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests"),
    ("tokens", "x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens"),
    ("requests", "anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-remaining"),
    ("tokens", "anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-remaining"),
    ("input tokens", "anthropic-ratelimit-input-tokens-limit", "anthropic-ratelimit-input-tokens-remaining"),
    (
        "output tokens",
        "anthropic-ratelimit-output-tokens-limit",
        "anthropic-ratelimit-output-tokens-remaining",
    ),
];

/// Returns the limits that an answer states; none if it states none.
pub(crate) fn rate_limits(response: &Response) -> Vec<RateLimit> {
    let number =
        |name: &str| response.header(name)?.trim().parse::<f64>().ok().filter(|number| *number >= 0.0);
    let stated = HEADERS.into_iter().filter_map(|(what, limit, left)| {
        let left = number(left).map(|left| left as u64);
        Some(RateLimit { what, limit: number(limit)? as u64, left })
    });
    stated.collect()
}
