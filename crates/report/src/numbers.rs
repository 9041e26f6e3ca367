//! Numbers as a report prints them.

/// The number, unless it is NaN or infinite, which JSON cannot say. A zero loses its sign, which says nothing here.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value + 0.0)
}

/// A measure's value or mean: four decimals, as trec_eval prints them.
pub(crate) fn measure(value: Option<f64>) -> String {
    value.map_or_else(none, four_decimals)
}

/// A figure with four decimals, and no sign where they are all 0.
pub fn four_decimals(value: f64) -> String {
    unsigned_zero(format!("{value:.4}"))
}

/// A difference of measures: four decimals and always a sign, but no sign of a zero; `-` where there is none.
pub fn difference(value: Option<f64>) -> String {
    value.map_or_else(none, |value| unsigned_zero(format!("{value:+.4}")))
}

/// An effect size: two decimals and always a sign, but no sign of a zero.
pub(crate) fn hundredths(value: f64) -> String {
    match format!("{value:+.2}") {
        zero if matches!(zero.as_str(), "-0.00" | "+0.00") => "0.00".to_owned(),
        text => text,
    }
}

/// A p: four decimals, and never 0.
pub(crate) fn probability(p: Option<f64>) -> String {
    p.map_or_else(none, |p| if p < 0.00005 { "<0.0001".to_owned() } else { format!("{p:.4}") })
}

fn unsigned_zero(text: String) -> String {
    if matches!(text.as_str(), "-0.0000" | "+0.0000") { "0.0000".to_owned() } else { text }
}

/// A count with a comma between thousands.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `12 topics`, `1 topic`.
pub(crate) fn counted(value: usize, one: &str) -> String {
    format!("{} {one}{}", count(value as u64), if value == 1 { "" } else { "s" })
}

/// A share from 0 to 1 in percent. A share that is not 0 or 1 is never printed as 0% or 100%.
pub(crate) fn percent(share: Option<f64>) -> String {
    let Some(share) = share else { return none() };
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.05 => "<0.1%".to_owned(),
        percent if (99.95..100.0).contains(&percent) => ">99.9%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}

/// A confidence such as 0.95 in percent, with no more decimals than it has.
pub fn confidence(share: f64) -> String {
    format!("{}%", (share * 1e6).round() / 1e4)
}

fn none() -> String {
    "n/a".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas_between_thousands() {
        let printed = [0, 999, 1000, 314_565, 1_000_000].map(count);
        assert_eq!(printed, ["0", "999", "1,000", "314,565", "1,000,000"]);
        assert_eq!((counted(1, "topic"), counted(2000, "topic")), ("1 topic".into(), "2,000 topics".into()));
    }

    #[test]
    fn zero_has_no_sign_and_nothing_is_not_zero() {
        assert_eq!(difference(Some(-0.00001)), "0.0000");
        assert_eq!(difference(Some(0.01)), "+0.0100");
        assert_eq!(measure(Some(-0.0)), "0.0000");
        assert_eq!(measure(None), "n/a");
        assert_eq!([-0.001, 0.0, -0.5].map(hundredths), ["0.00", "0.00", "-0.50"]);
        assert_eq!(
            [Some(1.0), Some(0.00005), Some(1e-9), None].map(probability),
            ["1.0000", "0.0001", "<0.0001", "n/a"]
        );
        assert_eq!(finite(f64::NEG_INFINITY), None);
        assert!(finite(-0.0).is_some_and(f64::is_sign_positive));
    }

    #[test]
    fn a_share_is_all_or_none_only_when_it_is() {
        let printed = [0.0, 1e-9, 0.111, 0.9995, 0.99999, 1.0].map(|share| percent(Some(share)));
        assert_eq!(printed, ["0.0%", "<0.1%", "11.1%", ">99.9%", ">99.9%", "100.0%"]);
        assert_eq!([0.95, 0.999, 0.9].map(confidence), ["95%", "99.9%", "90%"]);
    }
}
