//! Errors of a student's file.

use llull_data::DataError;
use llull_judge::StudentError;
use llull_learner::FitGradesError;

/// An error of a student's file.
#[derive(Debug, thiserror::Error)]
pub enum StudentFileError {
    /// Its name cannot be that of a file.
    #[error("{0:?} is no name for a student: take letters, digits, - and _")]
    Name(String),
    /// The study has no such student.
    #[error("the study keeps no student {name:?} ({file}): train it first, llull train --student {name}")]
    Missing {
        /// Its name.
        name: String,
        /// Its expected file.
        file: String,
    },
    /// It does not estimate its confidence.
    #[error(
        "{0} was taught by an earlier llull and does not state how sure it is, which escalate needs of an only judge: \
         teach it again (llull train --student NAME), or name a second judge beside it"
    )]
    NoNoise(String),
    /// It compares vectors of texts, and some texts have none.
    #[error(
        "student {name} compares texts by their meaning, and not all of them have vectors of {encoder} yet; \
         Study::encode_for_students makes them"
    )]
    NoVectors {
        /// The student.
        name: String,
        /// Its encoder.
        encoder: String,
    },
    /// Its file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its file holds no student, or none for this study.
    #[error("{file}: {source}")]
    Student {
        /// The file.
        file: String,
        /// The error.
        source: StudentError,
    },
    /// The training labels are too few.
    #[error("labels of {labels}: {source}")]
    Labels {
        /// The source of the labels.
        labels: String,
        /// The error.
        source: FitGradesError,
    },
    /// Labels are not on the rubric's scale.
    #[error(
        "labels of {labels}: query {query}, document {document} has grade {grade}, and the rubric's grades are from \
         {low} to {high}: give labels on that scale"
    )]
    OffScale {
        /// The source of the labels.
        labels: String,
        /// The query.
        query: String,
        /// The document.
        document: String,
        /// The grade.
        grade: i32,
        /// The rubric's lowest grade.
        low: i32,
        /// Its highest.
        high: i32,
    },
}
