//! Sums that leave out unknown values. Unknown is never 0.

use super::count::count;
use super::number::{ABSENT, dollars};

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
    fn what_is_unknown_is_counted() {
        assert_eq!(tokens_with_unknown(Some(1_200), 0), "1,200");
        assert_eq!(tokens_with_unknown(Some(1_200), 3), "1,200 + unknown (3 without)");
        assert_eq!(dollars_with_unknown(None, 3), "unknown");
        assert_eq!(dollars_with_unknown(None, 0), "n/a");
    }
}
