//! Places in `llull.toml`, for messages.

use std::ops::Range;
use std::path::Path;

use crate::error::ConfigError;
use crate::spanned::Spanned;

/// The file, for messages.
pub(crate) struct Place<'a> {
    pub(crate) text: &'a str,
    pub(crate) path: &'a Path,
}

impl Place<'_> {
    /// The line of a value, from 1.
    pub(crate) fn line<T>(&self, value: &Spanned<T>) -> usize {
        self.line_at(value.span().start)
    }

    fn line_at(&self, start: usize) -> usize {
        let before = self.text.get(..start).unwrap_or_default();
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    pub(crate) fn wrong<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> ConfigError {
        self.wrong_at(value.span().start, message)
    }

    pub(crate) fn wrong_judge<T>(&self, table: &Spanned<T>, fault: JudgeFault) -> ConfigError {
        self.wrong_at(fault.span.map_or(table.span().start, |span| span.start), fault.message)
    }

    fn wrong_at(&self, start: usize, message: impl Into<String>) -> ConfigError {
        ConfigError::Value {
            file: self.path.display().to_string(),
            line: self.line_at(start),
            message: message.into(),
        }
    }

    pub(crate) fn missing(&self, message: impl std::fmt::Display) -> ConfigError {
        ConfigError::Syntax { file: self.path.display().to_string(), message: message.to_string() }
    }
}

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
