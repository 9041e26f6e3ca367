//! Measures by the names that are typed: llull's, trec_eval's and its groups.

use anyhow::Result;
use llull::metrics::{
    DiversityMeasure, Measure, MeasureError, PreferenceMeasure, TrecEvalMeasure, trec_eval_measures,
};

use crate::args::{Format, LabelsForm, MeasureArgs};
use crate::exit::Usage;

/// The default measure.
const DEFAULT: &str = "nDCG@10";

/// Parses measures, without repeats; nDCG@10 if there are no names.
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

pub(crate) fn parse_each(names: &[String]) -> Result<Vec<Measure>> {
    names.iter().map(|name| Ok(name.parse().map_err(|error| no_measure(name, &error))?)).collect()
}

/// The measures of `llull measure`: the typed ones, or the defaults.
fn asked(args: &MeasureArgs) -> Vec<&str> {
    let usual = match (args.format, args.labels) {
        (_, LabelsForm::QrelsJg) => "qrels_jg",
        (Some(Format::Trec), _) => "official",
        _ => DEFAULT,
    };
    if args.measures.is_empty() { vec![usual] } else { args.measures.iter().map(String::as_str).collect() }
}

/// The measures of `llull measure` for a study, as written. So those without a lowest relevant grade take it from the
/// study. Groups stand for their members.
pub(super) fn written(args: &MeasureArgs) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for written in asked(args) {
        let members = trec_eval_measures(written).map_err(|error| no_measure(written, &error))?;
        match members.as_slice() {
            [_] => names.push(written.to_owned()),
            members => names.extend(members.iter().map(|member| member.name.clone())),
        }
    }
    Ok(names)
}

/// The measures of `llull measure`, without repeats: also trec_eval's names and groups, at the level of `--level`.
pub(super) fn named(args: &MeasureArgs) -> Result<Vec<TrecEvalMeasure>> {
    let by_name = args.format == Some(Format::Trec);
    let mut named: Vec<TrecEvalMeasure> = Vec::new();
    for written in asked(args) {
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

/// The error for a name that is no measure, or one that needs other labels.
fn no_measure(written: &str, error: &MeasureError) -> Usage {
    if matches!(written, "prefs" | "all_prefs") || written.parse::<PreferenceMeasure>().is_ok() {
        Usage(format!(
            "{written} is measured under preferences, which llull measure reads with -R prefs or -R qrels_prefs"
        ))
    } else if written.parse::<DiversityMeasure>().is_ok() {
        Usage(format!(
            "{written} needs labels of subtopics (query, subtopic, document, grade), which llull measure reads with \
             -R subtopics"
        ))
    } else if matches!(error, MeasureError::Unknown { .. }) && trec_eval_measures(written).is_ok() {
        Usage(format!("{written} is a group of measures, which only llull measure accepts; name one of them"))
    } else if written.contains(',') && written.split(',').all(|one| one.parse::<Measure>().is_ok()) {
        Usage(format!("{written:?} is several measures: repeat -m for each"))
    } else {
        Usage(error.to_string())
    }
}

/// The measures without the names they were typed by.
pub(super) fn measures(named: &[TrecEvalMeasure]) -> Vec<Measure> {
    named.iter().map(|named| named.measure).collect()
}
