//! The columns that a user names: `query=search_term,text=title+description`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

/// A name on the left of `=` in `--columns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum ColumnName {
    /// The identifier: of a query where queries are read, else of a document.
    Id,
    /// The query: its text where queries are read, else its identifier or its text.
    Query,
    /// The document's identifier.
    Document,
    /// The document's title.
    Title,
    /// The text.
    Text,
    /// The rank of a result.
    Rank,
    /// The score of a result.
    Score,
    /// The grade of a label.
    Grade,
    /// The system of a result.
    System,
    /// The expected answers of a question; on a sheet of comparisons the annotator's answer.
    Answer,
    /// The item that was shown first.
    Left,
    /// The item that was shown second.
    Right,
    /// The winner of a comparison.
    Winner,
    /// The winner of a comparison without sides.
    Better,
    /// The loser of a comparison without sides.
    Worse,
    /// The items in their order.
    Ranking,
    /// The items behind all that are in order.
    Rest,
    /// The weight of a comparison.
    Weight,
    /// The judge of a comparison.
    Judge,
    /// The probability of a pair in a sample.
    Probability,
    /// Whether a pair was drawn.
    Drawn,
    /// The stratum of a pair.
    Stratum,
    /// The mark of a row on a sheet.
    Item,
    /// An annotator's note.
    Note,
    /// The query's text on a sheet.
    QueryText,
    /// The text on the left.
    LeftText,
    /// The text on the right.
    RightText,
    /// The expected answer on a sheet.
    Expected,
}

impl ColumnName {
    /// All of them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Their names.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The columns that a user names, for all files: each counts for the files that have such a column. In the others, and
/// where nothing is named, columns are found by their usual names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    named: Vec<(ColumnName, Vec<String>)>,
    /// Fields that are left out on purpose, and so are no remark.
    ignored: Vec<String>,
    /// The names whose columns a file must have.
    required: Vec<ColumnName>,
    lookups: Arc<Lookups>,
}

/// The names that files were searched for, and those that a file has, a bit each. Copies of columns share them: a name
/// that no file has is a typing error, and each file alone may do without it.
#[derive(Debug, Default)]
struct Lookups {
    searched: AtomicU32,
    found: AtomicU32,
    /// How tables were read: each file with its columns, and whether that was handed out. The order does not depend on
    /// that of the reading.
    tables: Mutex<BTreeMap<(String, String), bool>>,
    /// The role of which a file has several columns, with these.
    ambiguity: Mutex<Option<(&'static str, Vec<String>)>>,
}

/// Columns are equal whatever files were read with them.
impl PartialEq for Lookups {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lookups {}

impl Columns {
    /// Names the columns of a role, in place of those before. Several are joined, each on lines of its own.
    pub fn name(&mut self, name: ColumnName, fields: Vec<String>) {
        self.named.retain(|(known, _)| *known != name);
        self.named.push((name, fields));
    }

    /// Names columns that the file must have.
    pub(crate) fn require(&mut self, name: ColumnName, fields: Vec<String>) {
        self.name(name, fields);
        self.required.push(name);
    }

    /// Returns whether the file must have columns of some name.
    pub(super) fn is_strict(&self) -> bool {
        !self.required.is_empty()
    }

    /// Leaves out fields on purpose.
    pub fn ignore(&mut self, fields: &[String]) {
        self.ignored.extend_from_slice(fields);
    }

    /// Returns these columns, with those of `over` in place of their own.
    #[must_use]
    pub fn overruled(mut self, over: &Self) -> Self {
        for (name, fields) in &over.named {
            self.name(*name, fields.clone());
        }
        self.ignore(&over.ignored);
        self.lookups = Arc::clone(&over.lookups);
        self
    }

    /// Notes how a table was read.
    pub(crate) fn note_table(&self, file: String, columns: String) {
        self.lookups
            .tables
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry((file, columns))
            .or_default();
    }

    /// Returns how tables were read that earlier calls did not return, in a line each:
    /// `products.jsonl: id = sku, text = title`. Files with the same columns share a line, and files in a standard
    /// format have none.
    pub fn take_tables(&self) -> Vec<String> {
        let mut tables = self.lookups.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let mut alike: IndexMap<String, Vec<String>> = IndexMap::new();
        for ((file, columns), taken) in tables.iter_mut().filter(|(_, taken)| !**taken) {
            *taken = true;
            alike.entry(columns.clone()).or_default().push(file.clone());
        }
        let line = |(columns, files): (String, Vec<String>)| {
            let more = match files.len().saturating_sub(1) {
                0 => String::new(),
                1 => " and 1 more file".to_owned(),
                more => format!(" and {more} more files"),
            };
            let colon = if columns.is_empty() { "" } else { ": " };
            format!("{}{more}{colon}{columns}", files.first().map_or("", String::as_str))
        };
        alike.into_iter().map(line).collect()
    }

    /// Notes that several columns of a file could have a role.
    pub(super) fn note_ambiguity(&self, role: &'static str, candidates: &[String]) {
        *self.lookups.ambiguity.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((role, candidates.to_vec()));
    }

    /// Returns the role of which the last file with an ambiguity has several columns, as `--columns` calls it, and
    /// these columns, once; `None` without one.
    pub fn take_ambiguity(&self) -> Option<(&'static str, Vec<String>)> {
        self.lookups.ambiguity.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Notes that files are searched for these names, if they are given.
    pub(crate) fn search(&self, names: &[ColumnName]) {
        for name in names.iter().filter(|name| self.named.iter().any(|(known, _)| known == *name)) {
            self.lookups.searched.fetch_or(name.bit(), Ordering::Relaxed);
        }
    }

    /// Returns the columns, as they are typed, that files were searched for and none has; `None` without any.
    pub fn never_found(&self) -> Option<String> {
        typed(self.absent())
    }

    /// Returns the columns that files were searched for and none has.
    pub fn absent(&self) -> impl Iterator<Item = (ColumnName, &[String])> {
        let bits =
            self.lookups.searched.load(Ordering::Relaxed) & !self.lookups.found.load(Ordering::Relaxed);
        self.iter().filter(move |(name, _)| bits & name.bit() != 0)
    }

    /// Returns the columns, as they are typed, that no file has and no file was searched for; `None` without any.
    pub fn never_searched(&self) -> Option<String> {
        let known =
            self.lookups.searched.load(Ordering::Relaxed) | self.lookups.found.load(Ordering::Relaxed);
        typed(self.iter().filter(|(name, _)| known & name.bit() == 0))
    }

    /// Returns whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns the named columns.
    pub fn iter(&self) -> impl Iterator<Item = (ColumnName, &[String])> {
        self.named.iter().map(|(name, fields)| (*name, fields.as_slice()))
    }

    pub(crate) fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Returns the fields of the first of these names whose columns the file has; if it has none, of the first that is
    /// given. Also returns whether the file must have them. Where the role is not needed, or the name is not the
    /// role's first and so perhaps that of another file's column, it is not counted as searched for.
    pub(crate) fn of(
        &self,
        names: &[ColumnName],
        is_needed: bool,
        has: &dyn Fn(&[String]) -> bool,
    ) -> Option<(&[String], bool)> {
        let mut given = names.iter().filter_map(|name| {
            let (_, fields) = self.named.iter().find(|(known, _)| known == name)?;
            if is_needed && names.first() == Some(name) {
                self.lookups.searched.fetch_or(name.bit(), Ordering::Relaxed);
            }
            if has(fields) {
                self.lookups.found.fetch_or(name.bit(), Ordering::Relaxed);
            }
            Some((fields.as_slice(), self.required.contains(name)))
        });
        let first = given.clone().find(|(fields, _)| has(fields));
        first.or_else(|| given.next())
    }
}

/// Returns columns as they are typed; `None` without any.
fn typed<'a>(columns: impl Iterator<Item = (ColumnName, &'a [String])>) -> Option<String> {
    let typed: Vec<String> =
        columns.map(|(name, fields)| format!("{}={}", name.name(), fields.join("+"))).collect();
    (!typed.is_empty()).then(|| typed.join(","))
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut columns = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, fields) = part.split_once('=').ok_or_else(|| {
                format!("{part:?} has no =; write it as query=search_term,text=title+description")
            })?;
            let name: ColumnName = name
                .trim()
                .parse()
                .map_err(|_| format!("{:?} is not among {}", name.trim(), ColumnName::NAMES.join(", ")))?;
            let fields: Vec<String> = fields.split('+').map(|field| field.trim().to_owned()).collect();
            if fields.iter().any(String::is_empty) {
                return Err(format!("{part:?} names no column behind ="));
            }
            if columns.named.iter().any(|(known, _)| *known == name) {
                return Err(format!("{} is named twice", name.name()));
            }
            if fields.len() > 1 && name != ColumnName::Text {
                return Err(format!("{} is one column; only text joins several with +", name.name()));
            }
            columns.name(name, fields);
        }
        Ok(columns)
    }
}

impl serde::Serialize for Columns {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Columns {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, fields)) in self.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{}={}", name.name(), fields.join("+"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_printed_as_they_are_typed() {
        let columns: Columns = " query = search_term , text=title+body".parse().unwrap();
        assert_eq!(columns.to_string(), "query=search_term,text=title+body");
        let over: Columns = "query=q".parse().unwrap();
        assert_eq!(columns.overruled(&over).to_string(), "text=title+body,query=q");
        assert!(Columns::default().is_empty() && "".parse::<Columns>().unwrap().is_empty());
    }

    #[test]
    fn a_column_that_no_file_has_is_known_to_all_copies() {
        let columns: Columns = "query=search_trem,id=sku".parse().unwrap();
        assert_eq!(columns.never_found(), None, "no file was read");
        assert_eq!(columns.never_searched().as_deref(), Some("query=search_trem,id=sku"));
        assert!(columns.of(&[ColumnName::Query], false, &|_| false).is_some());
        assert_eq!(columns.never_found(), None, "a file that may do without it was read");
        let study = Columns::default().overruled(&columns);
        assert!(study.of(&[ColumnName::Id, ColumnName::Query], true, &|fields| fields == ["sku"]).is_some());
        assert_eq!(columns.never_found(), None, "the identifier is there, and the query was not needed");
        assert_eq!(columns.never_searched().as_deref(), Some("query=search_trem"));
        assert!(study.of(&[ColumnName::Query], true, &|_| false).is_some());
        assert_eq!(columns.never_found().as_deref(), Some("query=search_trem"));
        assert!(study.of(&[ColumnName::Query], true, &|_| true).is_some());
        assert_eq!(columns.never_found(), None, "another file has it");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, said) in [
            ("search_term", "has no ="),
            ("q=search_term", "not among id, query, document"),
            ("query=", "names no column"),
            ("query=a,query=b", "named twice"),
            ("id=a+b", "only text joins"),
        ] {
            let error = text.parse::<Columns>().unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
