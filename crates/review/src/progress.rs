//! How a pair stands with a person, and how many pairs stand so.

use llull_study::people::AnnotatorAnswer;
use serde::Serialize;

/// How a pair stands with a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// It waits for an answer.
    Open,
    /// The person said this of it.
    Answered(AnnotatorAnswer),
    /// The person passed over it.
    Skipped,
    /// It comes again once no other is left.
    Later,
    /// The person cannot tell.
    CannotTell,
    /// As many others as were wanted have answered.
    Full,
}

/// How many pairs stand how with a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReviewTally {
    /// Pairs with an answer of the person.
    pub answered: usize,
    /// Pairs that wait for one.
    pub open: usize,
    /// Pairs that wait until no other is left.
    pub later: usize,
    /// Pairs that the person passed over.
    pub skipped: usize,
    /// Pairs of which the person cannot tell.
    pub cannot_tell: usize,
    /// Pairs that others have answered often enough.
    pub full: usize,
    /// All pairs of the queue.
    pub all: usize,
}

impl ReviewTally {
    /// Counts these.
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
