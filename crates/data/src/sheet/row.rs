//! Sheets for annotators, as data.

use super::cell::{cell, text_cell};
use super::draw::SheetDraw;
use super::mark::RowMark;

/// The question of a sheet, which determines its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetForm {
    /// To grade a document of a query.
    Grade,
    /// Which of two documents is better?
    Compare,
    /// Does a text state an expected answer?
    Answers,
}

/// A sheet to be filled in. It holds nothing that would reveal the answers of judges or systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The draw of its pairs.
    pub draw: SheetDraw,
    /// The task of annotators.
    pub form: SheetForm,
    /// Its pairs, in their order.
    pub rows: Vec<SheetRow>,
}

/// A pair on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number, from 1; no two rows of a sheet have the same.
    pub number: usize,
    /// The unique name of the pair, in letters and digits: a hash.
    pub item: String,
    /// Identifiers: of the query and the document, or of the query, the left document and the right one. Empty for
    /// questions about expected answers.
    pub names: Vec<String>,
    /// The query and the document, or the query, the left document and the right one, or the query, the expected answer
    /// and the text. Empty on a sheet of identifiers alone, which is for documents to grade.
    pub texts: Vec<String>,
}

impl SheetForm {
    /// The heading of the column that annotators fill in.
    pub(super) fn answer(self) -> &'static str {
        match self {
            Self::Grade => "grade",
            Self::Compare | Self::Answers => "answer",
        }
    }

    /// The headings of the columns of identifiers.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Grade => &["query", "document"],
            Self::Compare => &["query", "left", "right"],
            Self::Answers => &[],
        }
    }

    /// The headings of the columns of texts.
    pub(super) fn texts(self) -> &'static [&'static str] {
        match self {
            Self::Grade => &["query_text", "text"],
            Self::Compare => &["query_text", "left_text", "right_text"],
            Self::Answers => &["query_text", "expected", "text"],
        }
    }

    /// All headings, in their order.
    pub(super) fn headings(self) -> Vec<&'static str> {
        [&["item", self.answer(), "note"], self.names(), self.texts()].concat()
    }
}

impl SheetRow {
    /// Returns the cells of a row on a sheet of this draw, with empty ones for answer and note.
    pub(super) fn cells(&self, draw: &str) -> Vec<String> {
        let names: Vec<String> = self.names.iter().map(|name| cell(name)).collect();
        let texts: Vec<String> = self.texts.iter().map(|text| text_cell(text)).collect();
        let [shown_names, shown_texts] =
            [&names, &texts].map(|cells| cells.iter().map(String::as_str).collect::<Vec<_>>());
        let mark = RowMark { draw, number: self.number, item: Some(&self.item) };
        let mut cells = vec![mark.with(&shown_names, &shown_texts), String::new(), String::new()];
        cells.extend(names);
        cells.extend(texts);
        cells
    }
}
