//! The forms of a corpus: JSON lines, and columns.

use std::borrow::Cow;

use super::object::CorpusObject;
use crate::DataError;
use crate::lines::Line;

pub(super) const FORMATS: &str =
    "id<TAB>text, id<TAB>title<TAB>text, or JSON objects with \"_id\", \"text\" and perhaps \"title\"";

/// The form of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    /// `id<TAB>text`
    Two,
    /// `id<TAB>title<TAB>text`
    Three,
}

impl Format {
    /// Returns the format according to the first line, and whether that line is a header.
    pub(super) fn of(line: &Line<'_>) -> Result<(Self, bool), DataError> {
        if line.text.trim_start().starts_with('{') {
            return Ok((Self::Json, false));
        }
        let columns: Vec<&str> = line.text.split('\t').map(str::trim).collect();
        let header = columns.iter().all(|name| {
            matches!(
                name.to_ascii_lowercase().as_str(),
                "id" | "_id" | "docid" | "doc_id" | "title" | "text" | "contents" | "content" | "body"
            )
        });
        match columns.len() {
            2 => Ok((Self::Two, header)),
            3 => Ok((Self::Three, header)),
            _ => Err(line.unexpected(FORMATS, remedy(line.text))),
        }
    }

    pub(super) fn parse<'a>(self, line: &Line<'a>, objects: &mut CorpusObject) -> Result<Row<'a>, DataError> {
        let columns = match self {
            Self::Json => return objects.read(line),
            Self::Two => line.text.split_once('\t').map(|(id, text)| (id, "", text)),
            Self::Three => line.text.split_once('\t').and_then(|(id, rest)| {
                let (title, text) = rest.split_once('\t')?;
                Some((id, title, text))
            }),
        };
        let (id, title, text) = columns.ok_or_else(|| {
            let found = line.text.split('\t').count();
            line.wrong(
                None,
                format!("{found} column{}", if found == 1 { "" } else { "s" }),
                if self == Self::Two { "two, id<TAB>text" } else { "three, id<TAB>title<TAB>text" },
                "Every line has as many as the first",
            )
        })?;
        Ok(Row { id: Cow::Borrowed(id.trim()), title: Cow::Borrowed(title), text: Cow::Borrowed(text) })
    }
}

/// Returns the error for fields that are named although the corpus has columns.
pub(super) fn without_names(line: &Line<'_>) -> DataError {
    line.unexpected(
        "a JSON object, since [corpus] in llull.toml names the fields to read",
        "Columns have no names: write corpus = \"FILE\", or convert the file to JSON lines",
    )
}

/// Returns advice about a line of another well-known format.
fn remedy(text: &str) -> &'static str {
    if text.starts_with('<') {
        "TREC's SGML documents are not read: convert them to one line per document"
    } else if text.starts_with('[') {
        "A JSON array is not read: write one object per line"
    } else {
        "Put a tab, not spaces, between the columns"
    }
}

/// A document with the texts of its line.
pub(super) struct Row<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) title: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
}
