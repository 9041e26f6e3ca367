//! Lists attempts: all of the ledger, or those about one query.

use llull::store::{Detail, JudgeId};
use llull::{Study, StudyError};
use serde::{Deserialize, Serialize};

use super::index::{IndexedAttempt, LedgerIndex};
use super::shown::AttemptView;
use crate::address::{Paging, address};
use crate::time::utc;

/// How many attempts one page has.
const ATTEMPTS: usize = 100;

/// Which attempts a list shows, in which order; everything that its address holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AttemptsRequest {
    /// The judge's number in the ledger; empty for all.
    pub(crate) judge: String,
    /// `judged`, `unusable`, `failed` or `repeats`; empty for all.
    pub(crate) outcome: String,
    /// A reason for which answers are unusable, or a kind of failure; empty for all.
    pub(crate) why: String,
    /// The identifier of a query; empty for all.
    pub(crate) query: String,
    /// The time of recording from which and before which, in milliseconds since 1970-01-01 UTC; empty for any.
    pub(crate) from: String,
    pub(crate) until: String,
    /// The order.
    pub(crate) sort: AttemptSort,
    pub(crate) page: usize,
}

/// The order of attempts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AttemptSort {
    /// As they were recorded.
    #[default]
    Oldest,
    Newest,
    /// The highest price first; those whose price is unknown last.
    Dearest,
    /// The longest time first.
    Slowest,
}

/// One page of a list.
#[derive(Debug, Serialize)]
pub(crate) struct AttemptsView {
    pub(crate) attempts: Vec<AttemptView>,
    pub(crate) paging: Paging,
    /// The judges that can be chosen.
    judges: Vec<(String, String)>,
    #[serde(flatten)]
    request: AttemptsRequest,
    /// The times in words.
    times: Option<(String, String)>,
}

impl AttemptsRequest {
    /// The requested page of the list.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn page(&self, study: &Study, index: &LedgerIndex) -> Result<AttemptsView, StudyError> {
        let mut places = self.places(index);
        self.arrange(&mut places, index);
        let paging = Paging::new(places.len(), ATTEMPTS, self.page, |page| self.address(page));
        self.view(study, index, &places, paging)
    }

    /// A page of the attempts about the query with this number, oldest first.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn about(
        study: &Study,
        index: &LedgerIndex,
        (query, number): (&str, usize),
        page: usize,
    ) -> Result<AttemptsView, StudyError> {
        let places = index.places_about(query);
        let other = |page| format!("/query/{number}/answers?page={page}");
        Self::default().view(study, index, places, Paging::new(places.len(), ATTEMPTS, page, other))
    }

    fn view(
        &self,
        study: &Study,
        index: &LedgerIndex,
        places: &[u64],
        paging: Paging,
    ) -> Result<AttemptsView, StudyError> {
        let shown: Vec<u64> = places.iter().skip(paging.first()).take(ATTEMPTS).copied().collect();
        let attempts = study.ledger().attempts_at(&shown, Detail::Facts)?;
        Ok(AttemptsView {
            attempts: attempts.iter().map(|found| AttemptView::new(found, index)).collect(),
            paging,
            judges: index.judges().iter().map(|judge| (judge.id.0.to_string(), judge.name())).collect(),
            request: self.clone(),
            times: self
                .from
                .parse()
                .ok()
                .zip(self.until.parse().ok())
                .map(|(from, until)| (utc(from), utc(until))),
        })
    }

    /// The places of the matching attempts, oldest first.
    fn places(&self, index: &LedgerIndex) -> Vec<u64> {
        let judge = self.judge.parse().ok().map(JudgeId);
        let query = index.query_position(&self.query);
        let time = |text: &String, other: i64| text.parse().unwrap_or(other);
        let times = time(&self.from, i64::MIN)..=time(&self.until, i64::MAX).saturating_sub(1);
        let is_wanted = |attempt: &IndexedAttempt| {
            let (outcome, why) = attempt.ended.names();
            let of_judge = || index.judge_of(attempt).map(|judge| judge.id) == judge;
            times.contains(&attempt.at_ms)
                && (self.judge.is_empty() || of_judge())
                && (self.query.is_empty() || query == Some(attempt.query))
                && (self.outcome.is_empty()
                    || self.outcome == outcome
                    || (self.outcome == "repeats" && attempt.repeats))
                && (self.why.is_empty() || self.why == why)
        };
        let places = (1..).zip(index.attempts());
        places.filter(|(_, attempt)| is_wanted(attempt)).map(|(place, _)| place).collect()
    }

    fn arrange(&self, places: &mut [u64], index: &LedgerIndex) {
        let attempt = |place: &u64| index.attempt(*place);
        let cost = |place: &u64| attempt(place).and_then(|found| found.cost_usd).unwrap_or(f64::NEG_INFINITY);
        let latency = |place: &u64| attempt(place).map_or(0, |found| found.latency_ms);
        match self.sort {
            AttemptSort::Oldest => {}
            AttemptSort::Newest => places.reverse(),
            AttemptSort::Dearest => places.sort_by(|a, b| cost(b).total_cmp(&cost(a))),
            AttemptSort::Slowest => places.sort_by_key(|place| std::cmp::Reverse(latency(place))),
        }
    }

    /// The address of a page of this list.
    pub(crate) fn address(&self, page: usize) -> String {
        address("/attempts", &Self { page, ..self.clone() })
    }
}
