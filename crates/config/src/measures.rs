//! The measures of a study, or those that fit its rubric.

use llull_core::Grade;
use llull_metrics::{Measure, MeasureError, Relevant, WrittenMeasure};

use crate::{error::ConfigError, file::StudyFile, overrides::Overrides, place::Place, spanned::Spanned};

/// The default measures of a study, with grades of at least `cutoff` relevant.
///
/// They are one for the order, one for the first hit, two for the relevant documents found, and one for the judged
/// share. Without a cutoff (`None`), only measures that need none: nearness to the best order, gain, and the judged
/// share.
pub fn default_measures(cutoff: Option<Grade>, lowest: Grade) -> Result<Vec<Measure>, MeasureError> {
    let names: &[&str] = match cutoff {
        Some(_) => &["nDCG@10", "RR@10", "P@5", "R@10", "Judged@10"],
        None => &["Compat(p=0.9)", "nDCG@10", "Judged@10"],
    };
    let written = names.iter().map(|name| name.parse()).collect::<Result<Vec<_>, _>>()?;
    Ok(on_scale(&written, cutoff, lowest))
}

/// The measures of the study, without repeats. A measure without a relevance level gets `cutoff`, or every grade above
/// 0 if the cutoff is `None`. Gains count from the `lowest` grade of the scale.
pub fn on_scale(written: &[WrittenMeasure], cutoff: Option<Grade>, lowest: Grade) -> Vec<Measure> {
    let mut measures = Vec::with_capacity(written.len());
    for measure in
        written.iter().map(|measure| measure.at_level(relevant_level(cutoff)).on_scale_from(lowest))
    {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    measures
}

/// The lowest relevant grade of measures. A grade below 1 is never relevant to a measure, whatever the rubric's lowest
/// grades are.
pub fn relevant_level(cutoff: Option<Grade>) -> Relevant {
    cutoff.and_then(Relevant::from_grade).unwrap_or_default()
}

/// The measures as written; empty if the study names none, and then the rubric decides.
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
