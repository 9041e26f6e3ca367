//! Reads a server's waiting time from its headers. Pure.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;

/// A number from here on is no wait but a moment, in seconds since 1970: some servers write it so, against RFC 9110.
/// As a wait it would be 31 years.
const FIRST_MOMENT: f64 = 1e9;

/// Returns the wait in milliseconds, if the server names one: `retry-after-ms`, else `retry-after` in seconds, as
/// a date (RFC 9110, 10.2.3) or as Unix time, else the reset time of whichever of OpenAI's limits is used up. A moment
/// in the past asks for no wait.
///
/// The time until a date is measured from the answer's own `date`, so that no two clocks have to agree; `now` is for
/// answers without one.
pub(crate) fn retry_after_ms<'a>(header: &dyn Fn(&str) -> Option<&'a str>, now: SystemTime) -> Option<u64> {
    let text = |name: &str| header(name).map(str::trim);
    let number =
        |name: &str, scale: f64| text(name).and_then(|text| millis(text.parse::<f64>().ok()? * scale));
    let reset = |limit: &str| {
        let used_up = text(&format!("x-ratelimit-remaining-{limit}")) == Some("0");
        used_up.then(|| text(&format!("x-ratelimit-reset-{limit}")).and_then(duration_ms)).flatten()
    };
    let date = |name: &str| text(name).and_then(|text| parse_http_date(text).ok());
    let until = |date: SystemTime, now: SystemTime| {
        let wait = date.duration_since(now).unwrap_or_default();
        u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
    };
    let seconds = || text("retry-after").and_then(|text| text.parse::<f64>().ok());
    let moment = || {
        let seconds = seconds().filter(|seconds| *seconds >= FIRST_MOMENT && seconds.is_finite())?;
        // Milliseconds since 1970 are a thousand times as many.
        let seconds = if seconds >= FIRST_MOMENT * 1000.0 { seconds / 1000.0 } else { seconds };
        SystemTime::UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
    };
    number("retry-after-ms", 1.0)
        .or_else(|| {
            let moment = moment().or_else(|| date("retry-after"))?;
            Some(until(moment, date("date").unwrap_or(now)))
        })
        .or_else(|| number("retry-after", 1000.0))
        .or_else(|| reset("requests").max(reset("tokens")))
}

/// Returns whole milliseconds, rounded up.
fn millis(value: f64) -> Option<u64> {
    (value.is_finite() && value >= 0.0).then(|| value.ceil() as u64)
}

/// Reads a duration as Go prints it and OpenAI sends it: `20ms`, `1.5s`, `6m0s`, `1h2m3s`.
pub(crate) fn duration_ms(text: &str) -> Option<u64> {
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

/// Reads a moment as Anthropic sends it, in RFC 3339 and UTC: `2026-10-21T07:28:00Z`.
pub(crate) fn utc_moment(text: &str) -> Option<SystemTime> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day]: [&str; 3] = date.split('-').collect::<Vec<_>>().try_into().ok()?;
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let time = time.split('.').next()?;
    // The parser wants the day of the week, too, which the text lacks.
    let of = |weekday| parse_http_date(&format!("{weekday}, {day} {month} {year} {time} GMT")).ok();
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].into_iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use llull_core::{Failure, FailureKind};
    use proptest::prelude::*;

    use super::*;
    use crate::retry::{GiveUp, RetryPolicy};

    /// The wait that is read at 07:27:30 on 21 October 2026.
    fn read(headers: &[(&str, &'static str)]) -> Option<u64> {
        let now = parse_http_date("Wed, 21 Oct 2026 07:27:30 GMT").unwrap();
        let value = |name: &str| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        retry_after_ms(&value, now)
    }

    #[test]
    fn a_wait_is_read_in_its_unit() {
        assert_eq!(read(&[("retry-after", "2")]), Some(2000));
        assert_eq!(read(&[("retry-after", "0")]), Some(0));
        assert_eq!(read(&[("retry-after", "0.25")]), Some(250));
        assert_eq!(read(&[("retry-after", "2"), ("retry-after-ms", "1500.2")]), Some(1501));
        assert_eq!(read(&[("retry-after", "-1")]), None);
        assert_eq!(read(&[("retry-after", "nan")]), None);
        assert_eq!(read(&[]), None);
    }

    /// The three forms of RFC 9110, 5.6.7, of one moment.
    #[test]
    fn a_date_is_a_wait_until_then() {
        for date in
            ["Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT", "Wed Oct 21 07:28:00 2026"]
        {
            assert_eq!(read(&[("retry-after", date)]), Some(30_000), "{date}");
        }
        let late = ("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT");
        assert_eq!(
            read(&[late, ("date", "Wed, 21 Oct 2026 07:27:55 GMT")]),
            Some(5000),
            "by the server's clock"
        );
        assert_eq!(read(&[late, ("date", "some time")]), Some(30_000));
        assert_eq!(read(&[late, ("retry-after-ms", "1500")]), Some(1500));
        for past in ["Wed, 21 Oct 2026 07:27:30 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"] {
            assert_eq!(read(&[("retry-after", past)]), Some(0), "{past}");
        }
        for wrong in ["Wed, 21 Oct 2026 07:28:00 CET", "Wed, 32 Oct 2026 07:28:00 GMT", "21 Oct 2026", "soon"]
        {
            assert_eq!(read(&[("retry-after", wrong)]), None, "{wrong}");
        }
    }

    #[test]
    fn a_moment_of_rfc_3339_is_the_same_as_that_date() {
        let moment = parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
        for text in ["2026-10-21T07:28:00Z", "2026-10-21T07:28:00.999Z"] {
            assert_eq!(utc_moment(text), Some(moment), "{text}");
        }
        for wrong in
            ["2026-10-21T07:28:00", "2026-13-21T07:28:00Z", "2026-00-21T07:28:00Z", "2026-10T1Z", "Z"]
        {
            assert_eq!(utc_moment(wrong), None, "{wrong}");
        }
    }

    /// 1792567680 is 21 October 2026, 07:28:00 GMT (`date -u -d @1792567680`).
    #[test]
    fn a_unix_time_is_a_wait_until_then() {
        for moment in ["1792567680", "1792567680.0", "1792567680000"] {
            assert_eq!(read(&[("retry-after", moment)]), Some(30_000), "{moment}");
        }
        let date = ("date", "Wed, 21 Oct 2026 07:27:55 GMT");
        assert_eq!(read(&[("retry-after", "1792567680"), date]), Some(5000), "by the server's clock");
        assert_eq!(read(&[("retry-after", "1700000000")]), Some(0), "it is past");
        assert_eq!(read(&[("retry-after", "999999999")]), Some(999_999_999_000), "a number of seconds");
    }

    /// The policy refuses it as it refuses that number of seconds.
    #[test]
    fn a_date_that_is_far_off_is_refused() {
        for (date, seconds) in
            [("Wed, 21 Oct 2026 08:27:30 GMT", 3600), ("Fri, 31 Dec 9999 23:59:59 GMT", 251_609_733_149)]
        {
            let asked = read(&[("retry-after", date)]);
            assert_eq!(asked, Some(seconds * 1000), "{date}");
            let limited = Failure { retry_after_ms: asked, ..Failure::new(FailureKind::RateLimited, "429") };
            let wait = GiveUp::TooLong(Duration::from_secs(seconds));
            assert_eq!(RetryPolicy::default().gives_up(1, &limited), Some(wait));
        }
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
