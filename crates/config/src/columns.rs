//! Reads `[columns]` of llull.toml: the columns of tables, where they do not have their usual names.

use std::collections::BTreeMap;

use llull_data::{ColumnName, Columns};
use serde::{Deserialize, Deserializer, de};

use crate::corpus::Names;

/// `[columns]`
#[derive(Debug, Clone, Default)]
pub struct ColumnsTable(pub Columns);

impl<'de> Deserialize<'de> for ColumnsTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = BTreeMap::<String, Names>::deserialize(deserializer)?;
        let mut columns = Columns::default();
        for (key, Names(fields)) in table {
            let name: ColumnName = key.parse().map_err(|_| {
                de::Error::custom(format_args!("{key:?} is not among {}", ColumnName::NAMES.join(", ")))
            })?;
            if fields.len() > 1 && name != ColumnName::Text {
                return Err(de::Error::custom(format_args!("{key} is one column; only text joins several")));
            }
            columns.name(name, fields);
        }
        Ok(Self(columns))
    }
}
