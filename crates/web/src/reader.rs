//! The one thread that holds the study. It makes pages, one after the other, and reads the ledger again when another
//! process has written to it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use llull::report::text::visible;
use llull::{Inputs, Study, StudyEvidence, StudyReport};
use serde::Serialize;
use tokio::sync::oneshot;

use crate::attempts::{AttemptsRequest, LedgerIndex};
use crate::error::ServeError;
use crate::judges_page::JudgesView;
use crate::label_list::{LabelsRequest, LabelsView};
use crate::ledger_page::LedgerView;
use crate::live_page::now_ms;
use crate::pages::Pages;
use crate::people_page::PeopleView;
use crate::query_list::ListRequest;
use crate::shown::Shown;
use crate::tournament_pages::{TournamentView, TournamentsRequest, TournamentsView};

/// While a run writes, the ledger is read again after so many times the time that reading it took: at most a tenth of
/// one core goes into it.
const PAUSE: u32 = 10;
/// If reading took no longer than this, a page waits for it; otherwise it shows the ledger as it was.
const QUICK: Duration = Duration::from_millis(100);

/// A page.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// What `report.html` shows.
    Overview,
    /// A list of queries.
    Queries(ListRequest),
    /// The query at this place of the topics.
    Query(usize),
    /// Its tournament.
    Tournament(usize),
    /// A page of every answer about it, by its number.
    Answers(usize, usize),
    /// A list of attempts.
    Attempts(AttemptsRequest),
    /// The attempt at this place of the ledger.
    Attempt(u64),
    /// The judges beside each other.
    Judges,
    /// A list of labels.
    Labels(LabelsRequest),
    /// People, and what they say of a sample.
    People,
    /// A list of tournaments.
    Tournaments(TournamentsRequest),
    /// The ledger in sums.
    Ledger,
    /// The run as it is now.
    Live,
    /// What of that page changes.
    LiveFigures,
}

/// The HTML of a page, `None` if there is no such page, or why it cannot be made.
pub(crate) type Answer = Result<Option<String>, String>;

/// A page that somebody waits for.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) asked: Asked,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// Asks for a page; `None` if nobody is there to make it.
pub(crate) async fn ask(reader: &Sender<Job>, asked: Asked) -> Option<Answer> {
    let (answer, answered) = oneshot::channel();
    reader.send(Job { asked, answer }).ok()?;
    answered.await.ok()
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
    let read_at = now_ms();
    let evidence = study.evidence(inputs)?;
    let report = study.report(inputs, &evidence)?;
    let index = LedgerIndex::of(study)?;
    let people = study.sample()?.is_some() || index.has_people();
    let shown = Shown::new(&report, &evidence, (people, read_at))?;
    let mut held = Held { study, pages, index, inputs, evidence: &evidence, report: &report, shown };
    let (read, took) = (Instant::now(), began.elapsed());
    if let Some(ready) = ready.take() {
        let _ = ready.send(Ok(()));
    }
    loop {
        let Some(job) = waiting.take().or_else(|| jobs.recv().ok()) else { return Ok(false) };
        let changed = read.elapsed() >= pause(took) && LedgerStamp::of(study) != stamp;
        if changed && took < QUICK {
            *waiting = Some(job);
            return Ok(true);
        }
        let page = held.page(&job.asked);
        // A browser that has gone away wants no answer.
        let _ = job.answer.send(page.map_err(|error| visible(&error.to_string()).into_owned()));
        if changed {
            return Ok(true);
        }
    }
}

/// A study as its ledger was when it was last read.
struct Held<'a> {
    study: &'a Study,
    pages: &'a Pages,
    index: LedgerIndex,
    inputs: &'a Inputs,
    evidence: &'a StudyEvidence,
    report: &'a StudyReport<'a>,
    shown: Shown,
}

impl Held<'_> {
    /// Makes a page; `None` if there is no such page.
    fn page(&mut self, asked: &Asked) -> Result<Option<String>, ServeError> {
        if matches!(asked, Asked::Live | Asked::LiveFigures) {
            self.index.follow(self.study)?;
        }
        let Self { study, pages, index, inputs, evidence, report, shown } = self;
        let ledger = (*study, &*index);
        match asked {
            Asked::Overview => Ok(Some(shown.overview.clone())),
            Asked::Queries(request) => pages.queries(shown, request).map(Some),
            Asked::Query(at) => pages.query(shown, report, *at),
            Asked::Answers(at, page) => pages.answers(shown, ledger, (*at, *page)),
            Asked::Attempts(request) => pages.attempts(shown, ledger, request).map(Some),
            Asked::Attempt(place) => pages.attempt(shown, ledger, &evidence.pooled, *place),
            Asked::Judges => {
                let view = JudgesView::new(report.summary(), evidence, index);
                pages.page(shown, ("judges.html", "/judges"), &view).map(Some)
            }
            Asked::Labels(request) => {
                let list = request.page(evidence, &shown.labels, |query| shown.number_of(query));
                let view = LabelsPage { list, mixed: evidence.mixed.is_some() };
                pages.page(shown, ("labels.html", "/labels"), &view).map(Some)
            }
            Asked::People => {
                if !shown.people {
                    return Ok(None);
                }
                let status = study.people_status(inputs, evidence)?;
                let view = PeopleView::new(status, |query| shown.number_of(query));
                pages.page(shown, ("people.html", "/people"), &view).map(Some)
            }
            Asked::Tournaments(request) => {
                let Some(meaning) = &shown.compared else { return Ok(None) };
                let view = ListPage { list: request.page(&shown.tournaments, meaning) };
                pages.page(shown, ("tournaments.html", "/tournaments"), &view).map(Some)
            }
            Asked::Tournament(at) => {
                let Some(topic) = report.query(*at) else { return Ok(None) };
                let Some(t) = TournamentView::read(ledger, evidence, (*at + 1, topic))? else {
                    return Ok(None);
                };
                pages.page(shown, ("tournament.html", ""), &TournamentPage { t }).map(Some)
            }
            Asked::Ledger => pages.page(shown, ("ledger.html", "/ledger"), &LedgerView::new(index)).map(Some),
            Asked::Live => {
                let view = shown.so_far.view(index, now_ms());
                pages.page(shown, ("live.html", "/live"), &view).map(Some)
            }
            Asked::LiveFigures => {
                let view = shown.so_far.view(index, now_ms());
                pages.page(shown, ("live_figures.html", "/live"), &view).map(Some)
            }
        }
    }
}

#[derive(Serialize)]
struct LabelsPage {
    list: LabelsView,
    mixed: bool,
}

#[derive(Serialize)]
struct ListPage {
    list: TournamentsView,
}

#[derive(Serialize)]
struct TournamentPage {
    t: TournamentView,
}

fn pause(took: Duration) -> Duration {
    took.saturating_mul(PAUSE)
}

/// What changes when a ledger is written to, or a sample is drawn.
#[derive(Debug, PartialEq, Eq)]
struct LedgerStamp([Option<(u64, Option<SystemTime>)>; 3]);

impl LedgerStamp {
    fn of(study: &Study) -> Self {
        let ledger = study.folder().ledger();
        let mut log = ledger.clone().into_os_string();
        log.push("-wal");
        let stamp = |path: &std::path::Path| {
            let found = fs_err::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()))
        };
        let sample = study.folder().private_dir().join("sample.tsv");
        Self([stamp(&ledger), stamp(log.as_ref()), stamp(&sample)])
    }
}
