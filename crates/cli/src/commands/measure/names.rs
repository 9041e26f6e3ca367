//! The measures that were named.

use anyhow::Result;
use llull::metrics::{
    DiversityMeasure, Measure, MeasureError, PreferenceMeasure, TrecEvalMeasure, trec_eval_measures,
};

use crate::args::{LabelsForm, MeasureArgs, MeasureFormat};
use crate::exit::Usage;

/// What is measured when nothing is said.
const DEFAULT: &str = "nDCG@10";

/// The measures that were asked for, or the usual one.
pub(crate) fn parse(names: &[String]) -> Result<Vec<Measure>> {
    if names.is_empty() {
        return Ok(vec![DEFAULT.parse()?]);
    }
    let mut measures: Vec<Measure> = Vec::new();
    for measure in parse_each(names)? {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    Ok(measures)
}

/// Measures as they were typed, name by name.
pub(crate) fn parse_each(names: &[String]) -> Result<Vec<Measure>> {
    names.iter().map(|name| Ok(name.parse().map_err(|error| no_measure(name, &error))?)).collect()
}

/// The same with trec_eval's names and groups, at the relevance level that was asked for; each once.
pub(super) fn named(args: &MeasureArgs) -> Result<Vec<TrecEvalMeasure>> {
    let usual = match (args.format, args.labels) {
        (_, LabelsForm::QrelsJg) => "qrels_jg",
        (Some(MeasureFormat::Trec), _) => "official",
        _ => DEFAULT,
    };
    let asked = args.measures.iter().map(String::as_str);
    let asked: Vec<&str> = if args.measures.is_empty() { vec![usual] } else { asked.collect() };
    let by_name = args.format == Some(MeasureFormat::Trec);
    let mut named: Vec<TrecEvalMeasure> = Vec::new();
    for written in asked {
        for TrecEvalMeasure { name, measure } in
            trec_eval_measures(written).map_err(|error| no_measure(written, &error))?
        {
            let measure = args.level.map_or(measure, |level| measure.at_level(level));
            if !named.iter().any(|known| known.measure == measure && (!by_name || known.name == name)) {
                named.push(TrecEvalMeasure { name, measure });
            }
        }
    }
    Ok(named)
}

/// What was typed is no measure, or one that needs other labels.
fn no_measure(written: &str, error: &MeasureError) -> Usage {
    if matches!(written, "prefs" | "all_prefs") || written.parse::<PreferenceMeasure>().is_ok() {
        Usage(format!(
            "{written} is measured under preferences, which llull measure reads with -R prefs or -R qrels_prefs"
        ))
    } else if written.parse::<DiversityMeasure>().is_ok() {
        Usage(format!(
            "{written} needs labels of subtopics (topic, subtopic, document, grade), which llull measure reads \
             with -R subtopics"
        ))
    } else if matches!(error, MeasureError::Unknown { .. }) && trec_eval_measures(written).is_ok() {
        Usage(format!(
            "{written} stands for several measures, which llull measure alone takes; name one of them"
        ))
    } else if written.contains(',') && written.split(',').all(|one| one.parse::<Measure>().is_ok()) {
        Usage(format!("{written:?} is several measures: repeat -m for each"))
    } else {
        Usage(error.to_string())
    }
}

/// The measures without trec_eval's names.
pub(super) fn measures(named: &[TrecEvalMeasure]) -> Vec<Measure> {
    named.iter().map(|named| named.measure).collect()
}
