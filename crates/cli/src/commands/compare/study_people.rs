//! Differences of a study's systems, corrected by what people say of its sample.

use std::collections::BTreeMap;

use anyhow::Result;
use llull::core::Run;
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::metrics::Measure;
use llull::report::text::counted;

use crate::commands::judge::KnownStudy;
use crate::commands::{Context, Correction};

/// Returns each system's corrected difference from the baseline, in the order of the measures; nothing without a
/// sample, or while none of it is labelled.
pub(super) fn corrected(
    context: &Context,
    known: &KnownStudy,
    measures: &[Measure],
    systems: &[&String],
    baseline: &str,
    confidence: f64,
) -> Result<BTreeMap<String, Vec<Correction>>> {
    let Some(people) = &known.evidence.people else { return Ok(BTreeMap::new()) };
    let drawn = counted(people.sample.drawn(), "pair");
    if people.labels.labelled() == 0 {
        context.printer.note(format!(
            "a sample of {drawn} is drawn for people to label, and none is labelled yet: nothing is corrected"
        ));
        return Ok(BTreeMap::new());
    }
    let (judge, human) = (known.evidence.labels.qrels(), people.labels.qrels());
    let runs: &[Run] = &known.inputs.runs;
    let how = SampledHow::Drawn(&people.sample.sample);
    let options = CorrectionOptions { confidence, ..CorrectionOptions::default() };
    let corrector = Corrector::new(&judge, runs, &human, how, options)?;
    let place = |name: &str| runs.iter().position(|run| run.name == name);
    let Some(against) = place(baseline) else { return Ok(BTreeMap::new()) };
    let differences = systems.iter().filter(|name| name.as_str() != baseline).filter_map(|name| {
        let candidate = place(name)?;
        let difference = |measure: &Measure| {
            corrector.difference(measure, against, candidate).map_err(|error| error.to_string())
        };
        Some(((*name).clone(), measures.iter().map(difference).collect()))
    });
    Ok(differences.collect())
}
