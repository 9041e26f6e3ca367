//! Refusals of requests, with their words and HTTP status.

use axum::http::StatusCode;
use llull::report::text::visible;
use llull::review::{ReviewError, ReviewRefusal};

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

impl From<ReviewError> for Refusal {
    fn from(error: ReviewError) -> Self {
        let status = match &error {
            ReviewError::Refused(ReviewRefusal::OffScale { .. } | ReviewRefusal::OtherQuestion)
            | ReviewError::HumanLabels(_) => StatusCode::BAD_REQUEST,
            ReviewError::Refused(ReviewRefusal::LongNote { .. }) => StatusCode::PAYLOAD_TOO_LARGE,
            ReviewError::Refused(
                ReviewRefusal::NotInQueue
                | ReviewRefusal::NotDisputed
                | ReviewRefusal::OtherAdjudicator { .. }
                | ReviewRefusal::Meanwhile { .. }
                | ReviewRefusal::Full { .. }
                | ReviewRefusal::Answered(_)
                | ReviewRefusal::NothingToUndo,
            ) => StatusCode::CONFLICT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, visible(&error.to_string()).into_owned())
    }
}

impl From<ReviewRefusal> for Refusal {
    fn from(refusal: ReviewRefusal) -> Self {
        ReviewError::from(refusal).into()
    }
}
