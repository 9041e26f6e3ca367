//! Merges the chunks of a run.

use indexmap::IndexMap;
use llull_core::Run;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::block::Block;
use super::file::RunNotes;
use super::keep::Keep;
use super::rank_check::{RankCheck, contradiction};
use super::run_chunk::{Finished, RunChunk};
use crate::DataError;
use crate::lines::Line;
use crate::tables::Place;
use crate::trec::parsed_chunk::{ParsedChunk, Stretch, too_much};

/// Collects results query by query, in the order of the file.
pub(super) struct Collector<'k, K: Keep> {
    keep: &'k K,
    file: String,
    depth: Option<usize>,
    /// In the order of the file. A query whose block is not finished holds the value from before the block.
    topics: IndexMap<String, Option<K::Kept>, FxBuildHasher>,
    /// How the scores of each query go together with its ranks, in the order of `topics`.
    checks: Vec<RankCheck>,
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

impl<'k, K: Keep> Collector<'k, K> {
    pub(super) fn new(file: String, depth: Option<usize>, keep: &'k K) -> Self {
        Self {
            keep,
            file,
            depth,
            topics: IndexMap::default(),
            checks: Vec::new(),
            current: None,
            block: Block::default(),
            scattered: FxHashMap::default(),
            tag: None,
            notes: RunNotes::default(),
            above: 0,
        }
    }

    /// Adds the next chunk.
    pub(super) fn add(&mut self, part: &mut RunChunk<K::Kept>) -> Result<(), Stop> {
        if part.unusual {
            return Err(Stop::Unusual);
        }
        let RunChunk { results, tag, trailing, first_trailing, checks, .. } = part;
        self.notes.lines += results.hits.len() as u64;
        self.notes.trailing += *trailing;
        if self.notes.first_trailing.is_none() {
            self.notes.first_trailing = first_trailing.map(|line| self.above + line);
        }
        if self.tag.is_none() {
            self.tag = tag.take();
        }
        for (mut stretch, check) in std::mem::take(&mut results.stretches).into_iter().zip(checks) {
            let finished = stretch.done.take();
            let query = self.stretch(results, &stretch, finished)?;
            self.checks.resize(self.topics.len(), RankCheck::default());
            if let Some(known) = self.checks.get_mut(query) {
                known.append(check);
            }
        }
        match results.error.take() {
            Some(error) => return Err(error.moved_down(self.above).into()),
            None => self.above += results.count,
        }
        Ok(())
    }

    /// Adds lines about one query. Returns its place.
    fn stretch(
        &mut self,
        part: &ParsedChunk<Finished<K::Kept>>,
        stretch: &Stretch<Finished<K::Kept>>,
        finished: Option<Finished<K::Kept>>,
    ) -> Result<usize, Stop> {
        let topic = part.topic(stretch);
        let current = self.current.and_then(|index| self.topics.get_index(index));
        if current.is_none_or(|(current, _)| current != topic) {
            self.leave();
            if let Some(finished) = finished.filter(|_| !self.topics.contains_key(topic)) {
                return Ok(self.whole(part, stretch, finished));
            }
            self.enter(topic)?;
        }
        for index in stretch.hits.clone() {
            let Some((document, score, line)) = part.get(index) else { break };
            if !self.block.push(document, score, self.above + line) {
                let line = Line { text: "", number: self.above + line, file: &self.file };
                return Err(too_much(Place::Line(line)).into());
            }
            self.compact_at(Block::FULL);
        }
        Ok(self.current.unwrap_or_default())
    }

    /// Adds a new query that is finished already. Returns its place.
    fn whole(
        &mut self,
        part: &ParsedChunk<Finished<K::Kept>>,
        stretch: &Stretch<Finished<K::Kept>>,
        finished: Finished<K::Kept>,
    ) -> usize {
        let topic = part.topic(stretch);
        let duplicates = stretch.hits.len() - finished.distinct;
        if duplicates > 0 {
            let first = part.hits.first_repeat(stretch.hits.clone()).and_then(|index| part.get(index));
            self.notes.count(
                duplicates,
                first.map(|(document, _, line)| (self.above + line, document)),
                topic,
            );
        }
        if finished.cut_among_ties {
            self.notes.cut_among_ties.insert(topic.to_owned());
        }
        self.topics.insert_full(topic.to_owned(), Some(finished.kept)).0
    }

    /// Continues with a query: a new one, or one that was left before.
    fn enter(&mut self, topic: &str) -> Result<(), Stop> {
        match self.topics.get_full_mut(topic) {
            None => self.current = Some(self.topics.insert_full(topic.to_owned(), None).0),
            Some((index, _, kept)) => {
                self.block = match self.scattered.remove(&index) {
                    Some(block) => block,
                    None => {
                        let known = kept.as_mut().and_then(K::reopened).ok_or(Stop::Scattered)?;
                        Block::reopen(&known)
                    }
                };
                self.current = Some(index);
            }
        }
        Ok(())
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
            if ranked.cut_among_ties {
                self.notes.cut_among_ties.insert(topic.clone());
            }
            *place = Some(self.keep.keep(topic, ranked.kept));
        }
        self.block.clear();
    }

    /// Drops documents below the depth, if there are `full` lines and at least twice the depth.
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

    /// Returns the result for each query, in the order of the file, the tag of the first line, and remarks.
    pub(super) fn finish(mut self) -> Collected<K::Kept> {
        self.leave();
        for index in 0..self.topics.len() {
            if let Some(block) = self.scattered.remove(&index) {
                self.block = block;
                self.close(index);
            }
        }
        let queries = self.topics.keys().map(String::as_str).zip(self.checks.iter().copied());
        self.notes.contradiction = contradiction(queries);
        let topics = self.topics.into_iter().filter_map(|(topic, kept)| Some((topic, kept?)));
        Collected { topics: topics.collect(), tag: self.tag, notes: self.notes }
    }
}

/// The collected results of a run.
pub(super) struct Collected<T> {
    pub(super) topics: Vec<(String, T)>,
    pub(super) tag: Option<String>,
    pub(super) notes: RunNotes,
}

impl Collected<llull_core::Ranking> {
    pub(super) fn run(self, name: String) -> (Run, RunNotes) {
        let mut run = Run::new(name);
        for (topic, ranking) in self.topics {
            run.insert(topic, ranking);
        }
        (run, self.notes)
    }
}

/// Why no more is collected.
pub(super) enum Stop {
    Error(DataError),
    /// A query came back, and its ranking is gone.
    Scattered,
    /// A row of a table is unusual.
    Unusual,
}

impl From<DataError> for Stop {
    fn from(error: DataError) -> Self {
        Self::Error(error)
    }
}
