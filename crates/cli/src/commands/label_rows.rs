//! Prints the counts of labels.

use std::path::Path;

use llull::core::LabelSet;
use llull::report::text::count;

use super::Context;

/// Notes how many pairs have a label, and where these were written.
pub(super) fn note_labelled(context: &Context, labels: &LabelSet, output: &Path) {
    let (labelled, all) = (count(labels.labelled()), count(labels.asked()));
    let place = if output == Path::new("-") { String::new() } else { format!(", in {}", output.display()) };
    context.printer.note(format!("{labelled} of {all} pairs labelled{place}"));
}
