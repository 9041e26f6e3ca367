//! The results of one query in the order of their lines.

use llull_core::{Hits, Ranked, Ranking};

use super::file::RunNotes;

/// Results of one topic in the order of their lines.
#[derive(Default)]
pub(super) struct Block {
    pub(super) hits: Hits,
    /// The line of each; 0 for a result of an earlier block.
    lines: Vec<u64>,
    /// Whether it continues a ranking that was finished before.
    pub(super) reopened: bool,
}

impl Block {
    /// Blocks with fewer lines are never compacted: runs with the usual 1,000 documents for a query stay
    /// exact in every count.
    pub(super) const FULL: usize = 1 << 16;

    /// The same for blocks that stay open, of which there can be as many as queries.
    pub(super) const SCATTERED: usize = 64;

    pub(super) fn reopen(ranking: &Ranking) -> Self {
        let hits: Hits = ranking.iter().map(|hit| (hit.document, hit.score)).collect();
        Self { lines: vec![0; hits.len()], hits, reopened: true }
    }

    /// Adds a result. Returns whether there was room.
    pub(super) fn push(&mut self, document: &str, score: f64, line: u64) -> bool {
        let room = self.hits.push(document, score);
        if room {
            self.lines.push(line);
        }
        room
    }

    pub(super) fn clear(&mut self) {
        self.hits.clear();
        self.lines.clear();
        self.reopened = false;
    }

    pub(super) fn rank(&self, depth: Option<usize>) -> Ranked {
        self.hits.rank(0..self.hits.len(), depth)
    }

    /// Counts the lines whose document occurred before them. Results of earlier blocks come first.
    pub(super) fn note(&self, notes: &mut RunNotes, ranked: &Ranked, topic: &str) {
        let duplicates = self.hits.len() - ranked.distinct;
        if duplicates > 0 {
            let first = self.hits.first_repeat(0..self.hits.len());
            let line = first.and_then(|index| self.lines.get(index)).copied();
            let document = first.and_then(|index| self.hits.get(index)).map(|(document, _)| document);
            notes.count(duplicates, line.zip(document), topic);
        }
    }
}
