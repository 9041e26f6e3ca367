//! Reads files with TOML between two `+++` lines and text below.
//!
//! Rubrics and prompt templates have this form.

use std::ops::Range;

use llull_core::nearest_expected;
use serde::de::DeserializeOwned;

/// A file in its two halves. Lines are counted from 1 in the whole file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrontMatter<'a> {
    /// The TOML between the `+++` lines, which begins on line 2.
    pub(crate) toml: &'a str,
    /// Everything below the second `+++` line.
    pub(crate) body: &'a str,
    /// The line on which the body begins.
    pub(crate) body_line: usize,
}

/// The error in the upper half, and its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontMatterError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Splits `text` at its `+++` lines. A byte order mark is ignored.
pub(crate) fn split(text: &str) -> Result<FrontMatter<'_>, FrontMatterError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut at = 0;
    let mut toml_start = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_fence = line.trim_end() == "+++";
        match toml_start {
            None if is_fence => toml_start = Some(at + line.len()),
            None => break,
            Some(start) if is_fence => {
                return Ok(FrontMatter {
                    toml: &text[start..at],
                    body: &text[at + line.len()..],
                    body_line: index + 2,
                });
            }
            Some(_) => {}
        }
        at += line.len();
    }
    let message = match toml_start {
        None => "the file has to begin with a line `+++`, settings in TOML, and another line `+++`",
        Some(_) => "the settings that begin here never end; put a line `+++` below them",
    };
    Err(FrontMatterError { line: 1, message: message.to_owned() })
}

impl FrontMatter<'_> {
    /// Reads the TOML, after checking that this program knows its `version`: a newer file may have keys that an
    /// older program calls unknown, and the version is the better message.
    pub(crate) fn settings<T: DeserializeOwned>(&self, what: &str) -> Result<T, FrontMatterError> {
        #[derive(serde::Deserialize)]
        struct Version {
            version: Option<toml::Spanned<i64>>,
        }
        let version: Version = toml::from_str(self.toml).map_err(|error| self.toml_error(&error))?;
        match version.version {
            Some(version) if *version.get_ref() == 1 => {}
            Some(version) => {
                return Err(FrontMatterError {
                    line: self.line_of(&version.span()),
                    message: format!(
                        "version {} of the {what} format is not known here, version 1 is; use a newer llull, \
                         or rewrite the file",
                        version.get_ref()
                    ),
                });
            }
            None => {
                return Err(FrontMatterError {
                    line: 2,
                    message: format!(
                        "the {what} does not say which version of the format it has; add `version = 1`"
                    ),
                });
            }
        }
        toml::from_str(self.toml).map_err(|error| self.toml_error(&error))
    }

    /// Returns the line of the file on which a range of the TOML begins.
    pub(crate) fn line_of(&self, span: &Range<usize>) -> usize {
        let before = self.toml.get(..span.start).unwrap_or(self.toml);
        2 + before.matches('\n').count()
    }

    fn toml_error(&self, error: &toml::de::Error) -> FrontMatterError {
        let line = error.span().map_or(2, |span| self.line_of(&span));
        let meant = nearest_expected(error.message());
        let meant = meant.map_or_else(String::new, |name| format!(". Did you mean `{name}`?"));
        FrontMatterError { line, message: error.message().replace('\n', " ") + &meant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_and_their_lines() {
        let file = split("\u{feff}+++\r\nversion = 1\r\n+++\r\nbody\r\n").unwrap();
        assert_eq!((file.toml, file.body, file.body_line), ("version = 1\r\n", "body\r\n", 4));
        let file = split("+++\n+++").unwrap();
        assert_eq!((file.toml, file.body), ("", ""));
    }

    #[test]
    fn a_missing_fence_is_said() {
        assert!(split("").unwrap_err().message.contains("has to begin"));
        assert!(split("# Title\n+++\n").unwrap_err().message.contains("has to begin"));
        assert!(split("+++\nversion = 1\n").unwrap_err().message.contains("never end"));
    }

    #[test]
    fn the_version_comes_before_everything_else() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Settings {
            version: i64,
        }
        let read = |text: &'static str| split(text).and_then(|file| file.settings::<Settings>("rubric"));
        let error = read("+++\nnew = 1\nversion = 2\n+++\n").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.message.contains("version 2"), "{}", error.message);
        assert!(read("+++\nx = 1\n+++\n").unwrap_err().message.contains("add `version = 1`"));
        let error = read("+++\nversion = 1\n\nold = 1\n+++\n").unwrap_err();
        assert_eq!(error.line, 4);
        assert!(error.message.contains("unknown field `old`"), "{}", error.message);
        let error = read("+++\nversion = 1\nversoin = 1\n+++\n").unwrap_err();
        assert!(error.message.ends_with("Did you mean `version`?"), "{}", error.message);
        assert_eq!(read("+++\nversion = 1\na = = 2\n+++\n").unwrap_err().line, 3);
        assert!(read("+++\nversion = 1\n+++\n").is_ok());
    }
}
