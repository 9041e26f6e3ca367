//! Limits the servers of judges.

use llull_config::{Environment, JudgeSettings};

use crate::error::StudyError;

/// The servers that a study's judges may use.
pub(crate) trait AllowedServers {
    /// Returns an error if one of these judges uses a server without trust.
    fn allow(&self, judges: &[JudgeSettings], environment: Environment<'_>) -> Result<(), StudyError>;
}
