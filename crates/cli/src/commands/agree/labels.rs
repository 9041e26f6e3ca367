//! `llull agree` on labels: reads, compares, prints.

use anyhow::Result;
use llull::agreement::{AgreementReport, AgreementReportOptions, agreement_text};

use super::inputs::Inputs;
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(super) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    let Inputs { compared, bootstrap, exit } = Inputs::read(context, args)?;
    let options = AgreementReportOptions {
        clamp: args.clamp,
        test: args.test,
        correction: args.correct.unwrap_or_default(),
        draws: args.resamples.map(|draws| draws as usize),
        power: args.power,
        ..AgreementReportOptions::new(bootstrap)
    };
    let report = AgreementReport::new(compared, &options)?;
    for note in &report.notes {
        context.printer.warn(note);
    }
    context.printer.result(if context.global.json {
        serde_json::to_string_pretty(&report)?
    } else {
        agreement_text(&report)
    })?;
    Ok(exit)
}
