//! Reporters without output: one ignores events, one stores them for tests.

use std::sync::{Mutex, PoisonError};

use llull_core::Attempt;

use crate::event::{Event, Reporter};

/// A reporter that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&self, _: Event<'_>) {}
}

/// A reporter that keeps a line for each event, for tests.
#[derive(Debug, Default)]
pub struct Transcript(Mutex<Vec<String>>);

impl Transcript {
    /// Returns the lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of lines that begin with `beginning`.
    pub fn count(&self, beginning: &str) -> usize {
        self.lines().iter().filter(|line| line.starts_with(beginning)).count()
    }
}

impl Reporter for Transcript {
    fn event(&self, event: Event<'_>) {
        let at = |attempt: &Attempt| format!("{} {}", attempt.topic, attempt.document);
        let line = match event {
            Event::Wave { wave, questions, reused, .. } => {
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
            Event::Refused { judge, attempt } => format!("refused {judge} {}", at(attempt)),
            Event::AttemptFailed { judge, attempt, retry_in } => {
                format!("failed {judge} {} again={}", at(attempt), retry_in.is_some())
            }
            Event::GaveUp { judge, attempt, failure } => {
                format!("gave up {judge} {} {}: {failure}", attempt.topic, attempt.document)
            }
            Event::Paused { judge, .. } => format!("paused {judge}"),
            Event::Notice { judge, text } => format!("notice {judge}: {text}"),
            Event::JudgeStopped { judge, stop } => format!("judge {judge} stops: {}", stop.found),
            Event::Stopping { reason, in_flight } => format!("stopping, {in_flight} in flight: {reason}"),
            Event::Limited { attempts } => format!("at most {attempts} attempts"),
            Event::Finished(_) => "finished".into(),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}
