//! `llull batch`: waves of requests as files for any engine.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::config::JudgeKind;
use llull::data::{ColumnKind, Entry, RowTable, TableFormat};
use llull::report::text::{count, counted, figures, text_table, words};
use llull::store::BatchRecord;
use llull::{BatchExport, BatchImport, BatchResults, BudgetEnd, Study};
use serde_json::{Value, json};

use super::{Context, create_output, is_parquet, judge, one_standard_input};
use crate::args::{BatchArgs, BatchCommand};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &BatchArgs) -> Result<Exit> {
    match &args.command {
        BatchCommand::Import { files, .. } => one_standard_input(files)?,
        BatchCommand::Export { file, .. } => super::not_beside_json(context, Some(file))?,
        BatchCommand::Status => {
            return status(context, &context.study_as_last_run(args.command.overrides())?);
        }
        BatchCommand::Cancel => {
            return cancel(context, &context.study_to_ask_as_last_run(args.command.overrides())?);
        }
    }
    let study = context.study_to_batch(args.command.overrides())?;
    match &args.command {
        BatchCommand::Export { file, of, .. } => export(context, &study, file, of.as_deref()),
        BatchCommand::Import { files, accept_loss, .. } => import(context, &study, files, *accept_loss),
        BatchCommand::Status => status(context, &study),
        BatchCommand::Cancel => cancel(context, &study),
    }
}

/// Lists the batches of the ledger, without any request.
fn status(context: &Context, study: &Study) -> Result<Exit> {
    let batches = study.batches().list()?;
    let rows: Vec<Value> = batches.iter().map(described).collect();
    if context.shows_json(&rows)? {
        return Ok(Exit::Fine);
    }
    if batches.is_empty() {
        context.printer.note("no batch was sent; llull run --batch sends some");
        return Ok(Exit::Fine);
    }
    let cells = batches.iter().map(|batch| {
        let remote = batch.remote.clone().unwrap_or_else(|| "-".to_owned());
        vec![remote, batch.judge.clone(), batch.state.name().to_owned(), count(batch.requests.len())]
    });
    let headings = [words("batch"), words("judge"), words("state"), figures("requests")];
    context.printer.result(text_table(headings, cells))?;
    Ok(Exit::Fine)
}

fn described(batch: &BatchRecord) -> Value {
    let BatchRecord { name, judge, state, remote, requests, at_ms } = batch;
    json!({
        "name": name,
        "judge": judge,
        "state": state.name(),
        "remote": remote,
        "requests": requests.len(),
        "at_ms": at_ms,
    })
}

/// Ends all batches at their providers.
fn cancel(context: &Context, study: &Study) -> Result<Exit> {
    let lookup = |name: &str| context.environment.get(name);
    let cancelled = study.batches().cancel(&lookup)?;
    let failed = cancelled.iter().filter(|(_, failure)| failure.is_some()).count();
    let rows: Vec<Value> = cancelled.iter().map(|(batch, _)| described(batch)).collect();
    if !context.shows_json(&rows)? {
        for (batch, failure) in &cancelled {
            let remote = batch.remote.as_ref().unwrap_or(&batch.name);
            match failure {
                None => context.printer.result(format!("{remote}: the provider ends it"))?,
                Some(failure) => context.printer.warn(format!("{remote} was not ended: {failure}")),
            }
        }
        if cancelled.is_empty() {
            context.printer.note("no batch is at a provider");
        }
    }
    Ok(if failed == 0 { Exit::Fine } else { Exit::Incomplete })
}

/// Writes the open requests of the next wave, those of each judge into a file of its own.
fn export(context: &Context, study: &Study, file: &Path, of: Option<&str>) -> Result<Exit> {
    let settings = study.settings();
    let known = || settings.judges.iter().chain(&settings.graders).map(|judge| judge.name.as_str());
    if let Some(of) = of.filter(|of| !known().any(|name| name == *of)) {
        refuse!("--of {of:?}: no judge of this study; there are {}", known().collect::<Vec<_>>().join(", "));
    }
    let lookup = |name: &str| context.environment.get(name);
    let inputs = judge::inputs(context, study)?;
    let (outcome, export) = study.judge(&inputs).environment(&lookup).export_batch()?;
    let BatchExport { mut open, mut at_providers } = export;
    at_providers.retain(|name, _| of.is_none_or(|of| of == name));
    for (name, requests) in &at_providers {
        context.printer.warn(format!(
            "{} to {name} in batches at a provider (llull batch status) left out: llull run --batch records the \
             replies",
            counted(*requests, "request")
        ));
    }
    open.retain(|name, _| of.is_none_or(|of| of == name));
    let names: Vec<&str> = open.keys().map(String::as_str).collect();
    if names.len() > 1 && file == Path::new("-") {
        refuse!("several judges have requests, {}: name a file, or one of them with --of", names.join(", "));
    }
    let mut written = Vec::new();
    for (name, lines) in &open {
        let file = if open.len() > 1 { file_of_judge(file, name) } else { file.to_owned() };
        write(context, &file, lines)?;
        let elsewhere = at_providers.get(name).copied().unwrap_or(0);
        written.push(json!({"judge": name, "requests": lines.len(), "at_provider": elsewhere, "file": file}));
        if file != Path::new("-") && !context.global.json {
            let requests = counted(lines.len(), "request");
            context.printer.note(format!("{}: {requests} to {name}", file.display()));
        }
    }
    for (name, elsewhere) in at_providers.iter().filter(|(name, _)| !open.contains_key(*name)) {
        written.push(json!({"judge": name, "requests": 0, "at_provider": elsewhere}));
    }
    if context.global.json {
        context.printer.json(&written)?;
    } else if open.is_empty() && at_providers.is_empty() {
        context.printer.note(nothing_written(study, outcome.budget));
    }
    Ok(Exit::Fine)
}

/// Returns why no request is written.
fn nothing_written(study: &Study, budget: Option<BudgetEnd>) -> String {
    let settings = study.settings();
    let mut judges = settings.judges.iter().chain(&settings.graders);
    match budget {
        Some(end) => format!("no request is written: {end}"),
        None if judges.any(|judge| matches!(judge.kind, JudgeKind::Prompted { .. })) => {
            "no request is open: each has an answer, or its model rejected it".to_owned()
        }
        None => "no judge of this study is a language model, so there are no requests; the others have answered, and \
                 llull report shows the result"
            .to_owned(),
    }
}

/// Returns `wave.JUDGE.jsonl` for `wave.jsonl`; only letters, digits, `-` and `_` of a judge's name are in a file's.
fn file_of_judge(file: &Path, judge: &str) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    let judge: String = judge.chars().map(plain).collect();
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    file.with_file_name(match name.split_once('.') {
        Some((stem, end)) => format!("{stem}.{judge}.{end}"),
        None => format!("{name}.{judge}"),
    })
}

fn write(context: &Context, file: &Path, lines: &[Value]) -> Result<()> {
    if file == Path::new("-") {
        return Ok(context
            .printer
            .stream(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?);
    }
    let mut out = create_output(context, file)?;
    if is_parquet(file) {
        table(lines).write(TableFormat::Parquet, &mut out)?;
    } else {
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        out.flush()?;
    }
    out.finish()?;
    Ok(())
}

/// The requests as rows, with each body as JSON.
fn table(lines: &[Value]) -> RowTable<'_> {
    let columns = ["custom_id", "method", "url", "body"];
    let row = move |line: &Value| {
        let text = |name: &str| match &line[name] {
            Value::String(text) => Entry::text(text.clone()),
            other => Entry::text(other.to_string()),
        };
        columns.map(text).to_vec()
    };
    RowTable::new(columns.map(|name| (name, ColumnKind::Text)).to_vec(), lines.iter().map(row))
}

/// Records the results in these files.
fn import(context: &Context, study: &Study, files: &[PathBuf], accept_loss: bool) -> Result<Exit> {
    let mut results = BatchResults::default();
    for file in files {
        results.read(&llull::data::shown_path(file), llull::data::open(file)?)?;
    }
    let lookup = |name: &str| context.environment.get(name);
    let inputs = judge::inputs(context, study)?;
    let judging = study.judge(&inputs).environment(&lookup).accept_loss(accept_loss);
    let imported = judging.import_batch(results)?;
    let outcome = &imported.outcome;
    if outcome.tallies.iter().any(|judge| judge.judged > 0) {
        study.remember()?;
    }
    judge::remarks(context, outcome);
    shown(context, &imported)?;
    Ok(if outcome.is_complete() { Exit::Fine } else { Exit::Incomplete })
}

fn shown(context: &Context, imported: &BatchImport) -> Result<()> {
    let BatchImport { recorded, already_there, duplicates, open, .. } = imported;
    let to_ask: usize = open.values().map(Vec::len).sum();
    let by_judge: serde_json::Map<_, _> =
        open.iter().map(|(name, lines)| (name.clone(), json!(lines.len()))).collect();
    let all = json!({
        "recorded": recorded, "already_there": already_there, "duplicates": duplicates, "open": by_judge,
    });
    if context.shows_json(&all)? {
        return Ok(());
    }
    let mut text = format!("{} recorded", counted(*recorded, "result"));
    for (lines, what) in [(already_there, "recorded before"), (duplicates, "repeated")] {
        if *lines > 0 {
            text.push_str(&format!(", {} {what}", count(*lines)));
        }
    }
    context.printer.result(text)?;
    context.printer.note(match to_ask {
        0 => "no request is open; llull report writes the report".to_owned(),
        _ => format!("{} open; llull batch export writes them", counted(to_ask, "request")),
    });
    Ok(())
}
