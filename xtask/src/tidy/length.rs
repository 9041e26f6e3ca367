//! Checks the length of files.

use super::complaint::Complaint;
use super::sources::Source;

/// The name of the rule.
pub(super) const RULE: &str = "length";

/// A file holds one idea whole; a longer one, its tests included, holds two.
const LONGEST: usize = 900;

/// Checks all Rust files.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| source.has_extension("rs")) {
        let lines = source.text.lines().count();
        if lines > LONGEST {
            let message = format!("{lines} lines; a file has at most {LONGEST}");
            complaints.push(Complaint::new(RULE, &source.path, message));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files() {
        let source =
            |path: &str, lines: usize| Source { path: path.to_owned(), text: "//! x\n".repeat(lines) };
        let sources = [source("crates/core/src/a.rs", 901), source("crates/core/tests/d.rs", 900)];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["crates/core/src/a.rs: 901 lines; a file has at most 900 [length]"]);
    }
}
