//! JSON lines: pairs and rankings.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};

use super::collector::{About, Collector, SIDES, WinnerColumn};
use crate::DataError;
use crate::json::{self, Id};
use crate::lines::{Line, Lines};
use crate::tables::{Columns, Header, Role, TableKind};

const EXPECTED: &str = "a JSON object with \"ranking\", or with \"left\", \"right\" and \"winner\"";

/// The keys of a line.
const KEYS: [(Role, &str); 8] = [
    (Role::Query, "query"),
    (Role::Left, "left"),
    (Role::Right, "right"),
    (Role::Winner, "winner"),
    (Role::Ranking, "ranking"),
    (Role::Rest, "rest"),
    (Role::Judge, "judge"),
    (Role::Weight, "weight"),
];

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    query: Option<Id<'a>>,
    #[serde(borrow)]
    qid: Option<Id<'a>>,
    #[serde(borrow)]
    query_id: Option<Id<'a>>,
    #[serde(borrow)]
    topic: Option<Id<'a>>,
    #[serde(borrow)]
    judge: Option<Id<'a>>,
    weight: Option<f64>,
    #[serde(borrow)]
    left: Option<Id<'a>>,
    #[serde(borrow)]
    right: Option<Id<'a>>,
    #[serde(borrow)]
    winner: Option<Id<'a>>,
    #[serde(borrow)]
    ranking: Option<Vec<Place<'a>>>,
    #[serde(borrow, default)]
    rest: Vec<Id<'a>>,
}

impl<'a> Row<'a> {
    fn queries(&self) -> impl Iterator<Item = &Id<'a>> {
        [&self.query, &self.qid, &self.query_id, &self.topic].into_iter().flatten()
    }

    /// Returns whether its keys leave no doubt of the query.
    fn has_one_query(&self) -> bool {
        self.queries().nth(1).is_none()
    }
}

pub(super) fn read(collector: &mut Collector, mut lines: Lines, columns: &Columns) -> Result<(), DataError> {
    let mut is_plain = None;
    let mut last: Option<Header> = None;
    while let Some(line) = lines.next_filled()? {
        if line.text.trim_start().starts_with('[') {
            return Err(line.unexpected(EXPECTED, "A JSON array is not read: write one object per line"));
        }
        let is_plain = if let Some(known) = is_plain {
            known
        } else {
            let header = header_of(&json::parse(&line, EXPECTED)?, None, columns, &line)?;
            header.note(line.file, &KEYS.map(|(role, _)| role), columns);
            *is_plain.insert(columns.is_empty() && has_own_keys(&header))
        };
        if is_plain {
            let row: Row<'_> = json::parse(&line, EXPECTED)?;
            if row.has_one_query() {
                add(collector, &line, &row, ["left", "right"])?;
                continue;
            }
        }
        let object = json::parse(&line, EXPECTED)?;
        let header = header_of(&object, last.take(), columns, &line)?;
        let (text, sides) = renamed(object, &header);
        last = Some(header);
        let renamed = Line { text: &text, ..line };
        add(collector, &line, &json::parse(&renamed, EXPECTED)?, sides.each_ref().map(String::as_str))?;
    }
    Ok(())
}

/// Returns the roles of an object's keys: those of the last line, if it has the same keys.
fn header_of(
    object: &Map<String, Value>,
    last: Option<Header>,
    columns: &Columns,
    line: &Line<'_>,
) -> Result<Header, DataError> {
    match last {
        Some(last) if last.has_names(object.keys()) => Ok(last),
        _ => Header::find(TableKind::Comparisons, columns, object.keys().cloned().collect(), line),
    }
}

/// Whether every key with a role is one that [`Row`] has.
fn has_own_keys(header: &Header) -> bool {
    let is_own = |(role, name): (Role, &str)| {
        KEYS.contains(&(role, name)) || role == Role::Query && ["qid", "query_id", "topic"].contains(&name)
    };
    header.roles().all(is_own)
}

/// Returns the line's object with the keys that [`Row`] has, and the keys of the two sides.
fn renamed(mut object: Map<String, Value>, header: &Header) -> (String, [String; 2]) {
    let name = |role: Role| header.at(role).map_or("", |at| header.name(at));
    let row: Map<String, Value> = KEYS
        .into_iter()
        .filter_map(|(role, key)| Some((key.to_owned(), object.remove(name(role))?)))
        .collect();
    let sides = [Role::Left, Role::Right].map(|role| name(role).to_owned());
    (Value::Object(row).to_string(), sides)
}

fn add(collector: &mut Collector, line: &Line<'_>, row: &Row<'_>, sides: [&str; 2]) -> Result<(), DataError> {
    let about = About {
        query: row.queries().next().map(|Id(id)| id.as_ref()),
        judge: row.judge.as_ref().map(|Id(id)| id.as_ref()),
        weight: row.weight,
    };
    match (&row.ranking, &row.left, &row.right, &row.winner) {
        (None, Some(Id(left)), Some(Id(right)), Some(Id(winner))) if row.rest.is_empty() => {
            let winner_key = WinnerColumn { column: None, words: SIDES, sides };
            let won = winner_key.read(line, left, right, winner)?;
            collector.pair(line, &about, left, right, won)
        }
        (Some(places), None, None, None) => {
            if places.iter().any(|place| place.0.is_empty()) {
                return Err(line.wrong(
                    None,
                    "an empty place in the ranking",
                    "one item or several",
                    "Remove it",
                ));
            }
            let places = places.iter().map(|place| place.0.iter().map(AsRef::as_ref).collect());
            collector.ranking(line, &about, places, row.rest.iter().map(|Id(id)| id.as_ref()))
        }
        _ => {
            Err(line
                .unexpected(EXPECTED, "A line is one or the other, and whole; \"rest\" belongs to a ranking"))
        }
    }
}

/// A place in a ranking: an item, or a list of items that share it.
struct Place<'a>(Vec<Cow<'a, str>>);

struct PlaceVisitor;

impl<'de> de::Visitor<'de> for PlaceVisitor {
    type Value = Vec<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item or a list of tied items")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(vec![Cow::Borrowed(text)])
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![Cow::Owned(text.to_owned())])
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(vec![Cow::Owned(number.to_string())])
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(vec![Cow::Owned(number.to_string())])
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut place = Vec::new();
        while let Some(Id(item)) = items.next_element()? {
            place.push(item);
        }
        Ok(place)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Place<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlaceVisitor).map(Self)
    }
}
