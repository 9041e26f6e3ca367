//! Reads comparisons from files, folders and readers.

use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};

use fs_err as fs;
use indexmap::{IndexMap, IndexSet};
use llull_core::{Ballots, Item};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use super::collector::Collector;
use super::{csv_table, jsonl, preferences};
use crate::DataError;
use crate::csv::separator_line;
use crate::error::shown_path;
use crate::limits::LONGEST_LINE;
use crate::lines::Lines;
use crate::open::open;
use crate::tables::Columns;
use crate::trec::PrefsForm;

/// Reads comparisons from files, and from all files of folders in the order of their names, and joins them. Files
/// whose name begins with a dot are left out. The form of each file is detected from its first line, unless `format`
/// names it. Columns and keys of other names are those that `columns` names:
///
/// * CSV under a header, with commas, semicolons or tabs: `left`, `right`, `winner` (`left`, `right`, `tie`, or the
///   item's own name), and optionally `weight`, `query` (or `qid`, `query_id`, `topic`) and `judge`. Fields may be
///   quoted.
/// * `query winner loser`, or `query a b winner` where the winner is a, b or the word `tie`; `#` begins a
///   comment.
/// * JSON lines: `{"query":"q1","ranking":[["d3"],["d1","d7"],"d2"],"rest":["d9"]}` with the tied items of a
///   place in a list of their own, or `{"query":"q1","left":"d1","right":"d2","winner":"left"}`; optionally
///   `weight` and `judge`. Other keys are not read.
/// * trec_eval's preferences, `query ujg ujsubg item level`, or `query ujg item level` if `format` says so:
///   the judge is the group (`ujg`), and a subgroup is a ranking by level, in which items of level 0 are the
///   rest.
///
/// A line is a ballot, except in preferences: a line that occurs twice counts twice.
///
/// # Errors
/// Returns an error if a file cannot be read, a line does not have the form of its file or compares an item
/// with itself, some input names queries and some does not, or a file holds no comparison.
pub fn read_ballots(
    paths: &[impl AsRef<Path>],
    format: Option<BallotFormat>,
    columns: &Columns,
) -> Result<BallotsFile, DataError> {
    let mut collector = Collector::default();
    for path in paths {
        let path = path.as_ref();
        if path.is_dir() {
            for file in files_of(path)? {
                read_one(&mut collector, shown_path(&file), open(&file)?, (format, columns))?;
            }
        } else {
            read_one(&mut collector, shown_path(path), open(path)?, (format, columns))?;
        }
    }
    Ok(collector.finish())
}

/// Reads comparisons from a reader, as [`read_ballots`] does with columns of the usual names; `name` is the reader's
/// name in messages.
///
/// # Errors
/// Returns an error in the same cases as [`read_ballots`].
pub fn read_ballots_from(
    name: &str,
    reader: impl BufRead + Send + 'static,
    format: Option<BallotFormat>,
) -> Result<BallotsFile, DataError> {
    let mut collector = Collector::default();
    read_one(&mut collector, name.to_owned(), Box::new(reader), (format, &Columns::default()))?;
    Ok(collector.finish())
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(DataError::File)? {
        let entry = entry.map_err(DataError::File)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        return Err(DataError::Folder {
            folder: folder.display().to_string(),
            found: "there is no file in it".into(),
            remedy: "Name the folder that holds the comparisons".into(),
        });
    }
    files.sort();
    Ok(files)
}

/// A description of all forms, for messages.
const FORMATS: &str = "comparisons: CSV under the header left,right,winner; lines `query winner loser` or \
                       `query a b winner`; JSON objects with \"ranking\", or with \"left\", \"right\" and \
    \"winner\"; or \
                       trec_eval's prefs, `query ujg ujsubg item level`, with at least two items in a subgroup";

fn read_one(
    collector: &mut Collector,
    name: String,
    reader: Box<dyn BufRead + Send>,
    (format, columns): (Option<BallotFormat>, &Columns),
) -> Result<(), DataError> {
    let before = collector.count();
    let Head { bytes, first, rest } = Head::read(&name, reader)?;
    let sure = format.is_some();
    let reader: Box<dyn BufRead + Send> = Box::new(Cursor::new(bytes).chain(rest));
    let lines = Lines::over(name.clone(), reader);
    match format.unwrap_or_else(|| detect(&first, columns)) {
        BallotFormat::Csv => csv_table::read(collector, lines, columns)?,
        BallotFormat::Columns => super::columns::read(collector, lines, sure)?,
        BallotFormat::Jsonl => jsonl::read(collector, lines, columns)?,
        BallotFormat::Prefs => preferences::read(collector, lines, PrefsForm::Prefs)?,
        BallotFormat::QrelsPrefs => preferences::read(collector, lines, PrefsForm::QrelsPrefs)?,
    }
    if collector.count() == before {
        return Err(DataError::Empty {
            file: name,
            wanted: "comparison",
            remedy: format!("It needs {FORMATS}"),
        });
    }
    Ok(())
}

/// The bytes that were read to find the first line, and the reader behind them.
struct Head {
    bytes: Vec<u8>,
    /// The first line that is neither blank nor a comment; empty if the file has no such line.
    first: String,
    rest: Box<dyn BufRead + Send>,
}

impl Head {
    fn read(name: &str, mut rest: Box<dyn BufRead + Send>) -> Result<Self, DataError> {
        let mut bytes = Vec::new();
        loop {
            let start = bytes.len();
            // A longer line is refused when the lines are read.
            let mut limited = rest.by_ref().take(LONGEST_LINE as u64 + 1);
            let read = limited.read_until(b'\n', &mut bytes).map_err(|source| DataError::Io {
                file: name.to_owned(),
                action: "read",
                source,
            })?;
            let line = bytes.get(start..).unwrap_or_default().trim_ascii();
            if read == 0 || bytes.len() > LONGEST_LINE || !matches!(line.first(), None | Some(b'#')) {
                let first = String::from_utf8_lossy(line).into_owned();
                return Ok(Self { bytes, first, rest });
            }
        }
    }
}

/// Returns the form of a file that begins with this line.
fn detect(first: &str, columns: &Columns) -> BallotFormat {
    let words = first.split_ascii_whitespace().count();
    if first.starts_with(['{', '[']) {
        BallotFormat::Jsonl
    } else if preferences::is_prefs(first) {
        BallotFormat::Prefs
    } else if separator_line(first).is_some()
        || csv_table::is_header(first, columns)
        || (first.contains(',') && !(3..=4).contains(&words))
    {
        BallotFormat::Csv
    } else {
        BallotFormat::Columns
    }
}

/// A form of comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
pub enum BallotFormat {
    /// Comma- or tab-separated under a header with `left`, `right` and `winner`.
    Csv,
    /// `query winner loser` or `query a b winner`, in any white space.
    Columns,
    /// One JSON object on each line: a pair or a ranking.
    Jsonl,
    /// trec_eval's `query ujg ujsubg item level` (`-R prefs`).
    Prefs,
    /// trec_eval's `query ujg item level` (`-R qrels_prefs`). Its first line may also be one of columns, so it must be
    /// named.
    QrelsPrefs,
}

impl BallotFormat {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Columns, Self::Jsonl, Self::Prefs, Self::QrelsPrefs];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn unknown(name: &str) -> String {
    let known = <BallotFormat as strum::VariantNames>::VARIANTS;
    format!("there is no format {name:?} of comparisons; there are {}", known.join(", "))
}

/// The comparisons of some input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BallotsFile {
    /// The comparisons by query.
    pub ballots: Ballots,
    /// By query, for each of its ballots in their order, the item that was on the left. `None` if the line
    /// has no sides: in rankings, in preferences and in `query winner loser`.
    pub lefts: IndexMap<Option<String>, Vec<Option<Item>>>,
    /// The names of the judges by position, in the order in which they first occur. The empty name is the judge of
    /// comparisons that name none.
    pub judges: IndexSet<Box<str>>,
    /// Remarks on the input.
    pub notes: BallotNotes,
}

/// Remarks on the input of comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BallotNotes {
    /// The number of lines, CSV records or subgroups of preferences that hold a comparison.
    pub ballots: u64,
    /// Files of preferences, each with the number of its subgroups that prefer nothing: they have one item,
    /// or none above level 0.
    pub silent: Vec<(String, u64)>,
}

impl BallotNotes {
    /// Returns a sentence on each part of the input that is not read.
    pub fn remarks(&self) -> Vec<String> {
        let subgroups = self.silent.iter().map(|(file, count)| {
            let (subgroups, prefer, are) = match count {
                1 => ("subgroup", "prefers", "is"),
                _ => ("subgroups", "prefer", "are"),
            };
            format!(
                "{file}: {count} {subgroups} of one item, or of none above level 0, {prefer} nothing and {are} not \
                 counted"
            )
        });
        subgroups.collect()
    }
}
