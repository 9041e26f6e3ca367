//! Errors in files, with file, line, value, expectation and advice.

use std::{fmt, io, path::Path};

use crate::tables::Faults;

/// The reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The operating system refused. The message of fs_err names the file and the operation.
    #[error("{0}")]
    File(#[source] io::Error),
    /// The content of a file could not be read or decompressed, or the output could not be written.
    #[error("{file}: cannot {action}: {source}{}", remedy(source))]
    Io {
        /// The file as the user named it.
        file: String,
        /// The operation: `read`, `write`.
        action: &'static str,
        /// The reason of the operating system.
        #[source]
        source: io::Error,
    },
    /// A line does not have the form of its format.
    #[error(transparent)]
    Line(#[from] Box<LineError>),
    /// Two lines contradict each other.
    #[error(transparent)]
    Conflict(#[from] Box<Conflict>),
    /// An entry of a JSON file does not have the form of its format.
    #[error(transparent)]
    Json(#[from] Box<JsonError>),
    /// Replies that name no query, of which there are not as many as queries.
    #[error(
        "{file}: {} without the name of a query, and {}. Such replies are in the order of the \
         queries, so there must be as many: save them again for all queries, or save each with its query, as in \
         {{\"query\": \"...\", \"results\": [...]}}",
        if *replies == 1 { "1 reply".to_owned() } else { format!("{replies} replies") },
        if *queries == 1 { "1 query".to_owned() } else { format!("{queries} queries") }
    )]
    Replies {
        /// The file as the user named it.
        file: String,
        /// The number of replies.
        replies: usize,
        /// The number of queries.
        queries: usize,
    },
    /// A file has the results of several systems, none of which has the wanted name.
    #[error(
        "{file}: it has the results of {}. Write a file for each: llull export runs --run {} --system {} -o NEW_FILE; \
         or choose one by `name` in [[systems]]",
        systems.join(", "),
        llull_core::shell_word(file),
        systems.first().map_or_else(|| "NAME".to_owned(), |name| llull_core::shell_word(name))
    )]
    Systems {
        /// The file as the user named it.
        file: String,
        /// The systems.
        systems: Vec<String>,
    },
    /// Rows of a table are wrong.
    #[error("{0}")]
    Faults(Box<Faults>),
    /// Several columns could have one role.
    #[error(
        "{file}: {role} could be {}. Name the right one: --columns {role}={}",
        or(candidates),
        candidates.first().map_or("", String::as_str)
    )]
    Ambiguous {
        /// The file as the user named it.
        file: String,
        /// The role, as `--columns` calls it.
        role: &'static str,
        /// The columns.
        candidates: Vec<String>,
    },
    /// The file is empty, but something is needed.
    #[error("{file}: there is no {wanted} in it. {remedy}")]
    Empty {
        /// The file as the user named it.
        file: String,
        /// The missing value: `query`.
        wanted: &'static str,
        /// Advice.
        remedy: String,
    },
    /// A field that the user named is in no object of the file.
    #[error(
        "{file}: no document has the field {field:?}, which [corpus] in llull.toml names. {}",
        there_are(known)
    )]
    NoField {
        /// The file as the user named it.
        file: String,
        /// The field.
        field: String,
        /// The fields that objects have.
        known: Vec<String>,
    },
    /// A folder does not hold the files that it should hold.
    #[error("{folder}: {found}. {remedy}")]
    Folder {
        /// The folder as the user named it.
        folder: String,
        /// The error in it.
        found: String,
        /// Advice.
        remedy: String,
    },
    /// A program's own file lies behind a symbolic link.
    #[error(
        "{path} is a symbolic link, which can lead anywhere: llull reads and writes files of its own through none. \
         Remove it, or put what it leads to in its place"
    )]
    Link {
        /// The link.
        path: String,
    },
    /// A path that should stay below a folder leads out of it.
    #[error("{path:?} leads out of its folder; name a file in it")]
    LeadsOut {
        /// The path.
        path: String,
    },
    /// A file that is read whole has too many bytes.
    #[error(
        "{file}: more than {limit} bytes{}, the limit of a file that is read whole. Set LLULL_MAX_FILE to a higher \
         limit, for example LLULL_MAX_FILE=4GiB",
        in_units(*limit)
    )]
    TooLarge {
        /// The file as the user named it.
        file: String,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// A binary file is damaged, or has something that llull does not know.
    #[error("{file}: this {kind} cannot be read: {reason}. Write or copy it again")]
    Damaged {
        /// The file as the user named it.
        file: String,
        /// The kind of file: `Parquet file`.
        kind: &'static str,
        /// The fault in it.
        reason: String,
    },
    /// A value for which a format has no form.
    #[error("{what} cannot be written as {format}. Write another format")]
    NoForm {
        /// The value.
        what: String,
        /// The format.
        format: &'static str,
    },
    /// A name that cannot be written in the columns of a TREC file.
    #[error(
        "the {what} {name:?} cannot be written in a TREC file: {because}. Rename it, or write another format"
    )]
    Name {
        /// The kind of name: `query`, `document`, `run`.
        what: &'static str,
        /// The name.
        name: String,
        /// The error in it.
        because: &'static str,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// A line that does not have the form of its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The file as the user named it, or `standard input`.
    pub file: String,
    /// The line, from 1. Comments and blank lines count.
    pub line: u64,
    /// The column that is wrong, from 1, with its name; `None` if the line as a whole is wrong.
    pub column: Option<(usize, &'static str)>,
    /// The text there, shortened.
    pub found: String,
    /// The expected form.
    pub expected: String,
    /// Advice; can be empty.
    pub remedy: String,
}

impl std::error::Error for LineError {}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}", self.file, self.line)?;
        if let Some((number, name)) = self.column {
            write!(f, ", column {number} ({name})")?;
        }
        write!(f, ": found {}, expected {}", self.found, self.expected)?;
        if !self.remedy.is_empty() {
            write!(f, ". {}", self.remedy)?;
        }
        Ok(())
    }
}

/// An entry of a JSON file that does not have the form of its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The file as the user named it, or `standard input`.
    pub file: String,
    /// The path to the entry: `responses[0].hits.hits[2]`.
    pub path: String,
    /// What is there, shortened.
    pub found: String,
    /// The expected form.
    pub expected: String,
    /// Advice; can be empty.
    pub remedy: String,
}

impl std::error::Error for JsonError {}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, path, found, expected, remedy } = self;
        write!(f, "{file} at {path}: found {found}, expected {expected}")?;
        if remedy.is_empty() { Ok(()) } else { write!(f, ". {remedy}") }
    }
}

/// The place of a row, as messages name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowPlace {
    /// A line, from 1.
    Line(u64),
    /// A row of a file without lines, from 1.
    Row(u64),
    /// The path to an entry of JSON, or to a file of a folder.
    Path(String),
}

impl fmt::Display for RowPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Path(path) => write!(f, "at {path}"),
        }
    }
}

impl From<u64> for RowPlace {
    fn from(line: u64) -> Self {
        Self::Line(line)
    }
}

/// Two rows that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file as the user named it, or `standard input`.
    pub file: String,
    /// The row that was read first; `None` if the file cannot be read a second time to find it.
    pub first: Option<RowPlace>,
    /// The row that contradicts it.
    pub second: RowPlace,
    /// The contradiction: `document d1 of query q1 is graded 2 and then 0`.
    pub what: String,
    /// Advice.
    pub remedy: String,
}

impl std::error::Error for Conflict {}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, first, second, what, remedy } = self;
        match (first, second) {
            (Some(RowPlace::Line(first)), RowPlace::Line(second)) => {
                write!(f, "{file} lines {first} and {second}")?;
            }
            (Some(first), second) => write!(f, "{file} {first} and {second}")?,
            (None, RowPlace::Line(second)) => write!(f, "{file} line {second} and a line before it")?,
            (None, second) => write!(f, "{file} {second} and an entry before it")?,
        }
        write!(f, ": {what}. {remedy}")
    }
}

impl From<LineError> for DataError {
    fn from(error: LineError) -> Self {
        Self::Line(Box::new(error))
    }
}

impl From<Conflict> for DataError {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(Box::new(conflict))
    }
}

impl DataError {
    pub(crate) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { file: shown_path(path), action, source }
    }

    /// Returns the same error that many lines further down.
    pub(crate) fn moved_down(mut self, lines: u64) -> Self {
        if let Self::Line(error) = &mut self {
            error.line += lines;
        }
        self
    }
}

/// Returns whole MiB, for messages.
fn in_units(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!(" ({} MiB after decompression)", bytes >> 20) } else { String::new() }
}

/// Returns the first of these fields, for messages.
fn there_are(known: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = known.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = if known.len() > SHOWN { " and others" } else { "" };
    format!("Documents have {}{more}", shown.join(", "))
}

/// Returns names with "or" before the last.
fn or(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// Returns advice about an error; empty for an unknown one.
fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::UnexpectedEof => ". The file is cut off: compress or copy it again",
        _ => "",
    }
}

/// Returns a number of columns in words, for messages.
pub(crate) fn so_many_columns(found: usize) -> String {
    format!("{found} column{}", if found == 1 { "" } else { "s" })
}

/// Returns the path as messages show it: as the user wrote it, or `standard input` for `-`.
pub fn shown_path(path: &Path) -> String {
    if path.as_os_str() == "-" { String::from("standard input") } else { path.display().to_string() }
}

/// Quotes text from a file for a message, with control characters escaped, and at most 60 characters long.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

/// The error of a writer, whose file is not known here.
pub(crate) fn output(source: std::io::Error) -> DataError {
    DataError::Io { file: String::from("output"), action: "write", source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_where_what_and_what_to_do() {
        let error = LineError {
            file: "a.run".into(),
            line: 17,
            column: Some((5, "score")),
            found: quoted("high"),
            expected: "a number".into(),
            remedy: "Correct it".into(),
        };
        assert_eq!(
            error.to_string(),
            "a.run line 17, column 5 (score): found \"high\", expected a number. Correct it"
        );
    }

    #[test]
    fn long_text_is_shortened_between_characters() {
        let text = "é".repeat(100);
        assert_eq!(quoted(&text), format!("\"{}\"...", "é".repeat(60)));
        assert_eq!(quoted("a\tb\u{7}"), "\"a\\tb\\u{7}\"");
    }
}
