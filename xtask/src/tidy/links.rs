//! Checks that links between pages lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::complaint::Complaint;
use super::sources::Source;

/// The name of the rule.
const RULE: &str = "links";

/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Checks the relative links of Markdown files with their anchors, the table of contents, and the pages of `docs` that
/// crates name in messages.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let pages: BTreeMap<&str, &Source> = sources
        .iter()
        .filter(|source| source.has_extension("md"))
        .map(|page| (page.path.as_str(), page))
        .collect();
    let mut complaints = Vec::new();
    for page in pages.values() {
        for link in links(&page.text) {
            if let Some(problem) = problem(&page.path, &link, &pages) {
                complaints.push(Complaint::new(RULE, &page.path, problem));
            }
        }
    }
    if let Some(summary) = pages.get(SUMMARY) {
        let listed: BTreeSet<String> =
            links(&summary.text).iter().map(|link| resolved(SUMMARY, link)).collect();
        let pages = pages.keys().filter(|path| path.starts_with("docs/") && **path != SUMMARY);
        for page in pages.filter(|page| !listed.contains(**page)) {
            complaints.push(Complaint::new(RULE, page, format!("{SUMMARY} does not list this page")));
        }
    }
    for source in sources.iter().filter(|source| source.path.starts_with("crates/")) {
        for page in named_pages(&source.text) {
            if !pages.contains_key(page.as_str()) {
                complaints.push(Complaint::new(RULE, &source.path, format!("{page} does not exist")));
            }
        }
    }
    complaints
}

/// The problem of a link on a page.
fn problem(page: &str, link: &str, pages: &BTreeMap<&str, &Source>) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { page.to_owned() } else { resolved(page, path) };
    let Some(found) = pages.get(target.as_str()) else {
        // a picture, a folder, or another file that is no page
        return (!Path::new(&target).exists()).then(|| format!("the link {link} leads to no file"));
    };
    let missing = !anchor.is_empty() && !anchors(&found.text).contains(anchor);
    missing.then(|| format!("the link {link} leads to no heading"))
}

/// A relative link as a path from the root.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The lines of a Markdown text that are no code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence && !line.starts_with("    ")
    })
}

/// The targets of a Markdown text's links to other files of the repository.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text).collect::<Vec<_>>().join("\n");
    // code within backticks holds no link, except as the text of one
    let outside: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets = outside.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).filter(|target| !target.contains("://")).collect()
}

/// The anchors of a Markdown text's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings =
        prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let lower = heading.to_lowercase();
        let letters =
            lower.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    headings.map(anchor).collect()
}

/// The pages of `docs` that a text names.
fn named_pages(text: &str) -> Vec<String> {
    let path = |rest: &str| -> Option<String> {
        let end = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_' | '/' | '.'));
        let (path, _) = rest[..end.unwrap_or(rest.len())].rsplit_once(".md")?;
        Some(format!("docs/{path}.md"))
    };
    let is_local =
        |at: usize| text[..at].rsplit(char::is_whitespace).next().is_none_or(|word| !word.contains("://"));
    let named = text.match_indices("docs/").filter(|(at, _)| is_local(*at));
    named.filter_map(|(at, folder)| path(&text[at + folder.len()..])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(sources: &[(&str, &str)]) -> Vec<String> {
        let source =
            |(path, text): &(&str, &str)| Source { path: (*path).to_owned(), text: (*text).to_owned() };
        let sources: Vec<Source> = sources.iter().map(source).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_link_leads_to_a_file_and_a_heading() {
        let text = "[a](a.md), [`b`](../docs/a.md#one-two), [c](#here), [d](https://x.test/y), `[e](no.md)`\n# Here\n";
        assert!(complaints(&[("docs/b.md", text), ("docs/a.md", "## One, `two`\n")]).is_empty());
        let text = "[a](none.md) and [b](a.md#three)";
        let found = complaints(&[("docs/b.md", text), ("docs/a.md", "# One\n```\n# Three\n```\n")]);
        let expected = ["none.md leads to no file", "a.md#three leads to no heading"];
        assert_eq!(found, expected.map(|problem| format!("docs/b.md: the link {problem} [links]")));
    }

    #[test]
    fn the_table_of_contents_lists_every_page() {
        let found =
            complaints(&[(SUMMARY, "- [a](guides/a.md)"), ("docs/guides/a.md", ""), ("docs/b.md", "")]);
        assert_eq!(found, ["docs/b.md: docs/SUMMARY.md does not list this page [links]"]);
    }

    #[test]
    fn a_message_names_a_page_that_exists() {
        let text = "\"... (docs/a.md), `docs/guides/b.md` explains. https://x.test/docs/c.md\"";
        let found = complaints(&[("crates/cli/src/a.rs", text), ("docs/a.md", "")]);
        assert_eq!(found, ["crates/cli/src/a.rs: docs/guides/b.md does not exist [links]"]);
    }
}
