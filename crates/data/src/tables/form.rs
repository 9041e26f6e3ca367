//! Whether a file is a table, and of which form.

use std::path::Path;

use super::columns::Columns;
use super::markup::is_markup;
use super::roles::{RoleNames, TableKind, is_usual};
use crate::csv::{SEPARATORS, separator_line};
use crate::decimal::parse_f64;

/// The form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Objects or lists of JSON, perhaps one a line.
    Json,
    /// Fields below a header, between commas, semicolons or tabs.
    Delimited,
    /// Fields between tabs, without a header.
    Plain,
    /// Fields between tags: SGML and XML.
    Markup,
    /// Columns of a Parquet file.
    Parquet,
}

/// Returns the form of a file whose first line that is not blank is `first`; `None` if it is no table. Queries and
/// documents always are.
pub(crate) fn form_of(kind: TableKind, first: &[u8], path: &Path, columns: &Columns) -> Option<Form> {
    let plain = || matches!(kind, TableKind::Queries | TableKind::Documents).then_some(Form::Plain);
    // Text in another encoding is tried as a table, whose reader finds out.
    let Ok(first) = std::str::from_utf8(first) else {
        return if is_csv(path) { Some(Form::Delimited) } else { plain() };
    };
    let first = first.trim();
    if is_markup(first) && plain().is_some() {
        return Some(Form::Markup);
    }
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok();
    if first.starts_with(['{', '[']) && (!is_trec(kind, first) || is_json()) {
        return Some(Form::Json);
    }
    if is_trec(kind, first) {
        return None;
    }
    let header =
        || SEPARATORS.iter().any(|separator| is_header(kind, first, char::from(*separator), columns));
    if is_csv(path) || separator_line(first).is_some() || header() { Some(Form::Delimited) } else { plain() }
}

/// Whether a line is one of TREC's: six columns of a run, or four of qrels, whatever its identifiers begin with.
fn is_trec(kind: TableKind, line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_number = |at: usize| words.get(at).is_some_and(|word| parse_f64(word).is_some());
    match kind {
        TableKind::Results => words.len() >= 5 && is_number(4),
        TableKind::Labels => words.len() == 4 && is_number(3),
        _ => false,
    }
}

/// Whether a line is the header of such a table: it has a name for each role that is required, and no numbers.
fn is_header(kind: TableKind, line: &str, separator: char, columns: &Columns) -> bool {
    // Where there are tabs, they separate, and anything else belongs to a text.
    if separator != '\t' && line.contains('\t') {
        return false;
    }
    let names: Vec<&str> = line.split(separator).map(|name| name.trim().trim_matches('"').trim()).collect();
    if names.iter().any(|name| parse_f64(name).is_some()) {
        return false;
    }
    let is_named = |name: &&str| columns.iter().any(|(_, fields)| fields.iter().any(|field| field == name));
    if names.iter().any(is_named) {
        return true;
    }
    let has = |name: &str, role: &RoleNames| {
        role.usual.iter().copied().flatten().any(|usual| is_usual(name, usual))
    };
    let known: Vec<&str> =
        names.iter().copied().filter(|name| kind.roles().iter().any(|role| has(name, role))).collect();
    let mut required = kind.roles().iter().filter(|role| role.required);
    // One name among other words may be an identifier of that name.
    let enough = match known.as_slice() {
        [] => false,
        [one] => kind == TableKind::Queries && one.len() > 4 && names.first() == Some(one),
        _ => true,
    };
    enough && required.all(|role| names.iter().any(|name| has(name, role)))
}

fn is_csv(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.ends_with(".csv")
}
