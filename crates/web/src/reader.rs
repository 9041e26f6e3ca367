//! The thread that hands requests to the current state of the ledger.
//!
//! Another thread holds the study as its ledger was last read, and makes the pages. When another process has written
//! to the ledger, a new thread reads it, and makes the pages from then on. So no page of a large study waits.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant, SystemTime};

use llull::Study;
use llull::report::text::visible;
use tokio::sync::watch;

use crate::error::ServeError;
use crate::own_pool::in_own_pool;
use crate::page_request::{Job, Reader};
use crate::page_source::{QUICK, Source};
use crate::reading_stage::ReadingStage;

/// While a run writes, the pause between two reads of the ledger is this many times the duration of a read. So reading
/// takes at most a tenth of one core.
const PAUSE: u32 = 10;
/// How often the thread checks, between requests, whether a read of the ledger has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The end of the first reading.
pub(crate) type Ready = Receiver<Result<(), ServeError>>;

/// Starts the thread, which ends when all senders are gone. Returns at once; the receiver gets the error if inputs or
/// ledger cannot be read.
///
/// # Errors
/// Returns an error if no thread can be started.
pub(crate) fn start(study: Study) -> Result<(Reader, Ready), ServeError> {
    let (ask, jobs) = channel();
    let (say, ready) = channel();
    let (now, stage) = watch::channel(ReadingStage::Files);
    let work = move || {
        let failed = say.clone();
        if let Err(error) = in_own_pool(move || read(&study, &jobs, &say, &now)) {
            let _ = failed.send(Err(error));
        }
    };
    let started = Builder::new().name("reader".to_owned()).spawn(work);
    started.map_err(|error| ServeError::Start(error.to_string()))?;
    Ok((Reader { jobs: ask, stage }, ready))
}

fn read(
    study: &Study,
    jobs: &Receiver<Job>,
    ready: &Sender<Result<(), ServeError>>,
    stage: &watch::Sender<ReadingStage>,
) -> Result<(), ServeError> {
    let source = Source::new(study)?;
    stage.send_replace(ReadingStage::Ledger);
    std::thread::scope(|scope| {
        let held = Reading::begin(scope, study, &source).and_then(Reading::wait)?;
        stage.send_replace(ReadingStage::Read);
        let _ = ready.send(Ok(()));
        Desk { study, source: &source, held: Some(held), next: None }.work(scope, jobs);
        Ok(())
    })
}

/// A thread that reads the ledger.
struct Reading {
    jobs: Sender<Job>,
    done: Receiver<Result<Duration, ServeError>>,
    stamp: LedgerStamp,
}

impl Reading {
    fn begin<'s>(
        scope: &'s Scope<'s, '_>,
        study: &Study,
        source: &'s Source<'_>,
    ) -> Result<Self, ServeError> {
        let stamp = LedgerStamp::of(study);
        let (ask, jobs) = channel();
        let (say, done) = channel();
        let started =
            Builder::new().name("study".to_owned()).spawn_scoped(scope, move || source.serve(jobs, say));
        started.map_err(|error| ServeError::Start(error.to_string()))?;
        Ok(Self { jobs: ask, done, stamp })
    }

    /// Waits until the ledger has been read.
    fn wait(self) -> Result<Holder, ServeError> {
        let said = self.done.recv().unwrap_or_else(|_| Err(gone()));
        said.map(|took| self.holder(took))
    }

    fn holder(self, took: Duration) -> Holder {
        Holder { jobs: self.jobs, stamp: self.stamp, took, read: Instant::now() }
    }
}

fn gone() -> ServeError {
    ServeError::Start("the study's reader ended".to_owned())
}

/// A thread that holds the study as its ledger was. It ends when this is dropped and all is answered.
struct Holder {
    jobs: Sender<Job>,
    stamp: LedgerStamp,
    /// How long reading took.
    took: Duration,
    /// When it was read.
    read: Instant,
}

impl Holder {
    fn is_outdated(&self, study: &Study) -> bool {
        self.read.elapsed() >= self.took.saturating_mul(PAUSE) && LedgerStamp::of(study) != self.stamp
    }
}

/// The thread that makes pages now, and the one that will.
struct Desk<'s, 'a> {
    study: &'s Study,
    source: &'s Source<'a>,
    /// None after the ledger could not be read.
    held: Option<Holder>,
    next: Option<Reading>,
}

impl<'s> Desk<'s, '_> {
    /// Hands out requests until all senders are gone.
    fn work(&mut self, scope: &'s Scope<'s, '_>, jobs: &Receiver<Job>) {
        loop {
            let job = match self.next {
                Some(_) => jobs.recv_timeout(LOOK),
                None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match job {
                Ok(job) => self.hand_out(scope, job),
                Err(RecvTimeoutError::Timeout) => self.change(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn hand_out(&mut self, scope: &'s Scope<'s, '_>, job: Job) {
        self.change();
        let refused = self.read_again(scope).err();
        match (&self.held, refused) {
            (Some(held), None) => {
                let _ = held.jobs.send(job);
            }
            (_, error) => {
                let error = error.unwrap_or_else(gone).to_string();
                let _ = job.answer.send(Err(visible(&error).into_owned()));
            }
        }
    }

    /// Replaces the held state by a newer one, if its read has ended.
    fn change(&mut self) {
        let Some(reading) = self.next.take() else { return };
        match reading.done.try_recv() {
            Ok(Ok(took)) => self.held = Some(reading.holder(took)),
            Err(TryRecvError::Empty) => self.next = Some(reading),
            // The next request reads it again, and gets the error.
            Ok(Err(_)) | Err(TryRecvError::Disconnected) => self.held = None,
        }
    }

    /// Starts a new read if the ledger has changed. Waits for it if reads are quick, or no state is held.
    fn read_again(&mut self, scope: &'s Scope<'s, '_>) -> Result<(), ServeError> {
        let waits = match &self.held {
            Some(held) if self.next.is_some() || !held.is_outdated(self.study) => return Ok(()),
            Some(held) => held.took < QUICK,
            None => true,
        };
        let reading = Reading::begin(scope, self.study, self.source)?;
        if waits {
            self.held = None;
            self.held = Some(reading.wait()?);
        } else {
            self.next = Some(reading);
        }
        Ok(())
    }
}

/// Changes when a ledger is written to, a sample is drawn, or an annotator sets a pair aside.
#[derive(Debug, PartialEq, Eq)]
struct LedgerStamp([Option<(u64, Option<SystemTime>)>; 4], Option<u64>);

impl LedgerStamp {
    fn of(study: &Study) -> Self {
        let ledger = study.folder().ledger();
        let mut log = ledger.clone().into_os_string();
        log.push("-wal");
        let stamp = |path: &std::path::Path| {
            let found = fs_err::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()))
        };
        let own = |name: &str| stamp(&study.folder().private_dir().join(name));
        let files = [stamp(&ledger), stamp(log.as_ref()), own("sample.tsv"), own("review-marks.jsonl")];
        Self(files, study.ledger().attempts_in_database())
    }
}
