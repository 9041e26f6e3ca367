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
            Form::Objects { of } => match simple_object(line, of) {
                Some(found) => found,
                None => serde_json::Deserializer::from_str(line).deserialize_map(Row(of)).ok()?,
            },
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

/// Reads an object as programs write a row: texts without escapes, and numbers in decimals. Any other is `None`, which
/// says nothing about it, and left to a general reader. With that alone, a run takes twice the processor time.
fn simple_object<'a>(line: &'a str, of: &Places<String>) -> Option<Written<'a>> {
    let is = |name: &Option<String>, key: &str| name.as_deref() == Some(key);
    let (mut query, mut document, mut score, mut rank) = (None, None, None, None);
    let mut rest = behind(line, b'{')?;
    loop {
        let (key, after) = simple_text(behind(rest, b'"')?)?;
        let (place, is_identifier) = match key {
            key if key == of.query => (&mut query, true),
            key if key == of.document => (&mut document, true),
            key if is(&of.score, key) => (&mut score, false),
            key if is(&of.rank, key) => (&mut rank, false),
            _ => return None,
        };
        let after = behind(after, b':')?;
        let after = behind(after, b' ').unwrap_or(after);
        let (value, after) = match behind(after, b'"') {
            Some(text) => simple_text(text).map(|(text, after)| (text.trim(), after))?,
            None => simple_number(after).filter(|(number, _)| !is_identifier || !number.contains('.'))?,
        };
        if place.replace(value).is_some() {
            return None;
        }
        rest = match behind(after, b',') {
            Some(next) => behind(next, b' ').unwrap_or(next),
            None if after == "}" => break,
            None => return None,
        };
    }
    let has = |place: &Option<String>, value: Option<&str>| place.is_some() == value.is_some();
    (has(&of.score, score) && has(&of.rank, rank)).then_some((query?, document?, score, rank))
}

/// Returns what is behind a byte of ASCII, if the text begins with it. The standard library compares texts for it.
#[inline]
fn behind(text: &str, byte: u8) -> Option<&str> {
    if text.as_bytes().first() == Some(&byte) { text.get(1..) } else { None }
}

/// Returns the text before a quotation mark, and what is behind it; `None` if the text has an escape or a control
/// character.
#[inline]
fn simple_text(rest: &str) -> Option<(&str, &str)> {
    let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
    let (text, rest) = rest.split_at(end);
    Some((text, behind(rest, b'"')?))
}

/// Returns a number without an exponent, and what is behind it.
#[inline]
fn simple_number(rest: &str) -> Option<(&str, &str)> {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(start);
    if whole == 0 || whole > 15 || (whole > 1 && bytes.get(start) == Some(&b'0')) {
        return None;
    }
    let mut end = start + whole;
    if bytes.get(end) == Some(&b'.') {
        let decimals = digits(end + 1);
        if decimals == 0 {
            return None;
        }
        end += 1 + decimals;
    }
    matches!(bytes.get(end), Some(b',' | b'}')).then(|| rest.split_at(end))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_simply_is_read_alike_in_general() {
        let name = |text: &str| text.to_owned();
        let of = Places { query: name("q"), document: name("d"), score: Some(name("s")), rank: None };
        let general = |line| serde_json::Deserializer::from_str(line).deserialize_map(Row(&of)).ok();
        for simple in [
            r#"{"q":"1","d":"x","s":1.50}"#,
            r#"{"q": 1, "d": " x y ", "s": -0.5}"#,
            r#"{"s":0,"d":"é","q":"1"}"#,
            r#"{"q":"","d":"x","s":"2"}"#,
        ] {
            assert!(
                simple_object(simple, &of).is_some_and(|found| Some(found) == general(simple)),
                "{simple}"
            );
        }
        for other in [
            r#"{"q":"1","d":"x"}"#,
            r#"{"q":"1","d":"x","s":1,"s":1}"#,
            r#"{"q":"1","d":"x","s":1,"t":1}"#,
            r#"{"q":"1","d":"x","s":01}"#,
            r#"{"q":"1","d":"x","s":1.}"#,
            r#"{"q":"1","d":"x","s":.5}"#,
            r#"{"q":"1","d":"x","s":+1}"#,
            r#"{"q":"1","d":"x","s":1e3}"#,
            r#"{"q":"1","d":"x","s":1 }"#,
            r#"{"q":"1","d":"x","s":NaN}"#,
            r#"{"q":"1","d":"x","s":1}}"#,
            r#"{"q":"1","d":"x","s":1},"#,
            r#"{"q":"1","d":"x","s":1,}"#,
            r#"{"q":1.0,"d":"x","s":1}"#,
            r#"{"q":null,"d":"x","s":1}"#,
            r#"{"q":"1","d":"\n","s":1}"#,
            "{\"q\":\"1\",\"d\":\"\t\",\"s\":1}",
            r#"{"q":"1","d":"x","s":"#,
            "{}",
            "",
        ] {
            assert_eq!(simple_object(other, &of), None, "{other}");
        }
    }
}
