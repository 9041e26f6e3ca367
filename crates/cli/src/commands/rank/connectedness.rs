//! Describes comparisons that fall into unconnected parts.

use llull::core::Item;
use llull::report::text::count;

use super::ranking::Ranked;
use crate::commands::Context;

/// Warns if no chain of comparisons connects all items: scores and places in different components cannot be compared.
pub(super) fn warn_if_unconnected(context: &Context, all: &[Ranked<'_>]) {
    let apart: Vec<&Ranked<'_>> = all.iter().filter(|ranked| ranked.components.len() > 1).collect();
    let Some(first) = apart.first() else { return };
    let parts = sizes(&first.components);
    let what = match first.query {
        None => format!("the comparisons fall into {parts}"),
        Some(query) if apart.len() == 1 => format!("the comparisons of query {query} fall into {parts}"),
        Some(query) => format!(
            "the comparisons of {} of {} queries are not connected (the first: {query}, {parts})",
            count(apart.len()),
            count(all.len())
        ),
    };
    context.printer.warn(format!(
        "{what}; nothing connects one with another, so items of different components cannot be compared"
    ));
}

/// The number of components, and the sizes of the largest.
fn sizes(components: &[Vec<Item>]) -> String {
    const SHOWN: usize = 5;
    let mut sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let more = if sizes.len() > SHOWN { " ..." } else { "" };
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(|size| count(*size)).collect();
    format!("{} components of {}{more} items", count(sizes.len()), shown.join(", "))
}
