//! `llull report`

use anyhow::Result;

use super::Context;
use crate::args::{ReportArgs, ReportFormat};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ReportArgs) -> Result<Exit> {
    if args.format == Some(ReportFormat::Schema) {
        context.printer.result(llull::report::schema_json().trim_end())?;
        return Ok(Exit::Fine);
    }
    let study = context.study(Default::default())?;
    let known = super::judge::what_is_known(context, &study)?;
    let (files, summary) = study.report(&known.prepared, &known.judged)?;
    let format = args.format.or(context.global.json.then_some(ReportFormat::Json));
    match format {
        Some(ReportFormat::Markdown) => {
            context.printer.result(fs_err::read_to_string(files.markdown)?.trim_end())?;
        }
        Some(ReportFormat::Json) => context.printer.result(fs_err::read_to_string(files.json)?.trim_end())?,
        Some(ReportFormat::Schema) | None => super::run::show(context, &study, &files, &summary)?,
    }
    Ok(super::judge::exit_of(&known.judged))
}
