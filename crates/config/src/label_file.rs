//! Reads a file of labels in llull.toml, and its options.
//!
//! The options hold for grades that are no whole numbers, or that a pair has several times.

use std::fmt;

use llull_data::{Columns, OptionForm, ReadQrelsOptions, RepeatedGrades};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `reference = "FILE"`, `reference = "the reviewers"`, or the table `[reference]`.
#[derive(Debug, Clone)]
pub struct LabelFileEntry {
    /// Labels, as qrels.
    pub file: String,
    /// How its grades are read.
    pub reading: LabelReading,
}

impl LabelFileEntry {
    /// Whether these are the human labels of the study's sample, and no file. A file of that name is `./the reviewers`.
    pub(crate) fn is_human_labels(&self) -> bool {
        self.file == ALL_ANNOTATORS
    }
}

/// The reading of grades that are no whole numbers, or that repeat; by default such a file is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelReading(pub ReadQrelsOptions);

impl LabelReading {
    /// Reads the keys `round` and `repeats`.
    pub(crate) fn of(round: Option<bool>, repeats: Option<&str>) -> Result<Self, String> {
        let repeats = repeats.map(str::parse::<RepeatedGrades>).transpose();
        let repeats = repeats.map_err(|error| format!("repeats = {error}"))?;
        Ok(Self(ReadQrelsOptions {
            round: round.unwrap_or_default(),
            repeats,
            ..ReadQrelsOptions::default()
        }))
    }

    /// Returns this reading with named columns.
    #[must_use]
    pub fn with_columns(&self, columns: &Columns) -> Self {
        Self(ReadQrelsOptions { columns: columns.clone(), form: OptionForm::Key, ..self.0.clone() })
    }

    /// Whether neither option is set.
    pub fn is_usual(&self) -> bool {
        !self.0.round && self.0.repeats.is_none() && self.0.columns.is_empty()
    }
}

/// The keys as written; empty if neither option is set.
impl fmt::Display for LabelReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let round = self.0.round.then(|| "round".to_owned());
        let repeats = self.0.repeats.map(|repeats| format!("repeats={}", repeats.name()));
        let columns = (!self.0.columns.is_empty()).then(|| format!("columns={}", self.0.columns));
        f.write_str(&round.into_iter().chain(repeats).chain(columns).collect::<Vec<_>>().join(" "))
    }
}

impl Serialize for LabelReading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.0.round {
            map.serialize_entry("round", &true)?;
        }
        if let Some(repeats) = self.0.repeats {
            map.serialize_entry("repeats", repeats.name())?;
        }
        map.end()
    }
}

/// `[reference]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelFileTable {
    file: String,
    round: Option<bool>,
    repeats: Option<String>,
}

impl<'de> Deserialize<'de> for LabelFileEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = LabelFileEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file, or a table with `file` and perhaps `round` and `repeats`")
            }

            fn visit_str<E: de::Error>(self, file: &str) -> Result<LabelFileEntry, E> {
                Ok(LabelFileEntry { file: file.to_owned(), reading: LabelReading::default() })
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<LabelFileEntry, A::Error> {
                let table = LabelFileTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
                let LabelFileTable { file, round, repeats } = table;
                let reading = LabelReading::of(round, repeats.as_deref()).map_err(de::Error::custom)?;
                if file == ALL_ANNOTATORS && !reading.is_usual() {
                    let why = "human labels of the study's sample are whole numbers, once each; leave out round and \
                               repeats, or write \"./the reviewers\" for a file of that name";
                    return Err(de::Error::custom(why));
                }
                Ok(LabelFileEntry { file, reading })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The name of all annotators of a study's sample: as `reference` in llull.toml, and among judges.
pub const ALL_ANNOTATORS: &str = "the reviewers";
