//! The complaint of a rule.

use std::fmt;

/// A rule that is broken, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The rule, such as `layers`.
    pub(crate) rule: &'static str,
    /// The file, from the root, or another subject of the complaint.
    pub(crate) place: String,
    /// The problem, in words.
    pub(crate) message: String,
}

impl Complaint {
    /// A complaint about a file.
    pub(crate) fn new(rule: &'static str, file: &str, message: impl Into<String>) -> Self {
        Self { rule, place: file.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.message, self.rule)
    }
}

/// The crate whose file this is, or the folder of the root that holds it.
pub(super) fn owner(file: &str) -> &str {
    let mut parts = file.split('/');
    match (parts.next(), parts.next()) {
        (Some("crates"), Some(owner)) => owner,
        (Some(folder), Some(_)) => folder,
        _ => ".",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners() {
        let files = ["crates/core/src/lib.rs", "xtask/src/main.rs", "README.md"];
        assert_eq!(files.map(owner), ["core", "xtask", "."]);
    }
}
