//! The columns that a folder's `llull.toml` names, for commands on plain files.

use llull_data::Columns;
use serde::Deserialize;

use crate::{columns::ColumnsTable, error::ConfigError, file::parse_toml, folder::Folder};

/// The part of `llull.toml` that counts for plain files.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ColumnsOnly {
    columns: ColumnsTable,
}

/// Returns the columns that the `llull.toml` of a folder names, with those of `over` in place of its own; only those of
/// `over` if it has none. No other value of the file needs to be valid.
///
/// # Errors
/// Returns an error if the file cannot be read, is not TOML, or has wrong columns.
pub fn columns_of(folder: &Folder, over: &Columns) -> Result<Columns, ConfigError> {
    let path = folder.config();
    if !path.is_file() {
        return Ok(over.clone());
    }
    let file: ColumnsOnly = parse_toml(&llull_data::read_text(&path)?, &path)?;
    Ok(file.columns.0.overruled(over))
}

/// Returns whether the folder's `llull.toml` names files of a study, not columns alone.
pub fn names_files(folder: &Folder) -> bool {
    const KEYS: [&str; 7] = ["topics", "corpus", "systems", "reference", "base", "judges", "graders"];
    let text = llull_data::read_text(folder.config()).ok();
    let table = text.and_then(|text| toml::from_str::<toml::Table>(&text).ok());
    table.is_some_and(|table| KEYS.iter().any(|key| table.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_columns_precede_those_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        let typed: Columns = "id=sku".parse().unwrap();
        assert_eq!(columns_of(&folder, &typed).unwrap(), typed);
        fs_err::write(folder.config(), "misspelt = 1\n[columns]\nid = \"nr\"\ntext = \"body\"\n").unwrap();
        assert_eq!(columns_of(&folder, &typed).unwrap().to_string(), "text=body,id=sku");
        fs_err::write(folder.config(), "[columns\n").unwrap();
        assert!(columns_of(&folder, &typed).is_err());
    }
}
