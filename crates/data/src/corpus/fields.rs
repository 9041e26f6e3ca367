//! Which fields of a JSON corpus are read.

use serde::Serialize;

use crate::tables::{ColumnName, Columns};

/// Which fields of a JSON corpus are read, where they are not the usual ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CorpusFields {
    /// The field with the identifier; `None` looks for `_id`, `id`, `docid` and `doc_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The field with the title; `None` is `title`, unless [`text`](Self::text) names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The fields that make up the text, in this order, each on lines of its own. Empty looks for `text`, `contents`,
    /// `content`, `body` and `segment`, of which the first counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Fields that are left out on purpose, and so are no remark.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// The most estimated tokens of a passage of a folder of texts; 0 for whole files, `None` for
    /// [`DEFAULT_PASSAGE_TOKENS`](llull_core::DEFAULT_PASSAGE_TOKENS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_tokens: Option<u32>,
    /// The columns that the user names for all files; those above come first.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub columns: Columns,
}

impl CorpusFields {
    /// Returns whether documents are read as without any settings.
    pub fn is_usual(&self) -> bool {
        self.passage_tokens.is_none()
            && self.id.is_none()
            && self.title.is_none()
            && self.text.is_empty()
            && self.columns.is_empty()
    }

    /// Returns the columns to read.
    pub(super) fn columns(&self) -> Columns {
        let mut columns = self.columns.clone();
        let one = |field: &Option<String>| field.iter().cloned().collect();
        for (name, fields) in [
            (ColumnName::Document, one(&self.id)),
            (ColumnName::Title, one(&self.title)),
            (ColumnName::Text, self.text.clone()),
        ] {
            if !fields.is_empty() {
                columns.require(name, fields);
            }
        }
        columns.ignore(&self.ignore);
        columns
    }
}
