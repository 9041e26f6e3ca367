//! The chunks of a run put together.

use indexmap::IndexMap;
use llull_core::{Ranked, Ranking, Run};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::block::Block;
use super::file::{RunFile, RunNotes};
use super::run_chunk::RunChunk;
use crate::DataError;
use crate::trec::parsed_chunk::{ParsedChunk, Stretch, too_much};

/// Collects results query by query, in the order of the file.
pub(super) struct Collector {
    file: String,
    depth: Option<usize>,
    /// In the order of the file. A query whose block is not finished holds what was known before the block.
    topics: IndexMap<String, Ranking, FxBuildHasher>,
    /// The query whose lines are being read, with its results so far.
    current: Option<usize>,
    block: Block,
    /// Queries that came back after others: their blocks stay open to the end, so that lines in any order
    /// (sorted by score over all queries, for example) do not cost a sort each.
    scattered: FxHashMap<usize, Block>,
    tag: Option<String>,
    notes: RunNotes,
    /// The number of lines before the next chunk.
    above: u64,
}

impl Collector {
    pub(super) fn new(file: String, depth: Option<usize>) -> Self {
        Self {
            file,
            depth,
            topics: IndexMap::default(),
            current: None,
            block: Block::default(),
            scattered: FxHashMap::default(),
            tag: None,
            notes: RunNotes::default(),
            above: 0,
        }
    }

    /// Adds the next chunk.
    pub(super) fn add(&mut self, part: &mut RunChunk) -> Result<(), DataError> {
        let RunChunk { results, tag, trailing, first_trailing } = part;
        self.notes.lines += results.hits.len() as u64;
        self.notes.trailing += *trailing;
        if self.notes.first_trailing.is_none() {
            self.notes.first_trailing = first_trailing.map(|line| self.above + line);
        }
        if self.tag.is_none() {
            self.tag = tag.take();
        }
        for mut stretch in std::mem::take(&mut results.stretches) {
            let ranked = stretch.done.take();
            self.stretch(results, &stretch, ranked)?;
        }
        match results.error.take() {
            Some(error) => return Err(error.moved_down(self.above)),
            None => self.above += results.count,
        }
        Ok(())
    }

    fn stretch(
        &mut self,
        part: &ParsedChunk<Ranked>,
        stretch: &Stretch<Ranked>,
        ranked: Option<Ranked>,
    ) -> Result<(), DataError> {
        let topic = part.topic(stretch);
        let current = self.current.and_then(|index| self.topics.get_index(index));
        if current.is_none_or(|(current, _)| current != topic) {
            self.leave();
            if let Some(ranked) = ranked.filter(|_| !self.topics.contains_key(topic)) {
                self.whole(part, stretch, ranked);
                return Ok(());
            }
            self.enter(topic);
        }
        for index in stretch.hits.clone() {
            let Some((document, score, line)) = part.get(index) else { break };
            if !self.block.push(document, score, self.above + line) {
                return Err(too_much(self.above + line, &self.file));
            }
            self.compact_at(Block::FULL);
        }
        Ok(())
    }

    /// Adds a new query that is ranked already.
    fn whole(&mut self, part: &ParsedChunk<Ranked>, stretch: &Stretch<Ranked>, ranked: Ranked) {
        let topic = part.topic(stretch);
        let duplicates = stretch.hits.len() - ranked.distinct;
        if duplicates > 0 {
            let first = part.hits.first_repeat(stretch.hits.clone()).and_then(|index| part.get(index));
            self.notes.count(
                duplicates,
                first.map(|(document, _, line)| (self.above + line, document)),
                topic,
            );
        }
        self.topics.insert(topic.to_owned(), ranked.kept);
    }

    /// Continues with a query: a new one, or one that was left before.
    fn enter(&mut self, topic: &str) {
        match self.topics.get_full_mut(topic) {
            None => self.current = Some(self.topics.insert_full(topic.to_owned(), Ranking::default()).0),
            Some((index, _, ranking)) => {
                self.current = Some(index);
                self.block = match self.scattered.remove(&index) {
                    Some(block) => block,
                    None => Block::reopen(&std::mem::take(ranking)),
                };
            }
        }
    }

    /// Ends the block of a query, for good unless the query comes back.
    fn leave(&mut self) {
        let Some(index) = self.current else { return };
        if self.block.reopened {
            self.compact_at(Block::SCATTERED);
            self.scattered.insert(index, std::mem::take(&mut self.block));
        } else {
            self.close(index);
        }
        self.current = None;
    }

    fn close(&mut self, index: usize) {
        let ranked = self.block.rank(self.depth);
        if let Some((topic, place)) = self.topics.get_index_mut(index) {
            self.block.note(&mut self.notes, &ranked, topic);
            *place = ranked.kept;
        }
        self.block.clear();
    }

    /// Drops what the depth excludes, if there are `full` lines and at least twice the depth.
    fn compact_at(&mut self, full: usize) {
        if self.depth.is_none_or(|depth| self.block.hits.len() < full.max(depth.saturating_mul(2))) {
            return;
        }
        let ranked = self.block.rank(self.depth);
        if let Some((topic, _)) = self.current.and_then(|index| self.topics.get_index(index)) {
            self.block.note(&mut self.notes, &ranked, topic);
        }
        let reopened = self.block.reopened;
        self.block = Block::reopen(&ranked.kept);
        self.block.reopened = reopened;
    }

    /// Returns the run; `name` gets the tag of the first line and returns the name of the run.
    pub(super) fn finish(mut self, name: impl FnOnce(Option<String>) -> String) -> RunFile {
        self.leave();
        for index in 0..self.topics.len() {
            if let Some(block) = self.scattered.remove(&index) {
                self.block = block;
                self.close(index);
            }
        }
        let mut run = Run::new(name(self.tag));
        for (topic, ranking) in self.topics {
            run.insert(topic, ranking);
        }
        RunFile { run, notes: self.notes }
    }
}
