//! A parsed chunk of a file, query by query.
//!
//! Each line of the file is about one document of a query.

use std::ops::Range;

use llull_core::{Grade, Hits};

use crate::{
    DataError,
    entries::{Entry, for_each_entry},
    identifier::{LONGEST_IDENTIFIER, identifier_too_long},
    lines::Line,
    plain_line::PlainLine,
    tables::Place,
    words::Words,
};

/// Shorter stretches are left to the thread that merges, so that lines in any order do not cost much each.
const WORTH_FINISHING: usize = 8;

/// The content of a chunk. Lines are numbered from 1 within it. `D` is the result for a query whose lines are
/// all in the chunk.
pub(super) struct ParsedChunk<D> {
    /// Consecutive lines about one query.
    pub(super) stretches: Vec<Stretch<D>>,
    topics: String,
    /// Documents with their scores or grades, line by line.
    pub(super) hits: Hits,
    lines: Vec<u32>,
    /// The lines of labels that have a mean, ascending.
    pub(super) means: Vec<(u64, Grade)>,
    /// The number of lines, including those without content.
    pub(super) count: u64,
    /// The error in the line behind the last hit.
    pub(super) error: Option<DataError>,
}

/// Consecutive lines about one query.
pub(super) struct Stretch<D> {
    topic: Range<usize>,
    /// The range of its hits in the chunk.
    pub(super) hits: Range<usize>,
    /// The result for these lines, if they are all lines of the query as far as can be seen from the chunk.
    pub(super) done: Option<D>,
}

impl<D> Default for ParsedChunk<D> {
    fn default() -> Self {
        Self {
            stretches: Vec::new(),
            topics: String::new(),
            hits: Hits::default(),
            lines: Vec::new(),
            means: Vec::new(),
            count: 0,
            error: None,
        }
    }
}

impl<D> ParsedChunk<D> {
    /// Reads a chunk, or records why it could not be read, and drops the previous content. `entry` gets a line after
    /// its first word, which is the query, and returns its document with its score or grade; `None` if the line has no
    /// document. A plain line of `N` words is passed to `plain` first, which returns `None` if `entry` has to read it.
    pub(super) fn parse<'a, const N: usize>(
        &mut self,
        bytes: Result<&'a [u8], DataError>,
        file: &str,
        plain: impl Fn(PlainLine<'a, N>) -> Option<(&'a str, f64)>,
        mut entry: impl FnMut(&'a str, &mut Words<'a>, u64) -> Result<Option<(&'a str, f64)>, DataError>,
    ) {
        self.stretches.clear();
        self.topics.clear();
        self.hits.clear();
        self.lines.clear();
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return (self.count, self.error) = (0, Some(error)),
        };
        let read = for_each_entry(bytes, file, |line, number| {
            let (topic, found) = match line {
                Entry::Plain(line) => match plain(line) {
                    Some(found) => (line.word(0), Some(found)),
                    None => return Ok(false),
                },
                Entry::Words(topic, words) => (topic, entry(topic, words, number)?),
            };
            let Some((document, value)) = found else { return Ok(true) };
            let line = Line { text: "", number, file };
            if let Some(long) = [topic, document].into_iter().find(|id| id.len() > LONGEST_IDENTIFIER) {
                return Err(identifier_too_long(&line, long));
            }
            match self.push(topic, document, value, number) {
                true => Ok(true),
                false => Err(too_much(Place::Line(line))),
            }
        });
        match read {
            Ok(count) => (self.count, self.error) = (count, None),
            Err(error) => (self.count, self.error) = (0, Some(error)),
        }
    }

    /// Reads a chunk of a table, and drops the previous content. `row` returns the query, the document and the score of
    /// a line that is not blank; `None` if there is something unusual about it. The first `above` lines are skipped.
    /// Returns whether nothing is unusual.
    pub(super) fn parse_rows<'a>(
        &mut self,
        bytes: &'a [u8],
        above: u64,
        mut row: impl FnMut(&'a str) -> Option<(&'a str, &'a str, f64)>,
    ) -> bool {
        self.stretches.clear();
        self.topics.clear();
        self.hits.clear();
        self.lines.clear();
        (self.count, self.error) = (0, None);
        let Ok(mut rest) = std::str::from_utf8(bytes) else { return false };
        while !rest.is_empty() {
            self.count += 1;
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            let line = line.strip_suffix('\r').unwrap_or(line);
            if self.count <= above || line.trim_ascii().is_empty() {
                continue;
            }
            let Some((topic, document, value)) = row(line) else { return false };
            let is_short = topic.len() <= LONGEST_IDENTIFIER && document.len() <= LONGEST_IDENTIFIER;
            let is_line = memchr::memchr(b'\r', line.as_bytes()).is_none();
            if !is_short || !is_line || !self.push(topic, document, value, self.count) {
                return false;
            }
        }
        true
    }

    /// Computes the results for the queries that begin and end in the chunk. `is_first` is true for the first chunk of
    /// the file.
    pub(super) fn finish(&mut self, is_first: bool, make: impl Fn(&str, &Hits, Range<usize>) -> Option<D>) {
        let last = self.stretches.len().saturating_sub(1);
        for (place, stretch) in self.stretches.iter_mut().enumerate().take(last) {
            if (place > 0 || is_first) && stretch.hits.len() >= WORTH_FINISHING {
                let topic = self.topics.get(stretch.topic.clone()).unwrap_or_default();
                stretch.done = make(topic, &self.hits, stretch.hits.clone());
            }
        }
    }

    pub(super) fn topic(&self, stretch: &Stretch<D>) -> &str {
        self.topics.get(stretch.topic.clone()).unwrap_or_default()
    }

    /// Returns the document, the score or grade, and the line in the chunk of one of its hits.
    pub(super) fn get(&self, index: usize) -> Option<(&str, f64, u64)> {
        let (document, value) = self.hits.get(index)?;
        Some((document, value, u64::from(*self.lines.get(index)?)))
    }

    /// Returns the mean of the label on a line, if it has one.
    pub(super) fn mean(&self, line: u64) -> Option<Grade> {
        let at = self.means.binary_search_by_key(&line, |(line, _)| *line).ok()?;
        self.means.get(at).map(|(_, mean)| *mean)
    }

    /// Adds a hit. Returns whether there was room.
    #[inline]
    fn push(&mut self, topic: &str, document: &str, value: f64, number: u64) -> bool {
        let at = self.hits.len();
        let Ok(line) = u32::try_from(number) else { return false };
        if !self.hits.push(document, value) {
            return false;
        }
        self.lines.push(line);
        match self.stretches.last_mut() {
            Some(last) if self.topics.as_bytes().get(last.topic.clone()) == Some(topic.as_bytes()) => {
                last.hits.end += 1;
            }
            _ => {
                let start = self.topics.len();
                self.topics.push_str(topic);
                let stretch = Stretch { topic: start..self.topics.len(), hits: at..at + 1, done: None };
                self.stretches.push(stretch);
            }
        }
        true
    }
}

/// Returns the error for identifiers that do not fit.
pub(super) fn too_much(place: Place<'_>) -> DataError {
    place.wrong(
        None,
        "more than 4 GiB of document identifiers in one query",
        "a query that fits into memory",
        "Split the file",
    )
}
