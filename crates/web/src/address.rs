//! Addresses of pages, and page numbers of a list.

use llull::core::percent_encoded;
use serde::Serialize;
use serde_json::Value;

/// Where a page of a list is among the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Paging {
    /// The number of the page, from 1.
    pub(crate) page: usize,
    pub(crate) pages: usize,
    /// The addresses of the previous and the next page.
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    /// How many entries all pages have.
    pub(crate) found: usize,
    #[serde(skip)]
    first: usize,
}

impl Paging {
    /// The page with this number, or the nearest that there is, of `found` entries, so many a page.
    pub(crate) fn new(found: usize, a_page: usize, wanted: usize, address: impl Fn(usize) -> String) -> Self {
        let pages = found.div_ceil(a_page).max(1);
        let page = wanted.clamp(1, pages);
        Self {
            page,
            pages,
            previous: (page > 1).then(|| address(page - 1)),
            next: (page < pages).then(|| address(page + 1)),
            found,
            first: (page - 1) * a_page,
        }
    }

    /// The position of the page's first entry.
    pub(crate) fn first(&self) -> usize {
        self.first
    }
}

/// The address of a list: every choice of the request that is not the usual one. The first page is.
pub(crate) fn address<T: Serialize + Default>(path: &str, request: &T) -> String {
    let mut usual = choices(&T::default());
    usual.push(("page".to_owned(), "1".to_owned()));
    let chosen = choices(request).into_iter().filter(|choice| !usual.contains(choice));
    let written: Vec<String> =
        chosen.map(|(name, value)| format!("{name}={}", percent_encoded(&value))).collect();
    if written.is_empty() { path.to_owned() } else { format!("{path}?{}", written.join("&")) }
}

/// The fields of a request, by name and in order.
fn choices(request: &impl Serialize) -> Vec<(String, String)> {
    let Ok(Value::Object(fields)) = serde_json::to_value(request) else { return Vec::new() };
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    fields.into_iter().map(|(name, value)| (name, text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_is_not_in_an_address() {
        #[derive(Default, Serialize)]
        struct Request {
            find: &'static str,
            judge: &'static str,
            page: usize,
        }
        let of = |find, page| address("/labels", &Request { find, judge: "", page });
        assert_eq!(of("a b&", 2), "/labels?find=a%20b%26&page=2");
        assert_eq!([of("", 0), of("", 1)], ["/labels", "/labels"]);
    }

    #[test]
    fn a_page_past_the_last_is_the_last() {
        let of = |found, wanted| {
            let paging = Paging::new(found, 10, wanted, |page| page.to_string());
            (paging.page, paging.pages, paging.first(), paging.previous, paging.next)
        };
        assert_eq!(of(0, 0), (1, 1, 0, None, None));
        assert_eq!(of(10, 2), (1, 1, 0, None, None));
        assert_eq!(of(11, usize::MAX), (2, 2, 10, Some("1".into()), None));
        assert_eq!(of(30, 2), (2, 3, 10, Some("1".into()), Some("3".into())));
    }
}
