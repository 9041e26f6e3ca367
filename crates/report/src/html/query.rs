//! A query with its rankings side by side.

use serde::Serialize;

use super::circles::{TierView, tier_views};
use crate::coverage::GradeCount;
use crate::report::Report;
use crate::study::{ReportJudge, ReportRubric};
use crate::text::{figure, shorten};
use crate::topics::{DocumentDetail, JudgeAnswer, TopicDetail};
use crate::view::ReportView;

/// How long texts may be, in characters.
const TEXT: usize = 600;

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
    circles_left_out: usize,
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
pub(super) struct PlaceView {
    pub(super) rank: u32,
    id: String,
    title: String,
    grade: Option<i32>,
    /// From 0 for the lowest grade of the scale to 4 for the highest.
    level: Option<u32>,
    /// Where the first system has it, in words; empty for the first system itself.
    moved: String,
}

#[derive(Serialize)]
pub(super) struct DocumentView {
    id: String,
    title: String,
    excerpt: String,
    grade: Option<i32>,
    level: Option<u32>,
    answers: Vec<AnswerView>,
}

#[derive(Serialize)]
struct AnswerView {
    judge: String,
    said: String,
    rationale: String,
    /// The covered and missing facets; empty if the judge named none.
    covers: String,
    lacks: String,
}

/// The values of a query on the page, with these of its documents.
pub(super) fn query_view(
    report: &ReportView<'_>,
    topic: &TopicDetail,
    is_shown: impl Fn(&DocumentDetail) -> bool,
) -> QueryView {
    let rankings = report.systems.iter().take(report.limits.systems).enumerate().map(|(at, system)| {
        let found = topic.systems.iter().find(|found| found.system == system.system);
        let value = found.and_then(|found| found.values.get(report.primary)?.value);
        let mut places: Vec<PlaceView> =
            topic.documents.iter().filter_map(|document| place(report, document, at)).collect();
        places.sort_by_key(|place| place.rank);
        RankingView { system: system.system.clone(), value: figure(value), places }
    });
    let rankings = rankings.collect();
    let documents = topic.documents.iter().filter(|document| is_shown(document));
    let documents = documents.map(|document| document_view(report, document)).collect();
    let tournament = topic.tournament.as_ref();
    let (tiers, tiers_left_out, circles_left_out) = tournament.map(tier_views).unwrap_or_default();
    QueryView {
        anchor: None,
        measure: report.decision.primary.clone(),
        text: shorten(&topic.text, TEXT),
        rankings,
        documents,
        tiers,
        tiers_left_out,
        circles_left_out,
        cyclic: tournament.is_some_and(|tournament| tournament.is_cyclic()),
        pooled: topic.pooled,
        labelled: topic.labelled,
        relevant: topic.relevant,
        id: topic.id.clone(),
        note: topic.note.clone(),
    }
}

/// A document with its text and the judges' answers.
pub(super) fn document_view(report: &ReportView<'_>, document: &DocumentDetail) -> DocumentView {
    let text = |text: &str| shorten(text, TEXT);
    let answered =
        |(_, answer): &(&ReportJudge, &JudgeAnswer)| answer.grade.is_some() || answer.missing.is_some();
    let answers = report.study.judges.iter().zip(&document.answers).filter(answered);
    let answer = |(judge, answer): (&ReportJudge, &JudgeAnswer)| AnswerView {
        judge: judge.name.clone(),
        said: answer.grade.map_or_else(
            || format!("no grade: {}", answer.missing.as_deref().unwrap_or("unknown")),
            |grade| grade.to_string(),
        ),
        rationale: text(answer.rationale.as_deref().unwrap_or_default()),
        covers: shorten(&text(&answer.covers.join("; ")), FACETS),
        lacks: shorten(&text(&answer.lacks.join("; ")), FACETS),
    };
    let excerpt = text(document.excerpt.as_deref().unwrap_or_default());
    // A document without a title has its first words for one.
    let is_title = !excerpt.starts_with(document.title.trim_end_matches('…'));
    DocumentView {
        id: document.id.clone(),
        title: text(if is_title { &document.title } else { "" }),
        excerpt,
        grade: document.grade,
        level: level(report, document.grade),
        answers: answers.map(answer).collect(),
    }
}

pub(super) fn place(report: &ReportView<'_>, document: &DocumentDetail, at: usize) -> Option<PlaceView> {
    let rank = document.ranks.get(at).copied().flatten().filter(|rank| *rank <= report.limits.ranks)?;
    let before = document.ranks.first().copied().flatten();
    let moved = match before {
        _ if at == 0 => String::new(),
        None => "new".to_owned(),
        Some(before) if before > rank => format!("▲ {}", before - rank),
        Some(before) if before < rank => format!("▼ {}", rank - before),
        Some(_) => "=".to_owned(),
    };
    Some(PlaceView {
        rank,
        id: document.id.clone(),
        title: shorten(&document.title, 80),
        grade: document.grade,
        level: level(report, document.grade),
        moved,
    })
}

/// The place of a grade on the scale: from 0 to 4, which is its colour.
pub(super) fn level(report: &ReportView<'_>, grade: Option<i32>) -> Option<u32> {
    level_in(&report.coverage.grades, &report.study.rubric, report.tournaments.is_some(), grade)
}

/// The place of a grade on the scale of this report: from 0 to 4, which is its colour. `None` without a grade.
pub fn grade_level(report: &Report<()>, grade: Option<i32>) -> Option<u32> {
    level_in(&report.coverage.grades, &report.study.rubric, report.tournaments.is_some(), grade)
}

/// Labels that are places in an order have the scale of those used.
fn level_in(used: &[GradeCount], rubric: &ReportRubric, compared: bool, grade: Option<i32>) -> Option<u32> {
    let grades = || used.iter().map(|used| used.grade);
    let low = grades().min().unwrap_or(0).min(rubric.low);
    let high = if compared { grades().max().unwrap_or(rubric.high) } else { rubric.high };
    let share = f64::from(grade?.saturating_sub(low)) / f64::from(high.saturating_sub(low).max(1));
    Some((share.clamp(0.0, 1.0) * 4.0).round() as u32)
}
