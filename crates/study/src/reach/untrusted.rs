//! One entry of a study's reach.

use std::fmt;

use llull_core::shell_word;
use serde::Serialize;

/// One server, file or program that a study reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReachEntry {
    /// Its kind.
    pub kind: ReachKind,
    /// The form in which it is trusted: protocol, host and port of a server, after the variable of its key and `@`; the
    /// real path of a file; or `command:` and the hash of a command with its files.
    pub entry: String,
    /// The place in the study that names it, and its effect.
    pub text: String,
}

/// The kinds of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReachKind {
    /// A file or a folder outside the study's.
    File,
    /// A server that is not the provider's own.
    Server,
    /// A server to which a key would go in clear text.
    ClearText,
    /// A server that would retrieve, or that would get its key in clear text.
    RetrievalServer,
    /// A program that would retrieve, or a request that is trusted like a program.
    Command,
    /// A program that would judge.
    JudgingCommand,
    /// A database that would hold the ledger.
    Ledger,
}

impl fmt::Display for ReachEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The entries of a study's reach without trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untrusted(pub Vec<ReachEntry>);

impl std::error::Error for Untrusted {}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this study reaches outside its folder and its providers' own servers:\n")?;
        let mut trusted: Vec<&str> = Vec::new();
        for entry in &self.0 {
            writeln!(f, "  {}", entry.text)?;
            if !trusted.contains(&entry.entry.as_str()) {
                trusted.push(&entry.entry);
            }
        }
        f.write_str("If you know the study and want that, add")?;
        trusted.iter().try_for_each(|entry| write!(f, " --trust {}", shell_word(entry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_into_a_shell_is_one_word_that_does_nothing() {
        let entry = |entry: &str| ReachEntry { kind: ReachKind::File, entry: entry.into(), text: "t".into() };
        let text = Untrusted(vec![entry("/a b/$(rm x)'"), entry("/plain"), entry("/plain")]).to_string();
        assert!(text.ends_with(r"add --trust '/a b/$(rm x)'\''' --trust /plain"), "{text}");
    }
}
