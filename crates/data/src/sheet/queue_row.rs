//! A pair of a queue's sheet, with a mark for its answer.

use llull_core::KeyBuilder;

use super::cell::{cell, essence, text_cell};

/// The question of a queue's sheet, which determines its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueSheetForm {
    /// To grade a document of a query.
    Grade,
    /// Which of two documents is better?
    Compare,
    /// Does a text state an expected answer?
    Answers,
}

/// A pair of a queue on a sheet. It holds nothing that would reveal the answers of judges or systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSheetRow {
    /// Its number, from 1; no two rows of a sheet have the same.
    pub number: usize,
    /// The unique name of the pair, in letters and digits: a hash of query, documents, texts and rubric.
    pub item: String,
    /// Identifiers: of the query and the document, or of the query, the left document and the right one. Empty for
    /// questions about expected answers.
    pub names: Vec<String>,
    /// The query and the document, or the query, the left document and the right one, or the query, the expected answer
    /// and the text.
    pub texts: Vec<String>,
}

impl QueueSheetForm {
    /// The heading of the column that people fill in.
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

    /// All headings, in words.
    pub(super) fn headings(self) -> &'static str {
        match self {
            Self::Grade => "item, grade, note, query, document, query_text, text",
            Self::Compare => "item, answer, note, query, left, right, query_text, left_text, right_text",
            Self::Answers => "item, answer, note, query_text, expected, text",
        }
    }
}

impl QueueSheetRow {
    /// Returns the cells of a row on a sheet of this draw, with empty ones for answer and note.
    pub(super) fn cells(&self, draw: &str) -> Vec<String> {
        let texts: Vec<String> = self.texts.iter().map(|text| text_cell(text)).collect();
        let mark = queue_mark(draw, self.number, &self.item, texts.iter().map(String::as_str));
        let mut cells = vec![mark, String::new(), String::new()];
        cells.extend(self.names.iter().map(|name| cell(name)));
        cells.extend(texts);
        cells
    }
}

/// Returns the mark of a row with these texts: the draw, the number, the pair, and a hash of these with the row's
/// texts. So an answer is refused if columns were sorted apart. Identifiers are not in it: spreadsheets rewrite those
/// that look like numbers, and `item` represents them.
///
/// It begins with a letter and contains dots, so that no spreadsheet takes it for a number or a date.
pub(super) fn queue_mark<'a>(
    draw: &str,
    number: usize,
    item: &str,
    texts: impl Iterator<Item = &'a str>,
) -> String {
    let key = KeyBuilder::new("llull queue sheet v1").text("draw", draw).number("number", number as u64);
    let key = texts.fold(key.text("item", item), |key, text| key.text("cell", &essence(text)));
    let hash = key.finish().to_string();
    format!("{draw}.{number}.{item}.x{}", hash.get(..8).unwrap_or_default())
}

/// Returns draw, number and pair of a mark; `None` if it is not a mark of a queue's sheet.
pub(super) fn queue_parts(mark: &str) -> Option<(&str, usize, &str)> {
    let parts: Vec<&str> = mark.split('.').collect();
    let [draw, number, item, check] = parts.as_slice() else { return None };
    let whole = check.len() == 9 && !draw.is_empty() && !item.is_empty();
    let number = number.parse().ok().filter(|number| *number > 0)?;
    whole.then_some((*draw, number, *item))
}
