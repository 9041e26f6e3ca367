//! Counts preferences, and the fulfilled ones.

use super::group::Group;
use super::measure::Scope;

/// How many preferences can be fulfilled, and how many are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) fulfilled: u64,
    pub(super) possible: u64,
}

impl Tally {
    /// Counts one preference.
    pub(super) fn add(&mut self, fulfilled: bool) {
        self.fulfilled += u64::from(fulfilled);
        self.possible += 1;
    }

    /// The share that is fulfilled; `None` if there is nothing to fulfil.
    pub(super) fn share(self) -> Option<f64> {
        (self.possible > 0).then(|| self.fulfilled as f64 / self.possible as f64)
    }
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { fulfilled: self.fulfilled + other.fulfilled, possible: self.possible + other.possible }
    }
}

/// Preferences by how many of their two documents are retrieved: both, one, none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    both: Tally,
    one: Tally,
    none: Tally,
}

impl Counts {
    /// The preferences of a group; documents are retrieved whose places are below `retrieved`.
    pub(super) fn new(group: &Group, retrieved: u32) -> Self {
        let mut counts = Self::default();
        group.each(|better, worse| match u8::from(better < retrieved) + u8::from(worse < retrieved) {
            2 => counts.both.add(better < worse),
            1 => counts.one.add(better < worse),
            _ => counts.none.add(false),
        });
        counts
    }

    /// Those that count.
    pub(super) fn of(&self, scope: Scope) -> Tally {
        match scope {
            Scope::BothRetrieved => self.both,
            Scope::OneRetrieved => self.both + self.one,
            Scope::All => self.both + self.one + self.none,
        }
    }
}
