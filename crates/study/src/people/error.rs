//! Errors of human labels.

/// An error of human labels.
#[derive(Debug, thiserror::Error)]
pub enum HumanLabelsError {
    /// The study has no sample.
    #[error("this study has no sample yet; llull sample proposes one and prints the command that draws it")]
    NoSample,
    /// The sheet belongs to another sample.
    #[error(
        "{file}: its rows belong to the sample {draw}, which this study has not drawn; name the sheet of {known}"
    )]
    OtherSample {
        /// The sheet.
        file: String,
        /// The sample of its rows.
        draw: String,
        /// The sample of the study.
        known: String,
    },
    /// The name is invalid for an annotator.
    #[error("{name:?} cannot be an annotator's name: {why}")]
    Name {
        /// The name.
        name: String,
        /// The error.
        why: &'static str,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
