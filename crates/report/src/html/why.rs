//! Why each comparison came out as it did: its differences query by query, and the documents of the largest.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use minijinja::{Environment, Error};
use serde::Serialize;

use super::anchors::{QueryLinks, why_anchor};
use super::headline::sign;
use super::query_section::{DocumentView, GradeScale, PlaceView};
use crate::charts::{Bar, BarScale, bars, signed_bar};
use crate::comparison::{BaselineComparison, brief_sentence};
use crate::report::Report;
use crate::template::render;
use crate::text::{brief_figure, counted, table_difference};
use crate::topics::{DocumentDetail, TopicDetail};
use crate::view::{
    Difference, DifferingQuery, LargestDifferences, Limits, MeasuredTopic, ReportView, explained, words,
};

/// The most bars in all comparisons together.
const BARS: usize = 6_000;
/// The most bars of one comparison.
const BARS_OF_ONE: usize = 400;
/// The most bytes of the bars' addresses in all comparisons together: those of a server have the systems' names.
const ADDRESSES: usize = 500_000;
/// The fewest bars of one comparison, if it has so many queries.
const FEWEST: usize = 20;
/// The most comparisons that are all shown open.
const OPEN: usize = 3;

/// The explanations, the best system first.
#[derive(Serialize)]
pub(super) struct Why {
    comparisons: Vec<Explanation>,
    /// How many comparisons are left out.
    left_out: usize,
    /// Queries whose documents are left out; none if none are.
    documents_left_out: Option<String>,
    /// Whether all are shown open.
    open: bool,
}

#[derive(Serialize)]
struct Explanation {
    anchor: String,
    system: String,
    /// Whether human labels correct the difference, which the bars do not show.
    corrected: bool,
    verdict: &'static str,
    class: &'static str,
    sign: &'static str,
    sentence: String,
    bars: String,
    /// The gains and the losses, of which those with the largest difference come first.
    lists: Vec<DifferingList>,
    queries: usize,
    /// How many queries have a bar.
    drawn: usize,
}

#[derive(Serialize)]
struct DifferingList {
    title: &'static str,
    queries: Vec<QueryDifference>,
}

#[derive(Serialize)]
struct QueryDifference {
    id: String,
    text: String,
    /// The address of the query; none if the page does not have it.
    link: Option<String>,
    /// The difference, and the two values.
    summary: String,
    /// The documents that made the difference, as HTML; none without room for them.
    documents: Option<String>,
}

/// The documents that made the largest differences, as HTML, by comparison and query.
#[derive(Default)]
pub(super) struct DocumentParts {
    parts: BTreeMap<(usize, usize), String>,
    left_out: usize,
}

impl DocumentParts {
    /// Renders them in the order of the comparisons while there is room for so many bytes.
    pub(super) fn new(
        view: &ReportView<'_>,
        templates: &Environment<'_>,
        mut room: usize,
    ) -> Result<Self, Error> {
        let mut found = Self::default();
        for (at, largest) in view.topics.largest.iter().enumerate() {
            for query in largest.gains.iter().chain(&largest.losses) {
                let part = Part { difference: DifferenceView::of(view, &query.difference) };
                let part = render(templates, "difference.html", &part)?;
                // A smaller one may fit where a larger one does not.
                if part.len() > room {
                    found.left_out += 1;
                    continue;
                }
                room -= part.len();
                found.parts.insert((at, query.number), part);
            }
        }
        Ok(found)
    }

    /// Returns how many bytes they have.
    pub(super) fn bytes(&self) -> usize {
        self.parts.values().map(String::len).sum()
    }
}

#[derive(Serialize)]
struct Part {
    difference: DifferenceView,
}

/// A query with its difference.
struct Differing<'a> {
    query: &'a MeasuredTopic,
    difference: f64,
}

/// Returns the explanation of every comparison, with links to queries.
pub(super) fn why(view: &ReportView<'_>, links: &QueryLinks, documents: &DocumentParts) -> Why {
    let compared = explained(view.decision, &view.limits);
    let differences: Vec<Vec<Differing<'_>>> =
        compared.iter().map(|(_, found)| by_query(view, found)).collect();
    let scale = BarScale::of(differences.iter().flatten().map(|query| query.difference));
    let most = |address: usize| {
        let bars = BARS.min(ADDRESSES / address.max(1)) / compared.len().max(1);
        bars.clamp(FEWEST, BARS_OF_ONE)
    };
    let explain = |at: usize, place: usize, found: &BaselineComparison, queries: &[Differing<'_>]| {
        let links = links.comparing(&found.baseline, &found.system);
        let address = queries.iter().filter_map(|query| links.to(query.query.number)).map(|link| link.len());
        let shown = evenly(queries, most(address.max().unwrap_or(0)));
        let drawn = shown.len();
        let bar = |query: &&Differing<'_>| Bar {
            name: query.query.id.clone(),
            value: query.difference,
            link: links.to(query.query.number),
        };
        let title = format!("Differences of {} from {}, query by query", found.system, found.baseline);
        let (verdict, class) = words(found);
        Explanation {
            anchor: why_anchor(&found.system, place),
            system: found.system.clone(),
            corrected: found.ppi.is_some(),
            verdict,
            class,
            sign: sign(class),
            sentence: brief_sentence(found),
            bars: bars(&title, &shown.iter().map(bar).collect::<Vec<_>>(), &scale),
            lists: view.topics.largest.get(at).map_or_else(Vec::new, |largest| {
                lists(largest, |query| QueryDifference {
                    id: query.id.clone(),
                    text: query.text.clone(),
                    link: links.to(query.number),
                    summary: query.difference.summary(),
                    documents: documents.parts.get(&(at, query.number)).cloned(),
                })
            }),
            queries: queries.len(),
            drawn,
        }
    };
    let comparisons = compared.iter().zip(&differences).enumerate();
    let comparisons: Vec<Explanation> =
        comparisons.map(|(at, ((place, found), queries))| explain(at, *place, found, queries)).collect();
    Why {
        left_out: view.decision.decisive().count() - comparisons.len(),
        documents_left_out: (documents.left_out > 0).then(|| counted(documents.left_out, "query")),
        open: comparisons.len() <= OPEN,
        comparisons,
    }
}

/// The lists that have a query.
fn lists(
    largest: &LargestDifferences,
    listed: impl Fn(&DifferingQuery) -> QueryDifference,
) -> Vec<DifferingList> {
    let mut lists = vec![("Largest gains", &largest.gains), ("Largest losses", &largest.losses)];
    lists.retain(|(_, queries)| !queries.is_empty());
    let first = |queries: &[DifferingQuery]| queries.first().map_or(0.0, DifferingQuery::size);
    lists.sort_by(|(_, a), (_, b)| first(b).total_cmp(&first(a)));
    let list = |(title, queries): (&'static str, &Vec<DifferingQuery>)| DifferingList {
        title,
        queries: queries.iter().map(&listed).collect(),
    };
    lists.into_iter().map(list).collect()
}

/// The queries of a comparison, the largest loss first.
fn by_query<'a>(view: &'a ReportView<'_>, found: &BaselineComparison) -> Vec<Differing<'a>> {
    let place = |name: &str| view.systems.iter().position(|system| system.system == name);
    let (Some(system), Some(baseline)) = (place(&found.system), place(&found.baseline)) else {
        return Vec::new();
    };
    let of_query = |query: &'a MeasuredTopic| {
        let value = |at: usize| query.values.get(at).copied().flatten();
        Some(Differing { query, difference: value(system)? - value(baseline)? })
    };
    let mut queries: Vec<Differing<'a>> = view.topics.measured.iter().filter_map(of_query).collect();
    queries.sort_by(|a, b| {
        a.difference.total_cmp(&b.difference).then_with(|| Reverse(&a.query.id).cmp(&Reverse(&b.query.id)))
    });
    queries
}

/// At most `most` of the rows, evenly along their order, the first and the last among them.
fn evenly<T>(rows: &[T], most: usize) -> Vec<&T> {
    let n = rows.len();
    if n <= most || most < 2 {
        return rows.iter().take(most).collect();
    }
    (0..most).filter_map(|at| rows.get(at * (n - 1) / (most - 1))).collect()
}

/// The documents that made the difference of two systems on a query, the largest share first. The template
/// `difference.html` of [`page_templates`](crate::page_templates) shows it under the name `difference`.
///
/// If the measure has no split by document, it is the two rankings and a sentence.
#[derive(Serialize)]
pub struct DifferenceView {
    measure: String,
    baseline: String,
    system: String,
    /// The values and the difference, in words: `+0.73 (0.07 to 0.80)`.
    summary: String,
    no_split: Option<String>,
    documents: Vec<ShareView>,
    /// The documents that are not listed, and their share: `4 more documents`.
    more: Option<(String, String)>,
    /// The difference, which the shares add up to.
    total: String,
    /// The heading of the grades in the sample or in the reference; none if no document has one.
    reference: Option<String>,
    /// The two rankings, if there is no split.
    rankings: Vec<RankingOfOne>,
}

#[derive(Serialize)]
struct ShareView {
    #[serde(flatten)]
    document: DocumentView,
    reference: Option<i32>,
    reference_level: Option<u32>,
    share: String,
    bar: String,
    /// The ranks in the baseline and in the system.
    ranks: [String; 2],
}

#[derive(Serialize)]
struct RankingOfOne {
    system: String,
    value: String,
    places: Vec<PlaceView>,
}

impl DifferenceView {
    /// The difference of two systems on a query, by their places in the report: the second one's value less the first
    /// one's, by the measure that decides. A study makes `topic` with excerpts of its documents. Without a split there
    /// is only the sentence: a page for two systems has their whole rankings already.
    pub fn new(report: &Report<()>, topic: &TopicDetail, systems: [usize; 2]) -> Self {
        let view = ReportView::new(report, Limits::default());
        let difference = Difference::of(topic, (&view.decision.primary, view.primary), systems, 0);
        Self::of(&view, &difference)
    }

    pub(super) fn of(view: &ReportView<'_>, found: &Difference) -> Self {
        let [baseline, system] = found
            .systems
            .map(|at| view.systems.get(at).map(|system| system.system.clone()).unwrap_or_default());
        let scale = GradeScale::of_view(view);
        let split = found.split.as_ref().ok();
        let most = split.into_iter().flat_map(|split| &split.documents);
        let most = most.map(|(_, share)| share.abs()).fold(0.0, f64::max);
        let of_document = |(document, share): &(DocumentDetail, f64)| {
            let rank = |at: usize| {
                let rank = document.ranks.get(at).copied().flatten();
                rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
            };
            ShareView {
                reference: document.reference,
                reference_level: scale.level(document.reference),
                share: table_difference(*share),
                bar: signed_bar(*share, most),
                ranks: found.systems.map(rank),
                document: DocumentView::new(scale, &view.study.judges, document),
            }
        };
        let documents: Vec<ShareView> =
            split.into_iter().flat_map(|split| &split.documents).map(of_document).collect();
        let more = split.map(|split| split.more).filter(|(count, _)| *count > 0);
        let ranking = |(at, value): (&usize, &Option<f64>)| {
            let places = PlaceView::ranking(scale, &found.ranked, (*at, None), view.limits.ranks);
            let system = view.systems.get(*at).map(|system| system.system.clone()).unwrap_or_default();
            RankingOfOne { system, value: brief_figure(*value), places }
        };
        let rankings = match &found.split {
            Ok(_) => Vec::new(),
            Err(_) => found.systems.iter().zip(&found.values).map(ranking).collect(),
        };
        Self {
            measure: view.decision.primary.clone(),
            baseline,
            system,
            summary: found.summary(),
            no_split: found.split.as_ref().err().map(ToString::to_string),
            reference: documents
                .iter()
                .any(|document| document.reference.is_some())
                .then(|| reference_name(view)),
            documents,
            more: more.map(|(count, share)| (counted(count, "more document"), table_difference(share))),
            total: table_difference(found.by()),
            rankings,
        }
    }
}

/// The name of the grades that documents have besides the judges'.
fn reference_name(view: &ReportView<'_>) -> String {
    match (view.decision.sample, view.reference) {
        (Some(sample), _) if sample.labelled > 0 => "human".to_owned(),
        (_, Some(reference)) => reference.name.clone(),
        _ => "reference".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_left_out_evenly() {
        assert_eq!(evenly(&[0, 1, 2, 3, 4], 5), [&0, &1, &2, &3, &4]);
        assert_eq!(evenly(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 3), [&0, &4, &8]);
        assert_eq!(evenly(&(0..1001).collect::<Vec<u32>>(), 400).len(), 400);
    }
}
