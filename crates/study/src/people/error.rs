//! Errors of human labels.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// An error of human labels.
#[derive(Debug, thiserror::Error)]
pub enum HumanLabelsError {
    /// The study has a sample already.
    #[error(
        "{}: this study has a sample, {id}, of which {labelled} of {drawn} pairs are labelled. The number of labels is \
         fixed before anybody looks: a second draw after the first look needs an interval that holds however often one \
         looks. Finish it (llull sample -o SHEET writes its sheet again), or begin anew with --replace: its labels \
         stay in the ledger and count no more",
        path.display()
    )]
    SampleThere {
        /// Its file.
        path: PathBuf,
        /// Its name.
        id: String,
        /// The number of its labelled pairs.
        labelled: usize,
        /// The number of its drawn pairs.
        drawn: usize,
    },
    /// Existing labels are mixed with the judges'.
    #[error(
        "labels that exist (base) stand among the judges' in this study, and what corrects figures by a sample takes \
         all labels for one judge's: draw the sample in a study without base"
    )]
    BesideBase,
    /// An annotator who is named as a judge has no answer.
    #[error(
        "{annotator} has no answers in this ledger under this rubric; {}",
        match known.is_empty() {
            true => "nobody has: llull evaluate with --review lets annotators answer".to_owned(),
            false => format!("there are answers of {}", known.iter().cloned().collect::<Vec<_>>().join(", ")),
        }
    )]
    NoAnswers {
        /// The annotator.
        annotator: String,
        /// The annotators with answers.
        known: BTreeSet<String>,
    },
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
    /// The name is that of a judge of the study.
    #[error("{0:?} is a judge of this study; give the annotator another name")]
    NameOfJudge(String),
    /// The name is invalid for an annotator.
    #[error("{name:?} cannot be an annotator's name: {why}")]
    Name {
        /// The name.
        name: String,
        /// The error.
        why: &'static str,
    },
}
