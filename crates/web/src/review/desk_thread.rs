//! The one thread that holds the desk, and handles requests in turn.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use axum::http::StatusCode;
use llull::Study;
use llull::review::{ReviewAnswer, ReviewDesk, ReviewOptions};
use tokio::sync::oneshot;

use super::forms::{Act, PairForm};
use super::pace::Pace;
use super::pages::ReviewPages;
use super::refusal::Refusal;
use crate::error::ServeError;
use crate::own_pool::in_own_pool;

/// A request to the desk.
#[derive(Debug)]
pub(super) enum Wanted {
    /// The pair that comes first.
    Next(String),
    /// The pair at a place of the queue.
    Pair(String, usize),
    /// A page of the list of all pairs.
    List(String, usize),
    /// A button of a pair's page.
    Done(PairForm),
    /// A page that asks for a name, with the reason why the previous one was refused.
    Name(Option<String>),
    /// To be known by a name.
    Known(String),
}

/// The desk's answer to a request.
#[derive(Debug)]
pub(super) enum Given {
    Page(StatusCode, String),
    /// Another address.
    Away(String),
    /// The name that was wanted.
    Name(String),
}

pub(super) type Answer = Result<Given, Refusal>;

#[derive(Debug)]
pub(super) struct Job {
    pub(super) wanted: Wanted,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// Starts the thread, which ends when all senders are gone. Returns once the study has been read.
///
/// # Errors
/// Returns an error if the study cannot be read, or has nothing to review.
pub(super) fn start(
    study: Study,
    options: ReviewOptions,
    form_token: String,
) -> Result<Sender<Job>, ServeError> {
    let (ask, jobs) = channel();
    let (say, ready) = channel();
    let work = move || {
        let failed = say.clone();
        let worked = in_own_pool(move || {
            let desk = DeskThread::open(study, &options, form_token)?;
            let _ = say.send(Ok(()));
            desk.work(&jobs);
            Ok(())
        });
        if let Err(error) = worked {
            let _ = failed.send(Err(error));
        }
    };
    let started = std::thread::Builder::new().name("desk".to_owned()).spawn(work);
    started.map_err(|error| ServeError::Start(error.to_string()))?;
    match ready.recv() {
        Ok(read) => read.map(|()| ask),
        Err(_) => Err(ServeError::Start("the desk's thread ended".to_owned())),
    }
}

struct DeskThread {
    study: Study,
    desk: ReviewDesk,
    pages: ReviewPages,
    /// How fast each annotator answers.
    paces: BTreeMap<String, Pace>,
}

impl DeskThread {
    fn open(study: Study, options: &ReviewOptions, form_token: String) -> Result<Self, ServeError> {
        let inputs = study.inputs()?;
        // Judges' answers choose the pairs of some queues, and nothing else here uses them.
        let evidence = study.evidence(&inputs)?;
        let desk = ReviewDesk::of_study(&study, &inputs, &evidence, options)?;
        let name = study.settings().name.clone();
        let pages = ReviewPages::new(name, &inputs.rubric, desk.is_of_answers(), form_token)?;
        Ok(Self { study, desk, pages, paces: BTreeMap::new() })
    }

    fn work(mut self, jobs: &Receiver<Job>) {
        while let Ok(Job { wanted, answer }) = jobs.recv() {
            // A browser that has gone away needs no answer; its request was recorded.
            let _ = answer.send(self.given(wanted));
        }
    }

    fn given(&mut self, wanted: Wanted) -> Answer {
        let page = |html: Result<String, ServeError>| match html {
            Ok(html) => Ok(Given::Page(StatusCode::OK, html)),
            Err(error) => Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        };
        match wanted {
            Wanted::Name(wrong) => page(self.pages.name(wrong.as_deref())),
            Wanted::Known(name) => match self.study.annotators().annotator(&name) {
                Ok(name) => Ok(Given::Name(name)),
                Err(error) => page(self.pages.name(Some(&error.to_string()))),
            },
            Wanted::Next(annotator) => {
                self.desk.refresh()?;
                match self.desk.next(&annotator, None) {
                    Some(at) => Ok(Given::Away(address(at))),
                    None => page(self.pages.finished(&self.desk, &annotator)),
                }
            }
            Wanted::Pair(annotator, at) => {
                self.desk.refresh()?;
                match self.pages.pair(&self.desk, (&annotator, self.paces.get(&annotator)), at).transpose() {
                    Some(html) => page(html),
                    None => Err(Refusal::new(StatusCode::NOT_FOUND, "There is no such pair.")),
                }
            }
            Wanted::List(annotator, number) => {
                self.desk.refresh()?;
                page(self.pages.list(&self.desk, &annotator, number))
            }
            Wanted::Done(form) => {
                let again = self.desk.place(&form.item).ok();
                match self.done(&form) {
                    Err(refusal) => match self.pages.refused(&refusal.words, again) {
                        Ok(html) => Ok(Given::Page(refusal.status, html)),
                        Err(_) => Err(refusal),
                    },
                    done => done,
                }
            }
        }
    }

    /// Applies a button of a pair's page, and leads to the next pair.
    fn done(&mut self, form: &PairForm) -> Answer {
        let unknown = || Refusal::new(StatusCode::BAD_REQUEST, "No button of this page says that.");
        let at = match form.act().ok_or_else(unknown)? {
            Act::Answer(verdict) => {
                let answer = ReviewAnswer {
                    annotator: form.annotator.clone(),
                    item: form.item.clone(),
                    verdict,
                    note: form.note.replace("\r\n", "\n"),
                    times: form.times,
                };
                self.desk.answer(&answer)?;
                self.paces.entry(form.annotator.clone()).or_default().answered(Instant::now());
                self.desk.place(&form.item)?
            }
            Act::Mark(mark) => self.desk.mark(&form.annotator, &form.item, mark)?,
            Act::Undo => {
                let at = self.desk.undo(&form.annotator, &form.item, form.times)?;
                return Ok(Given::Away(address(at)));
            }
        };
        Ok(Given::Away(self.desk.next(&form.annotator, Some(at)).map_or_else(|| "/next".to_owned(), address)))
    }
}

/// The address of the pair at a place of the queue.
fn address(at: usize) -> String {
    format!("/pair/{}", at + 1)
}
