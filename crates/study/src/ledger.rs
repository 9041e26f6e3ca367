//! The ledger of a study: a file in its folder, or a store of the caller's own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use llull_store::{LedgerLock, LedgerReader, LedgerWriter, MemoryLedger, SqliteLedger};

use crate::error::StudyError;

/// The ledger of a study.
#[derive(Clone)]
pub(crate) enum StudyLedger {
    /// A SQLite file, which is made when judges are first asked.
    File(PathBuf),
    /// A store of the caller's own.
    Custom(Arc<Mutex<dyn LedgerWriter>>),
}

impl StudyLedger {
    /// Calls `work` with the ledger to read from; a file that is not there yet, or not set up, is empty.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be read.
    pub(crate) fn read<T>(
        &self,
        work: &mut dyn FnMut(&dyn LedgerReader) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        match self {
            Self::File(path) if !path.exists() => work(&MemoryLedger::default()),
            Self::File(path) => match SqliteLedger::open_if_begun(path)? {
                Some(ledger) => work(&ledger),
                None => work(&MemoryLedger::default()),
            },
            Self::Custom(ledger) => {
                let ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                work(&*ledger)
            }
        }
    }

    /// Calls `work` with the ledger to write to. Nobody else writes to it meanwhile.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be written, another process writes to it, or it has
    /// lost attempts and that is not accepted.
    pub(crate) fn write<T>(
        &self,
        accept_loss: bool,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        match self {
            Self::File(path) => {
                fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
                let _lock = LedgerLock::acquire(path)?;
                let open = match accept_loss {
                    true => SqliteLedger::open_accepting_loss,
                    false => SqliteLedger::open,
                };
                let mut ledger = open(path)?;
                let done = work(&mut ledger)?;
                ledger.check_place()?;
                Ok(done)
            }
            Self::Custom(ledger) => {
                let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                work(&mut *ledger)
            }
        }
    }

    /// Calls `work` with the ledger to append a person's answers to, also while another process asks judges. The lock
    /// keeps two runs from paying twice for one answer; nobody is paid here, and SQLite lets one process write at a
    /// time: whoever comes second waits for the other's commit.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the file cannot be written or has lost attempts.
    pub(crate) fn write_beside<T>(
        &self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        match self {
            Self::File(path) => work(&mut SqliteLedger::open(path)?),
            Self::Custom(_) => self.write(false, work),
        }
    }
}
