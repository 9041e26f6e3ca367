//! Where identifiers that lie end to end in a text are found again.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// An open-addressed table of the positions of identifiers, at most half full. The identifiers themselves are with its
/// owner, who says for a position which one is there.
///
/// A slot holds 16 bits of the identifier's hash beside the position, so that an identifier is compared only if it is
/// likely equal: to look for one that is absent takes one access to memory, mostly.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdentifierTable {
    /// 0, or a tag in the upper 16 bits and below it a position, from 1. Memory ends before 48 bits do.
    slots: Vec<u64>,
}

const POSITION: u64 = (1 << 48) - 1;

impl IdentifierTable {
    pub(crate) fn with_room_for(count: usize) -> Self {
        Self { slots: vec![0; slots_for(count)] }
    }

    /// Returns the position of an identifier; `None` if it is absent.
    #[inline]
    pub(crate) fn find<'a>(&self, id: &str, id_at: impl Fn(usize) -> &'a str) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        self.probe(id, hash(id), id_at).ok()
    }

    /// Adds an identifier at `position`, for which there is room. Returns its position if it is there already.
    #[inline]
    pub(crate) fn insert<'a>(
        &mut self,
        id: &str,
        position: usize,
        id_at: impl Fn(usize) -> &'a str,
    ) -> Option<usize> {
        let hash = hash(id);
        match self.probe(id, hash, id_at) {
            Ok(known) => Some(known),
            Err(free) => {
                self.slots[free] = (hash & !POSITION) | (position as u64 + 1);
                None
            }
        }
    }

    /// Makes room for `count` identifiers, of which those at the positions below `held` are in the table.
    pub(crate) fn reserve<'a>(&mut self, count: usize, held: usize, id_at: impl Fn(usize) -> &'a str) {
        if slots_for(count) <= self.slots.len() {
            return;
        }
        *self = Self::with_room_for(count);
        for position in 0..held {
            self.insert(id_at(position), position, &id_at);
        }
    }

    /// Returns the position of an identifier, or the free slot where it belongs.
    #[inline]
    fn probe<'a>(&self, id: &str, hash: u64, id_at: impl Fn(usize) -> &'a str) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if (slot ^ hash) & !POSITION == 0 {
                let position = ((slot & POSITION) - 1) as usize;
                if id_at(position) == id {
                    return Ok(position);
                }
            }
            at = (at + 1) & mask;
        }
    }
}

/// A power of two: more than the number of identifiers, so that a search ends.
fn slots_for(count: usize) -> usize {
    (count.max(1) * 2).next_power_of_two()
}

#[inline]
fn hash(id: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(id.as_bytes());
    hasher.finish()
}
