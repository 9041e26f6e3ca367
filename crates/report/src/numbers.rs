//! Numbers as a report prints them.

/// The number, unless it is NaN or infinite, which JSON cannot say.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// A measure's value or mean: four decimals, as trec_eval prints them.
pub(crate) fn measure(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.4}"))
}

/// A difference of measures: four decimals and always a sign, but no sign of a zero.
pub(crate) fn difference(value: Option<f64>) -> String {
    let text = value.map_or_else(none, |value| format!("{value:+.4}"));
    if text == "-0.0000" || text == "+0.0000" { "0.0000".to_owned() } else { text }
}

/// A count with a comma between thousands.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `n topics`, `1 topic`.
pub(crate) fn counted(value: usize, one: &str) -> String {
    format!("{} {one}{}", count(value as u64), if value == 1 { "" } else { "s" })
}

/// A share from 0 to 1 in percent. A share that is not 0 or 1 is never printed as 0% or 100%.
pub(crate) fn percent(share: Option<f64>) -> String {
    let Some(share) = share else { return none() };
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.05 => "<0.1%".to_owned(),
        percent if percent > 99.95 && percent < 100.0 => ">99.9%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}

/// A confidence such as 0.95 in percent, with no more decimals than it has.
pub(crate) fn confidence(share: f64) -> String {
    format!("{}%", (share * 1e6).round() / 1e4)
}

fn none() -> String {
    "n/a".to_owned()
}
