//! The answers of annotators on a sheet.

use super::queue_row::QueueSheetForm;
use super::read::whole_number;

/// An annotator's answer about a pair on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellAnswer {
    /// The document has this grade.
    Grade(i32),
    /// The text states the expected answer.
    Yes,
    /// It does not.
    No,
    /// The document on the left is better.
    Left,
    /// The one on the right is.
    Right,
    /// Neither is.
    Neither,
    /// The person passes over the pair.
    Skip,
    /// The person leaves it for later.
    Later,
    /// The annotator looked, and cannot decide.
    CannotTell,
}

impl CellAnswer {
    /// Reads a cell that is not blank; `None` if it is not an answer to the sheet's question. Neither the case
    /// matters, nor the form that a spreadsheet gives an apostrophe.
    pub(super) fn read(text: &str, form: QueueSheetForm) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['\u{2019}', '\u{2018}', '`', '\u{b4}'], "'");
        let words: Vec<&str> = text.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
        match (words.join(" ").as_str(), form) {
            ("skip" | "skipped", _) => Some(Self::Skip),
            ("later", _) => Some(Self::Later),
            ("can't tell" | "cant tell" | "cannot tell", _) => Some(Self::CannotTell),
            ("left", QueueSheetForm::Compare) => Some(Self::Left),
            ("right", QueueSheetForm::Compare) => Some(Self::Right),
            ("neither", QueueSheetForm::Compare) => Some(Self::Neither),
            (_, QueueSheetForm::Compare) => None,
            ("yes" | "y", QueueSheetForm::Answers) => Some(Self::Yes),
            ("no", QueueSheetForm::Answers) => Some(Self::No),
            _ => whole_number(&text).map(Self::Grade),
        }
    }

    /// Returns the possible answers to a sheet's question, in words.
    pub(super) fn wanted(form: QueueSheetForm) -> &'static str {
        match form {
            QueueSheetForm::Grade => "a whole number of the rubric's scale, skip, later or can't tell",
            QueueSheetForm::Compare => "left, right, neither, skip, later or can't tell",
            QueueSheetForm::Answers => {
                "yes, no, or a whole number of the rubric's scale, skip, later or can't tell"
            }
        }
    }
}
