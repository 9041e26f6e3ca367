//! Renders the Markdown.

use std::io::Write;

use llull_label::TierScheme;
use serde::Serialize;

use super::pair_rows::{PairRow, differing_rows, split_rows};
use super::template::template;
use crate::diagram::{DiagramLimits, mermaid};
use crate::error::ReportError;
use crate::export::{Exporter, Markdown};
use crate::paradigm::is_graded;
use crate::systems::without_interval;
use crate::template::render;
use crate::topics::TopicDetail;
use crate::view::{KeptTopic, ReportView};

/// Failed checks and the decision in bold, then the reliability of the labels, then the sections.
impl Exporter<ReportView<'_>> for Markdown<'_> {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let (limits, tournaments) = (&view.limits, view.tournaments);
        let figure = view.systems.first().and_then(|system| system.figures.first());
        let judges = view.study.judges.iter().enumerate();
        let hardest = &view.topics.hardest;
        let text = Text {
            view,
            links: self.charts.iter().map(|chart| Link { title: &chart.title, name: &chart.name }).collect(),
            without_interval: figure.and_then(|figure| without_interval(figure.n, figure.confidence)),
            differing: differing_rows(view.reference, limits.disagreements),
            split: split_rows(view.panel, limits.disagreements),
            graders: judges.filter(|(_, judge)| is_graded(&judge.paradigm)).map(|(at, _)| at).collect(),
            on_scale: tournaments.is_none_or(|found| found.setup.labels.parse() == Ok(TierScheme::Anchored)),
            diagrams: view.topics.contradictory.iter().map(|kept| drawn(&kept.topic)).collect(),
            hardest: &hardest[..hardest.len().min(limits.markdown_topics)],
        };
        let rendered = template().and_then(|template| render(&template, "report.md", &text));
        let text = rendered.map_err(ReportError::Template)?;
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

/// What the Markdown has and the page has not.
#[derive(Serialize)]
struct Text<'a> {
    #[serde(flatten)]
    view: &'a ReportView<'a>,
    /// Files next to this one.
    links: Vec<Link<'a>>,
    /// Why figures have no interval.
    without_interval: Option<String>,
    /// The labels that differ most from the reference's.
    differing: Vec<PairRow>,
    /// The pairs on which the judges of a panel are split.
    split: Vec<PairRow>,
    /// The judges that grade one document at a time, by their place in the study.
    graders: Vec<usize>,
    /// Whether the labels are grades of the rubric, and not places in an order.
    on_scale: bool,
    diagrams: Vec<Diagram<'a>>,
    hardest: &'a [KeptTopic],
}

#[derive(Serialize)]
struct Link<'a> {
    title: &'a str,
    name: &'a str,
}

/// A query's tiers as a drawing.
#[derive(Serialize)]
struct Diagram<'a> {
    topic: &'a TopicDetail,
    mermaid: String,
}

fn drawn(topic: &TopicDetail) -> Diagram<'_> {
    Diagram { topic, mermaid: mermaid(topic, &DiagramLimits::default()) }
}
