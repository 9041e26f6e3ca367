//! The columns that a folder's `llull.toml` names, for commands on plain files.

use std::io::Read as _;
use std::path::{Component, Path};

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

/// Returns whether a file that the folder's `llull.toml` names may have one of these columns: its beginning has such a
/// word, or does not show. Other files need not have a column that is right for these.
pub fn study_may_have(folder: &Folder, fields: &[String]) -> bool {
    let text = llull_data::read_text(folder.config()).ok();
    let table = text.and_then(|text| toml::from_str::<toml::Table>(&text).ok());
    let has = |name: &&str| {
        let path = folder.path(name);
        // Without trust no file beyond the folder is read.
        let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let is_file = path.symlink_metadata().is_ok_and(|known| known.is_file());
        path.is_file() && (!is_below || !is_file || may_begin_with(&path, fields))
    };
    table.is_some_and(|table| {
        let others = table.iter().filter(|(key, _)| *key != "columns");
        others.flat_map(|(_, value)| texts(value)).any(|name| has(&name))
    })
}

/// All texts in a value.
fn texts(value: &toml::Value) -> Vec<&str> {
    match value {
        toml::Value::String(text) => vec![text],
        toml::Value::Array(list) => list.iter().flat_map(texts).collect(),
        toml::Value::Table(table) => table.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn may_begin_with(path: &Path, fields: &[String]) -> bool {
    const READ: u64 = 1 << 16;
    let mut begin = Vec::new();
    let read = llull_data::open(path).map(|file| file.take(READ).read_to_end(&mut begin));
    let text = String::from_utf8_lossy(&begin);
    // A workbook and Parquet have their names elsewhere.
    !matches!(read, Ok(Ok(_)))
        || begin.contains(&0)
        || fields.iter().any(|field| text.contains(field.as_str()))
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

    #[test]
    fn the_columns_of_the_studys_own_files_are_right() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        let has = |field: &str| study_may_have(&folder, &[field.to_owned()]);
        assert!(!has("sku"), "no llull.toml");
        let named = "[columns]\nid = \"other.csv\"\n[[systems]]\nrun = \"a.csv\"\n";
        fs_err::write(folder.config(), named).unwrap();
        fs_err::write(folder.path("other.csv"), "query,sku\n").unwrap();
        assert!(!has("sku"), "no file of that name");
        fs_err::write(folder.path("a.csv"), "query,sku\n").unwrap();
        assert_eq!((has("sku"), has("skuu")), (true, false));
        fs_err::write(folder.path("a.csv"), b"PAR1\0").unwrap();
        assert!(has("skuu"), "Parquet does not show its columns");
    }
}
