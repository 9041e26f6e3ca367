//! `llull judge`, and what all commands share that need judgments.

use anyhow::Result;
use llull::config::JudgeSettings;
use llull::label::TierScheme;
use llull::report::text::{count, counted, dollars, percent, text_table};
use llull::runner::{Cancel, JudgeEvidence, StopReason};
use llull::{ComparedQuery, Estimate, Inputs, JudgeTally, JudgingOutcome, Study, StudyEvidence};
use serde::Serialize;

use super::Context;
use crate::args::JudgeArgs;
use crate::exit::Exit;
use crate::progress::Progress;

/// A study with the answers that its ledger holds.
pub(crate) struct KnownStudy {
    pub(crate) inputs: Inputs,
    pub(crate) evidence: StudyEvidence,
}

pub(crate) fn run(context: &Context, args: &JudgeArgs) -> Result<Exit> {
    let study = context.study(args.judges.overrides())?;
    let inputs = inputs(context, &study)?;
    if args.dry_run {
        let evidence = read(context, &study, &inputs)?;
        let estimates = study.estimate(&inputs, &evidence)?;
        let tallies: Vec<JudgeTally> = evidence.panel().map(JudgeTally::of).collect();
        show(context, &evidence, &tallies, Some(&estimates))?;
        return Ok(Exit::Fine);
    }
    let JudgingOutcome { evidence, tallies, .. } = ask(context, &study, &inputs)?;
    show(context, &evidence, &tallies, None)?;
    Ok(exit_of(&evidence))
}

/// Reads everything that comes before judging, and prints its remarks.
pub(crate) fn inputs(context: &Context, study: &Study) -> Result<Inputs> {
    let inputs = study.inputs()?;
    for note in &inputs.notes {
        context.printer.warn(note);
    }
    Ok(inputs)
}

/// Judges with progress; Ctrl-C stops it in two steps.
pub(crate) fn ask(context: &Context, study: &Study, inputs: &Inputs) -> Result<JudgingOutcome> {
    say_endpoints(context, study)?;
    let lookup = |name: &str| context.environment.get(name);
    let cancel = Cancel::new();
    crate::interrupt::on_ctrl_c(&cancel);
    let progress = Progress::new(context.printer, study.settings().tournament.is_some());
    let outcome = study.judge(inputs).environment(&lookup).reporter(&progress).cancel(&cancel).run()?;
    for note in &outcome.evidence.notes {
        context.printer.warn(note);
    }
    say_what_failed(context, &outcome);
    Ok(outcome)
}

/// Reads what the ledger knows, and prints the remarks; nothing is asked.
fn read(context: &Context, study: &Study, inputs: &Inputs) -> Result<StudyEvidence> {
    let evidence = study.evidence(inputs)?;
    for note in &evidence.notes {
        context.printer.warn(note);
    }
    Ok(evidence)
}

/// The judges that a study asks: graders only if the labels of tiers are anchored by grades.
pub(super) fn asked_judges(study: &Study) -> impl Iterator<Item = &JudgeSettings> {
    let settings = study.settings();
    let anchored = settings.tournament.as_ref().is_some_and(|found| found.labels == TierScheme::Anchored);
    settings.judges.iter().chain(settings.graders.iter().filter(move |_| anchored))
}

/// Says where requests go and which key goes with them, before any request is sent.
fn say_endpoints(context: &Context, study: &Study) -> Result<()> {
    let lookup = |name: &str| context.environment.get(name);
    for judge in asked_judges(study) {
        let Some(endpoint) = study.endpoint(judge, &lookup)? else { continue };
        let text = format!("judge {}: {} at {endpoint}", judge.name, judge.model);
        if endpoint.takes_key_elsewhere() {
            context.printer.warn(text);
        } else {
            context.printer.note(text);
        }
    }
    Ok(())
}

/// Reads what the ledger knows, and warns of what is missing.
pub(crate) fn what_is_known(context: &Context, study: &Study) -> Result<KnownStudy> {
    let inputs = inputs(context, study)?;
    let evidence = read(context, study, &inputs)?;
    match &evidence.compared {
        Some(queries) => {
            open_tournaments(&evidence, queries).into_iter().for_each(|text| context.printer.warn(text));
        }
        None => {
            for judge in evidence.judges.judges().iter().filter(|judge| judge.open() > 0) {
                context.printer.warn(format!(
                    "judge {}: {} of {} pairs are not judged yet; llull judge has them judged, llull run does all",
                    judge.name(),
                    count(judge.open()),
                    count(judge.tasks().len())
                ));
            }
        }
    }
    Ok(KnownStudy { inputs, evidence })
}

/// Says why a run stopped, or what it gave up.
fn say_what_failed(context: &Context, outcome: &JudgingOutcome) {
    if let Some(reason) = &outcome.stopped {
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
    for (place, judge) in outcome.tallies.iter().enumerate().filter(|(_, judge)| judge.gave_up > 0) {
        let asked = if compares(&outcome.evidence, place) { "questions" } else { "pairs" };
        context.printer.warn(format!(
            "judge {}: {} of {} {asked} got no answer in several attempts; see to the server, then run again, \
             and they are asked again",
            judge.judge,
            count(judge.gave_up),
            count(judge.planned),
        ));
    }
}

/// Whether the judge at this place of the panel compares: graders, who come last, do not.
fn compares(evidence: &StudyEvidence, place: usize) -> bool {
    evidence.compared.is_some() && place < evidence.judges.judges().len()
}

/// 3 when a judgment is missing.
pub(crate) fn exit_of(evidence: &StudyEvidence) -> Exit {
    if evidence.is_complete() { Exit::Fine } else { Exit::Incomplete }
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

fn rows<'a>(
    evidence: &StudyEvidence,
    tallies: &'a [JudgeTally],
    estimates: Option<&'a [Estimate]>,
) -> Vec<Row<'a>> {
    let row = |(place, judge): (usize, &'a JudgeTally)| {
        let compares = compares(evidence, place);
        Row {
            judge: &judge.judge,
            pairs: (!compares).then_some(judge.planned),
            questions: compares.then_some(judge.planned),
            judged: judge.judged,
            unusable: judge.unusable,
            gave_up: judge.gave_up,
            without_text: judge.without_text,
            not_asked: judge.not_asked,
            reused: judge.reused,
            estimate: estimates.and_then(|estimates| estimates.get(place)),
        }
    };
    tallies.iter().enumerate().map(row).collect()
}

fn show(
    context: &Context,
    evidence: &StudyEvidence,
    tallies: &[JudgeTally],
    estimates: Option<&[Estimate]>,
) -> Result<()> {
    let rows = rows(evidence, tallies, estimates);
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let to_ask = if estimates.is_some() { "to ask" } else { "not asked" };
    let asked = if evidence.compared.is_some() { "questions" } else { "pairs" };
    let headings = ["judge", asked, "judged", "unusable", "given up", "no text", to_ask, "from the ledger"];
    let cells = rows.iter().map(|row| {
        let planned = row.pairs.or(row.questions).unwrap_or(0);
        let counts =
            [planned, row.judged, row.unusable, row.gave_up, row.without_text, row.not_asked, row.reused];
        std::iter::once(row.judge.to_owned()).chain(counts.map(count)).collect()
    });
    context.printer.result(text_table(headings, cells))?;
    if let Some(queries) = &evidence.compared {
        context.printer.result(settled(queries))?;
    }
    for estimate in estimates.unwrap_or_default() {
        context.printer.result(in_words(estimate, evidence.compared.as_deref()))?;
    }
    let graders =
        evidence.graders.iter().filter(|_| estimates.is_some()).flat_map(|graders| graders.judges());
    for grader in graders {
        let settled = evidence.compared.iter().flatten().all(|query| query.outcome.complete);
        let left = match (settled, grader.open()) {
            (false, _) => "what it grades depends on the tiers and is not in this estimate".to_owned(),
            (true, 0) => "nothing is left to ask".to_owned(),
            (true, n) => format!("{}, not in this estimate", counted(n, "request")),
        };
        context.printer.result(format!("{}: {left}", grader.name()))?;
    }
    Ok(())
}

/// How many tournaments have settled what they are about.
fn settled(queries: &[ComparedQuery]) -> String {
    let compared = || queries.iter().filter(|topic| !topic.documents.is_empty());
    let decided = compared().filter(|topic| topic.outcome.complete).count();
    let asked: u64 = queries.iter().map(|topic| topic.outcome.calls).sum();
    let waves = queries.iter().map(|topic| topic.outcome.waves).max().unwrap_or(0);
    let partial = match queries.iter().map(|topic| topic.partial).sum() {
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
fn in_words(estimate: &Estimate, compared: Option<&[ComparedQuery]>) -> String {
    if estimate.calls == 0 {
        return format!("{}: nothing is left to ask", estimate.judge);
    }
    let calls = match compared {
        Some(queries) => format!(
            "about {} (simulated; 95 in 100 need at most {}{})",
            counted(estimate.calls, "request"),
            count(estimate.calls_high),
            // Pairs that a judge cannot tell apart are asked one by one, and how many there are is not known
            // beforehand.
            match (estimate.ties, queries.iter().any(|topic| topic.window > 2)) {
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
fn open_tournaments(evidence: &StudyEvidence, queries: &[ComparedQuery]) -> Option<String> {
    let open = queries.iter().filter(|topic| !topic.outcome.complete).count();
    let to_ask: usize = evidence.judges.judges().iter().map(JudgeEvidence::open).sum();
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
            count(queries.len())
        )),
    }
}
