//! Notes about files of labels with decimals or repeated pairs.

use std::path::Path;

use llull_data::{QrelsNotes, ReadQrelsOptions, RepeatedGrades, shown_path};
use llull_report::text::count;

/// Returns notes about labels whose reading may differ from their meaning.
pub(crate) fn wild_forms(
    path: &Path,
    options: ReadQrelsOptions,
    notes: &QrelsNotes,
) -> impl Iterator<Item = String> {
    let file = shown_path(path);
    let columns = notes
        .three_columns
        .then(|| format!("{file}: three columns, which are read as query, document and grade"));
    let missing = notes.first_missing.map(|first| {
        let lines = match notes.missing {
            1 => "1 line has no grade but a word for a missing one: that pair has no label".to_owned(),
            n => format!(
                "{} lines have no grade but a word for a missing one: those pairs have no label",
                count(n)
            ),
        };
        format!("{file}: {lines} (the first: line {first})")
    });
    let counts = match options.repeats {
        Some(RepeatedGrades::First) => "the first counts",
        Some(RepeatedGrades::Last) => "the last counts",
        Some(RepeatedGrades::Median) => "their median counts, the lower of two in the middle",
        Some(RepeatedGrades::Votes) => "the most frequent one counts, of several the lowest",
        None => "",
    };
    let regraded = (notes.regraded > 0).then(|| {
        let pairs = match notes.regraded {
            1 => "1 pair has several grades".to_owned(),
            n => format!("{} pairs have several grades", count(n)),
        };
        format!("{file}: {pairs}; {counts}")
    });
    columns.into_iter().chain(missing).chain(regraded)
}
