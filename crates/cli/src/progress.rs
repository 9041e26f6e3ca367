//! Shows the progress of judging: a bar, lines now and then, or JSON for programs.
//!
//! The bar is for terminals.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};
use llull::core::{Attempt, Outcome};
use llull::report::text::{count, counted, dollars, seconds, visible_line};
use llull::runner::{Event, Reporter, StopReason};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::ProgressForm;
use crate::printer::Printer;

/// How often a line is printed if no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often a line for programs is printed.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// How many failures are printed one by one; the rest are counted.
const FAILURES_PRINTED: u64 = 5;

/// How many waves are printed one by one.
const WAVES_PRINTED: usize = 5;

/// Reports the progress of judging.
pub(crate) struct Progress {
    printer: Printer,
    /// The name of a question's subject.
    noun: &'static str,
    form: ProgressForm,
    state: RefCell<State>,
}

struct State {
    bar: Option<ProgressBar>,
    /// Whether questions come in waves, each of which depends on the answers to the one before.
    in_waves: bool,
    /// Whether answered questions are repeated.
    again: bool,
    judges: Vec<JudgeProgress>,
    /// The highest number of questions of this run, if it is limited.
    allowed: Option<u64>,
    failures_printed: u64,
    /// The beginning of the run.
    begun: Instant,
    last_line: Instant,
}

/// The progress of one judge.
#[derive(Default, Serialize)]
struct JudgeProgress {
    name: String,
    #[serde(flatten)]
    counts: Counts,
}

/// Questions and attempts of this run.
#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    /// The number of questions with an answer, or given up.
    done: u64,
    /// The number of questions to ask.
    total: u64,
    unusable: u64,
    refused: u64,
    /// The number of failed attempts.
    failed: u64,
    gave_up: u64,
    /// The known cost of replies; `None` if none is known.
    usd: Option<f64>,
    /// The number of replies whose cost is unknown.
    unpriced: u64,
}

impl Counts {
    fn and(self, other: Self) -> Self {
        Self {
            done: self.done + other.done,
            total: self.total + other.total,
            unusable: self.unusable + other.unusable,
            refused: self.refused + other.refused,
            failed: self.failed + other.failed,
            gave_up: self.gave_up + other.gave_up,
            usd: self.usd.map_or(other.usd, |usd| Some(usd + other.usd.unwrap_or(0.0))),
            unpriced: self.unpriced + other.unpriced,
        }
    }
}

impl Progress {
    /// Creates the progress of a run whose questions may come in waves.
    pub(crate) fn new(printer: Printer, in_waves: bool) -> Self {
        let bar =
            printer.bar(0, "judging {bar:32} {human_pos}/{human_len} {per_sec} {msg} [{elapsed} left {eta}]");
        let state = State {
            bar,
            in_waves,
            again: false,
            judges: Vec::new(),
            allowed: None,
            failures_printed: 0,
            begun: Instant::now(),
            last_line: Instant::now(),
        };
        Self { printer, noun: "pair", form: ProgressForm::Text, state: RefCell::new(state) }
    }

    /// The same of a run whose questions are about something else than pairs of query and document.
    pub(crate) fn of(self, noun: &'static str) -> Self {
        Self { noun, ..self }
    }

    /// The same in a form. For programs it has no bar.
    pub(crate) fn in_form(self, form: ProgressForm) -> Self {
        if form == ProgressForm::Json {
            self.state.borrow_mut().bar = None;
        }
        Self { form, ..self }
    }

    /// Resets the counts at the beginning of a run: the first one, or the one that grades documents of the tiers. A
    /// cleared bar is drawn again.
    fn begin(&self, state: &mut State) {
        state.judges.iter_mut().for_each(|judge| judge.counts = Counts::default());
        state.begun = Instant::now();
        if let Some(bar) = state.bar.as_ref().filter(|bar| bar.is_finished()) {
            bar.set_length(0);
            bar.set_message("");
            bar.reset();
        }
    }

    fn say(&self, state: &State, text: &str) {
        match &state.bar {
            Some(bar) => bar.suspend(|| self.printer.note(text)),
            None if self.form == ProgressForm::Json => {
                self.printer.json_line(&json!({ "event": "note", "text": text.trim() }));
            }
            None => self.printer.note(text),
        }
    }

    /// Counts an attempt, and shows the progress now and then.
    fn step(&self, state: &mut State, judge: usize, attempt: &Attempt, finished: bool) {
        if let Some(judge) = state.judges.get_mut(judge) {
            judge.counts.done += u64::from(finished);
            match attempt.answer.cost_usd {
                Some(usd) => *judge.counts.usd.get_or_insert(0.0) += usd,
                None => judge.counts.unpriced += u64::from(attempt.is_answered()),
            }
        }
        if let Some(bar) = &state.bar {
            let sum = state.sum();
            bar.set_position(sum.done);
            bar.set_message(format!("{}{}", troubles(&sum), cost(&sum)));
            return;
        }
        match self.form {
            ProgressForm::Json if state.last_line.elapsed() >= JSON_EVERY => self.json(state),
            ProgressForm::Text if state.last_line.elapsed() >= LINE_EVERY => {
                self.printer.note(format!("  {}", state.text(state.begun.elapsed())));
            }
            _ => return,
        }
        state.last_line = Instant::now();
    }

    fn json(&self, state: &State) {
        self.printer.json_line(&state.json(state.begun.elapsed()));
    }

    fn planned(
        &self,
        state: &mut State,
        judge: usize,
        name: &str,
        tasks: usize,
        [reused, shared, without_text]: [usize; 3],
    ) {
        if state.judges.len() <= judge {
            state.judges.resize_with(judge + 1, JudgeProgress::default);
        }
        let open = tasks - reused - shared - without_text;
        if let Some(judge) = state.judges.get_mut(judge) {
            name.clone_into(&mut judge.name);
            judge.counts.total += open as u64;
        }
        let total = state.sum().total;
        if let Some(bar) = &state.bar {
            bar.set_length(state.length());
        }
        if state.in_waves {
            return;
        }
        let also = |n: usize, what: &str| match n {
            0 => String::new(),
            n => format!(", {} {what}", count(n)),
        };
        let limit = match state.allowed {
            Some(allowed) if allowed < total => {
                format!(", of which this run may ask {}", count(allowed.saturating_sub(total - open as u64)))
            }
            _ => String::new(),
        };
        self.say(
            state,
            &format!(
                "judge {name}: {}, {} already in the ledger{}{}, {} to ask{limit}",
                match state.again {
                    true => format!("{} repeated to check its answers", counted(tasks, "question")),
                    false => counted(tasks, self.noun),
                },
                count(reused),
                also(shared, "with the same texts as another, sent once"),
                also(without_text, "without a text"),
                count(open)
            ),
        );
    }

    /// Prints a wave: each of the first, which are large, and later ones now and then.
    fn wave(&self, state: &mut State, wave: usize, questions: usize, reused: usize) {
        if wave >= WAVES_PRINTED && state.last_line.elapsed() < LINE_EVERY {
            return;
        }
        state.last_line = Instant::now();
        let reused = match reused {
            0 => String::new(),
            n => format!(", {} already in the ledger", counted(n, "answer")),
        };
        self.say(state, &format!("wave {}: {}{reused}", wave + 1, counted(questions, "question")));
    }

    fn failure(&self, state: &mut State, text: &str) {
        state.failures_printed += 1;
        if state.failures_printed <= FAILURES_PRINTED {
            self.say(state, &format!("  {text}"));
        } else if state.failures_printed == FAILURES_PRINTED + 1 {
            self.say(state, "  further failures are counted, and are in the ledger");
        }
    }
}

impl State {
    /// The number of questions of this run, within its limit.
    fn length(&self) -> u64 {
        let total = self.sum().total;
        self.allowed.map_or(total, |allowed| allowed.min(total))
    }

    /// Adds one to a count of a judge.
    fn count(&mut self, judge: usize, of: impl Fn(&mut Counts) -> &mut u64) {
        if let Some(judge) = self.judges.get_mut(judge) {
            *of(&mut judge.counts) += 1;
        }
    }

    fn sum(&self) -> Counts {
        self.judges.iter().fold(Counts::default(), |sum, judge| sum.and(judge.counts))
    }

    /// Returns the number of questions done in a second, and the time left at that rate; `None` if more waves may come.
    fn rate(&self, elapsed: Duration) -> (f64, Option<Duration>) {
        let sum = self.sum();
        let rate = sum.done as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.length().saturating_sub(sum.done) as f64 / rate;
        (rate, Duration::try_from_secs_f64(left).ok().filter(|_| !self.in_waves))
    }

    fn text(&self, elapsed: Duration) -> String {
        let (sum, (rate, left)) = (self.sum(), self.rate(elapsed));
        let left = left.map_or_else(String::new, |left| format!(", {} left", HumanDuration(left)));
        let (done, length) = (count(sum.done), count(self.length()));
        format!("{done} of {length}{}, {rate:.2} a second{}{left}", troubles(&sum), cost(&sum))
    }

    fn json(&self, elapsed: Duration) -> Value {
        let ((rate, left), four) = (self.rate(elapsed), |figure: f64| (figure * 1e4).round() / 1e4);
        let mut line = json!({
            "event": "progress",
            "seconds": four(elapsed.as_secs_f64()),
            "per_second": four(rate),
            "seconds_left": left.map(|left| four(left.as_secs_f64())),
            "judges": self.judges,
        });
        let sum = json!(Counts { total: self.length(), ..self.sum() });
        if let (Value::Object(line), Value::Object(sum)) = (&mut line, sum) {
            line.extend(sum);
        }
        line
    }
}

/// Describes the cost so far; empty for judges that cost nothing.
fn cost(sum: &Counts) -> String {
    match (sum.usd.filter(|usd| *usd > 0.0), sum.unpriced) {
        (None, 0) => String::new(),
        (None, _) => ", cost unknown".to_owned(),
        (Some(usd), 0) => format!(", ${} so far", dollars(usd)),
        (Some(usd), n) => format!(", ${} so far and {} without a price", dollars(usd), counted(n, "reply")),
    }
}

fn troubles(state: &Counts) -> String {
    let mut text = String::new();
    for (n, what) in [
        (state.unusable, "unusable"),
        (state.refused, "refused"),
        (state.failed, "failed attempts"),
        (state.gave_up, "given up"),
    ] {
        if n > 0 {
            text.push_str(&format!(", {} {what}", count(n)));
        }
    }
    text
}

/// Describes the subject of an attempt.
fn about(attempt: &Attempt) -> String {
    let (first, query) = (visible_line(&attempt.document), visible_line(&attempt.topic));
    match attempt.documents.len() {
        0 => format!("query {query}, document {first}"),
        n => format!("query {query}, a set of {n} documents, {first} shown first"),
    }
}

impl Reporter for Progress {
    fn event(&self, event: Event<'_>) {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let name = |state: &State, judge: usize| {
            state.judges.get(judge).map(|judge| judge.name.clone()).unwrap_or_default()
        };
        if let Event::Wave { wave: 0, .. } = event {
            self.begin(state);
        }
        if let Event::Wave { again, .. } = event {
            state.again = again;
        }
        match event {
            Event::Wave { wave, questions, reused, .. } if state.in_waves => {
                self.wave(state, wave, questions, reused);
            }
            Event::Wave { .. } => {}
            Event::Limited { attempts } => state.allowed = Some(attempts),
            Event::Planned { judge, name, tasks, reused, shared, without_text } => {
                self.planned(state, judge, name, tasks, [reused, shared, without_text]);
            }
            Event::Judged { judge, attempt } => self.step(state, judge, attempt, true),
            Event::Unusable { judge, attempt, again } => {
                state.count(judge, |counts| &mut counts.unusable);
                self.step(state, judge, attempt, !again);
            }
            Event::Refused { judge, attempt } => {
                state.count(judge, |counts| &mut counts.refused);
                if let Outcome::Unusable(refusal) = &attempt.answer.outcome {
                    let (name, about) = (name(state, judge), about(attempt));
                    self.failure(state, &format!("{name}: refused {about}: {}", refusal.detail));
                }
                self.step(state, judge, attempt, true);
            }
            Event::AttemptFailed { judge, attempt, retry_in } => {
                state.count(judge, |counts| &mut counts.failed);
                if let (Outcome::Failed(failure), Some(pause)) = (&attempt.answer.outcome, retry_in) {
                    let text = format!("{}: {failure}; again in {}", name(state, judge), seconds(pause));
                    self.failure(state, &text);
                }
                self.step(state, judge, attempt, false);
            }
            Event::GaveUp { judge, attempt, failure } => {
                state.count(judge, |counts| &mut counts.gave_up);
                // Its last attempt is counted already.
                state.count(judge, |counts| &mut counts.done);
                let text = format!("{}: gave up on {}: {failure}", name(state, judge), about(attempt));
                self.failure(state, &text);
            }
            Event::Paused { judge, pause } => {
                let text =
                    format!("{}: the server asks for a pause of {}", name(state, judge), seconds(pause));
                self.failure(state, &text);
            }
            Event::Waiting { judge, limit, pause } => {
                let (limit, subject) = (count(limit.limit), limit.subject.name());
                let text = format!(
                    "  {}: waits {}, to keep within its account's limit of {limit} {subject}",
                    name(state, judge),
                    seconds(pause)
                );
                self.say(state, &text);
            }
            Event::Notice { judge, text } => self.say(state, &format!("  {}: {text}", name(state, judge))),
            // The reasons are printed at the end, with remedies.
            Event::JudgeStopped { judge, stop } => {
                self.say(state, &format!("  {}: stopped: {}", name(state, judge), stop.found));
            }
            Event::Stopping { reason, in_flight } if in_flight > 0 => {
                let drop = match reason {
                    StopReason::Cancelled => " (Ctrl-C again drops them)",
                    StopReason::TimeOver => " (Ctrl-C drops them)",
                    _ => "",
                };
                self.say(
                    state,
                    &format!("stopping; waiting for {} in flight{drop}", counted(in_flight, "answer")),
                );
            }
            Event::Stopping { .. } => {}
            Event::Finished(_) => {
                // Waves come first; the number of pairs to grade after them is known at once.
                state.in_waves = false;
                if self.form == ProgressForm::Json {
                    self.json(state);
                }
                if let Some(bar) = &state.bar {
                    bar.finish_and_clear();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use indicatif::ProgressDrawTarget;
    use llull::runner::RunOutcome;

    use super::*;

    fn planned(tasks: usize) -> Event<'static> {
        Event::Planned { judge: 0, name: "a", tasks, reused: 0, shared: 0, without_text: 0 }
    }

    /// Anchors are graded after the waves, in a run of their own: indicatif draws nothing of a bar that is finished.
    #[test]
    fn a_run_behind_another_has_a_bar_of_its_own() {
        let progress = Progress::new(Printer::new(true, false), true);
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        progress.state.borrow_mut().bar = Some(bar.clone());
        progress.event(Event::Wave { wave: 0, questions: 3, reused: 0, again: false });
        progress.event(planned(3));
        progress.event(Event::Wave { wave: 1, questions: 4, reused: 0, again: false });
        progress.event(planned(4));
        assert_eq!((bar.length(), bar.is_finished()), (Some(7), false), "the waves of a run are one");
        progress.state.borrow_mut().judges[0].counts.done = 7;
        bar.set_position(7);
        let outcome = RunOutcome::default();
        progress.event(Event::Finished(&outcome));
        assert!(bar.is_finished());
        progress.event(Event::Wave { wave: 0, questions: 5, reused: 0, again: false });
        progress.event(planned(5));
        assert_eq!((bar.position(), bar.length(), bar.is_finished()), (0, Some(5), false));
        let sum = progress.state.borrow().sum();
        assert_eq!((sum.done, sum.total), (0, 5));
    }

    #[test]
    fn progress_has_rate_cost_and_time_left() {
        let progress = Progress::new(Printer::new(true, false), false).in_form(ProgressForm::Json);
        progress.event(planned(10));
        let (reused, shared, without_text) = (0, 0, 0);
        progress.event(Event::Planned { judge: 1, name: "b", tasks: 20, reused, shared, without_text });
        let mut state = progress.state.borrow_mut();
        let figures = Counts { done: 4, failed: 1, usd: Some(0.5), unpriced: 1, ..state.judges[1].counts };
        state.judges[1].counts = figures;
        state.judges[0].counts.done = 2;
        let elapsed = Duration::from_secs(3);
        assert_eq!(
            state.text(elapsed),
            "6 of 30, 1 failed attempts, 2.00 a second, $0.5000 so far and 1 reply without a price, 12 seconds left"
        );
        let line = state.json(elapsed);
        let figure = |name: &str| line.pointer(name).cloned().unwrap();
        assert_eq!(
            [figure("/done"), figure("/total"), figure("/judges/1/done")],
            [json!(6), json!(30), json!(4)]
        );
        assert_eq!([figure("/per_second"), figure("/seconds_left")], [json!(2.0), json!(12.0)]);
        assert_eq!(
            [figure("/usd"), figure("/unpriced"), figure("/judges/0/usd")],
            [json!(0.5), json!(1), json!(null)]
        );
        state.in_waves = true;
        assert_eq!(state.json(elapsed)["seconds_left"], json!(null), "more waves may come");
        state.in_waves = false;
        state.allowed = Some(6);
        assert_eq!(state.json(elapsed)["seconds_left"], json!(0.0), "of the questions that this run may ask");
    }
}
