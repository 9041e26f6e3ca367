//! Filters and sorts queries for a list.

use std::hash::{DefaultHasher, Hash, Hasher};

use llull::report::TopicDetail;
use llull::report::text::shorten;
use serde::{Deserialize, Serialize};

use crate::address::encoded;

/// Queries on a page.
pub(crate) const PAGE: usize = 50;
/// The depth to which two rankings are compared.
const FIRST: u32 = 10;
/// The most characters of a query in the list, and of a search text.
const TEXT: usize = 200;

/// The values of a query in a list.
#[derive(Debug, Clone)]
pub(crate) struct QueryRow {
    /// Its place among the topics, which is its number less one.
    pub(crate) at: usize,
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) pooled: usize,
    pub(crate) labelled: usize,
    pub(crate) relevant: Option<usize>,
    /// Every system's value of the measure that decides.
    pub(crate) values: Vec<Option<f64>>,
    /// Whether the first document of each system is relevant; `None` without a label, document or cutoff.
    first_is_relevant: Vec<Option<bool>>,
    /// A hash of each system's first documents, in their order.
    firsts: Vec<u64>,
}

impl QueryRow {
    /// The values of this query in the list. `systems` are the names; `primary` is the place of the measure that
    /// decides, and `cutoff` the lowest relevant grade.
    pub(crate) fn new(
        at: usize,
        topic: &TopicDetail,
        systems: &[String],
        primary: usize,
        cutoff: Option<i32>,
    ) -> Self {
        let value = |system: &String| {
            let found = topic.systems.iter().find(|found| found.system == *system)?;
            found.values.get(primary)?.value
        };
        let ranking = |system: usize| {
            let rank = |ranks: &[Option<u32>]| ranks.get(system).copied().flatten();
            let found = topic.documents.iter().filter_map(|found| Some((rank(&found.ranks)?, found)));
            let mut found: Vec<_> = found.filter(|(rank, _)| *rank <= FIRST).collect();
            found.sort_by_key(|(rank, _)| *rank);
            found
        };
        let rankings: Vec<_> = (0..systems.len()).map(ranking).collect();
        let first = |ranking: &Vec<(u32, &llull::report::DocumentDetail)>| {
            let (_, document) = ranking.first().filter(|(rank, _)| *rank == 1)?;
            Some(document.grade? >= cutoff?)
        };
        let hash = |ranking: &Vec<(u32, &llull::report::DocumentDetail)>| {
            let mut hasher = DefaultHasher::new();
            ranking.iter().for_each(|(_, document)| document.id.hash(&mut hasher));
            hasher.finish()
        };
        Self {
            at,
            id: topic.id.clone(),
            text: shorten(&topic.text, TEXT),
            pooled: topic.pooled,
            labelled: topic.labelled,
            relevant: topic.relevant,
            values: systems.iter().map(value).collect(),
            first_is_relevant: rankings.iter().map(first).collect(),
            firsts: rankings.iter().map(hash).collect(),
        }
    }

    /// The second system's value less the first's.
    pub(crate) fn difference(&self, (a, b): (usize, usize)) -> Option<f64> {
        Some(self.values.get(b).copied().flatten()? - self.values.get(a).copied().flatten()?)
    }

    fn shows(&self, show: Show, (a, b): (usize, usize)) -> bool {
        match show {
            Show::All => true,
            Show::Differs => self.difference((a, b)).is_some_and(|found| found != 0.0),
            Show::OneWrong => match (self.first_is_relevant.get(a), self.first_is_relevant.get(b)) {
                (Some(Some(a)), Some(Some(b))) => a != b,
                _ => false,
            },
            Show::Moved => self.firsts.get(a) != self.firsts.get(b),
        }
    }
}

/// Which queries are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Show {
    #[default]
    All,
    /// The two systems have different values.
    Differs,
    /// The first document of exactly one of the two is relevant.
    OneWrong,
    /// The two do not have the same first documents in the same order.
    Moved,
}

/// In which order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sort {
    /// That of the topics.
    #[default]
    Topics,
    /// The lowest mean over systems first.
    Hardest,
    /// Where the second system loses most first.
    Losses,
    /// Where it gains most first.
    Gains,
}

/// The filter, order and page of a list, all from the address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListRequest {
    pub(crate) find: String,
    pub(crate) show: Show,
    pub(crate) sort: Sort,
    /// The name of the first system; the study's first if there is no such system.
    pub(crate) a: String,
    /// The name of the second; the study's second if there is no such system.
    pub(crate) b: String,
    /// From 1.
    pub(crate) page: usize,
}

#[derive(Debug)]
pub(crate) struct ListPage<'a> {
    pub(crate) rows: Vec<&'a QueryRow>,
    /// Queries on all pages.
    pub(crate) found: usize,
    /// From 1.
    pub(crate) page: usize,
    pub(crate) pages: usize,
}

impl ListRequest {
    /// The places of the two systems that are compared.
    pub(crate) fn two(&self, systems: &[String]) -> (usize, usize) {
        let place = |name: &str| systems.iter().position(|system| system == name);
        let a = place(&self.a).unwrap_or(0);
        (a, place(&self.b).unwrap_or(usize::from(systems.len() > 1)))
    }

    /// The requested page, or the last if there are fewer.
    pub(crate) fn page<'a>(&self, rows: &'a [QueryRow], systems: &[String]) -> ListPage<'a> {
        let two = self.two(systems);
        let find: String = self.find.trim().to_lowercase().chars().take(TEXT).collect();
        let holds = |text: &str| find.is_empty() || text.to_lowercase().contains(&find);
        let is_found = |row: &&QueryRow| row.shows(self.show, two) && (holds(&row.id) || holds(&row.text));
        let mut found: Vec<&QueryRow> = rows.iter().filter(is_found).collect();
        // Queries without the figure come last.
        let figure = |row: &QueryRow| match self.sort {
            Sort::Topics => Some(0.0),
            Sort::Hardest => mean(&row.values),
            Sort::Losses => row.difference(two),
            Sort::Gains => row.difference(two).map(|found| -found),
        };
        let key = |row: &QueryRow| figure(row).unwrap_or(f64::INFINITY);
        found.sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.at.cmp(&b.at)));
        let pages = found.len().div_ceil(PAGE).max(1);
        let page = self.page.clamp(1, pages);
        let rows = found.iter().skip((page - 1) * PAGE).take(PAGE).copied().collect();
        ListPage { rows, found: found.len(), page, pages }
    }

    /// The address of another page of this list.
    pub(crate) fn address(&self, page: usize) -> String {
        let show = match self.show {
            Show::All => "all",
            Show::Differs => "differs",
            Show::OneWrong => "one-wrong",
            Show::Moved => "moved",
        };
        let sort = match self.sort {
            Sort::Topics => "topics",
            Sort::Hardest => "hardest",
            Sort::Losses => "losses",
            Sort::Gains => "gains",
        };
        let find: String = self.find.chars().take(TEXT).collect();
        let (find, a, b) = (encoded(&find), encoded(&self.a), encoded(&self.b));
        format!("/queries?find={find}&show={show}&sort={sort}&a={a}&b={b}&page={page}")
    }
}

fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

#[cfg(test)]
mod tests {
    use llull::report::{DocumentDetail, TopicSystem, TopicValue};

    use super::*;

    /// A query: each system's value, and each document's grade and ranks.
    fn row(at: usize, text: &str, values: [f64; 2], documents: &[(&str, i32, [Option<u32>; 2])]) -> QueryRow {
        let systems = ["old".to_owned(), "new".to_owned()];
        let system = |(name, value): (&String, f64)| TopicSystem {
            system: name.clone(),
            answered: true,
            values: vec![TopicValue { value: Some(value), seen: 1, unjudged: 0 }],
        };
        let document = |(id, grade, ranks): &(&str, i32, [Option<u32>; 2])| DocumentDetail {
            id: (*id).to_owned(),
            grade: Some(*grade),
            ranks: ranks.to_vec(),
            ..DocumentDetail::default()
        };
        let topic = TopicDetail {
            id: format!("q{at}"),
            text: text.to_owned(),
            systems: systems.iter().zip(values).map(system).collect(),
            documents: documents.iter().map(document).collect(),
            ..TopicDetail::default()
        };
        QueryRow::new(at, &topic, &systems, 0, Some(2))
    }

    fn three() -> Vec<QueryRow> {
        let (one, two) = (Some(1), Some(2));
        vec![
            row(0, "Wing flutter", [0.5, 0.5], &[("d1", 3, [one, one]), ("d2", 0, [two, two])]),
            row(1, "heat", [0.9, 0.1], &[("d1", 3, [one, two]), ("d2", 0, [two, one])]),
            row(2, "flow", [0.2, 0.3], &[("d1", 3, [one, one]), ("d2", 3, [two, None])]),
        ]
    }

    fn shown(request: ListRequest) -> Vec<usize> {
        let systems = ["old".to_owned(), "new".to_owned()];
        request.page(&three(), &systems).rows.iter().map(|row| row.at).collect()
    }

    #[test]
    fn queries_are_searched_filtered_and_sorted() {
        let of = |show, sort| ListRequest { show, sort, ..ListRequest::default() };
        assert_eq!(shown(of(Show::All, Sort::Topics)), [0, 1, 2]);
        assert_eq!(shown(of(Show::Differs, Sort::Topics)), [1, 2]);
        assert_eq!(shown(of(Show::OneWrong, Sort::Topics)), [1]);
        assert_eq!(shown(of(Show::Moved, Sort::Topics)), [1, 2]);
        assert_eq!(shown(of(Show::All, Sort::Hardest)), [2, 0, 1]);
        assert_eq!(shown(of(Show::All, Sort::Losses)), [1, 0, 2]);
        assert_eq!(shown(of(Show::All, Sort::Gains)), [2, 0, 1]);
        let find = |find: &str| shown(ListRequest { find: find.to_owned(), ..ListRequest::default() });
        assert_eq!((find(" FLUTTER"), find("q2"), find("nothing")), (vec![0], vec![2], vec![]));
        let swapped =
            ListRequest { a: "new".into(), b: "old".into(), sort: Sort::Gains, ..Default::default() };
        assert_eq!(shown(swapped), [1, 0, 2]);
    }

    #[test]
    fn pages_cover_all_queries_once() {
        let systems = ["old".to_owned(), "new".to_owned()];
        let rows: Vec<QueryRow> = (0..PAGE * 2 + 1).map(|at| row(at, "q", [0.0, 0.0], &[])).collect();
        let mut seen = Vec::new();
        for page in 1..=3 {
            let request = ListRequest { page, ..ListRequest::default() };
            let found = request.page(&rows, &systems);
            assert_eq!((found.page, found.pages, found.found), (page, 3, PAGE * 2 + 1));
            seen.extend(found.rows.iter().map(|row| row.at));
        }
        assert_eq!(seen, (0..PAGE * 2 + 1).collect::<Vec<_>>());
        let beyond = ListRequest { page: usize::MAX, ..ListRequest::default() };
        assert_eq!(beyond.page(&rows, &systems).page, 3);
    }

    #[test]
    fn an_address_holds_what_was_asked_for() {
        let request = ListRequest { find: "a&b=\"é".into(), show: Show::OneWrong, ..ListRequest::default() };
        assert_eq!(
            request.address(2),
            "/queries?find=a%26b%3D%22%C3%A9&show=one-wrong&sort=topics&a=&b=&page=2"
        );
    }
}
