//! `llull judge`, and what all commands share that need judgments.

use anyhow::Result;
use llull::runner::{Cancel, Ended, Silent, StopReason};
use llull::{Asking, Judged, Prepared, Study};
use serde::Serialize;

use super::Context;
use crate::args::JudgeArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::table::{count, table};

/// A study with the answers that its ledger holds.
pub(crate) struct KnownStudy {
    pub(crate) prepared: Prepared,
    pub(crate) judged: Judged,
}

pub(crate) fn run(context: &Context, args: &JudgeArgs) -> Result<Exit> {
    let study = context.study(args.judges.overrides())?;
    let prepared = prepare(context, &study)?;
    if args.dry_run {
        let judged = judge_with(context, &study, &prepared, Asking::Nothing)?;
        show(context, &judged, true)?;
        return Ok(Exit::Fine);
    }
    let judged = ask(context, &study, &prepared)?;
    show(context, &judged, false)?;
    Ok(exit_of(&judged))
}

/// Everything before judging, with its remarks said.
pub(crate) fn prepare(context: &Context, study: &Study) -> Result<Prepared> {
    let prepared = study.prepare()?;
    for note in &prepared.notes {
        context.printer.warn(note);
    }
    Ok(prepared)
}

/// Judges with progress; Ctrl-C stops it in two steps.
pub(crate) fn ask(context: &Context, study: &Study, prepared: &Prepared) -> Result<Judged> {
    say_whom(context, study);
    judge_with(context, study, prepared, Asking::Missing)
}

/// Says where requests go and which key goes with them, before any goes.
fn say_whom(context: &Context, study: &Study) {
    let lookup = |name: &str| context.environment.get(name);
    for judge in &study.settings().judges {
        let Some(contact) = study.contact(judge, &lookup) else { continue };
        let text = format!("judge {}: {} at {contact}", judge.name, judge.model);
        if contact.takes_key_elsewhere() {
            context.printer.warn(text);
        } else {
            context.printer.note(text);
        }
    }
}

/// What the ledger knows already, with nothing asked.
pub(crate) fn what_is_known(context: &Context, study: &Study) -> Result<KnownStudy> {
    let prepared = prepare(context, study)?;
    let judged = judge_with(context, study, &prepared, Asking::Nothing)?;
    for judge in judged.outcome.judges.iter().filter(|judge| judge.not_asked > 0) {
        context.printer.warn(format!(
            "judge {}: {} of {} pairs are not judged yet; llull judge has them judged, llull run does all",
            judge.name,
            count(judge.not_asked as u64),
            count(judge.planned as u64)
        ));
    }
    Ok(KnownStudy { prepared, judged })
}

fn judge_with(context: &Context, study: &Study, prepared: &Prepared, asking: Asking) -> Result<Judged> {
    let lookup = |name: &str| context.environment.get(name);
    let cancel = Cancel::new();
    let judged = match asking {
        Asking::Missing => {
            crate::interrupt::on_ctrl_c(&cancel);
            study.judge(prepared, &lookup, asking, &Progress::new(context.printer), &cancel)?
        }
        Asking::Nothing => study.judge(prepared, &lookup, asking, &Silent, &cancel)?,
    };
    for note in &judged.notes {
        context.printer.warn(note);
    }
    // A run that was stopped says why, and what was given up is a part of that.
    let given_up =
        judged.outcome.judges.iter().filter(|judge| judge.gave_up > 0 && judged.outcome.stopped.is_none());
    for judge in given_up {
        context.printer.warn(format!(
            "judge {}: {} of {} pairs got no answer in several attempts; see to the server, then run again, and they are asked again",
            judge.name,
            count(judge.gave_up as u64),
            count(judge.planned as u64)
        ));
    }
    if let (Asking::Missing, Some(reason)) = (asking, &judged.outcome.stopped) {
        context.printer.warn(match reason {
            StopReason::Cancelled => {
                "interrupted; what was answered is in the ledger, and the same command goes on from here"
                    .to_owned()
            }
            reason => format!("stopped before the end: {reason}"),
        });
    }
    Ok(judged)
}

/// 3 when a judgment is missing.
pub(crate) fn exit_of(judged: &Judged) -> Exit {
    if judged.outcome.is_complete() { Exit::Fine } else { Exit::Incomplete }
}

#[derive(Serialize)]
struct Row<'a> {
    judge: &'a str,
    pairs: usize,
    judged: usize,
    unusable: usize,
    gave_up: usize,
    without_text: usize,
    not_asked: usize,
    reused: usize,
}

fn show(context: &Context, judged: &Judged, dry: bool) -> Result<()> {
    let rows: Vec<Row<'_>> = judged
        .outcome
        .judges
        .iter()
        .map(|judge| Row {
            judge: &judge.name,
            pairs: judge.planned,
            judged: judge.judged,
            unusable: judge.unusable,
            gave_up: judge.gave_up,
            without_text: judge.pairs().flatten().filter(|ended| matches!(ended, Ended::WithoutText)).count(),
            not_asked: judge.not_asked,
            reused: judge.reused,
        })
        .collect();
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let to_ask = if dry { "to ask" } else { "not asked" };
    let headings = ["judge", "pairs", "judged", "unusable", "given up", "no text", to_ask, "from the ledger"];
    let cells = rows.iter().map(|row| {
        let counts =
            [row.pairs, row.judged, row.unusable, row.gave_up, row.without_text, row.not_asked, row.reused];
        std::iter::once(row.judge.to_owned()).chain(counts.map(|n| count(n as u64))).collect()
    });
    context.printer.result(table(&headings, cells))?;
    Ok(())
}
