//! Loads a study with its answers.
//!
//! It sends requests now, or reads the ledger.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Result;
use llull::config::{JudgeKind, JudgeSettings};
use llull::label::TierScheme;
use llull::llm::RequestObserver;
use llull::report::text::count;
use llull::report::{QuerySelection, check_sentence, unreliable_judges};
use llull::runner::{Cancel, Event, JudgeEvidence, Reporter};
use llull::{
    ComparedQuery, Estimate, Inputs, JudgeProbe, JudgingOutcome, ListedPair, ListedPairsOutcome,
    ProbingOutcome, Study, StudyError, StudyEvidence, Summary,
};

use super::estimate_text;
use crate::args::StoppingOptions;
use crate::commands::Context;
use crate::exit::Exit;
use crate::progress::Progress;

/// The unit of progress in a study.
const PAIR: &str = "pair";

/// A study with the answers that its ledger holds.
pub(crate) struct LoadedStudy {
    pub(crate) inputs: Inputs,
    pub(crate) evidence: StudyEvidence,
}

/// Reads everything that judging needs, and prints the notes on it as warnings.
pub(crate) fn inputs(context: &Context, study: &Study) -> Result<Inputs> {
    let inputs = study.inputs()?;
    // The corpus, which may have a column that no other file has, is read later.
    match study.settings().corpus {
        None => context.check_columns()?,
        Some(_) => context.say_columns(),
    }
    context.printer.notes(inputs.chosen.as_ref().map(|chosen| QuerySelection::from(chosen).to_string()));
    context.printer.warnings(&inputs.notes);
    Ok(inputs)
}

/// Runs the judges, with progress. Ctrl-C stops them in two steps.
///
/// # Errors
/// Returns an error, too, if no pair was judged because no judge could be used.
pub(crate) fn ask(
    context: &Context,
    study: &Study,
    inputs: &Inputs,
    stopping: StoppingOptions,
) -> Result<JudgingOutcome> {
    ask_about(context, study, inputs, stopping, None)
}

/// Does the same for a study whose pairs are called `noun`, until `cancel` stops it. Commands that ran other judges
/// before pass their own `cancel`.
///
/// # Errors
/// Those of [`ask`].
pub(crate) fn ask_of(
    noun: &'static str,
    context: &Context,
    (study, inputs): (&Study, &Inputs),
    stopping: StoppingOptions,
    cancel: Option<&Cancel>,
) -> Result<JudgingOutcome> {
    let questions = Questions { noun, places: None, of_last_run: false };
    asked(context, (study, inputs), stopping, questions, cancel)
}

/// Does the same for the pairs at these places of the pool, or for all.
///
/// # Errors
/// Those of [`ask`].
pub(crate) fn ask_about(
    context: &Context,
    study: &Study,
    inputs: &Inputs,
    stopping: StoppingOptions,
    places: Option<&[usize]>,
) -> Result<JudgingOutcome> {
    let questions = Questions { noun: PAIR, places, of_last_run: true };
    asked(context, (study, inputs), stopping, questions, None)
}

/// The questions to send.
#[derive(Clone, Copy)]
struct Questions<'a> {
    /// The name of a pair.
    noun: &'static str,
    /// The places of the pairs in the pool, if only some are judged.
    places: Option<&'a [usize]>,
    /// Whether this becomes the study's last run, whose flags later commands use.
    of_last_run: bool,
}

/// Remembers a run as the study's last one when its first answer is recorded, and passes events on.
struct FirstAnswer<'a> {
    study: &'a Study,
    inner: &'a dyn Reporter,
    remembered: OnceLock<Result<(), StudyError>>,
}

impl Reporter for FirstAnswer<'_> {
    fn event(&self, event: Event<'_>) {
        if matches!(event, Event::Judged { .. }) {
            let _ = self.remembered.get_or_init(|| self.study.remember());
        }
        self.inner.event(event);
    }
}

/// Prints the servers that get requests, and runs the judges until `cancel` or Ctrl-C stops them.
fn asked(
    context: &Context,
    (study, inputs): (&Study, &Inputs),
    stopping: StoppingOptions,
    questions: Questions<'_>,
    cancel: Option<&Cancel>,
) -> Result<JudgingOutcome> {
    if let Some(file) = context.environment.unread() {
        let text = "is not read: a folder's .env serves studies at or below it";
        context.printer.note(format!("{} {text}", file.display()));
    }
    print_endpoints(context, study)?;
    let own = Cancel::new();
    if cancel.is_none() {
        crate::interrupt::on_ctrl_c(&own);
    }
    let outcome = judged(context, (study, inputs), stopping, questions, cancel.unwrap_or(&own))?;
    if let Some(cause) = outcome.cause_of_nothing() {
        return Err(cause.into());
    }
    let keeps = study.settings().base.as_ref().is_some_and(|base| base.kept.is_some());
    if questions.of_last_run && (keeps || outcome.tallies.iter().any(|judge| judge.judged > 0)) {
        study.remember()?;
    }
    remarks(context, &outcome);
    Ok(outcome)
}

/// Runs the judges, with progress, until `cancel` stops them; pairs are called `noun`. The caller prints the servers,
/// and reports a run in which no question was answered.
pub(crate) fn ask_until(
    noun: &'static str,
    context: &Context,
    study: &Study,
    inputs: &Inputs,
    stopping: StoppingOptions,
    cancel: &Cancel,
) -> Result<JudgingOutcome> {
    let questions = Questions { noun, places: None, of_last_run: false };
    let outcome = judged(context, (study, inputs), stopping, questions, cancel)?;
    if outcome.cause_of_nothing().is_none() {
        remarks(context, &outcome);
    }
    Ok(outcome)
}

fn judged(
    context: &Context,
    (study, inputs): (&Study, &Inputs),
    stopping: StoppingOptions,
    Questions { noun, places, of_last_run }: Questions<'_>,
    cancel: &Cancel,
) -> Result<JudgingOutcome> {
    let lookup = |name: &str| context.environment.get(name);
    let progress = begin(context, study, stopping, cancel).of(noun);
    let first = FirstAnswer { study, inner: &progress, remembered: OnceLock::new() };
    let reporter: &dyn Reporter = if of_last_run { &first } else { &progress };
    let judging = study.judge(inputs).environment(&lookup).reporter(reporter).cancel(cancel);
    let judging = judging.observer(observer(context)?);
    let judging = match places {
        Some(places) => judging.only(places),
        None => judging,
    };
    let judging = judging.in_batches(stopping.batch);
    let outcome = judging.keep_going(stopping.keep_going).accept_loss(stopping.accept_loss).run()?;
    first.remembered.into_inner().transpose()?;
    Ok(outcome)
}

/// Returns who sees each request: spans of OpenTelemetry, if this build has them and the environment asks for them.
#[cfg_attr(not(feature = "otel"), expect(unused_variables))]
fn observer(context: &Context) -> Result<Option<Arc<dyn RequestObserver>>> {
    #[cfg(feature = "otel")]
    return crate::otel::observer(context.printer);
    #[cfg(not(feature = "otel"))]
    Ok(None)
}

/// Starts the clock of a run with a limit of time, and returns its progress in the requested form.
fn begin(context: &Context, study: &Study, stopping: StoppingOptions, cancel: &Cancel) -> Progress {
    if let Some(minutes) = stopping.max_minutes {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(60 * u64::from(minutes)));
            cancel.expire();
        });
    }
    Progress::new(context.printer, study.settings().tournament.is_some()).in_form(stopping.progress)
}

/// Prints notes about a finished run.
pub(crate) fn remarks(context: &Context, outcome: &JudgingOutcome) {
    // That of the corpus, which is read last.
    context.say_columns();
    context.printer.warnings(&outcome.evidence.notes);
    context.printer.warnings(outcome.warnings());
}

/// Runs the judges on a list of pairs, with progress. Ctrl-C stops them in two steps.
///
/// # Errors
/// Returns an error, too, if no pair was judged because no judge could be used.
pub(super) fn judge_pairs(
    context: &Context,
    study: &Study,
    inputs: &Inputs,
    pairs: &[ListedPair<'_>],
    stopping: StoppingOptions,
) -> Result<ListedPairsOutcome> {
    print_endpoints(context, study)?;
    let lookup = |name: &str| context.environment.get(name);
    let cancel = Cancel::new();
    crate::interrupt::on_ctrl_c(&cancel);
    let progress = begin(context, study, stopping, &cancel);
    let judging = study.judge(inputs).environment(&lookup).reporter(&progress).cancel(&cancel);
    let judging = judging.observer(observer(context)?);
    let outcome = judging.keep_going(stopping.keep_going).accept_loss(stopping.accept_loss).pairs(pairs)?;
    if let Some(cause) = outcome.cause_of_nothing() {
        return Err(cause.into());
    }
    context.printer.warnings(outcome.warnings());
    Ok(outcome)
}

/// Runs the judges on changed documents, with progress. Ctrl-C stops them in two steps.
pub(crate) fn probe(
    context: &Context,
    study: &Study,
    inputs: &Inputs,
    probes: &[JudgeProbe],
) -> Result<ProbingOutcome> {
    print_endpoints(context, study)?;
    let lookup = |name: &str| context.environment.get(name);
    let cancel = Cancel::new();
    crate::interrupt::on_ctrl_c(&cancel);
    let progress = Progress::new(context.printer, false);
    let probing = study.judge(inputs).environment(&lookup).reporter(&progress).cancel(&cancel);
    let outcome = probing.observer(observer(context)?).probe(probes)?;
    for probe in &outcome.without_documents {
        context.printer.warn(format!(
            "{}: no document could be changed; docs/reference/checks.md describes which ones it suits",
            probe.name()
        ));
    }
    if let Some(reason) = &outcome.stopped {
        context.printer.warn(match &outcome.budget {
            Some(end) => format!("stopped before the end: {end}"),
            None => format!("stopped before the end: {reason}; the same command goes on"),
        });
    }
    Ok(outcome)
}

/// Prints the estimated cost.
pub(crate) fn show_estimates(context: &Context, estimates: &[Estimate]) -> Result<()> {
    if !context.shows_json(estimates)? {
        for estimate in estimates {
            context.printer.result(estimate_text(estimate, None))?;
        }
    }
    Ok(())
}

/// Reads the study's answers from the ledger, and prints the notes on them as warnings. It sends no request.
pub(super) fn read(context: &Context, study: &Study, inputs: &Inputs) -> Result<StudyEvidence> {
    let evidence = study.evidence(inputs)?;
    context.printer.warnings(&evidence.notes);
    Ok(evidence)
}

/// The judges that get requests in a study. Graders are among them only if labels of tiers are anchored, if one is the
/// stronger judge, or if a tree needs them.
pub(crate) fn asked_judges(study: &Study) -> impl Iterator<Item = &JudgeSettings> {
    let settings = study.settings();
    let anchored = settings.tournament.as_ref().is_some_and(|found| found.labels == TierScheme::Anchored);
    let tree = settings.judges.iter().any(|judge| matches!(judge.kind, JudgeKind::Tree { .. }));
    let asked = anchored || tree || settings.escalate.is_some();
    settings.judges.iter().chain(settings.graders.iter().filter(move |_| asked))
}

/// Announces, even when quiet, that documents are sent with a key that came with the study: its owner may see them.
pub(crate) fn announce_key(context: &Context, variable: Option<&str>) {
    if let Some(note) = variable.and_then(|variable| context.environment.key_note(variable)) {
        context.printer.announce(note);
    }
}

/// Prints where requests will go and with which key, before the first is sent.
fn print_endpoints(context: &Context, study: &Study) -> Result<()> {
    asked_judges(study).try_for_each(|judge| print_endpoint(context, study, judge))
}

/// Prints where one judge's requests will go and with which key.
pub(crate) fn print_endpoint(context: &Context, study: &Study, judge: &JudgeSettings) -> Result<()> {
    let lookup = |name: &str| context.environment.get(name);
    let Some(endpoint) = study.endpoint(judge, &lookup)? else { return Ok(()) };
    let text = format!("judge {}: {} at {endpoint}", judge.name, judge.model);
    if endpoint.takes_key_elsewhere() {
        context.printer.warn(text);
    } else {
        context.printer.note(text);
    }
    announce_key(context, endpoint.key_variable());
    Ok(())
}

/// Reads the study's inputs and its answers from the ledger, and warns of missing ones.
pub(crate) fn load_study(context: &Context, study: &Study) -> Result<LoadedStudy> {
    let inputs = inputs(context, study)?;
    let evidence = read(context, study, &inputs)?;
    let run = study.settings().queries.command("llull run");
    match evidence.compared() {
        Some(queries) => {
            context.printer.warnings(open_tournaments(&evidence, queries, &run));
        }
        None => {
            for judge in evidence.judges.judges().iter().filter(|judge| judge.open() > 0) {
                context.printer.warn(format!(
                    "judge {}: {} of {} pairs are not judged yet; {run} judges them",
                    judge.name(),
                    count(judge.open()),
                    count(judge.tasks().len())
                ));
            }
        }
    }
    changed_since(context, study, &inputs, &evidence)?;
    Ok(LoadedStudy { inputs, evidence })
}

/// Prints that the ledger holds answers under an earlier rubric, prompt or model, and the cost of new ones.
fn changed_since(context: &Context, study: &Study, inputs: &Inputs, evidence: &StudyEvidence) -> Result<()> {
    let earlier = study.attempts().earlier(evidence)?;
    context.printer.warnings(&earlier);
    if !earlier.is_empty() {
        for estimate in study.estimates().open(inputs, evidence)? {
            if earlier.iter().any(|earlier| earlier.judge == estimate.judge) {
                let cost = estimate_text(&estimate, evidence.compared());
                context.printer.note(format!("to judge anew, {cost}"));
            }
        }
    }
    Ok(())
}

/// The exit code of a command that sends no request: 3 if a judgment is missing.
pub(crate) fn exit_of(evidence: &StudyEvidence) -> Exit {
    if evidence.is_complete() { Exit::Fine } else { Exit::Incomplete }
}

/// Warns of failed judge checks, and returns the unreliable judges; `None` without any, or if checks are ignored.
pub(crate) fn warn_of_checks(context: &Context, study: &Study, known: &LoadedStudy) -> Option<String> {
    let checks = study.judge_checks(&known.inputs, &known.evidence);
    for check in checks.iter().filter(|check| check.is_raised()) {
        context.printer.warn(check_sentence(check));
    }
    let judges = unreliable_judges(&checks).join(", ");
    if judges.is_empty() {
        return None;
    }
    if study.settings().ignore_checks {
        context.printer.warn(format!(
            "checks are ignored: these results use the answers of {judges}, which failed a check"
        ));
        return None;
    }
    Some(judges)
}

/// The exit code of a report: 100 if a gate fails, 3 if a judgment is missing.
pub(crate) fn exit_of_report(evidence: &StudyEvidence, summary: &Summary) -> Exit {
    summary.decision.build_state(evidence.is_complete()).into()
}

/// Describes tiers that are not final, or missing answers that might change them; `None` without either.
fn open_tournaments(evidence: &StudyEvidence, queries: &[ComparedQuery], run: &str) -> Option<String> {
    let open = queries.iter().filter(|topic| !topic.outcome.complete).count();
    let to_ask: usize = evidence.judges.judges().iter().map(JudgeEvidence::open).sum();
    let unanswered: u64 = queries.iter().map(|topic| topic.outcome.unanswered).sum();
    let remedy = match (to_ask, unanswered) {
        (0, 0) => {
            "no question is left: the judge contradicts itself, and each repetition that `rejudge` allows was used"
                .to_owned()
        }
        (0, _) => "no question is left but those with unparsable replies, which --retry unparsable repeats"
            .to_owned(),
        _ => format!("{run} continues them"),
    };
    match (open, to_ask) {
        (0, 0) => None,
        (0, n) => Some(format!(
            "{} no answer yet, which might change tiers; {run} asks again",
            if n == 1 { "1 question has".to_owned() } else { format!("{} questions have", count(n)) }
        )),
        (open, _) => Some(format!(
            "the tiers of {} of {} queries are not final; {remedy}",
            count(open),
            count(queries.len())
        )),
    }
}
