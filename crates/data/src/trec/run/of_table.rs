//! A run from a table: rows of query, document, rank and score, or saved replies.

use std::borrow::Cow;
use std::hash::BuildHasher as _;
use std::path::Path;

use indexmap::IndexMap;
use llull_core::{Document, Hits, Run, Topics};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::file::{ReadRunOptions, RunFile, RunNotes, RunOrder};
use super::rank_check::{Line, RankCheck, contradiction};
use crate::chunks::Chunks;
use crate::decimal::parse_f64;
use crate::tables::{ColumnName, Columns, QueryOfRow, Role, Row, TableKind, TableSource, read_table};
use crate::trec::parsed_chunk::too_much;
use crate::trec::repeat::Repeat;
use crate::{DataError, RowPlace};

/// The results of a query, in the order of the file.
#[derive(Default)]
struct Results {
    hits: Hits,
    ranks: Vec<f64>,
    /// Whether the order is that of a list of hits.
    in_order: bool,
    /// The hashes of the documents.
    seen: FxHashSet<u64>,
    /// The first that was there already, with its place.
    repeat: Option<(RowPlace, String)>,
}

/// The results of a system, by query.
type System = IndexMap<String, Results, FxBuildHasher>;

/// Reads a run from a table. The order is that of the scores, or else of the ranks, or else of the rows. The hits of a
/// reply are in the reply's order.
pub(super) fn read_run_table(
    source: TableSource<'_>,
    options: &ReadRunOptions,
    name: String,
) -> Result<RunFile, DataError> {
    let file = source.file.clone();
    let queries = QueryNames::new(options.queries.as_deref());
    let mut systems: IndexMap<String, System, FxBuildHasher> = IndexMap::default();
    // Whether the first row has what orders it, and which that is; whether some row has a score.
    let (mut first, mut mixed, mut scored): (Option<(bool, Role)>, Option<DataError>, bool) =
        (None, None, false);
    let mut notes = RunNotes::default();
    let table = read_table(source, &mut |row: &Row<'_>| {
        let system = row.get(Role::System).unwrap_or_default();
        let results = match systems.get_mut(&*system) {
            Some(known) => known,
            None => systems.entry(system.into_owned()).or_default(),
        };
        let query = queries.resolve(row)?;
        let document = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?;
        let number = |role: Role, expected: &str| match row.get(role) {
            None => Ok(None),
            Some(written) => match parse_f64(written.trim()).filter(|number| !number.is_nan()) {
                Some(number) => Ok(Some(number)),
                None => Err(row.wrong(role, &written, expected, "")),
            },
        };
        let score = number(Role::Score, "a score, a number")?;
        let rank = number(Role::Rank, "a rank, a number")?;
        let of_query = match results.get_mut(&*query) {
            Some(known) => known,
            None => results.entry(query.into_owned()).or_default(),
        };
        of_query.in_order |= row.rank_in_list().is_some();
        if !of_query.seen.insert(FxBuildHasher.hash_one(document.trim())) {
            of_query.repeat.get_or_insert_with(|| (row.place().in_file(), document.trim().to_owned()));
        }
        let by_rank = options.order == RunOrder::Rank || score.is_none();
        let place = of_query.ranks.len() as f64;
        let in_list = row.rank_in_list().is_some();
        if !in_list {
            // What orders some rows and not others would mix two orders.
            let ordered = if by_rank { (rank.is_some(), Role::Rank) } else { (score.is_some(), Role::Score) };
            let other = *first.get_or_insert(ordered) != ordered;
            if other && mixed.is_none() {
                let role = if scored { Role::Score } else { Role::Rank };
                mixed = Some(row.missing(role));
            }
            scored |= score.is_some();
        }
        let value = match (score, rank) {
            (Some(score), _) if !by_rank => score,
            (_, Some(rank)) => -rank,
            _ => -place,
        };
        if !of_query.hits.push(document.trim(), value) {
            return Err(too_much(row.place()));
        }
        of_query.ranks.push(rank.unwrap_or(f64::NAN));
        notes.lines += 1;
        Ok(())
    })?;
    if let Some(topics) =
        options.queries.as_deref().filter(|topics| ![0, topics.len()].contains(&table.replies))
    {
        return Err(DataError::Replies { file, replies: table.replies, queries: topics.len() });
    }
    let named = options.name.as_deref().and_then(|name| systems.swap_remove(name));
    let results = match (named, systems.len()) {
        (Some(named), _) => named,
        (None, 0 | 1) => systems.pop().map(|(_, only)| only).unwrap_or_default(),
        (None, _) => return Err(DataError::Systems { file, systems: systems.into_keys().collect() }),
    };
    if let Some(mixed) = mixed {
        return Err(mixed);
    }
    let mut run = Run::new(name);
    let mut checks = Vec::with_capacity(results.len());
    for (query, Results { hits, ranks, in_order, repeat, .. }) in results {
        let scores: Vec<f64> = hits.iter().map(|(_, score)| score).collect();
        let by_rank = options.order == RunOrder::Rank && ranks.iter().all(|rank| !rank.is_nan());
        let hits = if in_order && !by_rank && !falls(&scores) { renumbered(&hits) } else { hits };
        let lines = hits.iter().zip(&ranks).map(|((_, score), rank)| Line { score, rank: *rank });
        checks.push(RankCheck::of(lines));
        let ranked = hits.rank(0..hits.len(), options.depth);
        let repeats = hits.len() - ranked.distinct;
        if repeats > 0 {
            notes.duplicates += repeats as u64;
            let first = repeat.map(|(place, document)| Repeat { place, topic: query.clone(), document });
            notes.first_duplicate = notes.first_duplicate.take().or(first);
        }
        run.insert(query, ranked.kept);
    }
    notes.contradiction = contradiction(run.iter().map(|(query, _)| query).zip(checks));
    notes.table = table;
    Ok(RunFile { run, notes })
}

/// Reads the documents of a table of results that has their texts; none of a file that is no table. A document that is
/// found for several queries comes several times.
///
/// # Errors
/// Returns an error if the file cannot be read, or a row has no document; and the first error of `each`.
pub fn read_result_texts(
    path: impl AsRef<Path>,
    columns: &Columns,
    mut each: impl FnMut(Document),
) -> Result<(), DataError> {
    let path = path.as_ref();
    let Ok(source) = TableSource::of(Chunks::open(path)?, path, TableKind::Results, columns) else {
        return Ok(());
    };
    columns.search(&[ColumnName::Title, ColumnName::Text]);
    read_table(source, &mut |row: &Row<'_>| {
        let id = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?.trim().to_owned();
        let part = |role| row.get(role).map(Cow::into_owned).unwrap_or_default();
        let document = Document { id, title: part(Role::Title), text: part(Role::Text) };
        if !document.is_blank() {
            each(document);
        }
        Ok(())
    })
    .map(drop)
}

/// Whether every score is lower than the one before.
fn falls(scores: &[f64]) -> bool {
    scores.windows(2).all(|pair| pair[0] > pair[1])
}

/// The same documents, with scores that keep their order.
fn renumbered(hits: &Hits) -> Hits {
    hits.iter().enumerate().map(|(place, (document, _))| (document, -(place as f64))).collect()
}

/// The identifiers by text, without texts that several queries have.
fn unique<'t>(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> FxHashMap<&'t str, &'t str> {
    let mut by_text: FxHashMap<&str, Option<&str>> = FxHashMap::default();
    for (text, id) in pairs {
        by_text.entry(text).and_modify(|known| *known = None).or_insert(Some(id));
    }
    by_text.into_iter().filter_map(|(text, id)| Some((text, id?))).collect()
}

/// The queries of a study, which results may name by identifier, text or place.
pub(in crate::trec) struct QueryNames<'t> {
    topics: Option<&'t Topics>,
    by_text: FxHashMap<&'t str, &'t str>,
    by_place: Vec<&'t str>,
}

impl<'t> QueryNames<'t> {
    pub(in crate::trec) fn new(topics: Option<&'t Topics>) -> Self {
        let each = || topics.into_iter().flat_map(Topics::iter);
        Self {
            topics,
            by_text: unique(each().map(|topic| (topic.text.trim(), topic.id.as_str()))),
            by_place: each().map(|topic| topic.id.as_str()).collect(),
        }
    }

    /// Returns the identifier of a row's query. A name that is no query's identifier or text stays.
    pub(in crate::trec) fn resolve<'r>(&self, row: &'r Row<'_>) -> Result<Cow<'r, str>, DataError>
    where
        't: 'r,
    {
        match row.query() {
            Some(QueryOfRow::Named(name)) => {
                if self.topics.is_none_or(|topics| topics.get(&name).is_some()) {
                    return Ok(name);
                }
                Ok(self.by_text.get(name.trim()).map_or(name, |id| Cow::Borrowed(*id)))
            }
            Some(QueryOfRow::At(at)) => match (self.by_place.get(at), self.topics) {
                (Some(id), _) => Ok(Cow::Borrowed(*id)),
                // Their number is checked at the end.
                (None, Some(_)) => Ok(Cow::Owned(format!("reply {}", at + 1))),
                (None, None) => Err(row.place().wrong(
                    None,
                    "a reply that names no query",
                    "the query of each reply",
                    "Replies in the order of a file of queries are read with it: llull measure --topics FILE, or in a \
                     study, llull init --topics FILE --run FILE",
                )),
            },
            None => Err(row.missing(Role::Query)),
        }
    }
}
