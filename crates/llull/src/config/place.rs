//! Where in `llull.toml` something stands, for messages.

use std::path::Path;

use toml::Spanned;

use super::error::ConfigError;

/// The file, for messages.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) path: &'a Path,
}

impl Place<'_> {
    /// The line of a value, from 1.
    pub(super) fn line<T>(&self, value: &Spanned<T>) -> usize {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    pub(super) fn wrong<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> ConfigError {
        ConfigError::Value {
            file: self.path.display().to_string(),
            line: self.line(value),
            message: message.into(),
        }
    }

    pub(super) fn missing(&self, message: impl std::fmt::Display) -> ConfigError {
        ConfigError::Syntax { file: self.path.display().to_string(), message: message.to_string() }
    }
}
