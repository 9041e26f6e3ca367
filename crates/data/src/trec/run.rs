//! Runs in TREC's six columns: `qid Q0 docid rank score tag`.

use std::path::Path;

use indexmap::IndexMap;
use llull_core::{Ranking, Run};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Repeat;
use crate::{
    DataError,
    error::shown_path,
    lines::{Line, Lines},
};

/// How a run is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Keep only the best so many documents of a topic, in the official order; `None` keeps all.
    pub depth: Option<usize>,
    /// The run's name; `None` takes the tag of its first line, or else the file's name without its extension.
    pub name: Option<String>,
}

/// A run as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// The run.
    pub run: Run,
    /// What its user should know about the file.
    pub notes: RunNotes,
}

/// What was noticed while a run was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// Lines that hold a result.
    pub lines: u64,
    /// Lines that repeat a document of their topic. The better place was kept; trec_eval refuses such a run.
    /// Exact without a depth, and with one as long as each topic's lines stand together and are fewer than 65,536;
    /// otherwise those below the depth may go uncounted. They change nothing.
    pub duplicates: u64,
    /// The first of them.
    pub first_duplicate: Option<Repeat>,
}

/// Reads a run: `qid Q0 docid rank score tag`, in any white space.
///
/// Blank lines and lines whose first word begins with `#` are skipped, as trec_eval 10 does. The tag may be any word, or
/// absent. Rank and second column are not consulted: the order is by score, then by document id, both descending.
/// A topic's lines need not stand together. Memory is that of the result, plus one topic's lines.
///
/// # Errors
/// When the file cannot be read, a line has another number of columns, or a score is not a number (NaN is not;
/// `inf` is).
pub fn read_run(path: impl AsRef<Path>, options: &RunOptions) -> Result<RunFile, DataError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path)?;
    let mut reader = Reader::new(options.depth);
    let mut tag: Option<String> = None;
    while let Some(line) = lines.next_entry()? {
        let entry = Entry::parse(&line)?;
        tag.get_or_insert_with(|| entry.tag.unwrap_or_default().to_owned());
        reader.push(&line, &entry)?;
    }
    let name = match (&options.name, tag) {
        (Some(name), _) => name.clone(),
        (None, Some(tag)) if !tag.is_empty() => tag,
        _ => stem(path),
    };
    Ok(reader.finish(name))
}

const COLUMNS: &str = "qid Q0 docid rank score tag";

struct Entry<'a> {
    topic: &'a str,
    document: &'a str,
    score: f64,
    tag: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn parse(line: &Line<'a>) -> Result<Self, DataError> {
        let mut columns = line.text.split_ascii_whitespace();
        let (Some(topic), Some(_), Some(document), Some(_), Some(score)) =
            (columns.next(), columns.next(), columns.next(), columns.next(), columns.next())
        else {
            let found = line.text.split_ascii_whitespace().count();
            return Err(line.wrong(
                None,
                format!("{found} columns"),
                &format!("the six of a run: {COLUMNS}"),
                if found == 4 { "Four columns are those of qrels: is this the labels' file?" } else { "" },
            ));
        };
        let tag = columns.next();
        if columns.next().is_some() {
            let found = line.text.split_ascii_whitespace().count();
            return Err(line.wrong(
                None,
                format!("{found} columns"),
                &format!("the six of a run: {COLUMNS}"),
                "A tag is one word, and no identifier may hold white space",
            ));
        }
        Ok(Self { topic, document, score: parse_score(line, score)?, tag })
    }
}

fn parse_score(line: &Line<'_>, text: &str) -> Result<f64, DataError> {
    match text.parse::<f64>() {
        Ok(score) if !score.is_nan() => Ok(score),
        parsed => Err(line.bad_column(
            5,
            "score",
            text,
            "a number, such as 12.5, -3 or 1e-7",
            if parsed.is_ok() {
                "A document without a score has no place: remove the line, or give it the lowest score"
            } else {
                "The columns are qid Q0 docid rank score tag"
            },
        )),
    }
}

/// The file's name without compression and extension.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name == "-" {
        return shown_path(path);
    }
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// Collects results topic by topic.
struct Reader {
    depth: Option<usize>,
    /// In the order of the file. A topic whose block is not finished holds what was known before it.
    topics: IndexMap<String, Ranking, FxBuildHasher>,
    /// The topic whose lines are being read, and its results so far.
    current: Option<usize>,
    block: Block,
    /// Topics that came back after others: their blocks stay open to the end, so that lines in any order
    /// (sorted by score over all topics, say) do not cost a sort each.
    scattered: FxHashMap<usize, Block>,
    notes: RunNotes,
}

impl Reader {
    fn new(depth: Option<usize>) -> Self {
        Self {
            depth,
            topics: IndexMap::default(),
            current: None,
            block: Block::default(),
            scattered: FxHashMap::default(),
            notes: RunNotes::default(),
        }
    }

    fn push(&mut self, line: &Line<'_>, entry: &Entry<'_>) -> Result<(), DataError> {
        self.notes.lines += 1;
        let same = self
            .current
            .and_then(|index| self.topics.get_index(index))
            .is_some_and(|(topic, _)| topic == entry.topic);
        if !same {
            self.leave();
            self.enter(entry.topic);
        }
        if !self.block.push(entry.document, entry.score, line.number) {
            return Err(line.wrong(
                None,
                "more than 4 GiB of document identifiers in one topic",
                "a topic that fits in memory",
                "Split the run",
            ));
        }
        self.compact_at(Block::FULL);
        Ok(())
    }

    /// Goes on with a topic: a new one, or one that was left before.
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

    /// Ends a topic's block, for good unless the topic comes back.
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
        let ranking = self.block.rank(self.depth);
        if let Some((topic, place)) = self.topics.get_index_mut(index) {
            self.notes.count(&self.block, &ranking, topic);
            *place = ranking.kept;
        }
        self.block.clear();
    }

    /// Lets go of what the depth excludes, when there are `full` lines and at least twice the depth.
    fn compact_at(&mut self, full: usize) {
        if self.depth.is_none_or(|depth| self.block.hits.len() < full.max(depth.saturating_mul(2))) {
            return;
        }
        let ranking = self.block.rank(self.depth);
        if let Some((topic, _)) = self.current.and_then(|index| self.topics.get_index(index)) {
            self.notes.count(&self.block, &ranking, topic);
        }
        let reopened = self.block.reopened;
        self.block = Block::reopen(&ranking.kept);
        self.block.reopened = reopened;
    }

    fn finish(mut self, name: String) -> RunFile {
        self.leave();
        for index in 0..self.topics.len() {
            if let Some(block) = self.scattered.remove(&index) {
                self.block = block;
                self.close(index);
            }
        }
        let mut run = Run::new(name);
        for (topic, ranking) in self.topics {
            run.insert(topic, ranking);
        }
        RunFile { run, notes: self.notes }
    }
}

impl RunNotes {
    fn count(&mut self, block: &Block, ranked: &Ranked, topic: &str) {
        let duplicates = block.hits.len() - ranked.distinct;
        if duplicates == 0 {
            return;
        }
        self.duplicates += duplicates as u64;
        let first = block.first_duplicate();
        if let Some((line, document)) = first
            && self.first_duplicate.as_ref().is_none_or(|before| line < before.line)
        {
            self.first_duplicate =
                Some(Repeat { line, topic: topic.to_owned(), document: document.to_owned() });
        }
    }
}

/// Results of one topic in the order of their lines, identifiers end to end.
#[derive(Default)]
struct Block {
    ids: String,
    hits: Vec<BlockHit>,
    /// Whether it goes on from a ranking that was finished before.
    reopened: bool,
}

struct BlockHit {
    end: u32,
    score: f64,
    /// 0 for a result of an earlier block.
    line: u64,
}

struct Ranked {
    kept: Ranking,
    /// How many documents there were before the depth was applied.
    distinct: usize,
}

impl Block {
    /// Blocks of fewer lines are never compacted: runs of the usual 1,000 a topic stay exact in every count.
    const FULL: usize = 1 << 16;

    /// The same for blocks that stay open, of which there can be as many as topics.
    const SCATTERED: usize = 64;

    fn reopen(ranking: &Ranking) -> Self {
        let mut block = Self { reopened: true, ..Self::default() };
        for hit in ranking.iter() {
            block.push(hit.document, hit.score, 0);
        }
        block
    }

    /// Whether there was room.
    fn push(&mut self, document: &str, score: f64, line: u64) -> bool {
        let Ok(end) = u32::try_from(self.ids.len() + document.len()) else { return false };
        self.ids.push_str(document);
        self.hits.push(BlockHit { end, score, line });
        true
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.hits.clear();
        self.reopened = false;
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &BlockHit)> {
        let mut start = 0;
        self.hits.iter().map(move |hit| {
            let end = hit.end as usize;
            (self.ids.get(std::mem::replace(&mut start, end)..end).unwrap_or_default(), hit)
        })
    }

    fn rank(&self, depth: Option<usize>) -> Ranked {
        let all = Ranking::from_scored(self.iter().map(|(document, hit)| (document, hit.score)));
        let distinct = all.len();
        let kept = match depth {
            Some(depth) if depth < distinct => {
                Ranking::from_ordered(all.iter().take(depth).map(|hit| (hit.document, hit.score)))
            }
            _ => all,
        };
        Ranked { kept, distinct }
    }

    /// The first line whose document stands before it. Results of earlier blocks come first.
    fn first_duplicate(&self) -> Option<(u64, &str)> {
        let mut seen = FxHashSet::default();
        self.iter().find(|(document, _)| !seen.insert(*document)).map(|(document, hit)| (hit.line, document))
    }
}
