//! Numbers that JSON can hold.

/// The number, unless it is NaN or infinite, which JSON cannot express. Turns -0 into 0: the sign has no meaning here.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_cannot_hold_is_none() {
        assert_eq!([f64::NEG_INFINITY, f64::NAN].map(finite), [None, None]);
        assert!(finite(-0.0).is_some_and(f64::is_sign_positive));
    }
}
