//! Shows the progress of judging: a bar, or lines now and then.
//!
//! The bar is for terminals.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use llull::core::{Attempt, Outcome};
use llull::report::text::{count, counted, seconds, visible_line};
use llull::runner::{Event, Reporter, StopReason};

use crate::printer::Printer;

/// How often a line is printed if no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How many failures are printed one by one; the rest are counted.
const FAILURES_PRINTED: u64 = 5;

/// How many waves are printed one by one.
const WAVES_PRINTED: usize = 5;

/// Reports the progress of judging.
pub(crate) struct Progress {
    printer: Printer,
    /// The name of a question's subject.
    noun: &'static str,
    state: RefCell<State>,
}

struct State {
    bar: Option<ProgressBar>,
    /// Whether questions come in waves, each of which depends on the answers to the one before.
    in_waves: bool,
    /// Whether answered questions are repeated.
    again: bool,
    names: Vec<String>,
    total: u64,
    /// The highest number of questions of this run, if it is limited.
    allowed: Option<u64>,
    done: u64,
    unusable: u64,
    refused: u64,
    failed: u64,
    gave_up: u64,
    failures_printed: u64,
    last_line: Instant,
}

impl Progress {
    /// Creates the progress of a run whose questions may come in waves.
    pub(crate) fn new(printer: Printer, in_waves: bool) -> Self {
        let bar = printer.bar(0, "judging {bar:32} {human_pos}/{human_len} {msg} [{elapsed} left {eta}]");
        let state = State {
            bar,
            in_waves,
            again: false,
            names: Vec::new(),
            total: 0,
            allowed: None,
            done: 0,
            unusable: 0,
            refused: 0,
            failed: 0,
            gave_up: 0,
            failures_printed: 0,
            last_line: Instant::now(),
        };
        Self { printer, noun: "pair", state: RefCell::new(state) }
    }

    /// The same of a run whose questions are about something else than pairs of query and document.
    pub(crate) fn of(self, noun: &'static str) -> Self {
        Self { noun, ..self }
    }

    /// Resets the counts at the beginning of a run: the first one, or the one that grades documents of the tiers. A
    /// cleared bar is drawn again.
    fn begin(&self, state: &mut State) {
        (state.total, state.done) = (0, 0);
        (state.unusable, state.refused, state.failed, state.gave_up) = (0, 0, 0, 0);
        if let Some(bar) = state.bar.as_ref().filter(|bar| bar.is_finished()) {
            bar.set_length(0);
            bar.set_message("");
            bar.reset();
        }
    }

    fn say(&self, state: &State, text: &str) {
        match &state.bar {
            Some(bar) => bar.suspend(|| self.printer.note(text)),
            None => self.printer.note(text),
        }
    }

    fn step(&self, state: &mut State, finished: bool) {
        state.done += u64::from(finished);
        if let Some(bar) = &state.bar {
            bar.set_position(state.done);
            bar.set_message(troubles(state));
        } else if state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            let text = format!("  {} of {}{}", count(state.done), count(state.length()), troubles(state));
            self.printer.note(text);
        }
    }

    fn planned(
        &self,
        state: &mut State,
        judge: usize,
        name: &str,
        tasks: usize,
        [reused, shared, without_text]: [usize; 3],
    ) {
        if state.names.len() <= judge {
            state.names.resize(judge + 1, String::new());
        }
        if let Some(place) = state.names.get_mut(judge) {
            name.clone_into(place);
        }
        let open = tasks - reused - shared - without_text;
        state.total += open as u64;
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
            Some(allowed) if allowed < state.total => {
                format!(
                    ", of which this run may ask {}",
                    count(allowed.saturating_sub(state.total - open as u64))
                )
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
        self.allowed.map_or(self.total, |allowed| allowed.min(self.total))
    }
}

fn troubles(state: &State) -> String {
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
        let name = |state: &State, judge: usize| state.names.get(judge).cloned().unwrap_or_default();
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
            Event::Judged { .. } => self.step(state, true),
            Event::Unusable { again, .. } => {
                state.unusable += 1;
                self.step(state, !again);
            }
            Event::Refused { judge, attempt } => {
                state.refused += 1;
                if let Outcome::Unusable(refusal) = &attempt.answer.outcome {
                    let (name, about) = (name(state, judge), about(attempt));
                    self.failure(state, &format!("{name}: refused {about}: {}", refusal.detail));
                }
                self.step(state, true);
            }
            Event::AttemptFailed { judge, attempt, retry_in } => {
                state.failed += 1;
                if let (Outcome::Failed(failure), Some(pause)) = (&attempt.answer.outcome, retry_in) {
                    let text = format!("{}: {failure}; again in {}", name(state, judge), seconds(pause));
                    self.failure(state, &text);
                }
                self.step(state, false);
            }
            Event::GaveUp { judge, attempt, failure } => {
                state.gave_up += 1;
                let text = format!("{}: gave up on {}: {failure}", name(state, judge), about(attempt));
                self.failure(state, &text);
                self.step(state, true);
            }
            Event::Paused { judge, pause } => {
                let text =
                    format!("{}: the server asks for a pause of {}", name(state, judge), seconds(pause));
                self.failure(state, &text);
            }
            Event::Notice { judge, text } => self.say(state, &format!("  {}: {text}", name(state, judge))),
            // The reasons are printed at the end, with remedies.
            Event::JudgeStopped { judge, stop } => {
                self.say(state, &format!("  {}: stopped: {}", name(state, judge), stop.found));
            }
            Event::Stopping { reason, in_flight } if in_flight > 0 => {
                let drop = if *reason == StopReason::Cancelled { " (Ctrl-C again drops them)" } else { "" };
                self.say(
                    state,
                    &format!("stopping; waiting for {} in flight{drop}", counted(in_flight, "answer")),
                );
            }
            Event::Stopping { .. } => {}
            Event::Finished(_) => {
                // Waves come first; the number of pairs to grade after them is known at once.
                state.in_waves = false;
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
        progress.state.borrow_mut().done = 7;
        bar.set_position(7);
        let outcome = RunOutcome::default();
        progress.event(Event::Finished(&outcome));
        assert!(bar.is_finished());
        progress.event(Event::Wave { wave: 0, questions: 5, reused: 0, again: false });
        progress.event(planned(5));
        assert_eq!((bar.position(), bar.length(), bar.is_finished()), (0, Some(5), false));
        assert_eq!((progress.state.borrow().done, progress.state.borrow().total), (0, 5));
    }
}
