//! The settings of a tournament.

use llull_core::Seed;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many questions are sent at the same time. Fewer waves cost more calls; the documentation of the
/// [`tournament`](crate::tournament) module has the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Fewest calls: one batch in each wave.
    Sequential,
    /// The fewest waves that cost no additional calls on average. A wave has the best batch, batches of items with no
    /// known item above them, and batches of items so near the top that they will be compared anyway.
    #[default]
    Balanced,
    /// Fewest waves: also batches that are only likely to be needed, for about 5% more calls (for a top of
    /// 10) to 15%.
    Parallel,
    /// Every pair: once the top is known, pairs that were only inferred are compared, too, until each pair was judged
    /// or has an item that was given up. If all pairs were judged, the components are exactly the judge's, whatever
    /// its answers; no other schedule is certain of that. It costs 1.4 to 1.8 times n(n-1) / (k(k-1)) calls, and
    /// n(n-1) / 2 for pairs.
    Exhaustive,
}

/// The meaning of a tie, and of a pair whose votes cancel out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The two are interchangeable and share a tier: an edge in both directions.
    #[default]
    Equal,
    /// The judge was not sure: no edge, and the pair is not repeated.
    Open,
}

/// The settings of a [`Tournament`](crate::tournament::Tournament).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentOptions {
    /// The most items that one question shows; at least 2.
    pub window: usize,
    /// How many of the best items are to be found and put in order; at least 1. If there are no more items
    /// than this, all of them are put in order.
    pub top: usize,
    /// How many questions are sent at the same time.
    pub schedule: Schedule,
    /// The meaning of a tie.
    pub ties: TieRule,
    /// How often a pair inside a cycle may be repeated; with 0, every cycle is accepted at once. With `None`, and not
    /// under the exhaustive schedule, the best rated items are compared again from the first contradiction on.
    pub rejudge: Option<u32>,
    /// The seed of what is drawn: leaders that are dealt anew, and how sure the top is.
    pub seed: Seed,
}

impl Default for TournamentOptions {
    /// Windows of 10, the top 10, the balanced schedule, ties as equals, and leaders from the first contradiction on.
    fn default() -> Self {
        Self {
            window: 10,
            top: 10,
            schedule: Schedule::default(),
            ties: TieRule::default(),
            rejudge: None,
            seed: Seed(0),
        }
    }
}

/// An error in the settings of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TournamentError(String);

impl TournamentOptions {
    /// Checks the settings for a tournament of `items` items.
    ///
    /// # Errors
    /// Returns an error if the window is below 2, `top` is 0, or `items` is more than a `u32` can number.
    pub(crate) fn check(&self, items: usize) -> Result<(), TournamentError> {
        if self.window < 2 {
            return Err(TournamentError(format!(
                "a window of {window} compares nothing: set `window` to 2 or more",
                window = self.window
            )));
        }
        if self.top == 0 {
            return Err(TournamentError(
                "`top` is 0, so there is nothing to find: set it to 1 or more".to_owned(),
            ));
        }
        if u32::try_from(items).is_err() {
            return Err(TournamentError(format!(
                "{items} items are too many for a tournament: use {} or fewer",
                u32::MAX
            )));
        }
        Ok(())
    }
}
