//! Reads the corpus of llull.toml: a file and its fields.

use std::fmt;

use llull_data::{Columns, CorpusFields};
use serde::{Deserialize, Deserializer, de};

/// `corpus = "FILE"`, or the table `[corpus]`.
#[derive(Debug, Clone)]
pub struct CorpusEntry {
    /// CSV, TSV, JSON, JSONL or a BEIR folder.
    pub file: String,
    /// The fields of JSONL that are read.
    pub fields: CorpusFields,
}

/// `[corpus]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CorpusTable {
    file: String,
    id: Option<String>,
    title: Option<String>,
    #[serde(default)]
    text: Names,
    #[serde(default)]
    ignore: Names,
    passage_tokens: Option<u32>,
}

/// A name, or a list of names.
#[derive(Debug, Default)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field, or a list such as [\"title\", \"text\"]")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Names, E> {
                Ok(Names(vec![name.to_owned()]))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element()? {
                    names.push(name);
                }
                if names.is_empty() {
                    return Err(de::Error::custom("the list is empty; name a field, or leave the line out"));
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl<'de> Deserialize<'de> for CorpusEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = CorpusEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a file, or a table with `file` and perhaps `id`, `title`, `text`, `ignore` and `passage_tokens`",
                )
            }

            fn visit_str<E: de::Error>(self, file: &str) -> Result<CorpusEntry, E> {
                Ok(CorpusEntry { file: file.to_owned(), fields: CorpusFields::default() })
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<CorpusEntry, A::Error> {
                let table = CorpusTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
                let CorpusTable { file, id, title, text: Names(text), ignore: Names(ignore), passage_tokens } =
                    table;
                Ok(CorpusEntry {
                    file,
                    fields: CorpusFields {
                        id,
                        title,
                        text,
                        ignore,
                        passage_tokens,
                        columns: Columns::default(),
                    },
                })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
