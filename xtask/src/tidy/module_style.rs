//! Checks the one module style.
//!
//! A folder's module is its `mod.rs`, and `lib.rs` holds only documentation, `mod` and `use`.

use std::collections::BTreeSet;

use super::complaint::Complaint;
use super::sources::Source;
use super::syntax;

/// The name of the rule.
pub(super) const RULE: &str = "modules";

/// Checks all Rust files.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let folders: BTreeSet<&str> = sources
        .iter()
        .filter(|source| source.has_extension("rs"))
        .filter_map(|source| source.path.rsplit_once('/').map(|(folder, _)| folder))
        .collect();
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| source.has_extension("rs")) {
        let folder = source.path.trim_end_matches(".rs");
        if folders.contains(folder) {
            let message = format!("stands beside {folder}/; a folder's module is its mod.rs");
            complaints.push(Complaint::new(RULE, &source.path, message));
        }
        if source.stem() == "lib" && source.path.contains("/src/") {
            match syntax::items(&source.text) {
                Ok(items) => {
                    let others: Vec<&str> = items
                        .iter()
                        .filter(|item| !item.is_declaration)
                        .map(|item| item.described.as_str())
                        .collect();
                    if !others.is_empty() {
                        let message =
                            format!("holds more than documentation, mod and use: {}", others.join(", "));
                        complaints.push(Complaint::new(RULE, &source.path, message));
                    }
                }
                Err(error) => complaints.push(Complaint::new(RULE, &source.path, error)),
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_their_modules() {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [
            source(
                "crates/core/src/lib.rs",
                "//! Core.\n#![deny(x)]\nmod a;\npub use a::{A, B};\nfn f() {}\n",
            ),
            source("crates/core/src/a.rs", "//! A.\n"),
            source("crates/core/src/a/mod.rs", "//! A.\nmod b;\npub struct A { x: u8 }\n"),
            source("crates/data/src/lib.rs", "//! Data.\nmod a;\n"),
            source("crates/core/src/a/b.rs", "//! B.\n"),
        ];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/core/src/lib.rs: holds more than documentation, mod and use: fn f [modules]",
                "crates/core/src/a.rs: stands beside crates/core/src/a/; a folder's module is its mod.rs [modules]",
            ]
        );
    }
}
