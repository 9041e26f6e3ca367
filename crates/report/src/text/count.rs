//! Formats whole numbers.

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
pub(super) fn rounded_up(number: usize) -> usize {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
