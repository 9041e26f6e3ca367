//! Bounds the number of questions of tournaments, for any answers.

use llull_config::TournamentSettings;
use llull_core::Seed;

use crate::evidence::ComparedQuery;

/// The fewest and the most further questions of unfinished tournaments, besides the open ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CallRange {
    pub(super) lowest: u64,
    pub(super) highest: u64,
}

/// Returns the range for tournaments in which each question shows two documents; `None` if one shows more.
///
/// A chain of all documents has the fewest pairs that can put them in order. A pair is never shown twice in one order,
/// so it has one question, and one more in the other order if every pair has, or if it is inside a cycle. If a judge
/// answers Neither to every pair, every pair is compared.
pub(super) fn call_range(settings: &TournamentSettings, queries: &[ComparedQuery]) -> Option<CallRange> {
    let open = || queries.iter().filter(|query| !query.outcome.complete);
    if open().any(|query| query.window > 2) {
        return None;
    }
    let orders = if settings.both_orders() { 2 } else { 1 };
    let at_most = most_orders(settings);
    Some(open().fold(CallRange::default(), |range, query| {
        let (documents, asked) = (query.documents.len() as u64, query.questions as u64);
        let pairs = documents * documents.saturating_sub(1) / 2;
        CallRange {
            lowest: range.lowest + (orders * documents.saturating_sub(1)).saturating_sub(asked),
            highest: range.highest + (at_most * pairs).saturating_sub(asked),
        }
    }))
}

/// Returns the number of orders in which a pair can be shown.
pub(super) fn most_orders(settings: &TournamentSettings) -> u64 {
    let orders = if settings.both_orders() { 2 } else { 1 };
    let again = settings.options(2, Seed(0)).rejudge.unwrap_or(0);
    (orders + u64::from(again)).min(2)
}
