//! `llull ledger`: counts, shows, exports and imports judgments.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use llull::StudyLedger;
use llull::report::text::{
    count, counted, dollars_with_unknown, figures, text_table, tokens_with_unknown, words,
};
use llull::store::{
    BatchState, ImportSummary, LedgerCheck, LedgerReader, SqliteLedger, StoreError, Totals, Undamaged, copy,
    export, import,
};
use serde_json::json;

use super::{Context, ledger_show, ledger_table};
use crate::args::{LedgerArgs, LedgerCommand};
use crate::environment::exported;
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &LedgerArgs) -> Result<Exit> {
    let study = context.study(Default::default())?;
    match &args.command {
        LedgerCommand::Status => status(context, &*opened(context, study.ledger())?),
        LedgerCommand::Show { query, document, judges } => {
            ledger_show::run(context, query, document.as_deref(), judges)
        }
        LedgerCommand::Check => check(context, &study.ledger().file()?),
        LedgerCommand::Export { file, skip_damaged: false } => {
            write(context, &*opened(context, study.ledger())?, file)?;
            Ok(Exit::Fine)
        }
        LedgerCommand::Export { file, skip_damaged: true } => {
            let undamaged = Undamaged::of(study.ledger().file()?);
            write(context, &undamaged, file)?;
            if undamaged.skipped() > 0 {
                context.printer.warn(format!("{} passed over", counted(undamaged.skipped(), "damaged row")));
            }
            Ok(Exit::Fine)
        }
        LedgerCommand::Copy { from } => {
            let other = study.ledger_at(from, &exported)?;
            if other.is_in_use() {
                refuse!("{}: a run writes to it now; copy it when the run has ended", other.name());
            }
            let batches = other.batches()?;
            if let Some(open) = batches.iter().find(|batch| batch.state != BatchState::Ended) {
                refuse!(
                    "{}: the provider has batch {}; llull run --batch records its answers, then copy",
                    other.name(),
                    open.name
                );
            }
            let source = opened(context, &other)?;
            study.folder().make_private_dir()?;
            let summary = study.ledger().write(false, &mut |ledger| -> Result<_> {
                copy(&*source, ledger).with_context(|| study.ledger().name())
            })?;
            imported(context, &summary)?;
            Ok(Exit::Fine)
        }
        LedgerCommand::Import { file, accept_loss } => {
            study.folder().make_private_dir()?;
            let summary = study.ledger().write(*accept_loss, &mut |ledger| -> Result<_> {
                import(llull::data::open(file)?, ledger).with_context(|| llull::data::shown_path(file))
            })?;
            imported(context, &summary)?;
            Ok(Exit::Fine)
        }
    }
}

/// Opens a ledger for reading, and warns of lost data.
pub(crate) fn opened(context: &Context, ledger: &StudyLedger) -> Result<Box<dyn LedgerReader>> {
    let open = ledger.open()?;
    if let Some(loss) = open.loss() {
        context.printer.warn(format!("{}: {loss}; llull ledger check shows the remedy", ledger.name()));
    }
    Ok(open)
}

/// Exports to a file.
fn write(context: &Context, ledger: &dyn LedgerReader, file: &Path) -> Result<()> {
    if file == Path::new("-") {
        return to_stdout(context, ledger);
    }
    let mut out = super::create_output(context, file)?;
    if super::is_parquet(file) {
        ledger_table::write(ledger, &mut out)?;
    } else {
        export(ledger, &mut out)?;
    }
    out.flush()?;
    out.finish()?;
    if context.global.json {
        context.printer.result(json!({"written": file}))?;
    } else {
        context.printer.note(format!("wrote {}", file.display()));
    }
    Ok(())
}

/// Exports to standard output. A reader that has gone away (`| head`) is not an error.
fn to_stdout(context: &Context, ledger: &dyn LedgerReader) -> Result<()> {
    let mut failed = None;
    context.printer.stream(|out| match export(ledger, out) {
        Err(StoreError::Write(error)) => Err(error),
        other => {
            failed = other.err();
            Ok(())
        }
    })?;
    Ok(failed.map_or(Ok(()), Err)?)
}

fn imported(context: &Context, summary: &ImportSummary) -> Result<()> {
    let ImportSummary { judges, added, already_there } = summary;
    if !context.shows_json(&json!({"judges": judges, "added": added, "already_there": already_there}))? {
        let (added, there) = (count(*added), count(*already_there));
        context.printer.note(format!("{added} attempts added, {there} were in the ledger already"));
    }
    Ok(())
}

fn status(context: &Context, ledger: &dyn LedgerReader) -> Result<Exit> {
    let mut rows = Vec::new();
    for judge in ledger.judges()? {
        rows.push((judge.name.clone(), judge.spec.clone(), Totals::read(ledger, Some(judge.id))?));
    }
    if context.global.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(name, spec, totals)| {
                json!({"judge": name, "spec": spec, "fingerprint": spec.fingerprint(), "totals": totals})
            })
            .collect();
        context.printer.json(&rows)?;
        return Ok(Exit::Fine);
    }
    let cells = rows.iter().map(|(name, spec, totals)| {
        vec![
            name.clone(),
            spec.model.clone(),
            spec.paradigm.name().to_owned(),
            count(totals.attempts),
            count(totals.judged),
            reasons(totals),
            tokens_with_unknown(Some(totals.prompt_tokens.total), totals.prompt_tokens.unknown),
            tokens_with_unknown(Some(totals.completion_tokens.total), totals.completion_tokens.unknown),
            dollars_with_unknown(totals.cost_usd, totals.cost_unknown),
            totals.latency.as_ref().map_or_else(
                || "-".to_owned(),
                |latency| format!("{} / {}", count(latency.p50_ms), count(latency.p95_ms)),
            ),
        ]
    });
    context.printer.result(text_table(
        [
            figures("judge"),
            words("model"),
            figures("paradigm"),
            figures("attempts"),
            figures("judged"),
            words("not usable"),
            figures("tokens in"),
            figures("tokens out"),
            figures("US dollars"),
            figures("ms p50 / p95"),
        ],
        cells,
    ))?;
    Ok(Exit::Fine)
}

fn reasons(totals: &Totals) -> String {
    let unusable = totals.unusable.iter().chain(&totals.refused);
    let unusable = unusable.map(|(reason, n)| format!("{} {reason}", count(*n)));
    let failed = totals.failed.iter().map(|(kind, n)| format!("{} {kind}", count(*n)));
    let all: Vec<String> = unusable.chain(failed).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(", ") }
}

/// How many damaged rows are printed one by one; `--json` has all.
const PRINTED: usize = 20;

/// Reads everything in a ledger. Damage and lost attempts end with 1.
fn check(context: &Context, ledger: &SqliteLedger) -> Result<Exit> {
    let found = LedgerCheck::read(ledger)?;
    let path = ledger.path().display();
    let shown = context.shows_json(&found)?;
    if found.is_intact() {
        if !shown {
            let attempts = counted(found.intact, "attempt");
            context.printer.result(format!("{path}: {attempts}, all as they were written"))?;
        }
        return Ok(Exit::Fine);
    }
    if !shown {
        context.printer.results(found.bad.iter().take(PRINTED))?;
        if let Some(more @ 1..) = found.bad.len().checked_sub(PRINTED) {
            context.printer.result(format!("and {} more rows; --json has all", count(more)))?;
        }
        for line in &found.sqlite {
            context.printer.result(format!("SQLite: {line}"))?;
        }
    }
    if let Some(loss) = found.lost {
        let lost = StoreError::Lost { path: ledger.path().to_owned(), loss };
        if found.bad.is_empty() && found.sqlite.is_empty() {
            return Err(lost.into());
        }
        context.printer.warn(lost);
    }
    anyhow::bail!(
        "{path}: {} damaged, {} intact; go on from a backup, or without the damaged rows, whose requests are then \
         repeated:\n  \
         llull ledger export --skip-damaged intact.jsonl.gz\n  mv {path} {path}.damaged\n  \
         llull ledger import intact.jsonl.gz",
        counted(found.bad.len(), "row"),
        counted(found.intact, "attempt")
    )
}
