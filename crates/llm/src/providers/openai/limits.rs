//! How long a server asks us to wait, from its headers. Pure.

use reqwest::header::HeaderMap;

/// The wait in milliseconds, if the server names one: `retry-after-ms`, else `retry-after` in seconds, else the reset
/// time of whichever of OpenAI's limits is used up. A `retry-after` that is a date is not read (it would need a clock
/// that agrees with the server's); the usual backoff applies.
pub(super) fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number =
        |name: &str, scale: f64| text(name).and_then(|text| millis(text.parse::<f64>().ok()? * scale));
    let reset = |limit: &str| {
        let used_up = text(&format!("x-ratelimit-remaining-{limit}")) == Some("0");
        used_up.then(|| text(&format!("x-ratelimit-reset-{limit}")).and_then(duration_ms)).flatten()
    };
    number("retry-after-ms", 1.0)
        .or_else(|| number("retry-after", 1000.0))
        .or_else(|| reset("requests").max(reset("tokens")))
}

/// Whole milliseconds, rounded up.
fn millis(value: f64) -> Option<u64> {
    (value.is_finite() && value >= 0.0).then(|| value.ceil() as u64)
}

/// A duration as Go prints it and OpenAI sends it: `20ms`, `1.5s`, `6m0s`, `1h2m3s`.
fn duration_ms(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0.0;
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| c.is_ascii_alphabetic())?);
        let (unit, tail) = tail.split_at(tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len()));
        let scale = match unit {
            "ms" => 1.0,
            "s" => 1e3,
            "m" => 60e3,
            "h" => 3600e3,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * scale;
        rest = tail;
    }
    if text.is_empty() { None } else { millis(total) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn read(headers: &[(&str, &str)]) -> Option<u64> {
        let pair = |(name, value): &(&str, &str)| {
            (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap())
        };
        retry_after_ms(&headers.iter().map(pair).collect())
    }

    #[test]
    fn a_wait_is_read_in_its_unit() {
        assert_eq!(read(&[("retry-after", "2")]), Some(2000));
        assert_eq!(read(&[("retry-after", "0")]), Some(0));
        assert_eq!(read(&[("retry-after", "0.25")]), Some(250));
        assert_eq!(read(&[("retry-after", "2"), ("retry-after-ms", "1500.2")]), Some(1501));
        assert_eq!(read(&[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")]), None);
        assert_eq!(read(&[("retry-after", "-1")]), None);
        assert_eq!(read(&[("retry-after", "nan")]), None);
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn the_limit_that_is_used_up_says_when() {
        let tokens = [("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6m0s")];
        assert_eq!(read(&tokens), Some(360_000));
        let spare = [("x-ratelimit-remaining-tokens", "12"), ("x-ratelimit-reset-tokens", "6m0s")];
        assert_eq!(read(&spare), None);
    }

    #[test]
    fn go_durations() {
        let cases =
            [("20ms", Some(20)), ("1.5s", Some(1500)), ("1h2m3s", Some(3_723_000)), ("", None), ("5", None)];
        for (text, ms) in cases {
            assert_eq!(duration_ms(text), ms, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,20}") {
            duration_ms(&text);
        }
    }
}
