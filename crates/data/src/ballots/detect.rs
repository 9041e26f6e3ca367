//! Detecting the form of comparisons from the first line.

use super::{csv_table, format::BallotFormat, preferences};
use crate::csv::separator_line;

/// Returns the form of a file that begins with this line.
pub(super) fn detect(first: &str) -> BallotFormat {
    let columns = first.split_ascii_whitespace().count();
    if first.starts_with(['{', '[']) {
        BallotFormat::Jsonl
    } else if preferences::is_prefs(first) {
        BallotFormat::Prefs
    } else if separator_line(first).is_some()
        || csv_table::is_header(first)
        || (first.contains(',') && !(3..=4).contains(&columns))
    {
        BallotFormat::Csv
    } else {
        BallotFormat::Columns
    }
}
