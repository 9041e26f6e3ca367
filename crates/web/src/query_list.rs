//! Filters and sorts queries for a list.

use std::hash::{DefaultHasher, Hash, Hasher};

use llull::report::TopicDetail;
use llull::report::text::shorten;
use serde::{Deserialize, Serialize};

use crate::address::{Paging, address};

/// Queries on a page.
const PAGE: usize = 50;
/// The depth to which two rankings are compared.
const FIRST: u32 = 10;
/// The most characters of a query in the list, and of a search text.
const TEXT: usize = 200;

/// The values of a query in a list.
#[derive(Debug, Clone, Serialize)]
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
    /// The largest difference between the two first, whichever of them is better.
    #[default]
    Differences,
    /// That of the topics.
    Topics,
    /// The query first whose best system has the lowest value; of equal ones the lowest mean over systems.
    Hardest,
    /// Where the second system loses most first.
    Losses,
    /// Where it gains most first.
    Gains,
}

/// The places of two systems, the second compared with the first.
pub(crate) type SystemPair = (usize, usize);

/// The filter, order and page of a list, all from the address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListRequest {
    pub(crate) find: String,
    pub(crate) show: Show,
    pub(crate) sort: Sort,
    /// The name of the first system; the [usual](SystemPair) one if there is no such system.
    pub(crate) a: String,
    /// The name of the second; the usual one if there is no such system.
    pub(crate) b: String,
    /// From 1.
    pub(crate) page: usize,
}

impl Sort {
    /// The order, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Differences => "largest difference first",
            Self::Topics => "in the order of the topics",
            Self::Hardest => "hardest first",
            Self::Losses => "largest loss first",
            Self::Gains => "largest gain first",
        }
    }
}

impl ListRequest {
    /// The places of the two systems that are compared; `usual` are those that an address without names means.
    pub(crate) fn two(&self, systems: &[String], usual: SystemPair) -> SystemPair {
        let place = |name: &str| systems.iter().position(|system| system == name);
        (place(&self.a).unwrap_or(usual.0), place(&self.b).unwrap_or(usual.1))
    }

    /// The order of the list: that of the topics, if an only system would have to be compared with itself.
    pub(crate) fn order(&self, (a, b): SystemPair) -> Sort {
        match self.sort {
            Sort::Differences | Sort::Losses | Sort::Gains if a == b => Sort::Topics,
            sort => sort,
        }
    }

    /// The queries of the list, in its order.
    pub(crate) fn found<'a>(&self, rows: &'a [QueryRow], two: SystemPair) -> Vec<&'a QueryRow> {
        let find: String = self.find.trim().to_lowercase().chars().take(TEXT).collect();
        let holds = |text: &str| find.is_empty() || text.to_lowercase().contains(&find);
        let is_found = |row: &&QueryRow| row.shows(self.show, two) && (holds(&row.id) || holds(&row.text));
        let mut found: Vec<&QueryRow> = rows.iter().filter(is_found).collect();
        // Queries without the figure come last.
        let sort = self.order(two);
        let figure = |row: &QueryRow| match sort {
            Sort::Differences => row.difference(two).map(|found| -found.abs()),
            Sort::Topics => Some(0.0),
            Sort::Hardest => row.values.iter().copied().flatten().max_by(f64::total_cmp),
            Sort::Losses => row.difference(two),
            Sort::Gains => row.difference(two).map(|found| -found),
        };
        let key = |row: &QueryRow| figure(row).unwrap_or(f64::INFINITY);
        let second = |row: &QueryRow| match sort {
            Sort::Hardest => mean(&row.values).unwrap_or(f64::INFINITY),
            _ => 0.0,
        };
        let order = |a: &QueryRow, b: &QueryRow| {
            key(a).total_cmp(&key(b)).then(second(a).total_cmp(&second(b))).then(a.at.cmp(&b.at))
        };
        found.sort_by(|a, b| order(a, b));
        found
    }

    /// The requested page, or the last if there are fewer.
    pub(crate) fn page<'a>(&self, rows: &'a [QueryRow], two: SystemPair) -> (Vec<&'a QueryRow>, Paging) {
        let found = self.found(rows, two);
        let paging = Paging::new(found.len(), PAGE, self.page, |page| self.address(page));
        (found.into_iter().skip(paging.first()).take(PAGE).collect(), paging)
    }

    /// The address of another page of this list.
    pub(crate) fn address(&self, page: usize) -> String {
        self.address_of("/queries", page)
    }

    /// The address of the page of this list that has the entry at this place.
    pub(crate) fn address_with(&self, place: usize) -> String {
        self.address(place / PAGE + 1)
    }

    /// The address of the page of a query, which keeps the list and the two systems.
    pub(crate) fn query_address(&self, number: usize) -> String {
        self.address_of(&format!("/query/{number}"), 1)
    }

    fn address_of(&self, path: &str, page: usize) -> String {
        let find = self.find.chars().take(TEXT).collect();
        address(path, &Self { find, page, ..self.clone() })
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
        request.page(&three(), request.two(&systems, (0, 1))).0.iter().map(|row| row.at).collect()
    }

    #[test]
    fn queries_are_searched_filtered_and_sorted() {
        let of = |show, sort| ListRequest { show, sort, ..ListRequest::default() };
        assert_eq!(shown(of(Show::All, Sort::Topics)), [0, 1, 2]);
        assert_eq!(shown(of(Show::Differs, Sort::Topics)), [1, 2]);
        assert_eq!(shown(of(Show::OneWrong, Sort::Topics)), [1]);
        assert_eq!(shown(of(Show::Moved, Sort::Topics)), [1, 2]);
        assert_eq!(shown(of(Show::All, Sort::Differences)), [1, 2, 0], "by the absolute difference");
        assert_eq!(
            shown(of(Show::All, Sort::Hardest)),
            [2, 0, 1],
            "no query that a system has solved comes early"
        );
        assert_eq!(shown(of(Show::All, Sort::Losses)), [1, 0, 2]);
        assert_eq!(shown(of(Show::All, Sort::Gains)), [2, 0, 1]);
        let find = |find: &str| {
            shown(ListRequest { find: find.to_owned(), sort: Sort::Topics, ..ListRequest::default() })
        };
        assert_eq!((find(" FLUTTER"), find("q2"), find("nothing")), (vec![0], vec![2], vec![]));
        let swapped =
            ListRequest { a: "new".into(), b: "old".into(), sort: Sort::Gains, ..Default::default() };
        assert_eq!(shown(swapped), [1, 0, 2]);
    }

    #[test]
    fn an_only_system_has_no_order_by_differences() {
        let only = ListRequest { a: "new".into(), b: "new".into(), ..ListRequest::default() };
        assert_eq!(only.order((1, 1)), Sort::Topics);
        assert_eq!(ListRequest { sort: Sort::Hardest, ..only.clone() }.order((1, 1)), Sort::Hardest);
        assert_eq!((only.order((0, 1)), shown(only)), (Sort::Differences, vec![0, 1, 2]));
    }

    #[test]
    fn pages_cover_all_queries_once() {
        let rows: Vec<QueryRow> = (0..PAGE * 2 + 1).map(|at| row(at, "q", [0.0, 0.0], &[])).collect();
        let mut seen = Vec::new();
        for page in 1..=3 {
            let request = ListRequest { page, ..ListRequest::default() };
            let (found, paging) = request.page(&rows, (0, 1));
            assert_eq!((paging.page, paging.pages, paging.found), (page, 3, PAGE * 2 + 1));
            seen.extend(found.iter().map(|row| row.at));
        }
        assert_eq!(seen, (0..PAGE * 2 + 1).collect::<Vec<_>>());
        let beyond = ListRequest { page: usize::MAX, ..ListRequest::default() };
        assert_eq!(beyond.page(&rows, (0, 1)).1.page, 3);
    }

    #[test]
    fn an_address_holds_what_was_asked_for() {
        let request = ListRequest { find: "a&b=\"é".into(), show: Show::OneWrong, ..ListRequest::default() };
        assert_eq!(request.address(2), "/queries?find=a%26b%3D%22%C3%A9&show=one-wrong&page=2");
        let pair = ListRequest { a: "old one".into(), sort: Sort::Hardest, ..ListRequest::default() };
        assert_eq!(pair.query_address(3), "/query/3?sort=hardest&a=old%20one");
        assert_eq!(ListRequest::default().address(1), "/queries");
        let flow = ListRequest { find: "flow".into(), ..ListRequest::default() };
        assert_eq!(flow.address_with(PAGE - 1), "/queries?find=flow");
        assert_eq!(flow.address_with(PAGE), "/queries?find=flow&page=2");
    }
}
