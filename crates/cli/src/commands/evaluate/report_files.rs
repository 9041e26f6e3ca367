//! Writes the report of an evaluation to files.

use std::path::Path;

use anyhow::Result;
use llull::core::Hash;
use llull::data::EvaluationDataset;
use llull::expected_answers::{AnswerReportOptions, answer_report};
use llull::report::text::counted;
use llull::report::{
    Exporter, Html, Input, Json, Markdown, ProvenanceSection, ReportView, Setting, chart_files,
};
use llull::{Folder, remove_idle_charts};

use super::annotators::agreement_notes;
use super::render::{Evaluated, FactsOfAnswers, RubricOfAnswers};
use crate::args::EvaluateArgs;
use crate::commands::Context;
use crate::exit::refuse;

/// Refuses a folder whose report is a study's own, before any request.
pub(super) fn check(args: &EvaluateArgs) -> Result<()> {
    match &args.report {
        Some(folder) if Folder::new(folder).config().is_file() => refuse!(
            "--report {0}: this is a study's folder, whose report.html is its own; name another folder, such as \
            {0}/found",
            folder.display()
        ),
        _ => Ok(()),
    }
}

/// Writes the report if it is wanted.
pub(super) fn write(
    context: &Context,
    args: &EvaluateArgs,
    dataset: &EvaluationDataset,
    evaluated: &Evaluated,
) -> Result<()> {
    let Some(folder) = &args.report else { return Ok(()) };
    let made = evaluated.made.as_ref();
    let mut notes: Vec<String> =
        made.iter().map(|made| format!("{made}: people may ask otherwise.")).collect();
    let judges = evaluated.judges.iter().map(|judge| judge.model.as_str());
    let warnings = made.map(|made| made.warnings(judges)).unwrap_or_default();
    notes.extend(warnings.into_iter().map(|warning| format!("{warning}.")));
    notes.extend(evaluated.evaluation.expecting_nothing_note(made).map(|text| format!("{text}.")));
    let without = evaluated.facts.as_ref().map_or(0, |facts| facts.tally.without.len());
    if without > 0 {
        notes.push(format!(
            "{} without facts {} no judgments, and what holds them counts as not relevant.",
            counted(without, "answer"),
            if without == 1 { "has" } else { "have" }
        ));
    }
    notes.extend(evaluated.people.iter().flat_map(agreement_notes));
    let options = AnswerReportOptions {
        name: format!("answers to {}", named(&args.dataset)),
        bootstrap: evaluated.bootstrap,
        retrieval: evaluated.retrieval.clone(),
        judges: evaluated.judges.iter().map(|judge| judge.reported()).collect(),
        asked: evaluated.asked.clone(),
        provenance: provenance(args, evaluated)?,
        notes,
        gates: evaluated.gates.clone(),
    };
    let report = answer_report(dataset, &evaluated.evaluation, &evaluated.scores, options)?;
    fs_err::create_dir_all(folder)?;
    // The user typed the folder, but its content may be a stranger's.
    let files = Folder::new(folder);
    let report = if args.no_texts { report.without_texts() } else { report };
    let view = ReportView::from(&report);
    files.write("report.html", Html::default().to_text(&view)?.as_bytes())?;
    let charts = chart_files(&view, "report");
    let text = Markdown { charts: &charts }.to_text(&view)?;
    remove_idle_charts(folder, &charts, "report")?;
    for chart in &charts {
        files.write(&chart.name, chart.svg.as_bytes())?;
    }
    files.write("report.md", text.as_bytes())?;
    let mut json = files.create("report.json")?;
    Json.export(&report, &mut json)?;
    json.finish()?;
    context.printer.note(format!("in {}: report.html, report.md, report.json", folder.display()));
    Ok(())
}

/// Returns a file's name alone: its place on this machine is private.
fn named(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn provenance(args: &EvaluateArgs, evaluated: &Evaluated) -> Result<ProvenanceSection> {
    let read = |role: &str, path: &Path| -> Result<Option<Input>> {
        // The input of a pipe cannot be read again.
        if !path.is_file() {
            return Ok(None);
        }
        let hash = Hash::of(&fs_err::read(path)?).to_string();
        Ok(Some(Input { role: role.to_owned(), name: named(path), hash }))
    };
    let mut inputs: Vec<Input> = read("dataset", &args.dataset)?.into_iter().collect();
    for results in &args.results {
        inputs.extend(read("results", results)?);
    }
    if let Some(corpus) = &args.corpus {
        inputs.extend(read("corpus", corpus)?);
    }
    if let Some(facts) = &args.facts {
        inputs.extend(read("facts", facts)?);
    }
    if let Some(rubric) = &args.rubric {
        inputs.extend(read("rubric", rubric)?);
    }
    let setting = |name: &str, value: String| Setting { name: name.to_owned(), value };
    let mut settings = vec![
        setting("seed", evaluated.bootstrap.seed.0.to_string()),
        setting("confidence", evaluated.bootstrap.confidence.to_string()),
        setting("resamples", evaluated.bootstrap.resamples.to_string()),
        setting("queries that a system does not answer", "count as 0".into()),
        setting("results without a judgment", "count as not relevant".into()),
    ];
    if let Some(FactsOfAnswers { share, weighed, tally }) = &evaluated.facts {
        settings
            .push(setting("a passage holds an answer by its facts", format!("from a share of {share} on")));
        settings.push(setting("facts", tally.to_string()));
        for measure in weighed {
            let gain = "the share of its facts that its passage supports".to_owned();
            settings.push(setting(&format!("what an answer gains in {measure}"), gain));
        }
    }
    if let Some(RubricOfAnswers { name, low, high, cutoff }) = &evaluated.rubric {
        settings.push(setting(
            "a passage holds an answer",
            format!("from grade {cutoff} on, of {low} to {high} ({name})"),
        ));
    }
    for judge in &evaluated.judges {
        settings.extend(
            judge.parameters().map(|(name, value)| setting(&format!("{}: {name}", judge.name), value)),
        );
    }
    Ok(ProvenanceSection {
        llull: env!("CARGO_PKG_VERSION").into(),
        pool_depth: evaluated.depth,
        inputs,
        texts: Vec::new(),
        judges: Vec::new(),
        settings,
    })
}
