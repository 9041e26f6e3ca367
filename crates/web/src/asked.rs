//! The pages, and requests for them.

use std::sync::mpsc::Sender;

use tokio::sync::oneshot;

use crate::attempts::AttemptsRequest;
use crate::label_list::LabelsRequest;
use crate::query_list::ListRequest;
use crate::tournament_pages::TournamentsRequest;

/// A page.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// The content of `report.html`.
    Overview,
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
}

/// The HTML of a page, `None` if there is no such page, or why it cannot be made.
pub(crate) type Answer = Result<Option<String>, String>;

/// A request for a page, which waits for its answer.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) asked: Asked,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// Requests a page from the reader; `None` if the reader has ended.
pub(crate) async fn ask(reader: &Sender<Job>, asked: Asked) -> Option<Answer> {
    let (answer, answered) = oneshot::channel();
    reader.send(Job { asked, answer }).ok()?;
    answered.await.ok()
}
