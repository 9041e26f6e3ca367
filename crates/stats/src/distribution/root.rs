//! Where an increasing function passes 0.

/// The place where `function`, which never falls, passes from below 0 to 0 or above; `None` when it does not do so between
/// -10^12 and 10^12. To the last digit, by bisection: sure, and cheap beside what is asked for with it.
pub(crate) fn root_of_increasing(function: impl Fn(f64) -> f64) -> Option<f64> {
    const FARTHEST: f64 = 1e12;
    let mut low = -1.0;
    while function(low) >= 0.0 {
        low *= 4.0;
        if low < -FARTHEST {
            return None;
        }
    }
    let mut high = 1.0;
    while function(high) < 0.0 {
        high *= 4.0;
        if high > FARTHEST {
            return None;
        }
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return Some(high);
        }
        if function(middle) < 0.0 { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_is_there_and_nothing_else() {
        for expected in [-300.0, -0.1, 0.3, 1e6] {
            let found = root_of_increasing(|x| x - expected).unwrap();
            assert!((found - expected).abs() <= f64::EPSILON * expected.abs(), "{found}, not {expected}");
        }
        assert_eq!(root_of_increasing(|_| 1.0), None);
        assert_eq!(root_of_increasing(|_| -1.0), None);
    }
}
