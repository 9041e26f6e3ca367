//! An error in a judge's table.

use std::ops::Range;

use toml::Spanned;

/// An error in a judge's table, and its place.
#[derive(Debug)]
pub(crate) struct JudgeFault {
    /// The place of the value in the file; that of the table if no single value is wrong.
    pub(crate) span: Option<Range<usize>>,
    /// The error, and its remedy.
    pub(crate) message: String,
}

impl JudgeFault {
    /// A fault of one value.
    pub(crate) fn of<T>(value: &Spanned<T>, message: impl Into<String>) -> Self {
        Self { span: Some(value.span()), message: message.into() }
    }
}

impl From<String> for JudgeFault {
    fn from(message: String) -> Self {
        Self { span: None, message }
    }
}

impl From<&str> for JudgeFault {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}
