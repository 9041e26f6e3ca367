//! The environment, read once: the process's variables, then `.env` in the study's folder, then `.env` in the current
//! one.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

/// Variables by name. An empty variable counts as unset.
#[derive(Default)]
pub(crate) struct Environment {
    files: BTreeMap<String, String>,
}

impl Environment {
    /// Reads `.env` in the study's folder and in the current one; the former overrides the latter.
    ///
    /// # Errors
    ///
    /// Returns an error, with file and line, if a line is not an assignment, or if a file cannot be read.
    pub(crate) fn read(study: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for file in [study.join(".env"), ".env".into()] {
            if file.is_file() {
                for (name, value) in parse(&fs_err::read_to_string(&file)?, &file)? {
                    files.entry(name).or_insert(value);
                }
            }
        }
        Ok(Self { files })
    }

    /// The value of a variable: the process's, or else a file's; `None` if it is empty or not set.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        std::env::var(name)
            .ok()
            .filter(|value| !value.is_empty())
            .or_else(|| self.files.get(name).filter(|value| !value.is_empty()).cloned())
    }
}

/// Parses lines `NAME=value` and `export NAME='value'`, comments and blank lines. Messages never show a value: it may
/// be a key.
fn parse(text: &str, file: &Path) -> Result<Vec<(String, String)>> {
    let mut variables = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let assignment = line.strip_prefix("export ").unwrap_or(line);
        match assignment.split_once('=') {
            Some((name, value)) if is_name(name.trim()) => {
                variables.push((name.trim().to_owned(), unquoted(value.trim()).to_owned()));
            }
            _ => bail!("{} line {}: expected NAME=value", file.display(), index + 1),
        }
    }
    Ok(variables)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    // A comment ends an unquoted value.
    value.split(" #").next().unwrap_or(value).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_a_shell_would() {
        let text = "# keys\nA=1\nexport B='two words'\nC=\"x=y\" \nD=plain # note\n\n";
        let got = parse(text, Path::new(".env")).unwrap();
        let got: Vec<_> = got.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(got, [("A", "1"), ("B", "two words"), ("C", "x=y"), ("D", "plain")]);
    }

    #[test]
    fn a_bad_line_is_named_and_not_shown() {
        let error = parse("A=1\nsk-secret\n", Path::new(".env")).unwrap_err().to_string();
        assert_eq!(error, ".env line 2: expected NAME=value");
    }
}
