//! Reads the pool of llull.toml: a depth, or the pairs of existing labels.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::{Deserialize, Deserializer, de};

use crate::base::BaseEntry;
use crate::defaults::POOL_DEPTH;
use crate::error::ConfigError;
use crate::label_file::LabelFileEntry;
use crate::overrides::Overrides;
use crate::place::Place;
use crate::ranges;
use crate::spanned::Spanned;

/// `[pool]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PoolTable {
    /// Documents of each system that are judged; `pool = "qrels"`: the pairs of `reference` instead.
    #[schemars(extend("values" = ranges::POOL_DEPTH.span(), "default" = POOL_DEPTH))]
    #[schemars(extend("see" = "labels.md#a-benchmarks-pairs"))]
    pub depth: Option<Spanned<usize>>,
    /// Whether the pairs of the reference are judged in place of results.
    #[serde(skip)]
    #[schemars(skip)]
    pub of_reference: bool,
}

/// Reads `pool = "qrels"` or the table `[pool]`.
pub(crate) fn pool_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PoolTable, D::Error> {
    struct Visitor;
    impl<'de> de::Visitor<'de> for Visitor {
        type Value = PoolTable;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("\"qrels\", for the pairs of `reference`, or a table with `depth`")
        }

        fn visit_str<E: de::Error>(self, word: &str) -> Result<PoolTable, E> {
            match word {
                "qrels" => Ok(PoolTable { of_reference: true, ..PoolTable::default() }),
                other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
            }
        }

        fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<PoolTable, A::Error> {
            PoolTable::deserialize(MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_any(Visitor)
}

/// Checks that a pool of existing labels has some, and returns whether the pool is one.
pub(crate) fn of_reference(
    pool: &PoolTable,
    (base, reference): (Option<&Spanned<BaseEntry>>, Option<&Spanned<LabelFileEntry>>),
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<bool, ConfigError> {
    if !pool.of_reference {
        return Ok(false);
    }
    if let Some(depth) = overrides.depth {
        return Err(ConfigError::Override(format!(
            "--depth {depth} has no meaning with pool = \"qrels\", whose pairs are those of the reference: leave it out"
        )));
    }
    if let Some(base) = base {
        let message = "base keeps labels that pool = \"qrels\" makes anew: name these labels as the reference, not as \
                       the base";
        return Err(at.wrong(base, message));
    }
    match reference {
        Some(labels) if !labels.get_ref().is_human_labels() => Ok(true),
        Some(labels) => Err(at.wrong(labels, "pool = \"qrels\" needs a file of labels as the reference")),
        None => Err(at.missing(
            "pool = \"qrels\" judges the pairs of the reference, and there is none; add a line such as\n  reference = \
             \"benchmark.qrels\"",
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Settings, StudyFile};

    const STUDY: &str =
        "topics = \"t\"\n[[systems]]\nname = \"s\"\nrun = \"r\"\n[[judges]]\nmodel = \"similarity\"\n";

    fn resolved(written: &str, overrides: &Overrides) -> Result<(bool, usize), String> {
        let text = format!("{written}\n{STUDY}");
        let path = Path::new("llull.toml");
        let file = StudyFile::parse(&text, path).map_err(|error| error.to_string())?;
        let settings = Settings::resolve(file, &text, path, overrides).map_err(|error| error.to_string())?;
        Ok((settings.pool_of_reference, settings.pool_depth))
    }

    #[test]
    fn a_pool_is_a_word_or_a_table() {
        let none = Overrides::default();
        assert_eq!(resolved("pool = \"qrels\"\nreference = \"q\"", &none), Ok((true, 10)));
        assert_eq!(resolved("pool = { depth = 5 }\nreference = \"q\"", &none), Ok((false, 5)));
        assert_eq!(resolved("", &none), Ok((false, 10)));
    }

    #[test]
    fn a_pool_of_labels_needs_them() {
        let depth = Overrides { depth: Some(3), ..Overrides::default() };
        let wrong = [
            ("pool = \"qrels\"", "reference = \"benchmark.qrels\""),
            ("pool = \"qrels\"\nreference = \"the reviewers\"", "a file of labels"),
            ("pool = \"qrels\"\nreference = \"q\"\nbase = \"q\"", "not as the base"),
            ("pool = \"qrel\"\nreference = \"q\"", "\"qrels\", for the pairs of `reference`"),
            ("pool = { deep = 3 }", "unknown field `deep`"),
            ("pool = \"qrels\"\n[pool]\ndepth = 5", "Keep one: pool = \"qrels\" judges the pairs"),
            ("seed = 1\nseed = 2", "`seed` has a value above already"),
        ];
        for (written, expected) in wrong {
            let error = resolved(written, &Overrides::default()).unwrap_err();
            assert!(error.contains(expected), "{written}: {error}");
        }
        assert!(resolved("pool = \"qrels\"\nreference = \"q\"", &depth).unwrap_err().contains("--depth 3"));
    }
}
