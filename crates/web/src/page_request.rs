//! The pages, and requests for them.

use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use crate::attempts::AttemptsRequest;
use crate::failure::Failure;
use crate::label_list::LabelsRequest;
use crate::query_list::ListRequest;
use crate::reading_stage::ReadingStage;
use crate::tournament_pages::TournamentsRequest;

/// A page.
#[derive(Debug, Clone)]
pub(crate) enum PageRequest {
    /// The content of `report.html`.
    Overview,
    Queries(ListRequest),
    /// The query at this place of the topics, with the list that leads to it.
    Query(usize, ListRequest),
    /// A document of a query, both by their places.
    Document(usize, usize),
    /// Its tournament.
    Tournament(usize),
    /// A page of every answer about it, by its number.
    Answers(usize, usize),
    /// A list of attempts.
    Attempts(AttemptsRequest),
    /// The attempt at this place of the ledger.
    Attempt(u64),
    /// The comparison of the judges.
    Judges,
    /// A list of labels.
    Labels(LabelsRequest),
    /// The annotators, and their labels of a sample.
    Annotators,
    /// A list of tournaments.
    Tournaments(TournamentsRequest),
    /// The ledger in sums.
    Ledger,
    /// The run at this moment.
    Live,
    /// The changing part of that page.
    LiveFigures,
    /// The page of a request that failed.
    Failure(Failure),
}

/// The HTML of a page, `None` if there is no such page, or why it cannot be made.
pub(crate) type Answer = Result<Option<String>, String>;

/// A request for a page, which waits for its answer.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) request: PageRequest,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// The study's reader, as a request knows it.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) jobs: Sender<Job>,
    pub(crate) stage: watch::Receiver<ReadingStage>,
}

impl Reader {
    /// Requests a page; `None` if the reader has ended.
    pub(crate) async fn ask(&self, request: PageRequest) -> Option<Answer> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job { request, answer }).ok()?;
        answered.await.ok()
    }

    /// What is being read now, if the study is not read within this time; `None` once it is read.
    pub(crate) async fn still_reads(&self, patience: Duration) -> Option<ReadingStage> {
        let mut stage = self.stage.clone();
        let read = stage.wait_for(|stage| *stage == ReadingStage::Read);
        match tokio::time::timeout(patience, read).await {
            // A reader that has ended has no stage to come.
            Ok(_) => None,
            Err(_) => Some(*self.stage.borrow()),
        }
    }
}
