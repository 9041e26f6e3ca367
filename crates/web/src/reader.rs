//! The one thread that holds the study. It makes pages, one after the other, and reads the ledger again when another
//! process has written to it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use llull::report::text::visible;
use llull::{Inputs, Study};
use tokio::sync::oneshot;

use crate::attempts::{AttemptsRequest, LedgerIndex};
use crate::error::ServeError;
use crate::pages::{Pages, Shown};
use crate::query_list::ListRequest;

/// While a run writes, the ledger is read again after so many times the time that reading it took: at most a tenth of
/// one core goes into it.
const PAUSE: u32 = 10;

/// A page.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// What `report.html` shows.
    Overview,
    /// A list of queries.
    Queries(ListRequest),
    /// The query at this place of the topics.
    Query(usize),
    /// A page of every answer about it, by its number.
    Answers(usize, usize),
    /// A list of attempts.
    Attempts(AttemptsRequest),
    /// The attempt at this place of the ledger.
    Attempt(u64),
}

/// The HTML of a page, `None` if there is no such page, or why it cannot be made.
pub(crate) type Answer = Result<Option<String>, String>;

/// A page that somebody waits for.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) asked: Asked,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// Starts the thread, which ends when nobody can ask it any more. Returns once the study has been read.
///
/// # Errors
/// Returns an error if inputs or ledger cannot be read.
pub(crate) fn start(study: Study) -> Result<Sender<Job>, ServeError> {
    let (ask, jobs) = channel();
    let (say, ready) = channel();
    let work = move || read(&study, &jobs, &say);
    let started = std::thread::Builder::new().name("reader".to_owned()).spawn(work);
    started.map_err(|error| ServeError::Start(error.to_string()))?;
    match ready.recv() {
        Ok(read) => read.map(|()| ask),
        Err(_) => Err(ServeError::Start("the study's reader ended".to_owned())),
    }
}

fn read(study: &Study, jobs: &Receiver<Job>, ready: &Sender<Result<(), ServeError>>) {
    let begun = Pages::new().and_then(|pages| Ok((pages, study.inputs()?)));
    let (pages, inputs) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            let _ = ready.send(Err(error));
            return;
        }
    };
    let mut waiting = None;
    let mut ready = Some(ready);
    loop {
        match until_changed(study, &inputs, &pages, jobs, &mut waiting, &mut ready) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                if let Some(ready) = ready {
                    let _ = ready.send(Err(error));
                    return;
                }
                let Some(job) = waiting.take().or_else(|| jobs.recv().ok()) else { return };
                let _ = job.answer.send(Err(visible(&error.to_string()).into_owned()));
            }
        }
    }
}

/// Reads the ledger and answers until it has changed; the page that is asked for then is left in `waiting`. Returns
/// whether anybody can still ask.
fn until_changed(
    study: &Study,
    inputs: &Inputs,
    pages: &Pages,
    jobs: &Receiver<Job>,
    waiting: &mut Option<Job>,
    ready: &mut Option<&Sender<Result<(), ServeError>>>,
) -> Result<bool, ServeError> {
    let (began, stamp) = (Instant::now(), LedgerStamp::of(study));
    let evidence = study.evidence(inputs)?;
    let report = study.report(inputs, &evidence)?;
    let shown = Shown::new(&report)?;
    let index = LedgerIndex::of(study)?;
    let ledger = (study, &index);
    let (read_at, took) = (Instant::now(), began.elapsed());
    if let Some(ready) = ready.take() {
        let _ = ready.send(Ok(()));
    }
    loop {
        let Some(job) = waiting.take().or_else(|| jobs.recv().ok()) else { return Ok(false) };
        if read_at.elapsed() >= pause(took) && LedgerStamp::of(study) != stamp {
            *waiting = Some(job);
            return Ok(true);
        }
        let page = match &job.asked {
            Asked::Overview => Ok(Some(shown.overview.clone())),
            Asked::Queries(request) => pages.queries(&shown, request).map(Some),
            Asked::Query(at) => pages.query(&shown, &report, *at),
            Asked::Answers(at, page) => pages.answers(&shown, ledger, (*at, *page)),
            Asked::Attempts(request) => pages.attempts(&shown, ledger, request).map(Some),
            Asked::Attempt(place) => pages.attempt(&shown, ledger, &evidence.pooled, *place),
        };
        // A browser that has gone away wants no answer.
        let _ = job.answer.send(page.map_err(|error| visible(&error.to_string()).into_owned()));
    }
}

fn pause(took: Duration) -> Duration {
    took.saturating_mul(PAUSE)
}

/// What changes when a ledger is written to.
#[derive(Debug, PartialEq, Eq)]
struct LedgerStamp([Option<(u64, Option<SystemTime>)>; 2]);

impl LedgerStamp {
    fn of(study: &Study) -> Self {
        let ledger = study.folder().ledger();
        let mut log = ledger.clone().into_os_string();
        log.push("-wal");
        let stamp = |path: &std::path::Path| {
            let found = fs_err::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()))
        };
        Self([stamp(&ledger), stamp(log.as_ref())])
    }
}
