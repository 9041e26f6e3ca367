//! What can be wrong with a student that a study keeps, or is to keep.

use llull_data::DataError;
use llull_judge::StudentError;
use llull_learner::FitGradesError;

/// Why there is no student.
#[derive(Debug, thiserror::Error)]
pub enum StudentFileError {
    /// Its name cannot be that of a file.
    #[error("{0:?} is no name for a student: take letters, digits, - and _")]
    Name(String),
    /// It was never trained.
    #[error("the study keeps no student {name:?} ({file}): train it first, llull train --student {name}")]
    Missing {
        /// Its name.
        name: String,
        /// Where it would be.
        file: String,
    },
    /// It does not say how sure it is.
    #[error(
        "{0} was taught by an earlier llull and does not say how sure it is, which escalate needs of an only judge: \
         teach it again (llull train --student NAME), or name a second judge beside it"
    )]
    NoNoise(String),
    /// It compares vectors of texts, and some have none.
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
    /// Its file is no student, or none for this study.
    #[error("{file}: {source}")]
    Student {
        /// The file.
        file: String,
        /// Why.
        source: StudentError,
    },
    /// There is not enough to learn from.
    #[error("labels of {labels}: {source}")]
    Labels {
        /// Whose labels.
        labels: String,
        /// Why.
        source: FitGradesError,
    },
    /// Labels are not on the rubric's scale.
    #[error(
        "labels of {labels}: query {query}, document {document} has grade {grade}, and the rubric's grades are from \
         {low} to {high}: give labels on that scale"
    )]
    OffScale {
        /// Whose labels.
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
