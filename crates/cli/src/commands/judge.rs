//! `llull judge`, and what all commands share that need judgments.

use anyhow::Result;
use llull::label::TierScheme;
use llull::report::text::{count, counted, dollars, percent, text_table};
use llull::runner::{Cancel, Ended, JudgeOutcome, RunOutcome, Silent, StopReason};
use llull::{Asking, Comparison, Estimate, Judged, Prepared, Study};
use serde::Serialize;

use super::Context;
use crate::args::JudgeArgs;
use crate::exit::Exit;
use crate::progress::Progress;

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
        let estimates = study.estimate(&prepared, &judged)?;
        show(context, &judged, Some(&estimates))?;
        return Ok(Exit::Fine);
    }
    let judged = ask(context, &study, &prepared)?;
    show(context, &judged, None)?;
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
    let settings = study.settings();
    let anchored = settings.tournament.as_ref().is_some_and(|found| found.labels == TierScheme::Anchored);
    let graders = settings.graders.iter().filter(|_| anchored);
    for judge in settings.judges.iter().chain(graders) {
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
    match &judged.comparison {
        Some(comparison) => {
            open_tournaments(&judged, comparison).into_iter().for_each(|text| context.printer.warn(text));
        }
        None => {
            for judge in judged.outcome.judges.iter().filter(|judge| judge.not_asked > 0) {
                context.printer.warn(format!(
                    "judge {}: {} of {} pairs are not judged yet; llull judge has them judged, llull run does all",
                    judge.name,
                    count(judge.not_asked),
                    count(judge.planned)
                ));
            }
        }
    }
    Ok(KnownStudy { prepared, judged })
}

fn judge_with(context: &Context, study: &Study, prepared: &Prepared, asking: Asking) -> Result<Judged> {
    let lookup = |name: &str| context.environment.get(name);
    let cancel = Cancel::new();
    let judged = match asking {
        Asking::Missing => {
            crate::interrupt::on_ctrl_c(&cancel);
            let in_waves = study.settings().tournament.is_some();
            study.judge(prepared, &lookup, asking, &Progress::new(context.printer, in_waves), &cancel)?
        }
        Asking::Nothing => study.judge(prepared, &lookup, asking, &Silent, &cancel)?,
    };
    for note in &judged.notes {
        context.printer.warn(note);
    }
    let grading = judged.grading.as_ref().map(|grading| (&grading.outcome, "pairs"));
    let asked = if judged.comparison.is_some() { "questions" } else { "pairs" };
    for (outcome, asked) in std::iter::once((&judged.outcome, asked)).chain(grading) {
        say_what_failed(context, outcome, asked, asking);
    }
    Ok(judged)
}

/// Why a run stopped, or what it gave up; `asked` is what its questions are called.
fn say_what_failed(context: &Context, outcome: &RunOutcome, asked: &str, asking: Asking) {
    if let (Asking::Missing, Some(reason)) = (asking, &outcome.stopped) {
        context.printer.warn(match reason {
            StopReason::Cancelled => {
                "interrupted; what was answered is in the ledger, and the same command goes on from here"
                    .to_owned()
            }
            reason => format!("stopped before the end: {reason}"),
        });
        // What was given up is a part of that.
        return;
    }
    for judge in outcome.judges.iter().filter(|judge| judge.gave_up > 0) {
        context.printer.warn(format!(
            "judge {}: {} of {} {asked} got no answer in several attempts; see to the server, then run again, \
             and they are asked again",
            judge.name,
            count(judge.gave_up),
            count(judge.planned),
        ));
    }
}

/// 3 when a judgment is missing.
pub(crate) fn exit_of(judged: &Judged) -> Exit {
    if judged.is_complete() { Exit::Fine } else { Exit::Incomplete }
}

#[derive(Serialize)]
struct Row<'a> {
    judge: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<usize>,
    judged: usize,
    unusable: usize,
    gave_up: usize,
    without_text: usize,
    not_asked: usize,
    reused: usize,
    /// What would still be asked, on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<&'a Estimate>,
}

fn rows<'a>(judged: &'a Judged, estimates: Option<&'a [Estimate]>) -> Vec<Row<'a>> {
    let compares = judged.comparison.is_some();
    let graders = judged.grading.iter().flat_map(|grading| &grading.outcome.judges);
    let judges = judged
        .outcome
        .judges
        .iter()
        .map(|judge| (judge, compares))
        .chain(graders.map(|judge| (judge, false)));
    let row = |(place, (judge, compares)): (usize, (&'a JudgeOutcome, bool))| Row {
        judge: &judge.name,
        pairs: (!compares).then_some(judge.planned),
        questions: compares.then_some(judge.planned),
        judged: judge.judged,
        unusable: judge.unusable,
        gave_up: judge.gave_up,
        without_text: judge.questions().flatten().filter(|ended| matches!(ended, Ended::WithoutText)).count(),
        not_asked: judge.not_asked,
        reused: judge.reused,
        estimate: estimates.and_then(|estimates| estimates.get(place)),
    };
    judges.enumerate().map(row).collect()
}

fn show(context: &Context, judged: &Judged, estimates: Option<&[Estimate]>) -> Result<()> {
    let rows = rows(judged, estimates);
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let to_ask = if estimates.is_some() { "to ask" } else { "not asked" };
    let asked = if judged.comparison.is_some() { "questions" } else { "pairs" };
    let headings = ["judge", asked, "judged", "unusable", "given up", "no text", to_ask, "from the ledger"];
    let cells = rows.iter().map(|row| {
        let planned = row.pairs.or(row.questions).unwrap_or(0);
        let counts =
            [planned, row.judged, row.unusable, row.gave_up, row.without_text, row.not_asked, row.reused];
        std::iter::once(row.judge.to_owned()).chain(counts.map(count)).collect()
    });
    context.printer.result(text_table(headings, cells))?;
    if let Some(comparison) = &judged.comparison {
        context.printer.result(standing(comparison))?;
    }
    for estimate in estimates.unwrap_or_default() {
        context.printer.result(in_words(estimate, judged.comparison.as_ref()))?;
    }
    let grading = judged.grading.iter().filter(|_| estimates.is_some());
    for grader in grading.flat_map(|grading| &grading.outcome.judges) {
        let settled =
            judged.comparison.iter().flat_map(|found| &found.topics).all(|topic| topic.outcome.complete);
        let left = match (settled, grader.not_asked) {
            (false, _) => "what it grades depends on the tiers and is not in this estimate".to_owned(),
            (true, 0) => "nothing is left to ask".to_owned(),
            (true, n) => format!("{}, not in this estimate", counted(n, "request")),
        };
        context.printer.result(format!("{}: {left}", grader.name))?;
    }
    Ok(())
}

/// How many tournaments have settled what they are about.
fn standing(comparison: &Comparison) -> String {
    let compared = || comparison.topics.iter().filter(|topic| !topic.documents.is_empty());
    let decided = compared().filter(|topic| topic.outcome.complete).count();
    let asked: u64 = comparison.topics.iter().map(|topic| topic.outcome.calls).sum();
    let waves = comparison.topics.iter().map(|topic| topic.outcome.waves).max().unwrap_or(0);
    let partial = match comparison.topics.iter().map(|topic| topic.partial).sum() {
        0 => String::new(),
        partial => format!("; {} of these lack the answer of a judge of the panel", count(partial)),
    };
    format!(
        "the best documents are settled for {} of {} queries, after {} of documents in {}{partial}",
        count(decided),
        count(compared().count()),
        counted(asked, "set"),
        counted(waves, "wave")
    )
}

/// What a judge would still be asked: calls, tokens, price.
fn in_words(estimate: &Estimate, comparison: Option<&Comparison>) -> String {
    if estimate.calls == 0 {
        return format!("{}: nothing is left to ask", estimate.judge);
    }
    let calls = match comparison {
        Some(comparison) => format!(
            "about {} (simulated; 95 in 100 need at most {}{})",
            counted(estimate.calls, "request"),
            count(estimate.calls_high),
            // Pairs that a judge cannot tell apart are asked one by one, and how many there are is not known
            // beforehand.
            match (estimate.ties, comparison.topics.iter().any(|topic| topic.window > 2)) {
                (Some(ties), _) => format!(", with ties in {} of answers, as so far", percent(ties)),
                (None, true) => String::new(),
                (None, false) => ", and more of a judge that often answers Neither".to_owned(),
            }
        ),
        None => counted(estimate.calls, "request"),
    };
    if estimate.prompt_tokens == 0 {
        return format!("{}: {calls}, computed here", estimate.judge);
    }
    let replies = match estimate.reply_tokens {
        Some(tokens) => format!("about {} of replies", count(tokens)),
        None => format!("at most {} of replies", count(estimate.reply_tokens_at_most)),
    };
    let price = match (estimate.usd, estimate.usd_at_most) {
        (Some(usd), Some(most)) => format!("about ${}, at most ${}", dollars(usd), dollars(most)),
        (None, Some(most)) => format!("at most ${}", dollars(most)),
        _ => "price unknown; say price in llull.toml to see it".to_owned(),
    };
    format!(
        "{}: {calls}, about {} tokens of prompts, {replies}; {price}",
        estimate.judge,
        count(estimate.prompt_tokens)
    )
}

/// That tournaments are not decided, if any is not, or that an answer is out that might change one.
fn open_tournaments(judged: &Judged, comparison: &Comparison) -> Option<String> {
    let open = comparison.topics.iter().filter(|topic| !topic.outcome.complete).count();
    let to_ask: usize = judged.outcome.judges.iter().map(|judge| judge.not_asked + judge.gave_up).sum();
    let remedy = match to_ask {
        0 => "no question is left, since answers that cannot be used are not asked for again",
        _ => "llull judge goes on with them, llull run does all",
    };
    match (open, to_ask) {
        (0, 0) => None,
        (0, n) => Some(format!(
            "{} no answer yet, which might change tiers; llull judge asks again, llull run does all",
            if n == 1 { "1 question has".to_owned() } else { format!("{} questions have", count(n)) }
        )),
        (open, _) => Some(format!(
            "the tiers of {} of {} queries are not final; {remedy}",
            count(open),
            count(comparison.topics.len())
        )),
    }
}
