//! How many preferences there are, and how many are fulfilled.

use super::group::Group;

/// What a preference is counted for when not both of its documents are retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// It counts; it is not fulfilled when neither is retrieved.
    All,
    /// It does not count.
    Ret,
    /// It counts when one of them is retrieved.
    Imp,
}

/// Preferences that can be fulfilled, and those that are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) fulfilled: u64,
    pub(super) possible: u64,
}

impl Tally {
    pub(super) fn add(&mut self, fulfilled: bool) {
        self.fulfilled += u64::from(fulfilled);
        self.possible += 1;
    }

    /// The share that is fulfilled; `None` where there is nothing to fulfil.
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
    pub(super) fn new(group: &Group, retrieved: u32) -> Self {
        let mut counts = Self::default();
        group.each(|better, worse| match u8::from(better < retrieved) + u8::from(worse < retrieved) {
            2 => counts.both.add(better < worse),
            1 => counts.one.add(better < worse),
            _ => counts.none.add(false),
        });
        counts
    }

    pub(super) fn of(&self, scope: Scope) -> Tally {
        match scope {
            Scope::Ret => self.both,
            Scope::Imp => self.both + self.one,
            Scope::All => self.both + self.one + self.none,
        }
    }
}

/// The mean over pairs of documents of the share of the preferences between the two that is fulfilled, by scope.
pub(super) struct Pairs {
    both: Shares,
    one: Shares,
    none: Shares,
}

#[derive(Default, Clone, Copy)]
struct Shares {
    sum: f64,
    pairs: u64,
}

impl Pairs {
    pub(super) fn new(groups: &[Group], retrieved: u32) -> Self {
        let mut pairs = Self { both: Shares::default(), one: Shares::default(), none: Shares::default() };
        match groups {
            // a group has no pair twice, and there may be too many to hold
            [only] => only.each(|better, worse| {
                let agree = if better < worse { 1.0 } else { 0.0 };
                pairs.add(better.min(worse), better.max(worse), agree, retrieved);
            }),
            _ => pairs.add_all(groups, retrieved),
        }
        pairs
    }

    fn add_all(&mut self, groups: &[Group], retrieved: u32) {
        // a preference in 64 bits: the document further up, the one further down, and whether the one further up is the better one
        let mut preferences: Vec<u64> = Vec::new();
        for group in groups {
            group.each(|better, worse| {
                let (up, down) = (u64::from(better.min(worse)), u64::from(better.max(worse)));
                preferences.push(up << 32 | down << 1 | u64::from(better < worse));
            });
        }
        preferences.sort_unstable();
        for pair in preferences.chunk_by(|a, b| a >> 1 == b >> 1) {
            let (up, down) = ((pair[0] >> 32) as u32, ((pair[0] & 0xFFFF_FFFF) >> 1) as u32);
            let agree =
                pair.iter().filter(|preference| *preference & 1 == 1).count() as f64 / pair.len() as f64;
            self.add(up, down, agree, retrieved);
        }
    }

    fn add(&mut self, up: u32, down: u32, agree: f64, retrieved: u32) {
        let (shares, agree) = match u8::from(up < retrieved) + u8::from(down < retrieved) {
            2 => (&mut self.both, agree),
            1 => (&mut self.one, agree),
            _ => (&mut self.none, 0.0),
        };
        shares.sum += agree;
        shares.pairs += 1;
    }

    /// 0 where there are no pairs.
    pub(super) fn mean(&self, scope: Scope) -> f64 {
        let parts: &[Shares] = match scope {
            Scope::Ret => &[self.both],
            Scope::Imp => &[self.both, self.one],
            Scope::All => &[self.both, self.one, self.none],
        };
        let (sum, pairs) =
            parts.iter().fold((0.0, 0), |(sum, pairs), part| (sum + part.sum, pairs + part.pairs));
        if pairs == 0 { 0.0 } else { sum / pairs as f64 }
    }
}
