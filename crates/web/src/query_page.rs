//! One query: two rankings side by side, and every document.

use llull::report::text::{brief_figure, figure, shorten};
use llull::report::{DifferenceView, DocumentView, GradeScale, PlaceView, TopicDetail};
use llull::store::Detail;
use llull::{RecordedAttempt, Study, StudyError, StudyEvidence, Summary};
use serde::Serialize;
use serde_json::{Value, json};

use crate::attempts::{AttemptView, LedgerIndex, WordsView, rationale};
use crate::query_list::{ListRequest, QueryRow, SystemPair};
use crate::shown::Shown;
use crate::titled::titled;

/// How long the query may be, in characters.
const TEXT: usize = 1_200;
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
    documents: Vec<DocumentView>,
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
    places: Vec<PlaceView>,
}

#[derive(Serialize)]
struct SystemValue<'a> {
    system: &'a str,
    value: Option<f64>,
    address: String,
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
        let words = words_for(value(two.0), value(two.1));
        let scale = GradeScale::of(summary);
        let ranking = |(system, other): SystemPair| RankingView {
            system: name(system),
            value: words(value(system)),
            places: PlaceView::ranking(scale, &topic.documents, (system, (!only).then_some(other)), u32::MAX),
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
        let document = |found| DocumentView::new(scale, &summary.study.judges, found);
        Self {
            query: QueryHead { number: row.at + 1, id: &row.id },
            text: shorten(&topic.text, TEXT),
            place: place.map(|place| place + 1),
            listed: found.len(),
            order: request.order(two).words(),
            list: place
                .map_or_else(|| ListRequest::default().address(1), |place| request.address_with(place)),
            previous: beside(place.and_then(|place| place.checked_sub(1))),
            next: beside(place.map(|place| place + 1)),
            request: of_pair(name(two.1)),
            systems: &shown.systems,
            lead: Lead {
                measure: shown.measure.clone(),
                value_a: words(value(two.0)),
                value_b: words(value(two.1)),
                difference: row.difference(two).filter(|_| !only).map(|found| {
                    let class = match found {
                        _ if found > 0.0 => "better",
                        _ if found < 0.0 => "worse",
                        _ => "unclear",
                    };
                    (words(Some(found.abs())), class)
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
            documents: topic.documents.iter().map(document).collect(),
        }
    }
}

/// How two values and their difference are written: with four decimals if two would show no difference.
fn words_for(a: Option<f64>, b: Option<f64>) -> fn(Option<f64>) -> String {
    let hides = |(a, b): (f64, f64)| {
        a != b && (brief_figure(a) == brief_figure(b) || brief_figure((a - b).abs()) == brief_figure(0.0))
    };
    if a.zip(b).is_some_and(hides) { figure } else { brief_figure }
}

/// The judges that failed a check; none if checks are ignored.
pub(crate) fn unreliable(summary: &Summary) -> &[String] {
    if summary.decision.checks_ignored { &[] } else { &summary.decision.unreliable_judges }
}

/// How many replies the page has at most.
const REPLIES: usize = 40;
/// How long a query, and an explanation, may be, in characters.
const WHOLE_TEXT: usize = 2_000;

/// Reads the values of the page: the document at this place of a query, and the replies about it; `None` if there is no
/// such document.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn document_view(
    (study, index): (&Study, &LedgerIndex),
    evidence: &StudyEvidence,
    summary: &Summary,
    (number, topic): (usize, &TopicDetail),
    at: usize,
) -> Result<Option<Value>, StudyError> {
    let Some(document) = topic.documents.get(at) else { return Ok(None) };
    let facts = study.ledger().attempts_at(index.places_about(&topic.id), Detail::Facts)?;
    let is_about = |found: &&RecordedAttempt| match found.attempt.documents.as_slice() {
        [] => found.attempt.document == document.id,
        shown => shown.contains(&document.id),
    };
    let mut places: Vec<u64> = facts.iter().filter(is_about).map(|found| found.place).collect();
    let left_out = places.len().saturating_sub(REPLIES);
    places.truncate(REPLIES);
    let replies = study.ledger().attempts_at(&places, Detail::Replies)?;
    let case =
        evidence.pooled.cases().find(|case| case.topic.id == topic.id && case.document_id() == document.id);
    let text = case.and_then(|case| case.document());
    let ranks = summary.systems.iter().zip(&document.ranks);
    Ok(Some(json!({
        "query": QueryHead { number, id: &topic.id },
        "question": shorten(&topic.text, WHOLE_TEXT),
        "id": document.id,
        "title": titled(document),
        "grade": document.grade,
        "level": GradeScale::of(summary).level(document.grade),
        // The whole text; null if the document is not judged, or has no text.
        "text": text.map(|found| WordsView::new(&found.text)),
        "metadata": document.metadata,
        "ranks": ranks.filter_map(|(system, rank)| Some((&system.system, (*rank)?))).collect::<Vec<_>>(),
        "replies": replies.iter().map(|found| reply(found, index)).collect::<Vec<_>>(),
        "left_out": left_out,
    })))
}

/// An attempt with the judge's own words.
fn reply(found: &RecordedAttempt, index: &LedgerIndex) -> Value {
    let answer = &found.attempt.answer;
    json!({
        "attempt": AttemptView::new(found, index),
        "rationale": shorten(&rationale(&answer.outcome), WHOLE_TEXT),
        "reply": answer.reply.as_deref().map(WordsView::new),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_difference_has_more_decimals() {
        let lead = |a: f64, b: f64| {
            let words = words_for(Some(a), Some(b));
            [a, b, (b - a).abs()].map(|value| words(Some(value)))
        };
        assert_eq!(lead(0.66, 0.7), ["0.66", "0.70", "0.04"]);
        assert_eq!(lead(0.6612, 0.6648), ["0.6612", "0.6648", "0.0036"], "both would be 0.66");
        assert_eq!(lead(0.6648, 0.6652), ["0.6648", "0.6652", "0.0004"], "the difference would be 0.00");
        assert_eq!(lead(0.5, 0.5), ["0.50", "0.50", "0.00"]);
        assert_eq!(words_for(Some(0.5), None)(None), "n/a");
    }
}
