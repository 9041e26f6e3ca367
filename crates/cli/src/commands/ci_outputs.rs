//! Writes a result as CI systems show it.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use llull::report::CiResult;
use llull::stats::Gate;

use super::{Context, check_output_name, write_output};
use crate::args::{CiOutputs, Format};
use crate::environment::exported;
use crate::exit::{Usage, refuse};

/// The variable with the file of a job's summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Reads the gates of a command line.
pub(crate) fn read_gates(texts: &[String]) -> Result<Vec<Gate>, Usage> {
    texts.iter().map(|text| text.parse().map_err(|error| Usage(format!("--gate: {error}")))).collect()
}

/// Refuses annotations beside a result for programs, which standard output has in this format, another file there, and
/// files that must not be replaced.
pub(crate) fn check_ci_outputs(context: &Context, wanted: &CiOutputs, format: Option<Format>) -> Result<()> {
    let for_programs = match format.and_then(Format::name) {
        _ if format == Some(Format::Json) => Some("--json".to_owned()),
        Some(name) if !matches!(format, Some(Format::Table | Format::Markdown)) => {
            Some(format!("--format {name}"))
        }
        _ => None,
    };
    let on_output = [(&wanted.junit, "--junit -"), (&wanted.comment, "--comment -")];
    let on_output = on_output.into_iter().filter(|(file, _)| file.as_deref() == Some(Path::new("-")));
    if let Some((_, option)) = on_output.clone().next() {
        refuse!("{option}: name a file; standard output has the result of the command");
    }
    if let (true, Some(other)) = (wanted.github, for_programs) {
        refuse!(
            "--github and {other} both want standard output; leave out one, or write the report to a file (-o)"
        );
    }
    wanted.junit.iter().chain(&wanted.comment).try_for_each(|file| check_output_name(context, file))
}

/// Writes the outputs that are wanted.
///
/// # Errors
///
/// Returns an error if a file cannot be written.
pub(crate) fn write_ci_outputs(context: &Context, wanted: &CiOutputs, result: &CiResult) -> Result<()> {
    if let Some(file) = &wanted.junit {
        write_output(context, file, &result.junit()?)?;
    }
    let comment = result.comment();
    if let Some(file) = &wanted.comment {
        write_output(context, file, comment.as_bytes())?;
    }
    if wanted.github {
        context.printer.action_commands(result.annotations())?;
        if let Some(file) = exported(SUMMARY) {
            let summary = fs_err::OpenOptions::new().append(true).create(true).open(&file);
            let written = summary.and_then(|mut summary| writeln!(summary, "{comment}"));
            written.with_context(|| {
                format!("{SUMMARY}={file}: the summary cannot be written; unset the variable")
            })?;
        }
    }
    Ok(())
}
