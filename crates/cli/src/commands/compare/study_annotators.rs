//! Differences of a study's systems, corrected by its human sample.

use anyhow::Result;
use llull::core::Run;
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::metrics::Measure;
use llull::report::text::counted;
use llull::stats::Looks;

use super::corrections::Corrections;
use crate::commands::Context;
use crate::commands::judge::LoadedStudy;
use crate::exit::refuse;

/// Returns each system's corrected figures and differences from the baseline; nothing without a sample, or while none
/// of it is labelled.
pub(super) fn corrected(
    context: &Context,
    known: &LoadedStudy,
    measures: &[Measure],
    systems: &[&String],
    baseline: &str,
    options: CorrectionOptions,
) -> Result<Corrections> {
    let Some(human_labels) = &known.evidence.human_labels else {
        if options.looks != Looks::Once {
            refuse!(
                "--anytime needs human labels, and this study has no sample yet: draw one with llull sample"
            );
        }
        return Ok(Corrections::default());
    };
    let drawn = counted(human_labels.sample.drawn(), "pair");
    if human_labels.labels.labelled() == 0 {
        context.printer.note(format!(
            "a sample of {drawn} is drawn for annotators, and none is labelled yet: nothing is corrected"
        ));
        return Ok(Corrections::default());
    }
    if let Some(why) = known.evidence.uncorrectable() {
        if options.looks != Looks::Once {
            refuse!("--anytime needs human labels that correct figures, and here they correct none: {why}");
        }
        context.printer.note(format!("human labels of the sample correct nothing: {why}"));
        return Ok(Corrections::default());
    }
    if let Some(settled) = human_labels.adjudicated_in_words() {
        context.printer.note(format!("of the human labels, {settled}"));
    }
    let (judge, human) = (known.evidence.labels.qrels(), human_labels.labels.qrels());
    let runs: &[Run] = &known.inputs.runs;
    let how = SampledHow::Drawn(&human_labels.sample.sample);
    let corrector = Corrector::new(judge, runs, human, how, options)?;
    let place = |name: &str| runs.iter().position(|run| run.name == name);
    let Some(against) = place(baseline) else { return Ok(Corrections::default()) };
    let known = systems.iter().filter_map(|name| Some((name.as_str(), place(name)?)));
    Ok(Corrections::of(&corrector, measures, against, known))
}
