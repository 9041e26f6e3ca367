//! Reads the time of day; no other file does.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the milliseconds since 1970-01-01 UTC; negative before that date.
pub(crate) fn now_ms() -> i64 {
    let milliseconds =
        |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => milliseconds(since),
        Err(before) => -milliseconds(before.duration()),
    }
}
