//! Prints results in the format of `--format`, or of `--json`.

use std::fmt::Display;
use std::io;

use llull::report::text::Table;
use serde::Serialize;

use super::Context;
use crate::args::Format;

impl Context {
    /// The format of a result: that of `--format`, or else of `--json`.
    pub(crate) fn format(&self, named: Option<Format>) -> Format {
        named.unwrap_or(if self.global.json { Format::Json } else { Format::Table })
    }

    /// Prints a result: with `--json` as JSON, else as text.
    pub(crate) fn show<T: Display>(
        &self,
        result: &(impl Serialize + ?Sized),
        text: impl FnOnce() -> T,
    ) -> io::Result<()> {
        if self.shows_json(result)? { Ok(()) } else { self.printer.result(text()) }
    }

    /// Prints a result as JSON with `--json`. Otherwise returns false, and the caller shows it to people.
    pub(crate) fn shows_json(&self, result: &(impl Serialize + ?Sized)) -> io::Result<bool> {
        if self.global.json {
            self.printer.json(result)?;
        }
        Ok(self.global.json)
    }
}

/// A table for people: in Markdown if that is the format, else for a terminal.
pub(crate) fn table(format: Format, table: &Table) -> String {
    match format {
        Format::Markdown => table.markdown(),
        _ => table.text(),
    }
}
