//! Reads labels of files, under the names in tables.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::agreement::NamedLabels;
use llull::data::ReadQrelsOptions;
use llull::files::{labels_of_file, read_labels_in_order, read_labels_with};

use crate::commands::Context;

/// The labels of a file, named after the file; by the whole path if another of `files` has the same name.
pub(crate) fn named_labels(
    context: &Context,
    file: &Path,
    files: &[PathBuf],
    options: ReadQrelsOptions,
) -> Result<NamedLabels> {
    let read = read_labels_with(file, options)?;
    context.printer.remarks(&read.notes);
    Ok(labels_of_file(file, files, read.value))
}

/// The same for grades that may be fractions, of which only the order matters.
pub(crate) fn named_labels_in_order(
    context: &Context,
    file: &Path,
    files: &[PathBuf],
    options: ReadQrelsOptions,
) -> Result<NamedLabels> {
    let read = read_labels_in_order(file, options)?;
    context.printer.remarks(&read.notes);
    let (qrels, order_only) = read.value;
    Ok(labels_of_file(file, files, qrels).in_order(order_only))
}
