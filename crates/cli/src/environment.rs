//! Reads the environment once: process, study's `.env`, current `.env`.
//!
//! They precede each other in this order. The current folder's `.env` counts if the study is at or below it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use llull::PROGRAM_VARIABLES;
use llull::reach::real_path;

/// Variables by name. An empty variable counts as unset.
#[derive(Clone, Default)]
pub struct Environment {
    files: BTreeMap<String, Assigned>,
    /// Variables that programs are given from the process alone, and the files that set them in vain.
    passed_over: Vec<(String, String)>,
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

/// Returns whether a variable has the address of a provider's server.
pub(crate) fn is_address(variable: &str) -> bool {
    llull::llm::address_variables().any(|known| known == variable)
}

/// Variables that only the process's environment sets: the client reads them there.
const PROXIES: [&str; 3] = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

impl Environment {
    /// Reads `.env` in the study's folder and in the current one; the former overrides the latter. The current folder's
    /// is for studies at or below it.
    ///
    /// # Errors
    ///
    /// Returns an error, with file and line, if a line is not an assignment, or if a file cannot be read.
    pub fn read(study: &Path) -> Result<Self> {
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
            let text = String::from_utf8(llull::data::read_whole(&file)?).map_err(|_| {
                anyhow!("{shown} is not text in UTF-8, as PowerShell writes it with >: save it as UTF-8")
            })?;
            let lines: BTreeMap<_, _> = parse(&text, &file)?.into_iter().collect();
            for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
                if PROGRAM_VARIABLES.contains(&name.as_str()) {
                    self.passed_over.push((name, shown.clone()));
                    continue;
                }
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
    pub fn in_files(&self, name: &str) -> Option<String> {
        self.files.get(name).map(|assigned| assigned.value.clone())
    }

    /// Returns the environment without the servers' addresses that come from files.
    #[must_use]
    pub fn without_addresses(mut self) -> Self {
        self.files.retain(|name, _| !is_address(name));
        self
    }

    /// Every variable that comes from a file, and the file.
    pub fn of_files(&self) -> BTreeMap<String, String> {
        let unset = self.files.iter().filter(|(name, _)| exported(name).is_none());
        unset.map(|(name, assigned)| (name.clone(), assigned.file.clone())).collect()
    }

    /// The file in the study's own folder that a variable comes from.
    pub(crate) fn study_file_of(&self, name: &str) -> Option<&str> {
        let assigned = self.files.get(name).filter(|assigned| assigned.of_study)?;
        exported(name).is_none().then_some(&*assigned.file)
    }

    /// Describes whose key a variable has, if it comes from a file in the study's own folder.
    pub fn key_note(&self, variable: &str) -> Option<String> {
        let file = self.study_file_of(variable)?;
        Some(format!("the key in {variable} is the study's own, from {file}: its owner may see what is sent"))
    }

    /// The variables of files that programs are not given, each with its file.
    pub(crate) fn passed_over(&self) -> impl Iterator<Item = (&str, &str)> {
        let unset = self.passed_over.iter().filter(|(name, _)| exported(name).is_none());
        unset.map(|(name, file)| (name.as_str(), file.as_str()))
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
    pub fn refuse_proxies(&self) -> Result<()> {
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

/// Returns the variables of the process that are text, as they are now.
pub fn exported_variables() -> BTreeMap<String, String> {
    let variables = std::env::vars_os();
    variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The value of an exported variable of the process.
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
        let wrong = |problem: &str| anyhow!("{} line {}: {problem}", file.display(), index + 1);
        let assignment = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = assignment.split_once('=').ok_or_else(|| wrong("expected NAME=value"))?;
        if !is_name(name.trim()) {
            return Err(wrong("expected NAME=value"));
        }
        variables.push((name.trim().to_owned(), unquoted(value).map_err(wrong)?.to_owned()));
    }
    Ok(variables)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns a value without its quotation marks and without the comment behind it.
fn unquoted(value: &str) -> Result<&str, &'static str> {
    let written = value.trim_start();
    let Some(quote) = written.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        // As in a shell, a comment begins at a `#` behind white space.
        let comment = value.char_indices().find(|&(at, c)| {
            c == '#' && value.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace))
        });
        return Ok(value.get(..comment.map_or(value.len(), |(at, _)| at)).unwrap_or(value).trim());
    };
    let (inner, after) = written
        .get(1..)
        .and_then(|rest| rest.split_once(quote))
        .ok_or("the value begins with a quotation mark and has none at its end")?;
    let after = after.trim();
    match after.is_empty() || after.starts_with('#') {
        true => Ok(inner),
        false => Err("only a comment may follow the closing quotation mark of a value"),
    }
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

    /// `OPENAI_API_KEY="sk-1" # mine` sent the quotation marks and the comment as the key.
    #[test]
    fn a_comment_behind_a_quoted_key_is_no_part_of_it() {
        for (line, value) in [
            ("A=\"sk-1\" # mine", "sk-1"),
            ("A='sk-1'# mine", "sk-1"),
            ("A = \"sk-1\"\t# it's \"mine\"", "sk-1"),
            ("A=\"a # b\" # c", "a # b"),
            ("A=sk-1\t# mine", "sk-1"),
            ("A=sk#1", "sk#1"),
            ("A=#1", "#1"),
            ("A= # not set yet", ""),
            ("A=\"\"", ""),
            ("A=it's", "it's"),
        ] {
            let got = parse(line, Path::new(".env")).unwrap();
            assert_eq!(got, [("A".to_owned(), value.to_owned())], "{line}");
        }
    }

    #[test]
    fn no_file_says_which_code_a_program_loads() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(".env"), "VIRTUAL_ENV=evil\nSSL_CERT_FILE=evil.pem\nPGHOST=db\n")
            .unwrap();
        let environment = Environment::read(folder.path()).unwrap();
        assert_eq!(environment.in_files("VIRTUAL_ENV").or(environment.in_files("SSL_CERT_FILE")), None);
        let names: Vec<&str> = environment.passed_over.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["SSL_CERT_FILE", "VIRTUAL_ENV"]);
        assert_eq!(environment.get("PGHOST").as_deref(), Some("db"));
    }

    #[test]
    fn a_file_in_utf16_is_read_and_one_of_another_encoding_named_and_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let text: Vec<u8> = "\u{feff}A=sk-secret\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        fs_err::write(folder.path().join(".env"), text).unwrap();
        assert_eq!(Environment::read(folder.path()).unwrap().in_files("A").as_deref(), Some("sk-secret"));
        fs_err::write(folder.path().join(".env"), b"A=sk-secret\xfc\n").unwrap();
        let error = Environment::read(folder.path()).err().unwrap().to_string();
        assert!(error.contains(".env is not text in UTF-8") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn a_bad_line_is_named_and_not_shown() {
        for (line, problem) in [
            ("sk-secret", "expected NAME=value"),
            ("A=\"sk-secret", "the value begins with a quotation mark and has none at its end"),
            ("A='sk-secret'x", "only a comment may follow the closing quotation mark of a value"),
        ] {
            let error = parse(&format!("A=1\n{line}\n"), Path::new(".env")).unwrap_err().to_string();
            assert_eq!(error, format!(".env line 2: {problem}"));
        }
    }
}
