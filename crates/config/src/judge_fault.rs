//! What is wrong with a judge, and where in its table.

use std::ops::Range;

use toml::Spanned;

/// What is wrong with a judge, and where in its table.
#[derive(Debug)]
pub(crate) struct JudgeFault {
    /// The value's place in the file; that of the table if it is not one value's fault.
    pub(crate) span: Option<Range<usize>>,
    /// What is wrong and what to do.
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
