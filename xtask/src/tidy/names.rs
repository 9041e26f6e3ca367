//! Refuses empty names, empty first lines, and paths of one machine.

use super::complaint::Complaint;
use super::sources::Source;

const RULE: &str = "names";

/// Names without a meaning.
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "misc", "manager", "shared"];

/// The largest file, in bytes.
const LARGEST: usize = 1_000_000;

/// Checks names, first lines, ignored tests, paths and sizes.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for source in sources {
        let mut complain = |message: String| complaints.push(Complaint::new(RULE, &source.path, message));
        if source.has_extension("rs") {
            rust(source, &mut complain);
        }
        // Written in two parts so that this file does not complain of itself.
        for place in [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")] {
            if source.text.contains(place) && !source.has_extension("lock") {
                complain(format!("a path of one machine ({place})"));
            }
        }
        if source.text.len() > LARGEST {
            complain("more than 1 MB".to_owned());
        }
    }
    complaints
}

fn rust(source: &Source, complain: &mut dyn FnMut(String)) {
    if EMPTY_NAMES.contains(&source.stem()) {
        complain("an empty name".to_owned());
    }
    if !source.text.starts_with("//!") && !source.text.starts_with("/*!") {
        complain("the first line does not state the file's task (//!)".to_owned());
    }
    if source.text.contains(concat!("#[", "ignore")) {
        complain("an ignored test".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_file() {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let home = format!("see {}me/x", "/ho");
        let sources = [
            source("crates/core/src/utils.rs", "fn x() {}\n"),
            source("crates/core/src/key.rs", "//! Keys.\n"),
            source("notes.md", &home),
        ];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/core/src/utils.rs: an empty name [names]",
                "crates/core/src/utils.rs: the first line does not state the file's task (//!) [names]",
                &format!("notes.md: a path of one machine ({}me/) [names]", "/ho"),
            ]
        );
    }
}
