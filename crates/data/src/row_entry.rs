//! A value in a row of a table that is written.

use std::borrow::Cow;

/// A value in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry<'a> {
    /// A text that comes from a file or a person.
    Text(Cow<'a, str>),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// No value.
    Missing,
}

impl<'a> Entry<'a> {
    /// A text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }
}
