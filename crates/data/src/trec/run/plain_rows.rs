//! Rows of a table that have nothing unusual, which all cores can read: a query, a document, a score or a rank or both,
//! and no quotes, escapes or missing values.
//!
//! Whatever is unusual leaves the file to the reader of all tables, which knows what it means or what is wrong.

use std::fmt;

use llull_core::Topics;
use serde::Deserializer as _;
use serde::de;
use serde_json::value::RawValue;

use super::file::{ReadRunOptions, RunOrder};
use super::rank_check;
use crate::decimal::parse_f64;
use crate::tables::{PlainTable, Role};

/// How rows are split into what a run needs.
pub(super) struct PlainRows<'o> {
    form: Form,
    /// The lines before the first row.
    pub(super) above: u64,
    order: RunOrder,
    topics: Option<&'o Topics>,
}

enum Form {
    /// Columns: how many, and the places of those that are read.
    Delimited { separator: u8, count: usize, of: Places<usize> },
    /// Objects with these fields and no others.
    Objects { of: Places<String> },
}

struct Places<T> {
    query: T,
    document: T,
    score: Option<T>,
    rank: Option<T>,
}

/// A row: its query, its document, and its score and rank.
pub(super) type PlainRow<'a> = (&'a str, &'a str, rank_check::Line);

impl<'o> PlainRows<'o> {
    /// Returns the way to read a table; `None` if it has other columns than these.
    pub(super) fn of(table: &PlainTable, options: &'o ReadRunOptions) -> Option<Self> {
        let place = |role: Role| table.fields.iter().position(|(_, of)| *of == role);
        let places = Places {
            query: place(Role::Query)?,
            document: place(Role::Document)?,
            score: place(Role::Score),
            rank: place(Role::Rank),
        };
        let is_ordered = match options.order {
            RunOrder::Score => places.score.is_some() || places.rank.is_some(),
            RunOrder::Rank => places.rank.is_some(),
        };
        let known = [Some(places.query), Some(places.document), places.score, places.rank];
        if !is_ordered || known.iter().flatten().count() != table.fields.len() {
            return None;
        }
        let name = |at: usize| table.fields.get(at).map(|(name, _)| name.clone()).unwrap_or_default();
        let form = match table.separator {
            Some(separator) => Form::Delimited { separator, count: table.fields.len(), of: places },
            None => Form::Objects {
                of: Places {
                    query: name(places.query),
                    document: name(places.document),
                    score: places.score.map(name),
                    rank: places.rank.map(name),
                },
            },
        };
        Some(Self { form, above: table.above, order: options.order, topics: options.queries.as_deref() })
    }

    /// Returns the row of a line that is not blank; `None` if there is something unusual about it.
    pub(super) fn read<'a>(&self, line: &'a str) -> Option<PlainRow<'a>> {
        let (query, document, score, rank) = match &self.form {
            Form::Delimited { separator, count, of } => {
                if line.contains('"') {
                    return None;
                }
                let mut fields = [""; 4];
                let mut split = line.split(char::from(*separator));
                for field in fields.get_mut(..*count)? {
                    *field = split.next()?.trim();
                }
                if split.next().is_some() {
                    return None;
                }
                let at = |place: usize| fields.get(place).copied();
                (at(of.query)?, at(of.document)?, of.score.and_then(at), of.rank.and_then(at))
            }
            Form::Objects { of } => serde_json::Deserializer::from_str(line).deserialize_map(Row(of)).ok()?,
        };
        if query.is_empty()
            || document.is_empty()
            || self.topics.is_some_and(|topics| topics.get(query).is_none())
        {
            return None;
        }
        let number = |written: Option<&str>| match written {
            Some(written) => parse_f64(written).filter(|number| !number.is_nan()).map(Some),
            None => Some(None),
        };
        let (score, rank) = (number(score)?, number(rank)?);
        let order = match (score, rank) {
            (Some(score), rank) if self.order == RunOrder::Score => {
                rank_check::Line { score, rank: rank.unwrap_or(f64::NAN) }
            }
            (_, Some(rank)) => super::entry::by_rank(rank),
            _ => return None,
        };
        Some((query, document, order))
    }
}

/// Reads an object whose values are borrowed from its line.
struct Row<'p>(&'p Places<String>);

type Written<'a> = (&'a str, &'a str, Option<&'a str>, Option<&'a str>);

impl<'de> de::Visitor<'de> for Row<'_> {
    type Value = Written<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut object: A) -> Result<Written<'de>, A::Error> {
        let unusual = || de::Error::custom("unusual");
        let (mut query, mut document, mut score, mut rank) = (None, None, None, None);
        while let Some(key) = object.next_key::<&'de str>()? {
            let value = object.next_value::<&'de RawValue>()?.get();
            let place = match key {
                key if key == self.0.query => &mut query,
                key if key == self.0.document => &mut document,
                key if self.0.score.as_deref() == Some(key) => &mut score,
                key if self.0.rank.as_deref() == Some(key) => &mut rank,
                _ => return Err(unusual()),
            };
            let plain = match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
                Some(text) if !text.contains('\\') => text.trim(),
                None if value.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    // Only a number that every reader writes in the same way can be an identifier.
                    let is_identifier = key == self.0.query || key == self.0.document;
                    if is_identifier && value.parse::<i64>().is_err() {
                        return Err(unusual());
                    }
                    value
                }
                _ => return Err(unusual()),
            };
            if place.replace(plain).is_some() {
                return Err(unusual());
            }
        }
        let has = |place: &Option<String>, value: Option<&str>| place.is_some() == value.is_some();
        match (query, document) {
            (Some(query), Some(document)) if has(&self.0.score, score) && has(&self.0.rank, rank) => {
                Ok((query, document, score, rank))
            }
            _ => Err(unusual()),
        }
    }
}
