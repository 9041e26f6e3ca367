//! What the user should know of runs before their figures.

use llull::report::text::count;

use crate::commands::Context;

/// Warns of queries without a label, which cannot be measured: once, whether of one run or of many.
pub(crate) fn warn_of_unlabelled<'a>(
    context: &Context,
    runs: impl IntoIterator<Item = (&'a str, &'a [String])>,
) {
    let found: Vec<(&str, &str, usize)> = runs
        .into_iter()
        .filter_map(|(run, unlabelled)| Some((run, unlabelled.first()?.as_str(), unlabelled.len())))
        .collect();
    let Some((run, first, queries)) = found.first() else { return };
    context.printer.remarks([match found.len() {
        1 => format!(
            "{run}: {} no label, so nothing can be measured there (the first: {first})",
            match queries {
                1 => "1 of its queries has".to_owned(),
                n => format!("{} of its queries have", count(*n)),
            }
        ),
        runs => format!(
            "{} runs answer queries that have no label, so nothing can be measured there (the first: {run}, {} of \
             them, query {first})",
            count(runs),
            count(*queries)
        ),
    }]);
}
