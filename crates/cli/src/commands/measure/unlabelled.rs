//! Queries of a run that have no label.

use llull::report::text::count;

use crate::commands::Context;

/// Queries that have no label cannot be measured.
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
