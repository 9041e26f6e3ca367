//! JSON lines: pairs and rankings.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, de};

use super::collector::{About, Collector, SIDES, WinnerColumn};
use crate::DataError;
use crate::json::{self, Id};
use crate::lines::{Line, Lines};

const EXPECTED: &str = "a JSON object with \"ranking\", or with \"left\", \"right\" and \"winner\"";

const WINNER: WinnerColumn = WinnerColumn { column: None, words: SIDES };

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow, alias = "qid", alias = "query_id", alias = "topic")]
    query: Option<Id<'a>>,
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

pub(super) fn read(collector: &mut Collector, mut lines: Lines) -> Result<(), DataError> {
    while let Some(line) = lines.next_filled()? {
        if line.text.trim_start().starts_with('[') {
            return Err(line.unexpected(EXPECTED, "A JSON array is not read: write one object per line"));
        }
        let row: Row<'_> = json::parse(&line, EXPECTED)?;
        add(collector, &line, &row)?;
    }
    Ok(())
}

fn add(collector: &mut Collector, line: &Line<'_>, row: &Row<'_>) -> Result<(), DataError> {
    let about = About { query: text(&row.query), judge: text(&row.judge), weight: row.weight };
    match (&row.ranking, &row.left, &row.right, &row.winner) {
        (None, Some(Id(left)), Some(Id(right)), Some(Id(winner))) if row.rest.is_empty() => {
            let won = WINNER.read(line, left, right, winner)?;
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

fn text<'a>(id: &'a Option<Id<'_>>) -> Option<&'a str> {
    id.as_ref().map(|id| id.0.as_ref())
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
