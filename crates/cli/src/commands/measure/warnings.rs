//! What the user should know of a run before its figures.

use llull::report::text::count;

use crate::commands::Context;

/// Warns of queries without a label, which cannot be measured.
pub(crate) fn warn_of_unlabelled(context: &Context, run: &str, unlabelled: &[String]) {
    let Some(first) = unlabelled.first() else { return };
    context.printer.warn(format!(
        "{run}: {} no label, so nothing can be measured there (the first: {first})",
        match unlabelled.len() {
            1 => "1 of its queries has".to_owned(),
            n => format!("{} of its queries have", count(n)),
        },
    ));
}
