//! The answers of annotators on a sheet.

use super::row::SheetForm;

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
    /// The annotator passes over the pair.
    Skip,
    /// The annotator leaves it for later.
    Later,
    /// The annotator looked, and cannot decide.
    CannotTell,
}

impl CellAnswer {
    /// Reads a cell that is not blank; `None` if it is not an answer to the sheet's question. Neither the case
    /// matters, nor the form that a spreadsheet gives an apostrophe.
    pub(super) fn read(text: &str, form: SheetForm) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['\u{2019}', '\u{2018}', '`', '\u{b4}'], "'");
        let words: Vec<&str> = text.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
        match (words.join(" ").as_str(), form) {
            ("skip" | "skipped", _) => Some(Self::Skip),
            ("later", _) => Some(Self::Later),
            ("can't tell" | "cant tell" | "cannot tell", _) => Some(Self::CannotTell),
            ("left", SheetForm::Compare) => Some(Self::Left),
            ("right", SheetForm::Compare) => Some(Self::Right),
            ("neither", SheetForm::Compare) => Some(Self::Neither),
            (_, SheetForm::Compare) => None,
            ("yes" | "y", SheetForm::Answers) => Some(Self::Yes),
            ("no", SheetForm::Answers) => Some(Self::No),
            _ => whole_number(&text).map(Self::Grade),
        }
    }

    /// Returns the possible answers to a sheet's question, in words.
    pub(super) fn wanted(form: SheetForm) -> &'static str {
        match form {
            SheetForm::Grade => "a whole number of the rubric's scale, skip, later or can't tell",
            SheetForm::Compare => "left, right, neither, skip, later or can't tell",
            SheetForm::Answers => {
                "yes, no, or a whole number of the rubric's scale, skip, later or can't tell"
            }
        }
    }
}

/// Returns the whole number in a cell, whose decimals, if it has some, are zeros.
fn whole_number(text: &str) -> Option<i32> {
    let whole = text
        .split_once(['.', ','])
        .filter(|(_, decimals)| !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'0'))
        .map_or(text, |(whole, _)| whole);
    whole.parse().ok()
}
