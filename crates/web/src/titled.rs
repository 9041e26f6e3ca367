//! The name of a document on a page.

use llull::report::DocumentDetail;

/// A document's title, or first words; without texts its identifier.
pub(crate) fn titled(document: &DocumentDetail) -> &str {
    if document.title.is_empty() { &document.id } else { &document.title }
}
