//! Lines fit the screen.

use std::collections::BTreeSet;

use super::complaint::Complaint;
use super::sources::Source;
use super::syntax;

/// The name of the rule.
pub(super) const RULE: &str = "width";

/// The most characters of a line.
const WIDEST: usize = 120;

/// Checks Rust and Markdown files. Exempt are URLs, tables and fenced blocks of Markdown, and lines inside raw string
/// literals.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for source in sources {
        let exempt = if source.has_extension("rs") {
            syntax::lines_of_raw_strings(&source.text)
        } else if source.has_extension("md") {
            tables_and_fences(&source.text)
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

/// The numbers of lines, from 1, of Markdown that may be as wide as they are.
fn tables_and_fences(text: &str) -> BTreeSet<usize> {
    let mut exempt = BTreeSet::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence || line.trim_start().starts_with('|') {
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
        let text = format!("{long}\n| {long} |\n```\n{long}\n```\nhttps://{long}\n{long}\n");
        assert_eq!(wide("a.md", &text), ["a.md:1", "a.md:7"]);
    }

    #[test]
    fn rust() {
        let long = "word ".repeat(30);
        let text = format!("// {long}\nconst A: &str = \"{long}\";\nconst B: &str = r#\"\n{long}\n\"#;\n");
        assert_eq!(wide("a.rs", &text), ["a.rs:1", "a.rs:2"]);
    }
}
