//! A chunk of a run, with its results query by query.

use std::cell::{Cell, RefCell};

use llull_core::Ranked;

use super::entry::{Entry, by_rank};
use super::file::{ReadRunOptions, RunOrder};
use super::keep::Keep;
use super::plain_rows::PlainRows;
use super::rank_check::{self, RankCheck};
use crate::{DataError, lines::Line, plain_line::PlainLine, trec::parsed_chunk::ParsedChunk};

/// The content of a chunk of a run. Lines are numbered from 1 within it.
pub(super) struct RunChunk<K> {
    pub(super) results: ParsedChunk<Finished<K>>,
    /// The tag of the first result; empty if it has none.
    pub(super) tag: Option<String>,
    /// The number of lines with words behind the tag.
    pub(super) trailing: u64,
    /// The first of them.
    pub(super) first_trailing: Option<u64>,
    /// Whether a row of a table is unusual.
    pub(super) unusual: bool,
    /// The score and rank of each line.
    orders: Vec<rank_check::Line>,
    /// The same for each stretch of lines about one query.
    pub(super) checks: Vec<RankCheck>,
}

/// The value for a query that begins and ends in a chunk.
pub(super) struct Finished<K> {
    pub(super) kept: K,
    /// The number of different documents.
    pub(super) distinct: usize,
    /// Whether it is [cut among ties](llull_core::Ranked::cut_among_ties).
    pub(super) cut_among_ties: bool,
}

impl<K> Default for RunChunk<K> {
    fn default() -> Self {
        Self {
            results: ParsedChunk::default(),
            tag: None,
            trailing: 0,
            first_trailing: None,
            orders: Vec::new(),
            unusual: false,
            checks: Vec::new(),
        }
    }
}

impl<K> RunChunk<K> {
    /// Parses a chunk and finishes the queries that begin and end in it. `is_first` is true for the first chunk of the
    /// file.
    pub(super) fn parse<'a>(
        &mut self,
        bytes: Result<&'a [u8], DataError>,
        is_first: bool,
        file: &str,
        options: &ReadRunOptions,
        keep: &impl Keep<Kept = K>,
    ) {
        let Self { results, tag, trailing, first_trailing, orders, unusual, .. } = self;
        *unusual = false;
        (*tag, *trailing, *first_trailing) = (None, 0, None);
        orders.clear();
        let lines = RefCell::new(orders);
        let rounded = |score: f64| if options.float32 { f64::from(score as f32) } else { score };
        // The words of the first line are read one by one, since its tag is needed.
        let first = Cell::new(true);
        let plain = |line: PlainLine<'a, 6>| {
            if first.take() {
                return None;
            }
            let rank = line.decimal(3);
            let order = match options.order {
                RunOrder::Score => {
                    rank_check::Line { score: line.decimal(4)?, rank: rank.unwrap_or(f64::NAN) }
                }
                RunOrder::Rank => by_rank(rank?),
            };
            lines.borrow_mut().push(order);
            Some((line.word(2), rounded(order.score)))
        };
        results.parse(bytes, file, plain, |_, words, number| {
            let entry = Entry::parse(words, options, |words| Line { text: words.line(), number, file })?;
            if tag.is_none() {
                *tag = Some(entry.tag.unwrap_or_default().to_owned());
            }
            if entry.trailing {
                *trailing += 1;
                first_trailing.get_or_insert(number);
            }
            lines.borrow_mut().push(entry.order);
            Ok(Some((entry.document, rounded(entry.score))))
        });
        self.finish(is_first, options, keep);
    }

    /// Does the same with a chunk of a table.
    pub(super) fn parse_rows(
        &mut self,
        bytes: Result<&[u8], DataError>,
        is_first: bool,
        rows: &PlainRows<'_>,
        options: &ReadRunOptions,
        keep: &impl Keep<Kept = K>,
    ) {
        let Self { results, tag, trailing, first_trailing, orders, unusual, .. } = self;
        (*tag, *trailing, *first_trailing) = (None, 0, None);
        orders.clear();
        let rounded = |score: f64| if options.float32 { f64::from(score as f32) } else { score };
        let above = if is_first { rows.above } else { 0 };
        let row = |line| {
            let (query, document, order) = rows.read(line)?;
            orders.push(order);
            Some((query, document, rounded(order.score)))
        };
        *unusual = !bytes.is_ok_and(|bytes| results.parse_rows(bytes, above, row));
        if !*unusual {
            self.finish(is_first, options, keep);
        }
    }

    fn finish(&mut self, is_first: bool, options: &ReadRunOptions, keep: &impl Keep<Kept = K>) {
        let Self { results, orders, checks, .. } = self;
        let of_stretch = |range: std::ops::Range<usize>| {
            RankCheck::of(orders.get(range).unwrap_or_default().iter().copied())
        };
        checks.clear();
        checks.extend(results.stretches.iter().map(|stretch| of_stretch(stretch.hits.clone())));
        results.finish(is_first, |topic, hits, range| {
            let Ranked { kept, distinct, cut_among_ties } = hits.rank(range, options.depth);
            Some(Finished { kept: keep.keep(topic, kept), distinct, cut_among_ties })
        });
    }
}
