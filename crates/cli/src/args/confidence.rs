//! A confidence as an argument.

/// A share that an interval can have.
pub(super) fn confidence(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.5..1.0).contains(&share) => Ok(share),
        _ => Err("it lies from 0.5 to below 1; 0.95 is usual".into()),
    }
}
