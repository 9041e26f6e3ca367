//! Samples of plain files: a judge's qrels and runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::{DrawnSample, KeyBuilder, Qrels, Run, SamplingUnit, Seed};
use llull::data::{
    CellAnswer, Columns, CorpusFields, Sheet, SheetDraw, SheetForm, SheetRow, read_documents, read_sample,
    read_sheet, read_topics_file, shown_path, write_qrels, write_sample,
};
use llull::files::{FileSample, LabelsFile, read_labels_with, read_systems};
use llull::report::text::{count, counted};
use llull::sampling::{sample_id, sheet_order};
use llull::{HumanLabelsError, inferred_scale};
use serde_json::json;

use super::plan_text;
use super::request::{Defaults, request};
use crate::args::SampleArgs;
use crate::commands::sheet_files::{beside, write};
use crate::commands::{
    Context, check_identifiers, each_run_once, one_standard_input, output_beside_json, write_beside,
    write_output,
};
use crate::exit::{Exit, refuse};

/// Plans, or draws and writes sheet and probabilities.
pub(super) fn draw(context: &Context, args: &SampleArgs) -> Result<Exit> {
    let [qrels, runs @ ..] = args.files.as_slice() else { refuse!("name a judge's qrels, then runs") };
    if runs.is_empty() {
        refuse!("{}: labels alone; add the runs: llull sample QRELS RUN...", shown_path(qrels));
    }
    one_standard_input(&args.files)?;
    each_run_once(runs)?;
    if args.number.is_some() && args.output.is_none() {
        refuse!("name the file for the sheet: -o sheet.csv");
    }
    if args.number.is_none() && args.output.is_some() {
        refuse!("the number of draws is missing: add it, for example -n 200");
    }
    let name = args.measure.as_deref().unwrap_or("P@10");
    let measure = match name.parse() {
        Ok(measure) => measure,
        Err(error) => refuse!("-m {name}: {error}"),
    };
    let labels = read_labels_with(qrels, args.label_reading.options(&context.global.columns))?;
    let mut systems =
        read_systems(runs, &[measure], args.run_reading.form(&context.global.columns), [&labels.value])?;
    context.printer.notes(labels.notes.iter().chain(&systems.notes));
    let file = LabelsFile { path: qrels, qrels: &labels.value };
    check_identifiers(context, &file, (runs, &systems.value), args.run_reading)?;
    systems.value = systems.value.into_iter().map(|run| run.without_dropped(&labels.value)).collect();
    let baseline = systems.value.first().map(|run| run.name.clone()).unwrap_or_default();
    let scale = inferred_scale(&labels.value);
    let wanted = request(args, Defaults { measure, baseline, scale, intervals: context.intervals()? })?;
    let found = FileSample::new(&labels.value, &systems.value, wanted, args.number, args.width)?;
    if !context.shows_json(&found.json())? {
        plan_text::print(context, args, (&found.plan, found.number), &[])?;
    }
    if let (Some((sample, id)), Some(output)) = (&found.drawn, &args.output) {
        written(context, args, &systems.value, sample, id, output)?;
    }
    Ok(Exit::Fine)
}

fn written(
    context: &Context,
    args: &SampleArgs,
    runs: &[Run],
    sample: &DrawnSample,
    id: &str,
    output: &Path,
) -> Result<()> {
    let rows = rows(&context.global.columns, args, sample)?;
    if rows.iter().all(|row| row.texts.is_empty()) {
        context.printer.warn("the sheet has identifiers only; --topics and --corpus add texts");
    }
    let draw = SheetDraw::of_sample(id, Some(rows.len()), sample.seed.unwrap_or(Seed(0)));
    let sheet = Sheet { draw, form: SheetForm::Grade, rows };
    write(context, &sheet, output)?;
    let frame = match (&args.frame, output == Path::new("-")) {
        (Some(frame), _) => frame.clone(),
        (None, true) => {
            refuse!("the sheet goes to standard output; name the file for probabilities: --frame FILE")
        }
        (None, false) => beside(output, "sample.tsv"),
    };
    let mut bytes = Vec::new();
    write_sample(sample, &mut bytes)?;
    match &args.frame {
        Some(typed) => write_output(context, typed, &bytes)?,
        None => write_beside(&frame, &bytes)?,
    }
    context.printer.note(format!(
        "wrote {}, {}, and {}, the frame of {} with their probabilities under {}",
        output.display(),
        counted(sheet.rows.len(), "line"),
        frame.display(),
        counted(sample.units.len(), "pair"),
        counted(runs.len(), "run"),
    ));
    Ok(())
}

/// The rows of the sheet, with texts if files of both are given.
fn rows(columns: &Columns, args: &SampleArgs, sample: &DrawnSample) -> Result<Vec<SheetRow>> {
    let (topics, corpus): (&PathBuf, &PathBuf) = match (&args.topics, &args.corpus) {
        (Some(topics), Some(corpus)) => (topics, corpus),
        (None, None) => return Ok(sheet_rows(sample, |_, _| Vec::new())),
        _ => refuse!("--topics and --corpus go together: a sheet shows both texts, or none"),
    };
    let topics = read_topics_file(topics, columns)?.topics;
    let fields = CorpusFields { columns: columns.clone(), ..CorpusFields::default() };
    let drawn = sample.units.iter().filter(|unit| unit.drawn == Some(true));
    let wanted: BTreeSet<&str> = drawn.clone().map(|unit| unit.document.as_str()).collect();
    let documents = read_documents(corpus, &fields, |id| wanted.contains(id), &mut |_| {})?.found;
    for unit in drawn {
        if topics.get(&unit.topic).is_none() {
            anyhow::bail!("query {:?} was drawn and is not among the queries of --topics", unit.topic);
        }
        if !documents.contains_key(&unit.document) {
            anyhow::bail!("document {:?} was drawn and is not in {}", unit.document, shown_path(corpus));
        }
    }
    Ok(sheet_rows(sample, |query, document| {
        let (topic, document) = (topics.get(query), documents.get(document));
        let both = topic.zip(document);
        both.map_or(Vec::new(), |(topic, document)| vec![topic.text.clone(), document.shown().into_owned()])
    }))
}

fn sheet_rows(sample: &DrawnSample, texts: impl Fn(&str, &str) -> Vec<String>) -> Vec<SheetRow> {
    let row = |(number, unit): (usize, &SamplingUnit)| {
        let key = KeyBuilder::new("llull sampled pair v1").text("topic", &unit.topic);
        SheetRow {
            number,
            item: key.text("document", &unit.document).finish().short(),
            names: vec![unit.topic.clone(), unit.document.clone()],
            texts: texts(&unit.topic, &unit.document),
        }
    };
    sheet_order(sample).into_iter().map(row).collect()
}

/// Turns a sheet that was filled in into qrels.
pub(super) fn read(context: &Context, args: &SampleArgs, sheet: &Path, frame: &Path) -> Result<Exit> {
    let sample = read_sample(frame, &context.global.columns)?;
    let id = sample_id(&sample)?;
    let filled = read_sheet(sheet, &context.global.columns)?;
    let file = shown_path(sheet);
    if !filled.draw.is_of_sample(&id) {
        let draw = filled.draw.to_string();
        let known = format!("{id}, or give the frame of {draw}");
        return Err(HumanLabelsError::OtherSample { file, draw, known }.into());
    }
    let drawn = sample.units.iter().filter(|unit| unit.drawn == Some(true)).count();
    let mut qrels = Qrels::default();
    for answer in &filled.answers {
        let unit = sample.units.get(answer.number - 1).filter(|unit| unit.drawn == Some(true));
        let Some(unit) = unit else {
            let (line, number) = (answer.line, answer.number);
            anyhow::bail!(
                "{file} line {line}: pair {number} of the sample was not drawn; leave the column item unchanged"
            );
        };
        if let Some(CellAnswer::Grade(grade)) = answer.said {
            qrels.insert(&unit.topic, &unit.document, grade);
        }
    }
    let mut bytes = Vec::new();
    write_qrels(&qrels, &mut bytes)?;
    let labelled = qrels.pairs();
    context.shows_json(&json!({"labelled": labelled, "drawn": drawn}))?;
    if let Some(output) = output_beside_json(context, args.output.as_deref()) {
        write_output(context, &output, &bytes)?;
    }
    context.printer.note(format!("{} of {} labelled", count(labelled), counted(drawn, "drawn pair")));
    Ok(if labelled == drawn { Exit::Fine } else { Exit::Incomplete })
}
