//! A line of a corpus, read.

use std::borrow::Cow;

/// A document as it stands in its line.
pub(super) struct Row<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) title: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
}
