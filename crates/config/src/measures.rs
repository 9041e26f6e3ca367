//! What is measured: what was asked for, or what the rubric's cutoff suggests.

use llull_core::Grade;
use llull_metrics::{Measure, MeasureError, Relevant, WrittenMeasure};
use toml::Spanned;

use crate::{error::ConfigError, file::StudyFile, overrides::Overrides, place::Place};

/// The measures of a study that names none, where grades of at least `cutoff` are relevant: one for the order, one
/// for the first hit, two for what was found, one for what is known. Where no grade says "relevant" (`None`), only
/// what needs no such line: how near a system comes to the best order, what it gains, and what is known.
pub fn default_measures(cutoff: Option<Grade>, lowest: Grade) -> Result<Vec<Measure>, MeasureError> {
    let names: &[&str] = match cutoff {
        Some(_) => &["nDCG@10", "RR@10", "P@5", "R@10", "Judged@10"],
        None => &["Compat(p=0.9)", "nDCG@10", "Judged@10"],
    };
    let written = names.iter().map(|name| name.parse()).collect::<Result<Vec<_>, _>>()?;
    Ok(on_scale(&written, cutoff, lowest))
}

/// The measures that were asked for, without repeats; where they leave open which grades are relevant, those from
/// `cutoff` on, or every grade above 0 where no grade says "relevant". What a grade is worth counts from the `lowest`
/// of the scale on.
pub fn on_scale(written: &[WrittenMeasure], cutoff: Option<Grade>, lowest: Grade) -> Vec<Measure> {
    let mut measures = Vec::with_capacity(written.len());
    for measure in written.iter().map(|measure| measure.at_level(level(cutoff)).on_scale_from(lowest)) {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    measures
}

/// The lowest relevant grade of measures. A grade below 1 is never relevant to a measure, whatever the rubric's lowest
/// grades are.
pub fn level(cutoff: Option<Grade>) -> Relevant {
    cutoff.and_then(Relevant::from_grade).unwrap_or_default()
}

/// The measures that were asked for; none where nothing is said, and then the rubric decides.
pub(crate) fn measures(
    file: &StudyFile,
    at: &Place<'_>,
    overrides: &Overrides,
) -> Result<Vec<WrittenMeasure>, ConfigError> {
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
