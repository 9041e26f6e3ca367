//! The state of a pair for an annotator, and counts of states.

use llull_study::people::AnnotatorAnswer;
use serde::Serialize;

/// The state of a pair for an annotator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// It waits for an answer.
    Open,
    /// The annotator gave this answer.
    Answered(AnnotatorAnswer),
    /// The annotator skipped it.
    Skipped,
    /// It comes again once no other is left.
    Later,
    /// The annotator cannot decide.
    CannotTell,
    /// Enough others have answered.
    Full,
}

/// The number of an annotator's pairs in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReviewTally {
    /// Pairs with an answer of the annotator.
    pub answered: usize,
    /// Open pairs.
    pub open: usize,
    /// Pairs that wait until no other is left.
    pub later: usize,
    /// Pairs that the annotator skipped.
    pub skipped: usize,
    /// Pairs that the annotator cannot decide.
    pub cannot_tell: usize,
    /// Pairs that enough others have answered.
    pub full: usize,
    /// All pairs of the queue.
    pub all: usize,
}

impl ReviewTally {
    /// Counts the states.
    pub(crate) fn of(states: impl Iterator<Item = ItemState>) -> Self {
        let mut tally = Self::default();
        for state in states {
            let count = match state {
                ItemState::Open => &mut tally.open,
                ItemState::Answered(_) => &mut tally.answered,
                ItemState::Skipped => &mut tally.skipped,
                ItemState::Later => &mut tally.later,
                ItemState::CannotTell => &mut tally.cannot_tell,
                ItemState::Full => &mut tally.full,
            };
            *count += 1;
            tally.all += 1;
        }
        tally
    }
}
