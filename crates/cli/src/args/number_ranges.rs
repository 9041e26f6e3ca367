//! Numbers within a range, with messages that name the range. llull-config has the ranges of settings in llull.toml.

use llull::config::ranges;

/// Parses a margin of equivalence: above 0, in the unit of the measure.
pub(super) fn margin(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(margin) if margin > 0.0 && margin.is_finite() => Ok(margin),
        _ => Err("must be a number above 0, in the unit of the measure, such as 0.01".into()),
    }
}

/// Parses how many of each system's documents are judged.
pub(super) fn pool_depth(text: &str) -> Result<usize, String> {
    ranges::POOL_DEPTH.parse(text).map(|depth| depth as usize)
}

/// Parses a count: 1 or more.
pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("must be a whole number, 1 or more".into()),
        Ok(number) => Ok(number),
    }
}

/// Parses a share of a whole that is neither none nor all of it.
pub(super) fn part(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("must be a share between 0 and 1, such as 0.1".into()),
    }
}

/// Parses a standard deviation: 0 or more.
pub(super) fn deviation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(deviation) if (0.0..=1e6).contains(&deviation) => Ok(deviation),
        _ => Err("must be a standard deviation: 0 or more, such as 0.5".into()),
    }
}

/// Parses an amount of US dollars: 0 or more.
pub(super) fn dollars(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(amount) if amount >= 0.0 && amount.is_finite() => Ok(amount),
        _ => Err("must be an amount of US dollars, 0 or more, such as 0.5".into()),
    }
}

/// Parses Cohen's kappa of a judge that is better than chance: above 0, and at most 1.
pub(super) fn kappa(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(kappa) if kappa > 0.0 && kappa <= 1.0 => Ok(kappa),
        _ => Err("must be a kappa above 0 (chance) and at most 1 (the true grades), such as 0.35".into()),
    }
}

/// Parses a share: from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    ranges::share(text.parse().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_each_range() {
        let accepted = |parse: fn(&str) -> Result<f64, String>, text: &str| parse(text).is_ok();
        for (parse, inside, outside) in [
            (margin as fn(&str) -> _, ["0.001", "7"], ["0", "inf"]),
            (deviation, ["0", "1000000"], ["-0.1", "NaN"]),
            (dollars, ["0", "0.05"], ["-0.1", "inf"]),
            (share, ["0", "1"], ["-0.1", "1.1"]),
            (kappa, ["0.35", "1"], ["0", "1.5"]),
        ] {
            assert!(inside.iter().all(|text| accepted(parse, text)), "{inside:?}");
            assert!(!outside.iter().any(|text| accepted(parse, text)), "{outside:?}");
        }
        assert_eq!((at_least_one("1"), at_least_one("0").is_err()), (Ok(1), true));
    }
}
