//! How long files are.

use std::collections::BTreeMap;

use super::complaint::{Complaint, owner};
use super::sources::Source;

/// The rule about single files.
pub(super) const FILE: &str = "length";

/// The rule about the files of a crate together.
pub(super) const MEDIAN: &str = "median";

/// A file of one idea has at most so many lines, its tests included.
const LONGEST: usize = 500;

/// Half of a crate's source files are shorter than this.
const LONGEST_MEDIAN: usize = 150;

/// Checks all Rust files one by one, and those below each crate's `src` together.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut lengths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.has_extension("rs")) {
        let lines = source.text.lines().count();
        if lines > LONGEST {
            let message = format!("{lines} lines; a file of one idea has at most {LONGEST}");
            complaints.push(Complaint::new(FILE, &source.path, message));
        }
        if source.path.starts_with("crates/") && source.path.contains("/src/") {
            lengths.entry(owner(&source.path)).or_default().push(lines);
        }
    }
    for (owner, mut lengths) in lengths {
        lengths.sort_unstable();
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
        if median >= LONGEST_MEDIAN {
            let message = format!("the median file has {median} lines; it should be below {LONGEST_MEDIAN}");
            complaints.push(Complaint::new(MEDIAN, &format!("crates/{owner}/src"), message));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_and_long_medians() {
        let source =
            |path: &str, lines: usize| Source { path: path.to_owned(), text: "//! x\n".repeat(lines) };
        let sources = [
            source("crates/core/src/a.rs", 501),
            source("crates/core/src/b.rs", 150),
            source("crates/core/src/c.rs", 10),
            source("crates/core/tests/d.rs", 500),
        ];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/core/src/a.rs: 501 lines; a file of one idea has at most 500 [length]",
                "crates/core/src: the median file has 150 lines; it should be below 150 [median]"
            ]
        );
    }
}
