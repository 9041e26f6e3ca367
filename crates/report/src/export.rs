//! The trait of everything that writes a report, or a comparison, in one format.

use std::io::{self, Write};

use crate::charts::ChartFile;
use crate::error::ReportError;

/// A format of `V`, which is a [`ReportView`](crate::ReportView), a [`ComparisonView`](crate::ComparisonView), or for
/// [`Json`](crate::Json) the [`Report`](crate::Report) itself, since it has every query.
pub trait Exporter<V: ?Sized> {
    /// Writes the view.
    ///
    /// # Errors
    /// Returns [`ReportError::Write`] if `out` fails, and another error if a template fails, which no view should
    /// cause.
    fn export(&self, view: &V, out: &mut dyn Write) -> Result<(), ReportError>;

    /// Returns what [`export`](Self::export) writes.
    ///
    /// # Errors
    /// Returns an error if a template fails, which no view should cause.
    fn to_text(&self, view: &V) -> Result<String, ReportError> {
        let mut out = Vec::new();
        self.export(view, &mut out)?;
        String::from_utf8(out).map_err(|error| ReportError::Write(io::Error::other(error)))
    }
}

/// GitHub-flavoured Markdown, of a report or of a comparison. Text from outside is [escaped](crate::text::escape).
#[derive(Debug, Clone, Copy, Default)]
pub struct Markdown<'a> {
    /// Charts that a report links to, which are [files](crate::chart_files) next to it.
    pub charts: &'a [ChartFile],
}
