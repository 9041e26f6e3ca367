//! The report as Markdown.

use llull_label::TierScheme;
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
    syntax::SyntaxConfig,
    value::{Serde, ValueKind},
};
use serde::{Deserialize, Serialize};

use crate::{
    CostSection, Count, CoverageSection, DecisionSection, DisputedPair, Dollars, Figure, MeasuredSystem,
    ProvenanceSection, ReferenceSection, Report, ReportError, StudySection, Tokens, TopicSource,
    TournamentSection, escape,
    hardest::{Hardest, Named, hardest},
    numbers, shorten,
    systems::without_interval,
    tournament::is_graded,
};

const TEMPLATE: &str = include_str!("../templates/report.md.j2");

/// How much of the drill-down the Markdown shows; the JSON has all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkdownLimits {
    /// Topics, the hardest first; 50 unless changed.
    pub topics: usize,
    /// Documents a topic, in the report's order; 10 unless changed.
    pub documents: usize,
    /// Disagreements between judges; 10 unless changed.
    pub disagreements: usize,
    /// Topics whose tiers are drawn, the most contradictory first; 5 unless changed.
    pub diagrams: usize,
}

impl Default for MarkdownLimits {
    fn default() -> Self {
        Self { topics: 50, documents: 10, disagreements: 10, diagrams: 5 }
    }
}

/// The report as GitHub-flavoured Markdown: the decision in bold, then how far to trust the labels, then the sections.
/// Everything that comes from outside is [`escape`]d. Topics are read once, and only those shown are kept.
///
/// # Errors
/// [`ReportError::Template`], which no report should cause.
pub fn markdown<T: TopicSource>(report: &Report<T>, limits: &MarkdownLimits) -> Result<String, ReportError> {
    let first = report.systems.first();
    let primary = first.and_then(|system| {
        system.figures.iter().position(|figure| figure.measure == report.decision.primary)
    });
    let tournaments = report.tournaments.as_ref();
    let judges = report.study.judges.iter().enumerate();
    let view = View {
        version: report.version,
        study: &report.study,
        decision: &report.decision,
        systems: &report.systems,
        measures: by_measure(&report.systems),
        confidence: first
            .and_then(|system| system.figures.first())
            .map(|figure| numbers::confidence(figure.confidence)),
        without_interval: first
            .and_then(|system| system.figures.first())
            .and_then(|figure| without_interval(figure.n, "topics", figure.confidence)),
        reference: report.reference.as_ref(),
        tournaments,
        graders: judges.filter(|(_, judge)| is_graded(&judge.paradigm)).map(|(at, _)| at).collect(),
        cutoff: tournaments.map_or(Some(report.study.rubric.cutoff), |found| found.setup.relevant_from),
        on_scale: tournaments.is_none_or(|found| found.setup.labels.parse() == Ok(TierScheme::Anchored)),
        coverage: &report.coverage,
        disagreements: disagreements(&report.coverage, limits.disagreements),
        cost: &report.cost,
        topics: hardest(&report.topics, primary.unwrap_or(0), limits),
        provenance: &report.provenance,
    };
    render(&view).map_err(ReportError::Template)
}

#[derive(Serialize)]
struct View<'a> {
    version: u32,
    study: &'a StudySection,
    decision: &'a DecisionSection,
    systems: &'a [MeasuredSystem],
    measures: Vec<ByMeasure<'a>>,
    confidence: Option<String>,
    /// Why figures have no interval.
    without_interval: Option<String>,
    reference: Option<&'a ReferenceSection>,
    tournaments: Option<&'a TournamentSection>,
    /// The judges that grade one document at a time, by their place in the study.
    graders: Vec<usize>,
    /// The lowest grade that says "relevant", if one does.
    cutoff: Option<i32>,
    /// Whether the labels are grades of the rubric, and not places in an order.
    on_scale: bool,
    coverage: &'a CoverageSection,
    disagreements: &'a [DisputedPair],
    cost: &'a CostSection,
    topics: Hardest,
    provenance: &'a ProvenanceSection,
}

/// One measure of every system, since systems are compared within a measure.
#[derive(Serialize)]
struct ByMeasure<'a> {
    measure: &'a str,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    system: &'a str,
    figure: &'a Figure,
}

fn by_measure<'a>(systems: &'a [MeasuredSystem]) -> Vec<ByMeasure<'a>> {
    let measures = systems.first().map(|system| system.figures.as_slice()).unwrap_or_default();
    let rows = |at: usize| {
        let row = |system: &'a MeasuredSystem| {
            Some(Row { system: &system.system, figure: system.figures.get(at)? })
        };
        systems.iter().filter_map(row).collect()
    };
    measures
        .iter()
        .enumerate()
        .map(|(at, figure)| ByMeasure { measure: &figure.measure, rows: rows(at) })
        .collect()
}

fn disagreements(coverage: &CoverageSection, most: usize) -> &[DisputedPair] {
    let all = coverage.spread.as_ref().map(|spread| spread.disagreements.as_slice()).unwrap_or_default();
    &all[..most.min(all.len())]
}

fn render(view: &View<'_>) -> Result<String, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(write_escaped);
    environment.add_filter("measure", |value: Option<f64>| ours(numbers::measure(value)));
    environment.add_filter("difference", |value: Option<f64>| ours(numbers::difference(value)));
    environment.add_filter("percent", |value: Option<f64>| ours(numbers::percent(value)));
    environment.add_filter("confidence", |value: f64| ours(numbers::confidence(value)));
    environment.add_filter("count", |value: Option<u64>| ours(or_none(value.map(numbers::count))));
    environment.add_filter("counted", |value: usize, one: &str| ours(numbers::counted(value, one)));
    environment.add_filter("grade", |value: Option<i64>| ours(or_none(value.map(|grade| grade.to_string()))));
    environment.add_filter("milliseconds", |value: u64| ours(format!("{} ms", numbers::count(value))));
    environment.add_filter("tokens", |value: Value| Ok(ours(tokens(Tokens::deserialize(value)?))));
    environment.add_filter("dollars", |value: Value| Ok(ours(dollars(Dollars::deserialize(value)?))));
    environment.add_filter("total", |value: Value| {
        let counts = Vec::<Count>::deserialize(value)?;
        Ok(ours(numbers::count(counts.iter().map(|count| count.count).sum())))
    });
    environment.add_filter("names", |value: Value| Ok(Named::deserialize(value)?.listed()));
    environment.add_filter("listed", |value: Value| Ok(Named::of(&Vec::deserialize(value)?).listed()));
    // The diagram has escaped what it shows by the rules of its own language.
    environment.add_filter("diagram", |value: &str| ours(value.to_owned()));
    environment.add_filter("short", |value: &str, most: usize| shorten(value, most));
    environment.add_template("report.md", TEMPLATE)?;
    environment.get_template("report.md")?.render(Serde(view))
}

/// Escapes every text that the template does not vouch for.
fn write_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match value.kind() {
        _ if value.is_safe() => out.write_str(value.as_str().unwrap_or_default()),
        ValueKind::Number => out.write_str(&value.to_string()),
        ValueKind::String => out.write_str(&escape(value.as_str().unwrap_or_default())),
        kind => {
            return Err(Error::new(
                ErrorKind::BadEscape,
                format!("the template prints a value of kind {kind}"),
            ));
        }
    };
    written.map_err(Error::from)
}

/// A text that was made here and holds nothing from outside.
fn ours(text: String) -> Value {
    Value::from_safe_string(text)
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "n/a".to_owned())
}

fn tokens(tokens: Tokens) -> String {
    with_unknown(tokens.known.map(numbers::count), tokens.unknown)
}

fn dollars(dollars: Dollars) -> String {
    with_unknown(dollars.known.map(|known| format!("{known:.4}")), dollars.unknown)
}

/// A known sum, and how many attempts it leaves out.
fn with_unknown(known: Option<String>, unknown: u64) -> String {
    match (known, unknown) {
        (None, 0) => "n/a".to_owned(),
        (None, unknown) => format!("unknown ({} without)", numbers::count(unknown)),
        (Some(known), 0) => known,
        (Some(known), unknown) => format!("{known} + unknown ({} without)", numbers::count(unknown)),
    }
}
