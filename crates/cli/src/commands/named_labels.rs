//! Reads labels of files, under the names in tables.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::agreement::NamedLabels;
use llull::data::{ReadQrelsOptions, shown_path};
use llull::files::{read_labels_in_order, read_labels_with};

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
    Ok(under_a_name(file, files, read.value))
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
    Ok(under_a_name(file, files, qrels).in_order(order_only))
}

fn under_a_name(file: &Path, files: &[PathBuf], qrels: llull::core::Qrels) -> NamedLabels {
    let unique = files.iter().filter(|other| other.file_name() == file.file_name()).count() < 2;
    let name = match file.file_name() {
        Some(name) if unique && file.as_os_str() != "-" => name.to_string_lossy().into_owned(),
        _ => shown_path(file),
    };
    NamedLabels::from_file(name, shown_path(file), qrels)
}
