//! A query with its rankings side by side.

use serde::Serialize;

use super::cycles::{TierView, tier_views};
use crate::coverage::GradeCount;
use crate::report::Report;
use crate::study::{ReportJudge, ReportRubric};
use crate::text::{shorten, table_figure};
use crate::topics::{DocumentDetail, JudgeAnswer, TopicDetail};
use crate::view::ReportView;

/// How long texts may be, in characters.
const TEXT: usize = 600;

/// The most characters of a value of metadata.
const VALUE: usize = 100;

/// The most characters of a list of covered, or missing, facets.
const FACETS: usize = 300;

/// A query as its template is given it.
#[derive(Serialize)]
pub(super) struct QueryView {
    /// The anchor on a page of several queries.
    pub(super) anchor: Option<String>,
    id: String,
    text: String,
    note: Option<String>,
    measure: String,
    pooled: usize,
    labelled: usize,
    relevant: Option<usize>,
    rankings: Vec<RankingView>,
    documents: Vec<DocumentView>,
    tiers: Vec<TierView>,
    tiers_left_out: usize,
    cycles_left_out: usize,
    cyclic: bool,
}

#[derive(Serialize)]
struct RankingView {
    system: String,
    value: String,
    places: Vec<PlaceView>,
}

/// A document at a rank.
#[derive(Serialize)]
pub struct PlaceView {
    rank: u32,
    /// Its place among all documents of the query, from 1.
    number: usize,
    id: String,
    title: String,
    grade: Option<i32>,
    /// From 0 for the lowest grade of the scale to 4 for the highest.
    level: Option<u32>,
    /// Its rank in the other ranking, in words; empty without one.
    moved: String,
}

/// A document with the judges' answers.
#[derive(Serialize)]
pub struct DocumentView {
    id: String,
    /// Empty if the excerpt begins with it.
    title: String,
    excerpt: String,
    /// `brand: Acme, price: 9.5`; empty without metadata.
    metadata: String,
    grade: Option<i32>,
    level: Option<u32>,
    answers: Vec<AnswerView>,
}

#[derive(Serialize)]
struct AnswerView {
    judge: String,
    grade: Option<i32>,
    level: Option<u32>,
    /// The grade, or why there is none, in words.
    outcome: String,
    rationale: String,
    /// The covered and missing facets; empty if the judge named none.
    covers: String,
    lacks: String,
}

/// The lowest and the highest grade of a report, which set the colours of grades.
#[derive(Debug, Clone, Copy)]
pub struct GradeScale {
    low: i32,
    high: i32,
}

/// The values of a query on the page, with these of its documents.
pub(super) fn query_view(
    report: &ReportView<'_>,
    topic: &TopicDetail,
    is_shown: impl Fn(&DocumentDetail) -> bool,
) -> QueryView {
    let scale = GradeScale::of_view(report);
    let rankings = report.systems.iter().take(report.limits.systems).enumerate().map(|(at, system)| {
        let found = topic.systems.iter().find(|found| found.system == system.system);
        let value = found.and_then(|found| found.values.get(report.primary)?.value);
        let systems = (at, (at > 0).then_some(0));
        let places = PlaceView::ranking(scale, &topic.documents, systems, report.limits.ranks);
        RankingView { system: system.system.clone(), value: table_figure(value), places }
    });
    let rankings = rankings.collect();
    let documents = topic.documents.iter().filter(|document| is_shown(document));
    let documents =
        documents.map(|document| DocumentView::new(scale, &report.study.judges, document)).collect();
    let tournament = topic.tournament.as_ref();
    let (tiers, tiers_left_out, cycles_left_out) = tournament.map(tier_views).unwrap_or_default();
    QueryView {
        anchor: None,
        measure: report.decision.primary.clone(),
        text: shorten(&topic.text, TEXT),
        rankings,
        documents,
        tiers,
        tiers_left_out,
        cycles_left_out,
        cyclic: tournament.is_some_and(|tournament| tournament.is_cyclic()),
        pooled: topic.pooled,
        labelled: topic.labelled,
        relevant: topic.relevant,
        id: topic.id.clone(),
        note: topic.note.clone(),
    }
}

impl PlaceView {
    /// The ranking of a system, by its place in the report, down to a rank. If there is another system, each document
    /// has its rank there.
    pub fn ranking(
        scale: GradeScale,
        documents: &[DocumentDetail],
        (system, other): (usize, Option<usize>),
        ranks: u32,
    ) -> Vec<Self> {
        let rank_in = |document: &DocumentDetail, at: usize| document.ranks.get(at).copied().flatten();
        let place = |(number, document): (usize, &DocumentDetail)| {
            let rank = rank_in(document, system).filter(|rank| *rank <= ranks)?;
            let moved = match other.map(|other| rank_in(document, other)) {
                None => String::new(),
                // The other system may have it below the depth of the pool.
                Some(None) => "not pooled there".to_owned(),
                Some(Some(other)) if other > rank => format!("▲ {}", other - rank),
                Some(Some(other)) if other < rank => format!("▼ {}", rank - other),
                Some(Some(_)) => "=".to_owned(),
            };
            Some(Self {
                rank,
                number,
                id: document.id.clone(),
                title: shorten(&document.title, 80),
                grade: document.grade,
                level: scale.level(document.grade),
                moved,
            })
        };
        let mut places: Vec<Self> = (1..).zip(documents).filter_map(place).collect();
        places.sort_by_key(|place| place.rank);
        places
    }
}

impl DocumentView {
    /// A document with its excerpt, and the answers of these judges.
    pub fn new(scale: GradeScale, judges: &[ReportJudge], document: &DocumentDetail) -> Self {
        let text = |text: &str| shorten(text, TEXT);
        let answered =
            |(_, answer): &(&ReportJudge, &JudgeAnswer)| answer.grade.is_some() || answer.missing.is_some();
        let answers = judges.iter().zip(&document.answers).filter(answered);
        let answer = |(judge, answer): (&ReportJudge, &JudgeAnswer)| AnswerView {
            judge: judge.name.clone(),
            grade: answer.grade,
            level: scale.level(answer.grade),
            outcome: answer.grade.map_or_else(
                || answer.missing.as_deref().unwrap_or("unknown").replace('_', " "),
                |grade| grade.to_string(),
            ),
            rationale: text(answer.rationale.as_deref().unwrap_or_default()),
            covers: shorten(&answer.covers.join("; "), FACETS),
            lacks: shorten(&answer.lacks.join("; "), FACETS),
        };
        let excerpt = text(document.excerpt.as_deref().unwrap_or_default());
        // A document without a title has its first words for one.
        let is_title = !excerpt.starts_with(document.title.trim_end_matches('…'));
        Self {
            id: document.id.clone(),
            title: text(if is_title { &document.title } else { "" }),
            excerpt,
            metadata: text(&in_short(&document.metadata)),
            grade: document.grade,
            level: scale.level(document.grade),
            answers: answers.map(answer).collect(),
        }
    }
}

/// Metadata in a line; of a long value the beginning, so that others have room.
fn in_short(metadata: &[(String, String)]) -> String {
    let field = |(name, value): &(String, String)| format!("{name}: {}", shorten(value, VALUE));
    metadata.iter().map(field).collect::<Vec<_>>().join(", ")
}

impl GradeScale {
    /// The scale of this report.
    pub fn of(report: &Report<()>) -> Self {
        Self::new(&report.coverage.grades, &report.study.rubric, report.tournaments.is_some())
    }

    /// The scale of the report of a page.
    pub(super) fn of_view(report: &ReportView<'_>) -> Self {
        Self::new(&report.coverage.grades, &report.study.rubric, report.tournaments.is_some())
    }

    /// Labels that are places in an order have the scale of those used.
    fn new(used: &[GradeCount], rubric: &ReportRubric, compared: bool) -> Self {
        let grades = || used.iter().map(|used| used.grade);
        Self {
            low: grades().min().unwrap_or(0).min(rubric.low),
            high: if compared { grades().max().unwrap_or(rubric.high) } else { rubric.high },
        }
    }

    /// The place of a grade on the scale: from 0 to 4, which is its colour. `None` without a grade.
    pub fn level(self, grade: Option<i32>) -> Option<u32> {
        let Self { low, high } = self;
        let share = f64::from(grade?.saturating_sub(low)) / f64::from(high.saturating_sub(low).max(1));
        Some((share.clamp(0.0, 1.0) * 4.0).round() as u32)
    }
}
