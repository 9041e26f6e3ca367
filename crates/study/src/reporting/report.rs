//! The whole report, whose queries are made while it is written.

use std::io::Write;

use llull_config::Settings;
use llull_core::Qrels;
use llull_data::{write_qrels, write_sourced_qrels};
use llull_metrics::Scores;
use llull_report::{
    ChartFile, Exporter, Html, Json, Limits, Markdown, ReportView, Streamed, TopicDetail, chart_files,
    disagreements_html,
};

use super::judge_record::{JudgeRecord, judge_records};
use super::query_details::QueryDetails;
use super::report_record::ReportRecord;
use super::since::since;
use super::summary::{Summary, summary};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::measured::measured;

/// The report of a study: a pure function of its inputs and its evidence.
pub struct StudyReport<'a> {
    settings: &'a Settings,
    inputs: &'a Inputs,
    evidence: &'a StudyEvidence,
    scores: Vec<Scores>,
    records: Vec<JudgeRecord<'a>>,
    summary: Summary,
}

impl<'a> StudyReport<'a> {
    /// Makes the report.
    ///
    /// # Errors
    /// Returns an error if intervals cannot be computed.
    pub(crate) fn new(
        settings: &'a Settings,
        inputs: &'a Inputs,
        evidence: &'a StudyEvidence,
    ) -> Result<Self, StudyError> {
        let scores = measured(&settings.measures, &evidence.labels, &inputs.runs);
        let records = judge_records(settings, evidence);
        let summary = summary(settings, inputs, evidence, &scores, &records)?;
        Ok(Self { settings, inputs, evidence, scores, records, summary })
    }

    /// Returns the report without its queries.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns its labels, as qrels.
    pub fn labels(&self) -> &Qrels {
        self.evidence.labels.qrels()
    }

    /// Returns the report without its queries, moved out.
    pub fn into_summary(self) -> Summary {
        self.summary
    }

    /// Returns what a later report is compared with.
    pub(crate) fn inputs(&self) -> (&Inputs, &StudyEvidence) {
        (self.inputs, self.evidence)
    }

    /// Writes the labels as qrels, with the source of each if some existed before.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn write_labels(&self, out: &mut dyn Write) -> Result<(), StudyError> {
        let labels = self.labels();
        match self.evidence.mixed() {
            Some(mixed) => {
                write_sourced_qrels(labels, |query, document| mixed.source(query, document), out)?;
            }
            None => write_qrels(labels, out)?,
        }
        Ok(())
    }

    /// Writes the report as JSON, one query after the other.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn write_json(&self, mut out: impl Write) -> Result<(), StudyError> {
        let details = self.details();
        let report = self.summary.clone().with_topics(Streamed(|| details.queries()));
        Ok(Json.export(&report, &mut out)?)
    }

    /// Returns the report as Markdown, with limited detail.
    ///
    /// # Errors
    /// Returns an error if the report cannot be rendered.
    pub fn markdown(&self) -> Result<String, StudyError> {
        Ok(Markdown::default().to_text(&self.view(&self.details(), Limits::default()))?)
    }

    /// Returns the report as Markdown with links to charts, these charts, files whose names begin with `stem`, and the
    /// report as a page.
    ///
    /// # Errors
    /// Returns an error if the report cannot be rendered.
    pub(crate) fn for_people(&self, stem: &str) -> Result<(String, Vec<ChartFile>, String), StudyError> {
        let view = self.view(&self.excerpts(), Limits::default());
        let charts = chart_files(&view, stem);
        let markdown = Markdown { charts: &charts }.to_text(&view)?;
        Ok((markdown, charts, Html::default().to_text(&view)?))
    }

    /// Returns the report as one page of HTML, which loads nothing and runs nothing.
    ///
    /// # Errors
    /// Returns an error if the page cannot be rendered.
    pub fn html(&self) -> Result<String, StudyError> {
        self.page(Html::default(), Limits::default())
    }

    /// Returns the report as the first page of a server: as [`html`](Self::html), with a few queries and links to pages
    /// of all. `people_page` is true if the server has a page of annotators, too.
    ///
    /// # Errors
    /// Returns an error if the page cannot be rendered.
    pub fn served_html(&self, people_page: bool) -> Result<String, StudyError> {
        self.page(Html { served: true, people_page }, Limits { html_topics: 10, ..Limits::default() })
    }

    fn page(&self, html: Html, limits: Limits) -> Result<String, StudyError> {
        Ok(html.to_text(&self.view(&self.excerpts(), limits))?)
    }

    /// Returns the worst disagreements with the reference and between judges, as a part of a page. `link` is the
    /// address of a query.
    ///
    /// # Errors
    /// Returns an error if it cannot be rendered.
    pub fn disagreements_html(&self, link: impl Fn(&str) -> Option<String>) -> Result<String, StudyError> {
        Ok(disagreements_html(&self.summary, link)?)
    }

    /// Returns the query at this place of the topics, with excerpts of its documents; `None` without one.
    pub fn query(&self, at: usize) -> Option<TopicDetail> {
        self.excerpts().query_at(at)
    }

    /// Calls `visit` with every query, in the order of the topics.
    pub fn visit_queries(&self, mut visit: impl FnMut(&TopicDetail)) {
        self.details().queries().for_each(|topic| visit(&topic));
    }

    /// Adds a comparison with an earlier report of this name: differences of the settings, and the changed figures.
    #[must_use]
    pub(crate) fn since(mut self, name: &str, before: &ReportRecord) -> Self {
        self.summary.since = Some(since(name, before, &ReportRecord::of(&self.summary)));
        self
    }

    /// Removes texts of queries and documents, and judges' texts about them, from every form of the report.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.summary.remove_texts();
        self
    }

    fn details(&self) -> QueryDetails<'_> {
        QueryDetails {
            excerpts: false,
            texts: !self.summary.texts_left_out,
            settings: self.settings,
            inputs: self.inputs,
            evidence: self.evidence,
            scores: &self.scores,
            records: &self.records,
        }
    }

    /// Returns the queries with excerpts of their documents.
    fn excerpts(&self) -> QueryDetails<'_> {
        QueryDetails { excerpts: true, ..self.details() }
    }

    fn view(&self, details: &QueryDetails<'_>, limits: Limits) -> ReportView<'_> {
        ReportView::with_queries(&self.summary, &Streamed(|| details.queries()), limits)
    }
}
