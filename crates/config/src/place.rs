//! Places in `llull.toml`, for messages.

use std::path::Path;

use toml::Spanned;

use crate::error::ConfigError;
use crate::judge_fault::JudgeFault;

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
