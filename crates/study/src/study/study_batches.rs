//! The batches of a study at providers.

use llull_config::Environment;
use llull_store::BatchRecord;

use super::steps::Study;
use crate::error::StudyError;
use crate::judging::{AllowedServers as _, cancel_batches};

/// The batches of a study's requests that providers received.
#[derive(Clone, Copy)]
pub struct StudyBatches<'a>(&'a Study);

impl Study {
    /// Returns the batches of the study.
    pub fn batches(&self) -> StudyBatches<'_> {
        StudyBatches(self)
    }
}

impl StudyBatches<'_> {
    /// Returns the batches that were sent to providers, in the order of their submission.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn list(&self) -> Result<Vec<BatchRecord>, StudyError> {
        self.0.ledger.batches()
    }

    /// Asks the providers to end all batches that are with them. Returns each with the reason why that failed, if it
    /// did. The next run in batches records what was done until then.
    ///
    /// # Errors
    /// Returns an error if a judge uses a server without trust, or the ledger fails.
    pub fn cancel(
        &self,
        environment: Environment<'_>,
    ) -> Result<Vec<(BatchRecord, Option<String>)>, StudyError> {
        self.0.reach.allow(&self.0.settings().judges, environment)?;
        self.0.reach.allow(&self.0.settings().graders, environment)?;
        match self.0.ledger.batch_table() {
            Some(table) if !self.list()?.is_empty() => cancel_batches(self.0.settings(), &table, environment),
            _ => Ok(Vec::new()),
        }
    }
}
