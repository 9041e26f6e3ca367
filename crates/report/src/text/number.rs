//! Formats numbers, whole and with decimals.

use std::time::Duration;

/// The text for a missing number.
pub const ABSENT: &str = "n/a";

/// A measure, a mean, a coefficient or a score: four decimals, as trec_eval prints them. A zero has no sign.
pub fn figure(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| unsigned_zero(format!("{value:.4}")))
}

/// A difference of figures: four decimals and a sign, but for a zero.
pub fn difference(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| unsigned_zero(format!("{value:+.4}")))
}

/// An interval of a figure: `[0.2500, 0.7500]`.
pub fn interval(low: Option<f64>, high: Option<f64>) -> String {
    format!("[{}, {}]", figure(low), figure(high))
}

/// An interval of a difference: `[-0.0100, +0.0300]`.
pub fn difference_interval(low: Option<f64>, high: Option<f64>) -> String {
    format!("[{}, {}]", difference(low), difference(high))
}

/// An interval with two decimals, for a cell that holds a figure, too: `[0.25, 0.75]`.
pub fn narrow_interval(low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(|end| unsigned_zero(format!("{end:.2}")));
    format!("[{low}, {high}]")
}

/// A figure in a table that people read: three decimals.
pub fn table_figure(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| unsigned_zero(format!("{value:.3}")))
}

/// A difference in a table that people read: three decimals and a sign, but for a zero.
pub fn table_difference(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| unsigned_zero(format!("{value:+.3}")))
}

/// A number in a sentence: two decimals.
pub fn brief_figure(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| unsigned_zero(format!("{value:.2}")))
}

/// A difference in a sentence: two decimals and a sign, but for a zero.
pub fn brief_difference(value: f64) -> String {
    unsigned_zero(format!("{value:+.2}"))
}

/// An interval of a difference in a sentence: `-0.28 to -0.14`. An end beside 0 keeps its sign, `+0.00`, since the sign
/// decides.
pub fn brief_interval(low: f64, high: f64) -> String {
    let end = |value: f64| if value == 0.0 { "0.00".to_owned() } else { format!("{value:+.2}") };
    format!("{} to {}", end(low), end(high))
}

/// A share from 0 to 1 in a sentence, in percent without decimals. A share that is not 0 or 1 is never printed as 0% or
/// 100%.
pub fn brief_percent(share: impl Into<Option<f64>>) -> String {
    or_absent(share, |share| match share * 100.0 {
        percent if percent > 0.0 && percent < 0.5 => "<1%".to_owned(),
        percent if (99.5..100.0).contains(&percent) => ">99%".to_owned(),
        percent => format!("{percent:.0}%"),
    })
}

/// An effect size: two decimals and a sign, but for a zero.
pub fn effect_size(value: f64) -> String {
    unsigned_zero(format!("{value:+.2}"))
}

/// A p: four decimals, and never 0.
pub fn probability(p: impl Into<Option<f64>>) -> String {
    or_absent(p, |p| if p < 0.00005 { "<0.0001".to_owned() } else { format!("{p:.4}") })
}

/// A share from 0 to 1 that was measured, in percent. A share that is not 0 or 1 is never printed as 0% or 100%.
pub fn percent(share: impl Into<Option<f64>>) -> String {
    or_absent(share, |share| match share * 100.0 {
        percent if percent > 0.0 && percent < 0.05 => "<0.1%".to_owned(),
        percent if (99.95..100.0).contains(&percent) => ">99.9%".to_owned(),
        percent => format!("{percent:.1}%"),
    })
}

/// An interval of a measured share, its ends in percent: `[12.5%, 50.0%]`.
pub fn percent_interval(ends: Option<(f64, f64)>) -> String {
    let (low, high) = ends.unzip();
    format!("[{}, {}]", percent(low), percent(high))
}

/// A share from 0 to 1 that a user chose, such as a confidence, in percent and with no more decimals than it has.
pub fn confidence(share: f64) -> String {
    format!("{}%", (share * 1e6).round() / 1e4)
}

/// How many of something there are to each of something else, on average: two decimals.
pub fn mean_per_item(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| format!("{value:.2}"))
}

/// A number of requests, votes or milliseconds, on average: one decimal.
pub fn average(value: impl Into<Option<f64>>) -> String {
    or_absent(value, |value| format!("{value:.1}"))
}

/// A score from which on something is decided: three decimals.
pub fn threshold(score: f64) -> String {
    format!("{score:.3}")
}

/// A sum of money in US dollars, without its sign: four decimals.
pub fn dollars(usd: f64) -> String {
    format!("{usd:.4}")
}

/// A time in milliseconds, with as many decimals as make three digits: `8.10 ms`, `1,250 ms`.
pub fn milliseconds(ms: impl Into<Option<f64>>) -> String {
    or_absent(ms, |ms| match ms {
        ms if ms < 9.995 => format!("{ms:.2} ms"),
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms => format!("{} ms", count(ms.round() as u64)),
    })
}

/// A time in seconds: `1.5 s`.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn or_absent(value: impl Into<Option<f64>>, print: impl Fn(f64) -> String) -> String {
    value.into().map_or_else(|| ABSENT.to_owned(), print)
}

/// The text of a number, less the sign if all its digits are 0.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix(['-', '+']) {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        _ => text,
    }
}

/// A count with a comma between thousands: `314,565`.
pub fn count(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count of things, given the noun for one of them: `1 wave`, `2,000 waves`, `2 queries`.
pub fn counted(n: impl TryInto<u64>, one: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    match one.strip_suffix('y') {
        _ if n == 1 => format!("1 {one}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{} {stem}ies", count(n)),
        _ => format!("{} {one}s", count(n)),
    }
}

/// A count that may have been interpolated, rounded.
pub fn rounded_count(number: f64) -> String {
    count(number.round() as u64)
}

/// A mean of counts: one decimal, and none from a thousand on.
pub fn mean_count(mean: f64) -> String {
    if mean >= 1_000.0 { rounded_count(mean) } else { format!("{mean:.1}") }
}

/// An estimate of queries: `about 130`; beyond ten thousand its digits say nothing.
pub(crate) fn estimate(queries: usize) -> String {
    match queries {
        10_001.. => "more than 10,000".to_owned(),
        queries => format!("about {}", count(rounded_up(queries))),
    }
}

/// A number of two digits and zeros, not smaller: an estimate has no more.
fn rounded_up(number: usize) -> usize {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

/// A sum of tokens over the attempts that have a count, and how many have none.
pub fn tokens_with_unknown(known: Option<u64>, unknown: u64) -> String {
    with_unknown(known.map(count), unknown)
}

/// A sum of US dollars over the attempts that have a price, and how many have none.
pub fn dollars_with_unknown(known: Option<f64>, unknown: u64) -> String {
    with_unknown(known.map(dollars), unknown)
}

fn with_unknown(known: Option<String>, unknown: u64) -> String {
    match (known, unknown) {
        (None, 0) => ABSENT.to_owned(),
        // That no attempt has one needs no number.
        (None, _) => "unknown".to_owned(),
        (Some(known), 0) => known,
        (Some(known), unknown) => format!("{known} + unknown ({} without)", count(unknown)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign_and_nothing_is_not_zero() {
        assert_eq!([difference(-0.00001), difference(0.01)], ["0.0000", "+0.0100"]);
        assert_eq!([figure(-0.0), figure(-0.00001), figure(None)], ["0.0000", "0.0000", "n/a"]);
        assert_eq!([-0.001, 0.0, -0.5].map(effect_size), ["0.00", "0.00", "-0.50"]);
        assert_eq!(
            [Some(1.0), Some(0.00005), Some(1e-9), None].map(probability),
            ["1.0000", "0.0001", "<0.0001", "n/a"]
        );
    }

    #[test]
    fn an_interval_is_written_as_what_it_is_of() {
        assert_eq!(interval(Some(-0.00001), Some(0.5)), "[0.0000, 0.5000]");
        assert_eq!(difference_interval(Some(-0.01), Some(0.5)), "[-0.0100, +0.5000]");
        assert_eq!(narrow_interval(-0.001, 0.999), "[0.00, 1.00]");
        assert_eq!(interval(None, Some(0.5)), "[n/a, 0.5000]");
    }

    #[test]
    fn a_share_is_all_or_none_only_when_it_is() {
        let printed = [0.0, 1e-9, 0.111, 0.9995, 0.99999, 1.0].map(percent);
        assert_eq!(printed, ["0.0%", "<0.1%", "11.1%", ">99.9%", ">99.9%", "100.0%"]);
        assert_eq!([0.95, 0.999, 0.9].map(confidence), ["95%", "99.9%", "90%"]);
        assert_eq!(percent_interval(Some((0.1, 0.25))), "[10.0%, 25.0%]");
        assert_eq!(percent_interval(None), "[n/a, n/a]");
    }

    #[test]
    fn times_money_and_thresholds() {
        let printed = [Some(0.001), Some(8.1), Some(99.94), Some(1250.4), None].map(milliseconds);
        assert_eq!(printed, ["0.00 ms", "8.10 ms", "99.9 ms", "1,250 ms", "n/a"]);
        assert_eq!(seconds(Duration::from_millis(1_540)), "1.5 s");
        assert_eq!([average(2.25), average(None), threshold(0.5)], ["2.2", "n/a", "0.500"]);
        assert_eq!((dollars(0.00004), mean_per_item(1.0)), ("0.0000".to_owned(), "1.00".to_owned()));
    }

    #[test]
    fn estimates_have_two_digits_and_an_end() {
        assert_eq!([7, 99, 100, 143, 1_201].map(rounded_up), [7, 99, 100, 150, 1_300]);
        assert_eq!([130, 10_000].map(estimate), ["about 130", "about 10,000"]);
        assert_eq!([10_001, 25_000_000].map(estimate), ["more than 10,000"; 2]);
    }

    #[test]
    fn counts_have_commas_between_thousands() {
        let printed = [0_u64, 999, 1000, 314_565, 1_000_000].map(count);
        assert_eq!(printed, ["0", "999", "1,000", "314,565", "1,000,000"]);
    }

    #[test]
    fn nouns_have_their_plural() {
        assert_eq!([1_usize, 2_000].map(|n| counted(n, "pair")), ["1 pair", "2,000 pairs"]);
        assert_eq!([0_u64, 1, 2].map(|n| counted(n, "query")), ["0 queries", "1 query", "2 queries"]);
        assert_eq!(counted(3_u8, "day"), "3 days");
    }

    #[test]
    fn a_mean_of_counts_has_a_decimal_where_it_says_something() {
        assert_eq!([12.34, 999.9, 1_234.5].map(mean_count), ["12.3", "999.9", "1,235"]);
    }

    #[test]
    fn what_is_unknown_is_counted() {
        assert_eq!(tokens_with_unknown(Some(1_200), 0), "1,200");
        assert_eq!(tokens_with_unknown(Some(1_200), 3), "1,200 + unknown (3 without)");
        assert_eq!(dollars_with_unknown(None, 3), "unknown");
        assert_eq!(dollars_with_unknown(None, 0), "n/a");
    }
}
