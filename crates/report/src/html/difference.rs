//! What made the difference of two systems on a query, as a part of a page.

use serde::Serialize;

use super::query_section::{DocumentView, GradeScale, PlaceView};
use crate::charts::signed_bar;
use crate::report::Report;
use crate::text::{brief_figure, counted, table_difference};
use crate::topics::{DocumentDetail, TopicDetail};
use crate::view::{Difference, Limits, ReportView};

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
        let view = ReportView::sections(report, Limits::default());
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
