//! The ledger of a study: a file, or the caller's store.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use llull_config::Folder;
use llull_core::Attempt;
#[cfg(feature = "postgres")]
use llull_postgres::PostgresAddress;
use llull_store::{
    BatchRecord, BatchTable as _, Detail, JudgeId, LedgerJudge, LedgerLock, LedgerReader, LedgerWriter,
    MemoryLedger, SqliteBatches, SqliteLedger,
};
#[cfg(feature = "postgres")]
use llull_store::{PostgresLedger, StoreError};

use crate::error::StudyError;
use crate::evidence::LedgerError;
use crate::recorded_attempts::{RecordedAttempt, recorded_attempts};

/// The ledger of a study.
#[derive(Clone)]
pub enum StudyLedger {
    /// A SQLite file, which is made when judges first run.
    File(PathBuf),
    /// The tables of a PostgreSQL database, for several runs at once.
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresLedgerPlace>),
    /// The tables of a PostgreSQL database that this study does not use: it is not trusted with it, or the variable
    /// with its address is not set.
    Unused {
        /// The variable.
        variable: String,
        /// The error of every use.
        error: Arc<dyn Fn() -> StudyError + Send + Sync>,
    },
    /// A store of the caller's own.
    Custom(Arc<Mutex<dyn LedgerWriter>>),
}

/// The place of a study's ledger in a PostgreSQL database.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone)]
pub struct PostgresLedgerPlace {
    /// The database.
    pub(crate) address: PostgresAddress,
    /// The study's name.
    pub(crate) study: String,
    /// The file by which a run locks the study's folder: labels and reports there are one run's at a time.
    pub(crate) lock: PathBuf,
    /// The last reader's connection, for the next reader: a page of a server has several.
    idle: Arc<Mutex<Option<PostgresLedger>>>,
}

#[cfg(feature = "postgres")]
impl PostgresLedgerPlace {
    fn idle(&self) -> std::sync::MutexGuard<'_, Option<PostgresLedger>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the ledger for reading; `None` if it has no tables yet. Simultaneous readers have a connection
    /// each.
    fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&PostgresLedger) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let idle = self.idle().take().filter(PostgresLedger::is_reachable);
        let ledger = match idle {
            Some(ledger) => ledger,
            None => match PostgresLedger::open_if_begun(&self.address)? {
                Some(ledger) => ledger,
                None => return Ok(None),
            },
        };
        let done = work(&ledger);
        *self.idle() = Some(ledger);
        done.map(Some)
    }

    fn write(&self) -> Result<PostgresLedger, StoreError> {
        PostgresLedger::open(&self.address)?.of_study(&self.study)
    }
}

impl StudyLedger {
    /// Returns the ledger in the database whose address this variable has. Without it, using the ledger is an error.
    ///
    /// # Errors
    /// Returns an error if the variable has no address of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    pub(crate) fn in_database(
        (variable, address): (String, Option<String>),
        study: &str,
        folder: &Folder,
    ) -> Result<Self, StudyError> {
        let Some(address) = address.filter(|address| !address.trim().is_empty()) else {
            return Ok(Self::without_address(variable));
        };
        let address = PostgresAddress::parse(&address);
        let address =
            address.map_err(|source| LedgerError::Address { variable: variable.clone(), source })?;
        let (address, study) = (address.in_variable(&variable), study.to_owned());
        let (lock, idle) = (folder.ledger(), Arc::default());
        Ok(Self::Postgres(Box::new(PostgresLedgerPlace { address, study, lock, idle })))
    }

    /// This build has no PostgreSQL client.
    #[cfg(not(feature = "postgres"))]
    pub(crate) fn in_database(
        (variable, _): (String, Option<String>),
        _: &str,
        _: &Folder,
    ) -> Result<Self, StudyError> {
        Err(LedgerError::NoPostgres(variable).into())
    }

    /// Returns a ledger in a database whose address is unknown: every use of it is an error.
    pub(crate) fn without_address(variable: String) -> Self {
        let named = variable.clone();
        Self::Unused { variable, error: Arc::new(move || LedgerError::NoAddress(named.clone()).into()) }
    }

    /// Returns the name of the ledger for messages: its file, or the variable with its address.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => format!("PostgreSQL, {}", place.address),
            Self::Unused { variable, .. } => format!("PostgreSQL, the address in {variable}"),
            Self::Custom(_) => "the ledger".into(),
        }
    }

    /// Opens the ledger for reading.
    ///
    /// # Errors
    /// Returns an error if it does not exist yet, is the caller's own, or cannot be read.
    pub fn open(&self) -> Result<Box<dyn LedgerReader>, StudyError> {
        match self {
            Self::File(path) if path.is_file() => Ok(Box::new(SqliteLedger::open_read_only(path)?)),
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => match PostgresLedger::open_if_begun(&place.address)? {
                Some(ledger) => Ok(Box::new(ledger)),
                None => Err(LedgerError::NoLedger(self.name()).into()),
            },
            Self::Unused { error, .. } => Err(error()),
            _ => Err(LedgerError::NoLedger(self.name()).into()),
        }
    }

    /// Opens the ledger's file for reading.
    ///
    /// # Errors
    /// Returns an error if it does not exist yet, cannot be read, or the ledger is no file.
    pub fn file(&self) -> Result<SqliteLedger, StudyError> {
        match self {
            Self::File(path) if path.is_file() => Ok(SqliteLedger::open_read_only(path)?),
            Self::File(_) => Err(LedgerError::NoLedger(self.name()).into()),
            other => Err(LedgerError::NoFile(other.name()).into()),
        }
    }

    /// Returns every judge in the ledger as registered; none if it does not exist yet.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn judges(&self) -> Result<Vec<LedgerJudge>, StudyError> {
        self.read(&mut |ledger| Ok(ledger.judges()?))
    }

    /// Calls `each` with the attempts after the first `seen`, oldest first, without replies and
    /// rationales. Returns the present number of attempts.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn follow(&self, seen: u64, each: &mut dyn FnMut(JudgeId, &Attempt)) -> Result<u64, StudyError> {
        self.read(&mut |ledger| {
            Ok(ledger.follow(seen, None, Detail::Facts, &mut |judge, attempt| {
                each(judge, &attempt);
                Ok(())
            })?)
        })
    }

    /// Returns the attempts at these places of the ledger, numbered from 1 in the order of recording, in this
    /// order; missing ones are left out.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn attempts_at(&self, places: &[u64], detail: Detail) -> Result<Vec<RecordedAttempt>, StudyError> {
        self.read(&mut |ledger| recorded_attempts(ledger, places, detail))
    }

    /// Returns the number of attempts, if the ledger is in a database that can be reached.
    pub fn attempts_in_database(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => place.read(PostgresLedger::recorded).ok().flatten(),
            _ => None,
        }
    }

    /// Returns whether a run writes to the ledger now, as far as this can be told.
    pub fn is_in_use(&self) -> bool {
        match self {
            Self::File(path) => LedgerLock::is_held(path),
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => place.read(PostgresLedger::is_in_use).ok().flatten().unwrap_or(false),
            Self::Unused { .. } | Self::Custom(_) => false,
        }
    }

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
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => {
                // The outer error is the caller's, which need not be one of the store's.
                let done = place.read(|ledger| Ok::<_, StoreError>(work(ledger)));
                done.map_err(StudyError::from)?.unwrap_or_else(|| work(&MemoryLedger::default()))
            }
            Self::Unused { error, .. } => Err(error().into()),
            Self::Custom(ledger) => {
                let ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                work(&*ledger)
            }
        }
    }

    /// Calls `work` with the ledger for writing. No other process writes to a file meanwhile.
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
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => {
                fs_err::create_dir_all(place.lock.parent().unwrap_or(Path::new(".")))
                    .map_err(StudyError::from)?;
                let _lock = LedgerLock::acquire(&place.lock).map_err(StudyError::from)?;
                work(&mut place.write().map_err(StudyError::from)?)
            }
            Self::Unused { error, .. } => Err(error().into()),
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
            _ => None,
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
            #[cfg(feature = "postgres")]
            Self::Postgres(place) => work(&mut place.write().map_err(StudyError::from)?),
            _ => self.write(false, work),
        }
    }
}
