//! The environment, read once: the process's variables, then `.env` in the study's folder, then `.env` in the current
//! one, if the study is at or below it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::reach::real_path;

/// Variables by name. An empty variable counts as unset.
#[derive(Clone, Default)]
pub(crate) struct Environment {
    files: BTreeMap<String, Assigned>,
    /// The `.env` of the current folder, if it is not the study's.
    unread: Option<PathBuf>,
}

/// A variable of a file.
#[derive(Clone)]
struct Assigned {
    value: String,
    file: String,
    /// Whether the file is in the study's own folder.
    of_study: bool,
}

/// The variables that say where a provider's server is.
pub(crate) const ADDRESSES: [&str; 2] = ["OPENAI_BASE_URL", "OLLAMA_HOST"];

/// Variables that only the process's environment sets: the client reads them there.
const PROXIES: [&str; 3] = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

impl Environment {
    /// Reads `.env` in the study's folder and in the current one; the former overrides the latter. The current folder's
    /// is for studies at or below it.
    ///
    /// # Errors
    ///
    /// Returns an error, with file and line, if a line is not an assignment, or if a file cannot be read.
    pub(crate) fn read(study: &Path) -> Result<Self> {
        let (folder, here) = (real_path(study), real_path(Path::new(".")));
        let mut environment = Self::default();
        environment.add(study.join(".env"), true)?;
        if folder.starts_with(&here) {
            environment.add(".env".into(), folder == here)?;
        } else if Path::new(".env").is_file() {
            environment.unread = Some(".env".into());
        }
        Ok(environment)
    }

    fn add(&mut self, file: PathBuf, of_study: bool) -> Result<()> {
        if file.is_file() {
            let shown = file.display().to_string();
            // The last line of a file counts, as in a shell.
            let lines: BTreeMap<_, _> = parse(&fs_err::read_to_string(&file)?, &file)?.into_iter().collect();
            for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
                self.files.entry(name).or_insert(Assigned { value, file: shown.clone(), of_study });
            }
        }
        Ok(())
    }

    /// The value of a variable: the process's, or else a file's; `None` if it is empty or not set.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        exported(name).or_else(|| self.in_files(name))
    }

    /// The value of a variable in a file.
    pub(crate) fn in_files(&self, name: &str) -> Option<String> {
        self.files.get(name).map(|assigned| assigned.value.clone())
    }

    /// Returns the environment without the servers' addresses that come from files.
    pub(crate) fn without_addresses(mut self) -> Self {
        self.files.retain(|name, _| !ADDRESSES.contains(&name.as_str()));
        self
    }

    /// Every variable that comes from a file, and the file.
    pub(crate) fn of_files(&self) -> BTreeMap<String, String> {
        let unset = self.files.iter().filter(|(name, _)| exported(name).is_none());
        unset.map(|(name, assigned)| (name.clone(), assigned.file.clone())).collect()
    }

    /// The file in the study's own folder that a variable comes from.
    pub(crate) fn study_file_of(&self, name: &str) -> Option<&str> {
        let assigned = self.files.get(name).filter(|assigned| assigned.of_study)?;
        exported(name).is_none().then_some(&*assigned.file)
    }

    /// The `.env` of the current folder, if it does not serve the study.
    pub(crate) fn unread(&self) -> Option<&Path> {
        self.unread.as_deref()
    }

    /// Refuses an address in a file that would be passed over.
    ///
    /// # Errors
    ///
    /// Returns an error that names variable and file.
    pub(crate) fn refuse_proxies(&self) -> Result<()> {
        for (name, Assigned { file, .. }) in &self.files {
            if PROXIES.iter().any(|proxy| name.eq_ignore_ascii_case(proxy)) && exported(name).is_none() {
                bail!(
                    "{file}: {name} is read from the process's environment alone; export it, or remove the line"
                );
            }
        }
        Ok(())
    }
}

/// The value of a variable of the process: what the user exported.
pub(crate) fn exported(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
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
    fn the_last_of_two_lines_counts() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(".env"), "LLULL_TEST_A=1\nLLULL_TEST_A=2\n").unwrap();
        let environment = Environment::read(folder.path()).unwrap();
        assert_eq!(environment.get("LLULL_TEST_A").as_deref(), Some("2"));
    }

    #[test]
    fn a_bad_line_is_named_and_not_shown() {
        let error = parse("A=1\nsk-secret\n", Path::new(".env")).unwrap_err().to_string();
        assert_eq!(error, ".env line 2: expected NAME=value");
    }
}
