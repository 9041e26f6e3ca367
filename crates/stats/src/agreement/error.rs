//! Invalid input to agreement.

use crate::error::StatsError;

/// The largest number of different grades in a set of labels: every grade but the lowest is a cut with its own figures.
const MOST_GRADES: usize = 256;

/// Why agreement cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AgreementError {
    /// The labels look like scores.
    #[error(
        "the labels hold {found} different grades; agreement is computed for up to {most}. \
         If these are scores, map them to a few grades first"
    )]
    TooManyGrades {
        /// The number of different grades.
        found: usize,
        /// The largest number that is allowed.
        most: usize,
    },
    /// The parameters of the intervals are invalid.
    #[error(transparent)]
    Bootstrap(#[from] StatsError),
}

pub(super) fn check_scale(found: usize) -> Result<(), AgreementError> {
    if found > MOST_GRADES {
        return Err(AgreementError::TooManyGrades { found, most: MOST_GRADES });
    }
    Ok(())
}
