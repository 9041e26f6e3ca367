//! `llull agree` on labels: reads, compares, prints.

use anyhow::Result;
use llull::StudyEvidence;
use llull::agreement::{AgreementReport, AgreementReportOptions, agreement_text};
use llull::report::PairDetails;

use super::inputs::Inputs;
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(super) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    let Inputs { compared, bootstrap, exit, evidence } = Inputs::read(context, args)?;
    let options = AgreementReportOptions {
        clamp: args.clamp,
        test: args.test,
        correction: args.correct.unwrap_or_default(),
        power: args.power,
        ..AgreementReportOptions::new(bootstrap)
    };
    let mut report = AgreementReport::new(compared, &options)?;
    if let Some(evidence) = evidence {
        report.explain(|labels, pairs| explained(&evidence, labels, pairs));
    }
    context.printer.warnings(&report.notes);
    context.show(&report, || agreement_text(&report))?;
    Ok(exit)
}

/// Details of these pairs: the answers of the judge with this name, or of all judges if the labels are the panel's. An
/// annotator's name adds no judge.
fn explained(evidence: &StudyEvidence, labels: &str, pairs: &[(&str, &str)]) -> Vec<PairDetails> {
    let mut human_labels = evidence.human_labels.iter().flat_map(|human_labels| &human_labels.annotators);
    let one = evidence.judges.judges().iter().any(|judge| judge.name() == labels)
        || human_labels.any(|(annotator, _)| annotator == labels);
    let named = if one { &[labels][..] } else { &[] };
    let mut details = evidence.pair_details(pairs, named);
    // The study's labels are the other side of the truth.
    details.iter_mut().for_each(|pair| std::mem::swap(&mut pair.first, &mut pair.second));
    details
}
