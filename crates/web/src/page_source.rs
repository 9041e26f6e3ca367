//! Makes every page from one state of the ledger.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use llull::report::text::visible;
use llull::review::HumanLabelsStatus;
use llull::{Inputs, Study, StudyEvidence, StudyReport, StudyTexts};
use serde_json::json;

use crate::attempts::LedgerIndex;
use crate::error::ServeError;
use crate::human_labels_page::human_labels_view;
use crate::judges_page::judges_view;
use crate::ledger_page::ledger_view;
use crate::live_page::now_ms;
use crate::own_pool::in_own_pool;
use crate::page_request::{Job, PageRequest};
use crate::pages::Pages;
use crate::shown::Shown;
use crate::tournament_pages::TournamentView;

/// How long a study that has been read waits at most for the page of annotators.
const PATIENCE: Duration = Duration::from_secs(3);

/// If reading took no longer than this, a page waits for it; otherwise it shows the previous state of the ledger.
pub(crate) const QUICK: Duration = Duration::from_millis(100);

/// The end of a page's first navigation, and the same with the tab of a run. No text of a study has this markup.
const NAV_END: &str = "</ul></nav>";
const LIVE_TAB: &str = "<li><a href=\"/live\">Live</a></li>\n</ul></nav>";

/// The inputs, which are read once, and an index of the ledger, which follows it.
pub(crate) struct Source<'a> {
    study: &'a Study,
    pages: Pages,
    inputs: Inputs,
    texts: StudyTexts,
    index: Mutex<LedgerIndex>,
}

impl<'a> Source<'a> {
    /// Reads inputs and texts.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub(crate) fn new(study: &'a Study) -> Result<Self, ServeError> {
        let (pages, inputs) = (Pages::new()?, study.inputs()?);
        let texts = study.texts(&inputs)?;
        Ok(Self { study, pages, inputs, texts, index: Mutex::default() })
    }

    fn index(&self) -> MutexGuard<'_, LedgerIndex> {
        // It is whole after every attempt that is added.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the ledger, reports how long that took, and makes pages until all senders are gone.
    pub(crate) fn serve(&self, jobs: Receiver<Job>, ready: Sender<Result<Duration, ServeError>>) {
        let (began, failed) = (Instant::now(), ready.clone());
        if let Err(error) = in_own_pool(move || self.read(began, &jobs, &ready)) {
            let _ = failed.send(Err(error));
        }
    }

    fn read(
        &self,
        began: Instant,
        jobs: &Receiver<Job>,
        ready: &Sender<Result<Duration, ServeError>>,
    ) -> Result<(), ServeError> {
        let read_at = now_ms();
        let evidence = self.study.evidence_with(&self.inputs, &self.texts)?;
        let report = self.study.report(&self.inputs, &evidence)?;
        let has_annotators = {
            let mut index = self.index();
            index.follow(self.study)?;
            index.has_annotators()
        };
        let people = has_annotators || self.study.annotators().sample()?.is_some();
        let shown = Shown::new(&report, &evidence, (people, read_at))?;
        let state = LedgerState {
            source: self,
            evidence: &evidence,
            report: &report,
            shown,
            people: OnceLock::new(),
        };
        std::thread::scope(|scope| {
            // No page waits for a slow study, so the page of annotators is made before the study is ready, within
            // `PATIENCE`.
            if people && began.elapsed() >= QUICK {
                let (say, made) = channel();
                let state = &state;
                scope.spawn(move || {
                    let _ = state.people();
                    let _ = say.send(());
                });
                let _ = made.recv_timeout(PATIENCE);
            }
            let _ = ready.send(Ok(began.elapsed()));
            for job in jobs {
                let state = &state;
                // A browser that has gone away wants no answer.
                if matches!(job.request, PageRequest::Annotators) && people {
                    match state.people.get() {
                        Some(page) => drop(job.answer.send(page.clone().map(Some))),
                        None => drop(scope.spawn(|| job.answer.send(state.people().map(Some)))),
                    }
                } else {
                    let _ = job.answer.send(state.page(&job.request).map_err(|error| said(&error)));
                }
            }
        });
        Ok(())
    }
}

/// A study as its ledger was when it was last read.
struct LedgerState<'a> {
    source: &'a Source<'a>,
    evidence: &'a StudyEvidence,
    report: &'a StudyReport<'a>,
    shown: Shown,
    /// The page of annotators, once it has been made.
    people: OnceLock<Result<String, String>>,
}

impl LedgerState<'_> {
    /// Makes a page, with a way to the run if one is on; `None` if there is no such page.
    fn page(&self, request: &PageRequest) -> Result<Option<String>, ServeError> {
        let page = self.made(request)?;
        let is_on = !matches!(request, PageRequest::Live | PageRequest::LiveFigures)
            && self.source.study.ledger().is_in_use();
        Ok(page.map(|page| if is_on { page.replacen(NAV_END, LIVE_TAB, 1) } else { page }))
    }

    fn made(&self, request: &PageRequest) -> Result<Option<String>, ServeError> {
        let Self { source: Source { study, pages, .. }, evidence, report, shown, .. } = self;
        let mut index = self.source.index();
        if matches!(request, PageRequest::Live | PageRequest::LiveFigures) {
            index.follow(study)?;
        }
        let index = &*index;
        let ledger = (*study, index);
        match request {
            PageRequest::Overview => Ok(Some(shown.overview.clone())),
            PageRequest::Failure(failure) => pages.failure(shown, failure).map(Some),
            PageRequest::Queries(request) => pages.queries(shown, request).map(Some),
            PageRequest::Query(at, list) => pages.query(shown, report, (*at, list)),
            PageRequest::Document(at, document) => {
                pages.document(shown, ledger, (report, evidence), (*at, *document))
            }
            PageRequest::Answers(at, page) => pages.answers(shown, ledger, (*at, *page)),
            PageRequest::Attempts(request) => pages.attempts(shown, ledger, request).map(Some),
            PageRequest::Attempt(place) => pages.attempt(shown, ledger, &evidence.pooled, *place),
            PageRequest::Judges => {
                let address = |query: &str| Some(format!("/query/{}", shown.number_of(query)?));
                let disagreements = report.disagreements_html(address)?;
                let view = judges_view(report.summary(), evidence, index, &disagreements);
                pages.page(shown, ("judges.html", "/judges"), &view).map(Some)
            }
            PageRequest::Labels(request) => {
                let list = request.page(evidence, &shown.labels, |query| shown.number_of(query));
                let view = json!({"list": list, "mixed": evidence.mixed().is_some()});
                pages.page(shown, ("labels.html", "/labels"), &view).map(Some)
            }
            PageRequest::Annotators => Ok(None),
            PageRequest::Tournaments(request) => {
                let Some(meaning) = &shown.compared else { return Ok(None) };
                let view = json!({"list": request.page(&shown.tournaments, meaning)});
                pages.page(shown, ("tournaments.html", "/tournaments"), &view).map(Some)
            }
            PageRequest::Tournament(at) => {
                let Some(topic) = report.query(*at) else { return Ok(None) };
                let Some(t) = TournamentView::read(ledger, evidence, (*at + 1, topic))? else {
                    return Ok(None);
                };
                pages.page(shown, ("tournament.html", ""), &json!({"t": t})).map(Some)
            }
            PageRequest::Ledger => {
                pages.page(shown, ("ledger.html", "/ledger"), &ledger_view(index)).map(Some)
            }
            PageRequest::Live => {
                let view = shown.so_far.view(index, now_ms());
                pages.page(shown, ("live.html", "/live"), &view).map(Some)
            }
            PageRequest::LiveFigures => {
                let view = shown.so_far.view(index, now_ms());
                pages.page(shown, ("live_figures.html", "/live"), &view).map(Some)
            }
        }
    }

    /// The page of annotators, or the error. It is computed once, for all requests.
    fn people(&self) -> Result<String, String> {
        let made = || in_own_pool(|| self.made_of_human_labels()).map_err(|error| said(&error));
        self.people.get_or_init(made).clone()
    }

    fn made_of_human_labels(&self) -> Result<String, ServeError> {
        let Source { study, pages, inputs, .. } = self.source;
        let status = HumanLabelsStatus::of_study(study, inputs, self.evidence)?;
        let view = human_labels_view(&status, |query| self.shown.number_of(query));
        pages.page(&self.shown, ("people.html", "/people"), &view)
    }
}

/// The text of an error, with invisible characters escaped.
fn said(error: &ServeError) -> String {
    visible(&error.to_string()).into_owned()
}
