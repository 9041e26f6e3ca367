//! What is measured: what was asked for, or what the rubric's cutoff suggests.

use llull_core::Grade;
use llull_metrics::{Measure, MeasureError};
use toml::Spanned;

use super::{error::ConfigError, file::StudyFile, overrides::Overrides, place::Place};

/// The measures of a study that names none, where grades of at least `cutoff` are relevant: one for the order, one for
/// the first hit, two for what was found, one for what is known. Where no grade says "relevant" (`None`), only what needs
/// no such line: how near a system comes to the best order, what it gains, and what is known.
pub(crate) fn default_measures(cutoff: Option<Grade>) -> Result<Vec<Measure>, MeasureError> {
    let names: &[&str] = match cutoff {
        Some(_) => &["nDCG@10", "RR(rel=_)@10", "P(rel=_)@5", "R(rel=_)@10", "Judged@10"],
        None => &["Compat(p=0.9)", "nDCG@10", "Judged@10"],
    };
    // A grade below 1 is never relevant to a measure, whatever the rubric's lowest grades are.
    let rel = cutoff.unwrap_or(1).max(1);
    names.iter().map(|name| name.replace('_', &rel.to_string()).parse()).collect()
}

/// The measures that were asked for; none where nothing is said, and then the rubric decides.
pub(super) fn measures(
    file: &StudyFile,
    at: &Place<'_>,
    overrides: &Overrides,
) -> Result<Vec<Measure>, ConfigError> {
    if !overrides.measures.is_empty() {
        let parse = |text: &String| {
            text.parse().map_err(|error: MeasureError| ConfigError::Override(error.to_string()))
        };
        return overrides.measures.iter().map(parse).collect();
    }
    let Some(measures) = &file.measures else { return Ok(Vec::new()) };
    if measures.is_empty() {
        return Err(at.missing("`measures` is empty; name at least one, such as\n  measures = [\"nDCG@10\"]"));
    }
    let parse = |text: &Spanned<String>| {
        text.get_ref().parse().map_err(|error: MeasureError| at.wrong(text, error.to_string()))
    };
    measures.iter().map(parse).collect()
}
