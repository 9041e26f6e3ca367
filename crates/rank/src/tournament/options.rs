//! What a tournament is to find out, and how.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many questions are asked at once. Fewer waves cost more calls; the figures are in the documentation of the
/// [`tournament`](crate::tournament) module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Fewest calls: one batch a wave.
    Sequential,
    /// As few waves as cost no calls on average: beside the best batch those among items that nothing is known to be above, and
    /// those near enough to the top that they will be asked anyway.
    #[default]
    Balanced,
    /// Fewest waves: also batches that are only likely to be needed, for about 5% more calls (tops of 10) to 15%.
    Parallel,
    /// Every pair: when the top is known, those pairs that were only inferred are asked about too, until each was judged or
    /// has an item that was given up. Where all were judged, the components are exactly those of the judge, whatever its answers;
    /// nothing less makes that sure. It costs 1.4 to 1.8 times n(n-1) / (k(k-1)) calls, n(n-1) / 2 for pairs.
    Exhaustive,
}

/// What a tie, and a pair whose votes cancel out, means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The two are interchangeable and share a tier: an edge in both directions.
    #[default]
    Equal,
    /// The judge was not sure: no edge, and the pair is not asked again.
    Open,
}

/// The settings of a [`Tournament`](crate::tournament::Tournament).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentOptions {
    /// Items that one question shows at most; at least 2.
    pub window: usize,
    /// How many of the best items are to be found and put in order; at least 1. As many as there are items, or more, is the
    /// full order.
    pub top: usize,
    /// How many questions are asked at once.
    pub schedule: Schedule,
    /// What a tie means.
    pub ties: TieRule,
    /// How often a pair inside a cycle may be asked again, beyond once. 0 believes every cycle at once.
    pub rejudge: u32,
}

impl Default for TournamentOptions {
    /// Windows of 10, the top 10, the balanced schedule, ties as equals, two more votes for a pair inside a cycle.
    fn default() -> Self {
        Self { window: 10, top: 10, schedule: Schedule::default(), ties: TieRule::default(), rejudge: 2 }
    }
}

/// Settings that no tournament can be played with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TournamentError {
    /// A question about fewer than two items compares nothing.
    #[error("a window of {window} compares nothing: set it to 2 or more")]
    Window {
        /// The window asked for.
        window: usize,
    },
    /// Nothing was asked for.
    #[error("the top 0 items are no question: set `top` to 1 or more")]
    Top,
    /// Items are numbered by `u32`.
    #[error("{items} items are more than a tournament can number: keep to {} or fewer", u32::MAX)]
    Items {
        /// The number of items asked for.
        items: usize,
    },
}

impl TournamentOptions {
    /// # Errors
    /// If the window is below 2, `top` is 0, or `items` cannot be numbered.
    pub(crate) fn check(&self, items: usize) -> Result<(), TournamentError> {
        if self.window < 2 {
            return Err(TournamentError::Window { window: self.window });
        }
        if self.top == 0 {
            return Err(TournamentError::Top);
        }
        if u32::try_from(items).is_err() {
            return Err(TournamentError::Items { items });
        }
        Ok(())
    }
}
