//! A server's answer.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::retry_after::{duration_ms, retry_after_ms, utc_moment};

/// A server's answer, whatever its status, with its whole body.
#[derive(Debug)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    pub(crate) headers: HeaderMap,
}

impl Response {
    /// Returns an answer without headers, as a file of a batch's results holds it.
    pub fn new(status: u16, body: Vec<u8>) -> Self {
        Self { status, body, headers: HeaderMap::new() }
    }

    /// Returns the same with a header; without it if the value cannot be one.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers
            .extend(HeaderValue::from_str(value).ok().map(|value| (HeaderName::from_static(name), value)));
        self
    }

    /// Returns whether the status is one of success (2xx).
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns whether the status is a redirection (3xx). It was not followed.
    pub fn is_redirection(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Returns the value of a header, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns the value of a header that is a duration, such as `6m0s` or a number of seconds, or the time from the
    /// answer's own `date` to a moment in RFC 3339, so that no two clocks have to agree.
    pub fn duration(&self, name: &str) -> Option<Duration> {
        let text = self.header(name)?.trim();
        let seconds =
            || text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let until = || {
            let date = parse_http_date(self.header("date")?).ok()?;
            Some(utc_moment(text)?.duration_since(date).unwrap_or_default())
        };
        seconds().or_else(|| duration_ms(text).map(Duration::from_millis)).or_else(until)
    }

    /// Returns how long the server wants the client to wait before the next request, in milliseconds; `None` if it
    /// names no time. `now` replaces a missing date of the answer.
    pub fn retry_after_ms(&self, now: SystemTime) -> Option<u64> {
        retry_after_ms(&|name| self.header(name), now)
    }
}
