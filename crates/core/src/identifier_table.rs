//! Finds identifiers that lie end to end in a text.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

/// An open-addressed table of the positions of identifiers, at most half full. Its owner has the identifiers
/// themselves, and returns the one at a position.
///
/// A slot holds 16 bits of the identifier's hash next to the position, so that an identifier is compared only if it is
/// likely equal. Most searched identifiers are absent, and a bit for each hash in the table shows that. A processor
/// predicts this branch well, while it would mispredict half of the branches on slots of a half full table.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdentifierTable {
    /// 0, or a tag in the upper 16 bits and below it a position, from 1. Memory ends before 48 bits do.
    slots: Vec<u64>,
    present: HashBits,
}

const POSITION: u64 = (1 << 48) - 1;

/// The number of bits for a slot, so that at most one in sixteen is set.
const BITS_A_SLOT: usize = 8;

impl IdentifierTable {
    pub(crate) fn with_room_for(count: usize) -> Self {
        let slots = slots_for(count);
        Self { slots: vec![0; slots], present: HashBits::new(slots * BITS_A_SLOT) }
    }

    /// Returns the position of an identifier; `None` if it is absent.
    #[inline]
    pub(crate) fn find<'a>(&self, id: &str, id_at: impl Fn(usize) -> &'a str) -> Option<usize> {
        let hash = hash(id);
        if !self.present.has(hash) {
            return None;
        }
        self.probe(id, hash, id_at).ok()
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
                self.present.set(hash);
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

/// Returns the first position in `range` whose identifier is at one before it in the range.
///
/// Hashes are compared first, of which few are equal, and then only the identifiers with equal hashes.
pub(crate) fn first_repeat<'a>(range: Range<usize>, id_at: impl Fn(usize) -> &'a str) -> Option<usize> {
    let bits = (range.len().max(2) * 32).next_power_of_two();
    let (mut once, mut twice) = (HashBits::new(bits), HashBits::new(bits));
    let hashes: Vec<u64> = range.clone().map(|position| hash(id_at(position))).collect();
    for hash in &hashes {
        if once.set(*hash) {
            twice.set(*hash);
        }
    }
    let alike: Vec<usize> =
        range.zip(hashes).filter(|(_, hash)| twice.has(*hash)).map(|(position, _)| position).collect();
    let mut seen = IdentifierTable::with_room_for(alike.len());
    alike.into_iter().find(|position| seen.insert(id_at(*position), *position, &id_at).is_some())
}

/// A power of two: more than the number of identifiers, so that a search ends.
fn slots_for(count: usize) -> usize {
    (count.max(1) * 2).next_power_of_two()
}

/// A set of hashes of which the lowest bits count.
#[derive(Debug, Clone, Default)]
struct HashBits {
    words: Vec<u64>,
}

impl HashBits {
    /// Creates an empty set; `bits` is a power of two, at least 64.
    fn new(bits: usize) -> Self {
        Self { words: vec![0; bits.div_ceil(64)] }
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds a hash. Returns whether it was there.
    #[inline]
    fn set(&mut self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        let Some(word) = self.words.get_mut(word) else { return false };
        let had = *word & bit != 0;
        *word |= bit;
        had
    }

    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & self.words.len().wrapping_sub(1), 1 << (hash & 63))
    }
}

#[inline]
fn hash(id: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(id.as_bytes());
    hasher.finish()
}
