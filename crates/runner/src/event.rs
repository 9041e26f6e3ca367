//! What happens during a run, as one stream in one order.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use llull_core::{Attempt, Failure};

use crate::outcome::{RunOutcome, StopReason};

/// Something that happened. Judges are named by their position. Attempts are reported once they are in the ledger.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A wave begins. A run has one, unless its questions follow from earlier answers.
    Wave {
        /// Its number, from 0.
        wave: usize,
        /// Its questions; each judge is asked all of them.
        questions: usize,
        /// Tasks of all judges that the ledger answers.
        reused: usize,
    },
    /// A judge's tasks of a wave are known. Comes once for each judge and wave, before anything is asked.
    Planned {
        /// The judge's position.
        judge: usize,
        /// Its name.
        name: &'a str,
        /// All its tasks in this wave.
        tasks: usize,
        /// Those that the ledger answers.
        reused: usize,
        /// Those that another task of this run will answer, since it asks the same.
        shared: usize,
        /// Those that need a text that is not there.
        without_text: usize,
    },
    /// A verdict. The task is done.
    Judged {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
    },
    /// An answer that cannot be counted.
    Unusable {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
        /// Whether it will be asked again. If not, the task is done.
        again: bool,
    },
    /// No answer.
    AttemptFailed {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
        /// When it will be tried again; `None` when it will not.
        retry_in: Option<Duration>,
    },
    /// No answer, and no further attempt. The task is done, without a judgment.
    GaveUp {
        /// The judge's position.
        judge: usize,
        /// The last attempt.
        attempt: &'a Attempt,
        /// Its failure.
        failure: &'a Failure,
    },
    /// The judge's server asks for less: nothing new is asked of it for so long.
    Paused {
        /// The judge's position.
        judge: usize,
        /// How long.
        pause: Duration,
    },
    /// Something that readers of the results should know.
    Notice {
        /// The judge's position.
        judge: usize,
        /// What.
        text: &'a str,
    },
    /// No new questions from here on.
    Stopping {
        /// Why.
        reason: &'a StopReason,
        /// Questions in flight, which are waited for.
        in_flight: usize,
    },
    /// The end.
    Finished(&'a RunOutcome),
}

/// Whoever wants to know. Called from one thread, in order, between commits: be quick.
pub trait Reporter {
    /// Takes note.
    fn event(&self, event: Event<'_>);
}

/// A reporter that takes no note.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&self, _: Event<'_>) {}
}

/// A reporter that keeps a line for each event, for tests.
#[derive(Debug, Default)]
pub struct Transcript(Mutex<Vec<String>>);

impl Transcript {
    /// The lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many lines begin like this.
    pub fn count(&self, beginning: &str) -> usize {
        self.lines().iter().filter(|line| line.starts_with(beginning)).count()
    }
}

impl Reporter for Transcript {
    fn event(&self, event: Event<'_>) {
        let at = |attempt: &Attempt| format!("{} {}", attempt.topic, attempt.document);
        let line = match event {
            Event::Wave { wave, questions, reused } => {
                format!("wave {wave}: {questions} questions, {reused} reused")
            }
            Event::Planned { name, tasks, reused, shared, without_text, .. } => {
                format!(
                    "planned {name}: {tasks}, {reused} reused, {shared} shared, {without_text} without text"
                )
            }
            Event::Judged { judge, attempt } => format!("judged {judge} {}", at(attempt)),
            Event::Unusable { judge, attempt, again } => {
                format!("unusable {judge} {} again={again}", at(attempt))
            }
            Event::AttemptFailed { judge, attempt, retry_in } => {
                format!("failed {judge} {} again={}", at(attempt), retry_in.is_some())
            }
            Event::GaveUp { judge, attempt, failure } => {
                format!("gave up {judge} {} {}: {failure}", attempt.topic, attempt.document)
            }
            Event::Paused { judge, .. } => format!("paused {judge}"),
            Event::Notice { judge, text } => format!("notice {judge}: {text}"),
            Event::Stopping { reason, in_flight } => format!("stopping, {in_flight} in flight: {reason}"),
            Event::Finished(_) => "finished".into(),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}
