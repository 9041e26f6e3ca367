//! Renders the page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use minijinja::{Environment, Error, Value};
use serde::Serialize;

use super::anchors::{QueryLinks, query_anchor};
use super::disagreements::{AgreementMatrix, Disagreements, agreement_matrix, disagreements};
use super::glossary::{self, glossary};
use super::headline::{Card, DecisionTable, cards, decision_table, headline};
use super::query_section::{QueryView, query_view};
use super::why::{DocumentParts, Why, why};
use crate::charts::{ChartFile, Part, PartKind, heat_map, share_bar, shares};
use crate::conditions::{Condition, Incomparability};
use crate::coverage::{GradeCount, JudgeCoverage};
use crate::error::ReportError;
use crate::export::Exporter;
use crate::study_verdict::StudyVerdict;
use crate::template::{environment, render};
use crate::text::{
    ABSENT, brief_figure, brief_percent, counted, dollars, escape_html, probability, table_difference,
    table_figure,
};
use crate::view::{JudgeChecks, ReportView, is_shown};

/// The report as one page of HTML: no script, nothing loaded, every text from outside
/// [escaped](crate::text::escape_html). Queries are added, those with the largest differences first, while the page has
/// room ([`Limits::bytes`](crate::Limits::bytes)).
#[derive(Debug, Clone, Copy, Default)]
pub struct Html {
    /// Whether a server shows the page: then its style is the server's, and it links to a page of every query. It is a
    /// file unless changed.
    pub served: bool,
    /// Whether that server has a page for annotators, who label the study.
    pub people_page: bool,
}

impl Exporter<ReportView<'_>> for Html {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let page = self.page(view).map_err(ReportError::Html)?;
        out.write_all(page.as_bytes()).map_err(ReportError::Write)
    }
}

impl Html {
    fn page(self, view: &ReportView<'_>) -> Result<String, minijinja::Error> {
        let (templates, limits) = (templates()?, &view.limits);
        // Which queries the page has room for is known only after the rest of it, links to queries included.
        let links = if self.served { QueryLinks::Served(String::new()) } else { QueryLinks::Any };
        let mut page = Page {
            view,
            headline: headline(view.decision),
            open_verdict: view.decision.verdict != StudyVerdict::Compared,
            warnings: warnings(view),
            cards: cards(view),
            decision_table: decision_table(view),
            trust: trust(view),
            passed: passed(view),
            terms: terms_of(view),
            measure: glossary::measure(&view.decision.primary),
            comparisons: view.decision.decisive().count(),
            why: why(view, &links, &DocumentParts::default()),
            disagreements: disagreements(view, &links),
            grades: grade_rows(view),
            coverage_charts: view.coverage.judges.iter().map(of_judge).collect(),
            confusion: view.reference.map(|reference| {
                let found = &reference.agreement.confusion;
                heat_map(
                    "Grades here and in the reference",
                    "these labels",
                    &reference.name,
                    &found.grades,
                    &found.counts,
                )
            }),
            agreement_matrix: view.panel.and_then(agreement_matrix),
            served: self.served,
            people_page: self.people_page,
            queries: Vec::new(),
        };
        let mut room = limits.bytes.saturating_sub(render(&templates, "report.html", &page)?.len());
        // A server has a page of every query, and should answer at once.
        let part_of_room = if self.served { 10 } else { 3 };
        let parts = DocumentParts::new(view, &templates, room / part_of_room)?;
        room -= parts.bytes();
        let mut on_page = BTreeSet::new();
        for kept in view.topics.first.iter().take(limits.html_topics) {
            let mut view = query_view(view, &kept.topic, |document| is_shown(document, limits));
            view.anchor = Some(query_anchor(kept.number()));
            let query = render(&templates, "query.html", &OpenQuery { open: false, view })?;
            if query.len() > room {
                break;
            }
            room -= query.len();
            page.queries.push(query);
            on_page.insert(kept.number());
        }
        let links = if self.served { links } else { QueryLinks::OnPage(on_page) };
        page.why = why(view, &links, &parts);
        page.disagreements = disagreements(view, &links);
        render(&templates, "report.html", &page)
    }
}

/// Short warnings above the table; the sentences are below it.
fn warnings(view: &ReportView<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let names = |unlike: &[Incomparability]| {
        let mut conditions: Vec<_> = unlike.iter().map(|condition| condition.of).collect();
        conditions.sort_unstable();
        conditions.dedup();
        conditions.into_iter().map(Condition::name).collect::<Vec<_>>().join(", ")
    };
    if !view.unlike.is_empty() {
        warnings.push(format!("Not measured alike: {}", names(view.unlike)));
    }
    if let Some(since) = view.since.as_ref().filter(|since| !since.since.unlike.is_empty()) {
        warnings.push(format!("Not comparable with the earlier report: {}", names(&since.since.unlike)));
    }
    let failed = view.gates.iter().filter(|gate| !gate.passed).count();
    if failed > 0 {
        warnings.push(format!("{} failed", counted(failed, "gate")));
    }
    if view.decision.checks_ignored && !view.decision.unreliable_judges.is_empty() {
        warnings.push("Failed checks are ignored".to_owned());
    }
    warnings
}

/// Whether the judges can be trusted, in a sentence or two.
fn trust(view: &ReportView<'_>) -> String {
    let any = |has: fn(&JudgeChecks) -> bool| view.judges.iter().any(has);
    if any(|judge| !judge.failed.is_empty()) {
        let who =
            view.judges.iter().filter(|judge| !judge.failed.is_empty()).map(|judge| judge.judge.as_str());
        format!("Do not trust {}.", who.collect::<Vec<_>>().join(", "))
    } else if any(|judge| !judge.warnings.is_empty()) {
        "No judge check failed; read the warnings before you rely on the verdict.".to_owned()
    } else if any(|judge| judge.passed > 0) {
        "No judge check failed, and there are no warnings.".to_owned()
    } else if view.not_raised() > 0 {
        "No check had enough answers.".to_owned()
    } else {
        "llull has not checked these labels.".to_owned()
    }
}

/// `9 judge checks passed`, and how many are undecided.
fn passed(view: &ReportView<'_>) -> String {
    let passed: usize = view.judges.iter().map(|judge| judge.passed).sum();
    match view.not_raised().saturating_sub(passed) {
        0 => format!("{} passed", counted(passed, "judge check")),
        undecided => format!("{} passed, {undecided} undecided", counted(passed, "judge check")),
    }
}

fn terms_of(view: &ReportView<'_>) -> Vec<&'static str> {
    let figures = view.systems.first().map_or(&[][..], |system| &system.figures);
    let agreement = view.panel.is_some() || view.reference.is_some();
    glossary(figures.iter().map(|figure| figure.measure.as_str()), agreement, view.tournaments.is_some())
}

#[derive(Serialize)]
struct OpenQuery {
    open: bool,
    #[serde(flatten)]
    view: QueryView,
}

/// What the page has and the Markdown has not.
#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    view: &'a ReportView<'a>,
    headline: String,
    /// Whether there is no verdict.
    open_verdict: bool,
    warnings: Vec<String>,
    cards: Vec<Card>,
    decision_table: DecisionTable<'a>,
    trust: String,
    passed: String,
    terms: Vec<&'static str>,
    /// The explanation of the measure that decides.
    measure: Option<&'static str>,
    /// How many comparisons there are on the measure that decides.
    comparisons: usize,
    why: Why,
    disagreements: Vec<Disagreements>,
    grades: Vec<GradeRow>,
    coverage_charts: Vec<OfJudge<'a>>,
    confusion: Option<String>,
    /// The agreement of every two judges of a panel.
    agreement_matrix: Option<AgreementMatrix<'a>>,
    served: bool,
    people_page: bool,
    /// Queries as HTML.
    queries: Vec<String>,
}

#[derive(Serialize)]
struct OfJudge<'a> {
    #[serde(flatten)]
    coverage: &'a JudgeCoverage,
    /// None if every request was answered.
    chart: Option<String>,
}

/// A grade, the number and the share of its labels, and its meaning.
#[derive(Serialize)]
struct GradeRow {
    grade: i32,
    pairs: u64,
    share: f64,
    meaning: &'static str,
    bar: String,
}

fn of_judge(coverage: &JudgeCoverage) -> OfJudge<'_> {
    OfJudge { coverage, chart: coverage_chart(coverage) }
}

fn grade_rows(view: &ReportView<'_>) -> Vec<GradeRow> {
    let labelled = view.coverage.labelled.max(1) as f64;
    let cutoff = view.cutoff;
    let row = |used: &GradeCount| {
        let share = used.pairs as f64 / labelled;
        let relevant = cutoff.is_some_and(|cutoff| used.grade >= cutoff);
        let meaning = match cutoff {
            Some(_) if relevant => "relevant",
            Some(_) => "not relevant",
            None => "a place in an order",
        };
        let bar = share_bar(&format!("Grade {}", used.grade), share, relevant);
        GradeRow { grade: used.grade, pairs: used.pairs, share, meaning, bar }
    };
    view.coverage.grades.iter().rev().take(200).map(row).collect()
}

/// Draws the outcomes of a judge's requests; `None` if every request was answered.
fn coverage_chart(judge: &JudgeCoverage) -> Option<String> {
    let lost: u64 =
        judge.unusable.iter().chain(&judge.refused).chain(&judge.failed).map(|count| count.count).sum();
    if judge.not_asked + judge.without_text + lost == 0 {
        return None;
    }
    let part = |name: &str, count, kind| Part { name: name.to_owned(), count, kind };
    let parts = [
        part("answered", judge.judged, PartKind::Good),
        part("not asked", judge.not_asked, PartKind::Neutral),
        part("no text", judge.without_text, PartKind::Neutral),
        part("lost", lost, PartKind::Bad),
    ];
    Some(shares(&format!("Requests to {}", judge.judge), &parts))
}

const PAGE: &str = include_str!("../../templates/report.html.j2");
const SITE_NAV: &str = include_str!("../../templates/site_nav.html.j2");
const DISAGREEMENTS: &str = include_str!("../../templates/disagreements.html.j2");
const QUERY: &str = include_str!("../../templates/query.html.j2");
const DIFFERENCE: &str = include_str!("../../templates/difference.html.j2");
/// The style of the page, in light and dark, on a screen and in print.
pub const STYLE: &str = include_str!("../../templates/report.css");

/// The most bytes of one text on the page; a longer text is cut, visibly.
const TEXT: usize = 2_000;

/// The templates of the page, for a server that adds its own. Printed text is [escaped](crate::text::escape_html) and
/// cut to a length that a page has room for. The filter `drawn` exempts HTML that was rendered by this environment.
///
/// # Errors
/// Returns an error if a template is broken, which no shipped one is.
pub fn templates() -> Result<Environment<'static>, Error> {
    let mut environment = environment(Value::from, escape_and_cut)?;
    environment.add_filter("probability", |value: Option<f64>| probability(value));
    environment.add_filter("grade", |value: Option<i64>| {
        value.map_or_else(|| "none".to_owned(), |grade| grade.to_string())
    });
    // Numbers for people: three decimals in tables, two in sentences, and no decimals of a percentage.
    environment.add_filter("measure", |value: Option<f64>| table_figure(value));
    environment.add_filter("difference", |value: Option<f64>| table_difference(value));
    environment.add_filter("percent", |value: Option<f64>| brief_percent(value));
    environment.add_filter("brief", |value: Option<f64>| brief_figure(value));
    environment.add_filter("to", |low: Option<f64>, high: Option<f64>| range(low, high, table_figure));
    environment
        .add_filter("signed_to", |low: Option<f64>, high: Option<f64>| range(low, high, table_difference));
    environment.add_filter("brief_to", |low: Option<f64>, high: Option<f64>| range(low, high, brief_figure));
    environment.add_filter("price", |usd: f64| dollars(usd));
    environment.add_filter("unbroken", |text: &str| Value::from_safe_string(unbroken(&escape_and_cut(text))));
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_template("report.html", PAGE)?;
    environment.add_template("query.html", QUERY)?;
    environment.add_template("site_nav.html", SITE_NAV)?;
    environment.add_template("disagreements.html", DISAGREEMENTS)?;
    environment.add_template("difference.html", DIFFERENCE)?;
    Ok(environment)
}

/// Returns an interval in words: `0.593 to 0.717`.
fn range(low: Option<f64>, high: Option<f64>, number: fn(f64) -> String) -> String {
    low.zip(high)
        .map_or_else(|| ABSENT.to_owned(), |(low, high)| format!("{} to {}", number(low), number(high)))
}

fn escape_and_cut(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= TEXT).unwrap_or(text.len());
    let cut = if end < text.len() { " … (cut)" } else { "" };
    escape_html(&text[..end]) + cut
}

/// Keeps flags such as `--ignore-checks`, and numbers with their milliseconds, on one line of an escaped text.
fn unbroken(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    for (at, word) in escaped.split(' ').enumerate() {
        let is_unit = word.strip_prefix("ms").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        match at {
            0 => {}
            _ if is_unit && out.ends_with(|c: char| c.is_ascii_digit()) => out.push_str("&nbsp;"),
            _ => out.push(' '),
        }
        // A flag may be in parentheses.
        let start = word.find(|c: char| c != '(').unwrap_or(0);
        let (before, rest) = word.split_at(start);
        let is_flag =
            rest.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        if is_flag {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
            let (flag, rest) = rest.split_at(end);
            // Writing to a String does not fail.
            let _ = write!(out, "{before}<span class=\"whole\">{flag}</span>{rest}");
        } else {
            out.push_str(word);
        }
    }
    out
}

/// The kinds of charts, as in their files' names.
const CHARTS: [&str; 5] = ["systems", "differences", "corrected", "speed", "cost"];

/// Returns the names of the charts that a report under this stem may have had before, and has not now.
pub fn idle_chart_files(charts: &[ChartFile], stem: &str) -> Vec<String> {
    let names = CHARTS.iter().map(|what| format!("{stem}.{what}.svg"));
    names.filter(|name| charts.iter().all(|chart| chart.name != *name)).collect()
}

/// The charts of a report as files, at most five: systems, differences, corrections by human labels, and quality
/// against time and cost. Their names begin with `stem`: `report.systems.svg`.
pub fn chart_files(view: &ReportView<'_>, stem: &str) -> Vec<ChartFile> {
    let (measure, charts) = (&view.decision.primary, &view.charts);
    let of_measure = [
        (format!("{measure} of each system, with its interval"), &charts.systems),
        (format!("Differences from the baseline in {measure}, with their intervals"), &charts.differences),
        ("Differences corrected by human labels".to_owned(), &charts.corrected),
    ];
    let kinds = CHARTS.into_iter().zip(of_measure);
    let of_measure = kinds.filter_map(|(kind, (title, chart))| Some((kind, title, chart.as_ref()?.as_str())));
    let trades = view.speed.iter().flat_map(|found| &found.charts);
    let trades = trades.map(|chart| (chart.kind, chart.title.clone(), chart.drawing.as_str()));
    let file = |(kind, title, chart): (&str, String, &str)| {
        ChartFile::new(format!("{stem}.{kind}.svg"), &title, chart, STYLE)
    };
    of_measure.chain(trades).map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn flags_and_times_stay_on_one_line() {
        for (text, wanted) in [
            ("use --ignore-checks.", "use <span class=\"whole\">--ignore-checks</span>."),
            ("(--verbose) and (no)", "(<span class=\"whole\">--verbose</span>) and (no)"),
            ("in 14 ms, or", "in 14&nbsp;ms, or"),
            ("--&gt;&lt;b&gt; -- 3 msx ms", "--&gt;&lt;b&gt; -- 3 msx ms"),
            (" two  gaps ", " two  gaps "),
        ] {
            assert_eq!(unbroken(text), wanted);
        }
    }
}
