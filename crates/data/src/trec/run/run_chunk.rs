//! A chunk of a run: its results, query by query.

use llull_core::Ranked;

use super::entry::Entry;
use crate::{lines::Line, trec::parsed_chunk::ParsedChunk};

/// The content of a chunk of a run. Lines are numbered from 1 within it.
#[derive(Default)]
pub(super) struct RunChunk {
    pub(super) results: ParsedChunk<Ranked>,
    /// The tag of the first result; empty if it has none.
    pub(super) tag: Option<String>,
    /// The number of lines with words behind the tag.
    pub(super) trailing: u64,
    /// The first of them.
    pub(super) first_trailing: Option<u64>,
}

impl RunChunk {
    /// Parses a chunk and ranks the queries that begin and end in it. `is_first` says that it begins the
    /// file.
    pub(super) fn parse(&mut self, bytes: &[u8], is_first: bool, file: &str, depth: Option<usize>) {
        let Self { results, tag, trailing, first_trailing } = self;
        (*tag, *trailing, *first_trailing) = (None, 0, None);
        results.parse(bytes, file, |_, words, number| {
            let entry = Entry::parse(words, |words| Line { text: words.line(), number, file })?;
            if tag.is_none() {
                *tag = Some(entry.tag.unwrap_or_default().to_owned());
            }
            if entry.trailing {
                *trailing += 1;
                first_trailing.get_or_insert(number);
            }
            Ok(Some((entry.document, entry.score)))
        });
        results.finish(is_first, |hits, range| Some(hits.rank(range, depth)));
    }
}
