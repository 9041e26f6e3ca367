//! A dataset that was read, with remarks on the file.

use super::expected::EvaluationDataset;

/// A dataset that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetFile {
    /// The questions and documents.
    pub dataset: EvaluationDataset,
    /// Remarks on the file.
    pub notes: DatasetNotes,
}

/// Remarks on a dataset's file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetNotes {
    /// The number of cells that were split into several answers, as
    /// [`ReadDatasetOptions::answers_separator`](super::ReadDatasetOptions::answers_separator) says.
    pub split_cells: u64,
    /// The number of answers in these cells.
    pub split_answers: u64,
    /// The number of cells that have a comma or a semicolon and are one answer, where no separator is declared.
    pub undivided_cells: u64,
    /// The number of expected answers and documents that are a word for a missing value: `nan`, `None`, `null`.
    pub missing: u64,
    /// The identifier of the first query with such a word.
    pub first_missing: Option<String>,
}

impl DatasetNotes {
    /// Returns the values of a query without blanks around them, without empty and missing ones, each once.
    pub(super) fn present(
        &mut self,
        query: &str,
        values: impl IntoIterator<Item = Option<String>>,
    ) -> Vec<String> {
        let mut present: Vec<String> = Vec::new();
        for value in values {
            let value = value.as_deref().map(str::trim);
            match value {
                Some("") => {}
                Some(value) if !is_missing(value) => {
                    if !present.iter().any(|known| known == value) {
                        present.push(value.to_owned());
                    }
                }
                _ => {
                    self.missing += 1;
                    self.first_missing.get_or_insert_with(|| query.to_owned());
                }
            }
        }
        present
    }
}

/// Returns whether a text is the missing value of pandas, Python or a database. Other spellings, such as `none`, may
/// be answers.
fn is_missing(text: &str) -> bool {
    ["nan", "NaN", "NAN", "None", "null", "Null", "NULL", "<NA>"].contains(&text)
}
