//! Names of places on the page, and links to queries.

use std::collections::BTreeSet;

use llull_core::percent_encoded;

/// Returns the anchor of the explanation of a comparison: `why-dense`, or `why--3` for the comparison at place 3 if the
/// system's name has characters that an anchor may not have.
pub(super) fn why_anchor(system: &str, at: usize) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    match system.starts_with(|c: char| c.is_ascii_alphanumeric()) && system.chars().all(is_plain) {
        true => format!("why-{system}"),
        false => format!("why--{at}"),
    }
}

/// Returns the anchor of a query by its number in the report.
pub(super) fn query_anchor(number: usize) -> String {
    format!("query-{number}")
}

/// The queries that a page can link to.
#[derive(Debug, Clone)]
pub(super) enum QueryLinks {
    /// A server has a page of every query; the text is the end of its address.
    Served(String),
    /// Any query, as long as it is unknown which ones the page has room for.
    Any,
    /// The queries on this page.
    OnPage(BTreeSet<usize>),
}

impl QueryLinks {
    /// Returns links to pages that compare these two systems, where pages do.
    pub(super) fn comparing(&self, baseline: &str, system: &str) -> Self {
        match self {
            Self::Served(_) => {
                Self::Served(format!("?a={}&b={}", percent_encoded(baseline), percent_encoded(system)))
            }
            Self::Any | Self::OnPage(_) => self.clone(),
        }
    }

    /// Returns the address of a query by its number; none if there is none.
    pub(super) fn to(&self, number: usize) -> Option<String> {
        match self {
            Self::Served(end) => Some(format!("/query/{number}{end}")),
            Self::OnPage(numbers) if !numbers.contains(&number) => None,
            Self::Any | Self::OnPage(_) => Some(format!("#{}", query_anchor(number))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_plain_and_differ() {
        assert_eq!(why_anchor("bm25_v1.2", 0), "why-bm25_v1.2");
        for name in ["a b", "-1", "é", "", "a\"b"] {
            assert_eq!(why_anchor(name, 1), "why--1", "{name:?}");
        }
    }

    #[test]
    fn a_page_links_to_what_it_has() {
        let served = QueryLinks::Served(String::new());
        assert_eq!(served.to(7).as_deref(), Some("/query/7"));
        assert_eq!(served.comparing("a b", "ü&").to(7).as_deref(), Some("/query/7?a=a%20b&b=%C3%BC%26"));
        let some = QueryLinks::OnPage(BTreeSet::from([7]));
        assert_eq!((some.to(7).as_deref(), some.to(8)), (Some("#query-7"), None));
    }
}
