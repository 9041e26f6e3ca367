//! Checks the number of words of the docs.

use super::complaint::Complaint;
use super::sources::Source;

const RULE: &str = "words";

/// The beginnings of paths, and the number below which their words stay together. A reader of a long page finds less.
const BUDGETS: [(&[&str], usize); 3] =
    [(&["docs/guides/", "docs/reference/"], 25_000), (&["README.md"], 700), (&["ARCHITECTURE.md"], 1_500)];

/// Counts words as `wc -w` does: what white space separates.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let above = |(pages, limit): (&[&str], usize)| {
        let of = |source: &&Source| {
            source.has_extension("md") && pages.iter().any(|page| source.path.starts_with(page))
        };
        let words: usize =
            sources.iter().filter(of).map(|source| source.text.split_whitespace().count()).sum();
        (words >= limit).then(|| {
            let message = format!("{words} words; there must be fewer than {limit}: cut repetition");
            Complaint::new(RULE, &pages.join(" and "), message)
        })
    };
    BUDGETS.into_iter().filter_map(above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_share_a_budget() {
        let source =
            |path: &str, words: usize| Source { path: path.to_owned(), text: "a | ".repeat(words / 2) };
        let sources = [source("docs/guides/a.md", 20_000), source("docs/reference/b.md", 4_998)];
        assert!(check(&sources).is_empty());
        let sources = [source("docs/guides/a.md", 20_000), source("docs/reference/b.md", 5_000)];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        let wanted = "docs/guides/ and docs/reference/: 25000 words; there must be fewer than 25000: cut repetition \
                      [words]";
        assert_eq!(found, [wanted]);
        assert!(check(&[source("examples/README.md", 800), source("docs/pictures/a.md", 30_000)]).is_empty());
        assert_eq!(check(&[source("README.md", 700), source("ARCHITECTURE.md", 1_498)]).len(), 1);
    }
}
