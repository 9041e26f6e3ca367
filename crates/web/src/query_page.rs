//! One query: two rankings side by side, and every document.

use llull::Summary;
use llull::report::text::{brief_figure, shorten};
use llull::report::{DifferenceView, DocumentDetail, JudgeAnswer, TopicDetail, grade_level};
use serde::Serialize;

use crate::query_list::{ListRequest, QueryRow, SystemPair};
use crate::shown::Shown;
use crate::titled::titled;

/// How long texts may be, in characters.
const TEXT: usize = 600;
/// The most characters of a list of covered, or missing, facets.
const FACETS: usize = 300;
/// How many documents of a ranking are shown at once.
const FIRST: usize = 10;

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct QueryPageView<'a> {
    pub(crate) query: QueryHead<'a>,
    text: String,
    /// Its place in the list, from 1; none if the list does not have it.
    place: Option<usize>,
    listed: usize,
    order: &'static str,
    list: String,
    previous: Option<String>,
    next: Option<String>,
    /// The list that the page was reached from, with the names of the two systems.
    #[serde(flatten)]
    request: ListRequest,
    systems: &'a [String],
    lead: Lead,
    /// The judges that failed a check, so that no difference here decides anything.
    unreliable: &'a [String],
    note: Option<&'a str>,
    labelled: usize,
    pooled: usize,
    relevant: Option<usize>,
    rankings: Vec<RankingView<'a>>,
    first: usize,
    /// The documents that made the difference; `None` for an only system.
    difference: Option<DifferenceView>,
    others: Vec<SystemValue<'a>>,
    documents: Vec<DocumentView<'a>>,
}

/// What every page of a query begins with.
#[derive(Serialize)]
pub(crate) struct QueryHead<'a> {
    pub(crate) number: usize,
    pub(crate) id: &'a str,
}

/// The comparison of the two systems on this query.
#[derive(Serialize)]
struct Lead {
    measure: String,
    value_a: String,
    value_b: String,
    /// The difference of the second from the first, and whether it is an improvement; none if it is unknown.
    difference: Option<(String, &'static str)>,
}

#[derive(Serialize)]
struct RankingView<'a> {
    system: &'a str,
    value: String,
    places: Vec<PlaceView<'a>>,
}

/// A document at a rank.
#[derive(Serialize)]
struct PlaceView<'a> {
    rank: u32,
    /// The number of the document's page.
    number: usize,
    title: &'a str,
    grade: Option<i32>,
    level: Option<u32>,
    /// Its rank in the other ranking, in words; empty for an only ranking.
    moved: String,
}

#[derive(Serialize)]
struct SystemValue<'a> {
    system: &'a str,
    value: Option<f64>,
    address: String,
}

#[derive(Serialize)]
struct DocumentView<'a> {
    number: usize,
    title: &'a str,
    excerpt: String,
    grade: Option<i32>,
    level: Option<u32>,
    answers: Vec<AnswerView<'a>>,
}

/// A judge's answer about a document.
#[derive(Serialize)]
pub(crate) struct AnswerView<'a> {
    judge: &'a str,
    grade: Option<i32>,
    level: Option<u32>,
    missing: String,
    rationale: String,
    covers: String,
    lacks: String,
}

impl<'a> QueryPageView<'a> {
    /// The values of the query in this row of the list.
    pub(crate) fn new(
        (shown, summary): (&'a Shown, &'a Summary),
        row: &'a QueryRow,
        topic: &'a TopicDetail,
        request: &'a ListRequest,
    ) -> Self {
        let two = request.two(&shown.systems, shown.usual_pair);
        let found = request.found(&shown.rows, two);
        let place = found.iter().position(|found| found.at == row.at);
        let beside = |place: Option<usize>| {
            place.and_then(|place| found.get(place)).map(|found| request.query_address(found.at + 1))
        };
        let name = |at: usize| shown.systems.get(at).map_or("", String::as_str);
        let value = |at: usize| row.values.get(at).copied().flatten();
        let only = two.0 == two.1;
        let ranking = |(system, other): SystemPair| RankingView {
            system: name(system),
            value: brief_figure(value(system)),
            places: places(summary, topic, system, (!only).then_some(other)),
        };
        let rankings = match only {
            true => vec![ranking(two)],
            false => vec![ranking(two), ranking((two.1, two.0))],
        };
        let of_pair = |b: &str| ListRequest { a: name(two.0).to_owned(), b: b.to_owned(), ..request.clone() };
        let others = shown.systems.iter().enumerate().map(|(at, system)| SystemValue {
            system,
            value: value(at),
            address: of_pair(system).query_address(row.at + 1),
        });
        let documents = topic.documents.iter().enumerate();
        Self {
            query: QueryHead { number: row.at + 1, id: &row.id },
            text: shorten(&topic.text, 2 * TEXT),
            place: place.map(|place| place + 1),
            listed: found.len(),
            order: request.sort.words(),
            list: request.address(1),
            previous: beside(place.and_then(|place| place.checked_sub(1))),
            next: beside(place.map(|place| place + 1)),
            request: of_pair(name(two.1)),
            systems: &shown.systems,
            lead: Lead {
                measure: shown.measure.clone(),
                value_a: brief_figure(value(two.0)),
                value_b: brief_figure(value(two.1)),
                difference: row.difference(two).filter(|_| !only).map(|found| {
                    let class = match found {
                        _ if found > 0.0 => "better",
                        _ if found < 0.0 => "worse",
                        _ => "unclear",
                    };
                    (brief_figure(found.abs()), class)
                }),
            },
            unreliable: unreliable(summary),
            note: topic.note.as_deref(),
            labelled: topic.labelled,
            pooled: topic.pooled,
            relevant: topic.relevant,
            rankings,
            first: FIRST,
            difference: (!only).then(|| DifferenceView::new(summary, topic, [two.0, two.1])),
            others: if shown.systems.len() > 2 { others.collect() } else { Vec::new() },
            documents: documents.map(|(at, found)| DocumentView::new(summary, at + 1, found)).collect(),
        }
    }
}

/// The judges that failed a check; none if checks are ignored.
pub(crate) fn unreliable(summary: &Summary) -> &[String] {
    if summary.decision.checks_ignored { &[] } else { &summary.decision.unreliable_judges }
}

/// A ranking, with the rank of each document in another.
fn places<'a>(
    summary: &Summary,
    topic: &'a TopicDetail,
    system: usize,
    other: Option<usize>,
) -> Vec<PlaceView<'a>> {
    let rank = |document: &DocumentDetail, system: usize| document.ranks.get(system).copied().flatten();
    let documents = topic.documents.iter().enumerate();
    let place = |(at, document): (usize, &'a DocumentDetail)| {
        let own = rank(document, system)?;
        let moved = match other.map(|other| rank(document, other)) {
            None => String::new(),
            Some(None) => "only here".to_owned(),
            Some(Some(other)) if other == own => "=".to_owned(),
            Some(Some(other)) => format!("{} {}", if other > own { "▲" } else { "▼" }, other.abs_diff(own)),
        };
        Some(PlaceView {
            rank: own,
            number: at + 1,
            title: titled(document),
            grade: document.grade,
            level: grade_level(summary, document.grade),
            moved,
        })
    };
    let mut places: Vec<_> = documents.filter_map(place).collect();
    places.sort_by_key(|place| place.rank);
    places
}

impl<'a> DocumentView<'a> {
    fn new(summary: &'a Summary, number: usize, document: &'a DocumentDetail) -> Self {
        let excerpt = shorten(document.excerpt.as_deref().unwrap_or_default(), TEXT);
        // A document without a title has its first words for one.
        let repeats = excerpt.starts_with(document.title.trim_end_matches('…'));
        Self {
            number,
            title: titled(document),
            excerpt: if repeats && excerpt.len() <= document.title.len() { String::new() } else { excerpt },
            grade: document.grade,
            level: grade_level(summary, document.grade),
            answers: answers(summary, document),
        }
    }
}

/// The judges' answers about a document.
pub(crate) fn answers<'a>(summary: &'a Summary, document: &'a DocumentDetail) -> Vec<AnswerView<'a>> {
    let judges = summary.study.judges.iter().zip(&document.answers);
    let judges = judges.filter(|(_, answer)| answer.grade.is_some() || answer.missing.is_some());
    let list = |facets: &[String]| shorten(&facets.join("; "), FACETS);
    let view = |(judge, answer): (&'a llull::report::ReportJudge, &JudgeAnswer)| AnswerView {
        judge: &judge.name,
        grade: answer.grade,
        level: grade_level(summary, answer.grade),
        missing: answer.missing.as_deref().unwrap_or_default().replace('_', " "),
        rationale: shorten(answer.rationale.as_deref().unwrap_or_default(), TEXT),
        covers: list(&answer.covers),
        lacks: list(&answer.lacks),
    };
    judges.map(view).collect()
}
