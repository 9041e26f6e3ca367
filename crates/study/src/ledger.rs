//! The ledger of a study: a file, or the caller's store.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use llull_store::{
    BatchRecord, BatchTable as _, LedgerLock, LedgerReader, LedgerWriter, MemoryLedger, SqliteBatches,
    SqliteLedger,
};

use crate::error::StudyError;

/// The ledger of a study.
#[derive(Clone)]
pub enum StudyLedger {
    /// A SQLite file, which is made when judges first run.
    File(PathBuf),
    /// A store of the caller's own.
    Custom(Arc<Mutex<dyn LedgerWriter>>),
}

impl StudyLedger {
    /// Calls `work` with the ledger for reading; a file that does not exist yet, or is not set up, is empty.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be read.
    pub fn read<T, E: From<StudyError>>(
        &self,
        work: &mut dyn FnMut(&dyn LedgerReader) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::File(path) if !path.exists() => work(&MemoryLedger::default()),
            Self::File(path) => match SqliteLedger::open_if_begun(path).map_err(StudyError::from)? {
                Some(ledger) => work(&ledger),
                None => work(&MemoryLedger::default()),
            },
            Self::Custom(ledger) => {
                let ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                work(&*ledger)
            }
        }
    }

    /// Calls `work` with the ledger for writing. No other process writes to it meanwhile.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be written or another process writes to it. Also if
    /// it has lost attempts and that is not accepted.
    pub fn write<T, E: From<StudyError>>(
        &self,
        accept_loss: bool,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::File(path) => {
                fs_err::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(StudyError::from)?;
                let _lock = LedgerLock::acquire(path).map_err(StudyError::from)?;
                let open = match accept_loss {
                    true => SqliteLedger::open_accepting_loss,
                    false => SqliteLedger::open,
                };
                let mut ledger = open(path).map_err(StudyError::from)?;
                let done = work(&mut ledger)?;
                ledger.check_place().map_err(StudyError::from)?;
                Ok(done)
            }
            Self::Custom(ledger) => {
                let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                work(&mut *ledger)
            }
        }
    }

    /// Returns the table of batches; `None` if the ledger is no file.
    pub(crate) fn batch_table(&self) -> Option<SqliteBatches> {
        match self {
            Self::File(path) => Some(SqliteBatches::new(path)),
            Self::Custom(_) => None,
        }
    }

    /// Returns the batches in the ledger; none if it is no file, or there is none yet.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn batches(&self) -> Result<Vec<BatchRecord>, StudyError> {
        match self {
            Self::File(path) if path.exists() => Ok(SqliteBatches::new(path).batches()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Calls `work` with the ledger to append an annotator's answers, even while another process runs judges.
    ///
    /// The lock prevents two runs from paying twice for one answer. Annotators' answers cost nothing here, and SQLite
    /// lets one process write at a time: a second one waits for the first one's commit.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be written or has lost attempts.
    pub fn write_beside<T, E: From<StudyError>>(
        &self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::File(path) => work(&mut SqliteLedger::open(path).map_err(StudyError::from)?),
            Self::Custom(_) => self.write(false, work),
        }
    }
}
