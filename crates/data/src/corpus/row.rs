//! A document in a line of a corpus.

use std::borrow::Cow;

/// A document with the texts of its line.
pub(super) struct Row<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) title: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
}
