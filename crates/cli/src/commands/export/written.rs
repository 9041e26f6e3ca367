//! Writes an export, and reports what was written.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use llull::data::{RowTable, TableFormat};
use llull::report::text::counted;
use serde::Serialize;

use crate::args::Format;
use crate::commands::{Context, create_output};
use crate::exit::refuse;

/// What was written, for `--json`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Written {
    /// The number of lines, rows or entries.
    pub(super) entries: usize,
    /// The number of pairs that have no label, and so are left out.
    pub(super) unlabelled: usize,
}

/// Refuses `--json` without a file: both want standard output.
pub(super) fn check_output(context: &Context, output: &Path) -> Result<()> {
    if context.global.json && output == Path::new("-") {
        refuse!("--json and the export both want standard output; name a file: -o FILE");
    }
    Ok(())
}

/// Writes a file, or to standard output if that is `-`.
pub(super) fn write<T, E: Into<anyhow::Error>>(
    context: &Context,
    output: &Path,
    make: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T> {
    if output == Path::new("-") {
        // Nothing of an export that fails is printed.
        let mut bytes = Vec::new();
        let made = make(&mut bytes).map_err(Into::into)?;
        context.printer.stream(|out| out.write_all(&bytes))?;
        return Ok(made);
    }
    let mut file = create_output(context, output)?;
    let made = make(&mut file).map_err(Into::into)?;
    file.flush()?;
    file.finish()?;
    Ok(made)
}

/// Reports what was written: `entries` are called `noun`.
pub(super) fn report(context: &Context, output: &Path, noun: &str, written: &Written) -> Result<()> {
    #[derive(Serialize)]
    struct Report<'a> {
        written: &'a Path,
        #[serde(flatten)]
        counts: &'a Written,
    }
    if !context.shows_json(&Report { written: output, counts: written })? && output != Path::new("-") {
        context.printer.note(format!("wrote {}, {}", output.display(), counted(written.entries, noun)));
    }
    Ok(())
}

/// Writes rows, with a warning if texts were changed for spreadsheets. Returns their number.
pub(super) fn write_rows(
    context: &Context,
    output: &Path,
    rows: RowTable<'_>,
    format: TableFormat,
) -> Result<usize> {
    if matches!(format, TableFormat::Parquet | TableFormat::Xlsx) && output == Path::new("-") {
        refuse!("this format is no text for standard output; name a file: -o FILE");
    }
    let written = write(context, output, |out| rows.write(format, out))?;
    if written.marked > 0 {
        context.printer.warn(format!(
            "{} that a spreadsheet would take for a formula, with an apostrophe before each; --format jsonl has them \
             as they are",
            counted(written.marked, "text")
        ));
    }
    Ok(written.rows)
}

/// The format of an export with several: that of `--format`, or else of the file's ending, or else CSV.
pub(super) fn format_of(typed: Option<Format>, output: &Path) -> Format {
    typed.unwrap_or_else(|| match ending(output).as_str() {
        "tsv" => Format::Tsv,
        "json" => Format::Json,
        "jsonl" | "ndjson" => Format::Jsonl,
        "parquet" => Format::Parquet,
        "xlsx" => Format::Xlsx,
        "qrels" | "run" | "trec" | "txt" => Format::Trec,
        _ => Format::Csv,
    })
}

/// The format of rows; `None` for one that has no rows.
pub(super) fn rows_format(format: Format) -> Option<TableFormat> {
    match format {
        Format::Csv => Some(TableFormat::Csv),
        Format::Tsv => Some(TableFormat::Tsv),
        Format::Jsonl => Some(TableFormat::Jsonl),
        Format::Parquet => Some(TableFormat::Parquet),
        Format::Xlsx => Some(TableFormat::Xlsx),
        _ => None,
    }
}

/// The file's ending in lower case, without one of compression.
fn ending(file: &Path) -> String {
    let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').map(|(_, ending)| ending.to_owned()).unwrap_or_default()
}
