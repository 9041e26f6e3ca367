//! Checks the width of lines.

use std::collections::BTreeSet;

use super::complaint::Complaint;
use super::sources::Source;

/// The name of the rule.
pub(super) const RULE: &str = "width";

/// The most characters of a line.
const WIDEST: usize = 120;

/// Checks Rust and Markdown files. Exempt are URLs, tables and blocks of Markdown, and rubrics: their text is part of
/// prompts, and other line breaks would make other questions.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| !is_rubric(&source.path)) {
        let exempt = if source.has_extension("rs") {
            BTreeSet::new()
        } else if source.has_extension("md") {
            tables_and_blocks(&source.text)
        } else {
            continue;
        };
        for (number, line) in (1..).zip(source.text.lines()) {
            let width = line.chars().count();
            if width > WIDEST && !line.contains("://") && !exempt.contains(&number) {
                let place = format!("{}:{number}", source.path);
                let message = format!("{width} characters; a line has at most {WIDEST}");
                complaints.push(Complaint { place, ..Complaint::new(RULE, &source.path, message) });
            }
        }
    }
    complaints
}

pub(super) fn is_rubric(path: &str) -> bool {
    path.starts_with("rubrics/") || path.ends_with("/rubric.md")
}

/// The numbers of lines, from 1, of Markdown that have no limit.
fn tables_and_blocks(text: &str) -> BTreeSet<usize> {
    let mut exempt = BTreeSet::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence || line.starts_with("    ") || line.trim_start().starts_with('|') {
            exempt.insert(number);
        }
    }
    exempt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(path: &str, text: &str) -> Vec<String> {
        check(&[Source { path: path.to_owned(), text: text.to_owned() }])
            .into_iter()
            .map(|complaint| complaint.place)
            .collect()
    }

    #[test]
    fn markdown() {
        let long = "word ".repeat(30);
        let text = format!("{long}\n| {long} |\n```\n{long}\n```\nhttps://{long}\n    {long}\n{long}\n");
        assert_eq!(wide("a.md", &text), ["a.md:1", "a.md:8"]);
        assert!(wide("rubrics/a.md", &text).is_empty());
    }

    #[test]
    fn rust() {
        let long = "word ".repeat(30);
        let text =
            format!("// {long}\nconst A: &str = r#\"\n{long}\n\"#;\n/// | {long} |\n// https://{long}\n");
        assert_eq!(wide("a.rs", &text), ["a.rs:1", "a.rs:3", "a.rs:5"]);
    }
}
