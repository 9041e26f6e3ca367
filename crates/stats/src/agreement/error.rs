//! What keeps agreement from being computed.

use crate::error::StatsError;

/// How many different grades a set of labels may hold: every one but the lowest is a cut with its own figures.
pub(super) const MOST_GRADES: usize = 256;

/// Why there is no agreement to report.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AgreementError {
    /// The labels look like scores.
    #[error(
        "the labels hold {found} different grades; agreement is computed for up to {most}. If these are scores, bring them onto a \
         scale first"
    )]
    TooManyGrades {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The intervals that were asked for cannot be.
    #[error(transparent)]
    Bootstrap(#[from] StatsError),
}

pub(super) fn check_scale(found: usize) -> Result<(), AgreementError> {
    if found > MOST_GRADES {
        return Err(AgreementError::TooManyGrades { found, most: MOST_GRADES });
    }
    Ok(())
}
