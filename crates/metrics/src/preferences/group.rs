//! The preferences of one judgment group, for places in a run.

use std::collections::BTreeMap;

use llull_core::{JudgmentGroup, JudgmentSubgroup};

use super::error::PreferenceError;
use super::places::Places;

/// The preferences of one group. Documents are given by their places.
pub(super) struct Group {
    pub(super) relation: Relation,
    /// Documents of a level above 0, ascending.
    pub(super) relevant: Vec<u32>,
    /// Documents of level 0, ascending.
    pub(super) nonrelevant: Vec<u32>,
}

pub(super) enum Relation {
    /// One subgroup: its documents by level, the best first.
    Classes(Vec<Vec<u32>>),
    /// Several subgroups: which documents a document is better than, by its place among these.
    Closure { documents: Vec<u32>, better: Vec<BitSet> },
}

impl Group {
    pub(super) fn new(
        topic: &str,
        name: &str,
        subgroups: &JudgmentGroup,
        places: &Places<'_>,
    ) -> Result<Self, PreferenceError> {
        let relevance = relevance(topic, name, subgroups, places)?;
        let of = |wanted: bool| {
            relevance
                .iter()
                .filter(move |(_, relevant)| **relevant == wanted)
                .map(|(place, _)| *place)
                .collect()
        };
        let relation = match subgroups.values().next() {
            Some(only) if subgroups.len() == 1 => Relation::Classes(classes(only, places)),
            _ => {
                let documents: Vec<u32> = relevance.keys().copied().collect();
                let better = closure(&documents, subgroups, places);
                if let Some((first, second)) = cycle(&better) {
                    return Err(PreferenceError::Cycle {
                        topic: topic.to_owned(),
                        group: name.to_owned(),
                        first: places.document(documents[first]),
                        second: places.document(documents[second]),
                    });
                }
                Relation::Closure { documents, better }
            }
        };
        Ok(Self { relation, relevant: of(true), nonrelevant: of(false) })
    }

    /// Calls `prefers` with every preference: the better document, then the other.
    pub(super) fn each(&self, mut prefers: impl FnMut(u32, u32)) {
        match &self.relation {
            Relation::Classes(classes) => {
                for (above, class) in classes.iter().enumerate() {
                    for lower in &classes[above + 1..] {
                        for better in class {
                            lower.iter().for_each(|worse| prefers(*better, *worse));
                        }
                    }
                }
            }
            Relation::Closure { documents, better } => {
                for (document, row) in documents.iter().zip(better) {
                    documents
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| row.has(*at))
                        .for_each(|(_, worse)| prefers(*document, *worse));
                }
            }
        }
    }
}

/// Whether a document of the group is relevant, by place.
fn relevance(
    topic: &str,
    name: &str,
    subgroups: &JudgmentGroup,
    places: &Places<'_>,
) -> Result<BTreeMap<u32, bool>, PreferenceError> {
    let mut relevance = BTreeMap::new();
    for (document, level) in subgroups.values().flatten() {
        let (topic, group, document) = (topic.to_owned(), name.to_owned(), document.to_string());
        if !(level.is_finite() && *level >= 0.0) {
            return Err(PreferenceError::Level { topic, group, document, level: level.to_string() });
        }
        let Some(place) = places.of(&document) else { continue };
        if relevance.insert(place, *level > 0.0).is_some_and(|before| before != (*level > 0.0)) {
            return Err(PreferenceError::Zero { topic, group, document });
        }
    }
    Ok(relevance)
}

/// Documents with their places and levels, the best level first, within it by place.
fn by_level(subgroup: &JudgmentSubgroup, places: &Places<'_>) -> Vec<(f64, u32)> {
    let placed = subgroup.iter().filter_map(|(document, level)| Some((*level, places.of(document)?)));
    let mut placed: Vec<(f64, u32)> = placed.collect();
    placed.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    placed
}

fn classes(subgroup: &JudgmentSubgroup, places: &Places<'_>) -> Vec<Vec<u32>> {
    let placed = by_level(subgroup, places);
    placed.chunk_by(|a, b| a.0 == b.0).map(|class| class.iter().map(|(_, place)| *place).collect()).collect()
}

/// The preferences of the subgroups and those that follow by transitivity (Warshall 1962).
fn closure(documents: &[u32], subgroups: &JudgmentGroup, places: &Places<'_>) -> Vec<BitSet> {
    let mut better = vec![BitSet::new(documents.len()); documents.len()];
    for subgroup in subgroups.values() {
        let placed = by_level(subgroup, places);
        for (at, (level, place)) in placed.iter().enumerate() {
            let Ok(row) = documents.binary_search(place) else { continue };
            for (_, worse) in placed[at + 1..].iter().filter(|(other, _)| other < level) {
                documents.binary_search(worse).into_iter().for_each(|worse| better[row].set(worse));
            }
        }
    }
    for middle in 0..better.len() {
        let below = better[middle].clone();
        better.iter_mut().filter(|row| row.has(middle)).for_each(|row| row.add(&below));
    }
    better
}

/// Two documents that are better than each other.
fn cycle(better: &[BitSet]) -> Option<(usize, usize)> {
    let first = (0..better.len()).find(|at| better[*at].has(*at))?;
    let second =
        (0..better.len()).find(|at| *at != first && better[first].has(*at) && better[*at].has(first))?;
    Some((first, second))
}

/// A set of small numbers.
#[derive(Clone)]
pub(super) struct BitSet(Vec<u64>);

impl BitSet {
    /// An empty set of numbers below `length`.
    fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Adds the numbers of another set of the same length.
    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }
}
