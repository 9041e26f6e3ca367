//! Refusals of requests, with their words and HTTP status.

use axum::http::StatusCode;
use llull::ReviewError;
use llull::StudyError;
use llull::report::text::visible;

/// Why something is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) words: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, words: impl Into<String>) -> Self {
        Self { status, words: words.into() }
    }
}

impl From<StudyError> for Refusal {
    fn from(error: StudyError) -> Self {
        let status = match &error {
            StudyError::Review(
                ReviewError::OffScale { .. } | ReviewError::OtherQuestion | ReviewError::Name { .. },
            ) => StatusCode::BAD_REQUEST,
            StudyError::People(_) => StatusCode::BAD_REQUEST,
            StudyError::Review(ReviewError::LongNote { .. }) => StatusCode::PAYLOAD_TOO_LARGE,
            StudyError::Review(
                ReviewError::NotInQueue
                | ReviewError::NotDisputed
                | ReviewError::OtherAdjudicator { .. }
                | ReviewError::Meanwhile { .. }
                | ReviewError::Full { .. }
                | ReviewError::Answered(_)
                | ReviewError::NothingToUndo,
            ) => StatusCode::CONFLICT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, visible(&error.to_string()).into_owned())
    }
}
