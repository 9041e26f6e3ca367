//! The share of fulfilled preferences, pair by pair.

use super::group::Group;
use super::scope::Scope;

/// The mean over pairs of documents of the share of the preferences between the two that is fulfilled: of pairs of
/// which both documents are retrieved, one is, or none.
pub(super) struct PairShares {
    both: Shares,
    one: Shares,
    none: Shares,
}

#[derive(Default, Clone, Copy)]
struct Shares {
    sum: f64,
    pairs: u64,
}

impl PairShares {
    /// The shares of all pairs in these groups; documents are retrieved whose places are below `retrieved`.
    pub(super) fn new(groups: &[Group], retrieved: u32) -> Self {
        let mut shares = Self { both: Shares::default(), one: Shares::default(), none: Shares::default() };
        match groups {
            // a group has no pair twice, and there may be too many to hold
            [only] => only.each(|better, worse| {
                let agree = if better < worse { 1.0 } else { 0.0 };
                shares.add(better.min(worse), better.max(worse), agree, retrieved);
            }),
            _ => shares.add_all(groups, retrieved),
        }
        shares
    }

    fn add_all(&mut self, groups: &[Group], retrieved: u32) {
        // a preference in 64 bits: the upper document, the lower one, and whether the upper one is the better one
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

    /// The mean over the pairs that count; 0 if there are none.
    pub(super) fn mean(&self, scope: Scope) -> f64 {
        let parts: &[Shares] = match scope {
            Scope::BothRetrieved => &[self.both],
            Scope::OneRetrieved => &[self.both, self.one],
            Scope::All => &[self.both, self.one, self.none],
        };
        let (sum, pairs) =
            parts.iter().fold((0.0, 0), |(sum, pairs), part| (sum + part.sum, pairs + part.pairs));
        if pairs == 0 { 0.0 } else { sum / pairs as f64 }
    }
}
