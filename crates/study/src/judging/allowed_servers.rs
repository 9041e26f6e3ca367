//! Which servers may be asked.

use llull_config::{Environment, JudgeSettings};

use crate::error::StudyError;

/// Decides which servers a study's judges may be asked at.
pub(crate) trait AllowedServers {
    /// Returns an error if one of these judges would be asked at a server that is not trusted.
    fn allow(&self, judges: &[JudgeSettings], environment: Environment<'_>) -> Result<(), StudyError>;
}
