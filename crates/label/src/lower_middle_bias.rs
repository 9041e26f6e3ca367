//! Measures the bias of taking the lower of two middle grades.

use llull_core::Grade;
use serde::Serialize;

/// How far labels are lower because of two grades in the middle the lower one counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LowerMiddle {
    /// Pairs with an even number of votes whose two grades in the middle differ.
    pub pairs: usize,
    /// Pairs with a vote.
    pub of: usize,
    /// How much higher the mean label would be, were it the mean of the two.
    pub bias: f64,
}

impl LowerMiddle {
    /// Measures the votes on each pair, in any order.
    ///
    /// ```
    /// use llull_label::LowerMiddle;
    ///
    /// let found = LowerMiddle::of([vec![0, 3], vec![2, 2], vec![1, 2, 3], vec![1, 1, 2, 3]]);
    /// assert_eq!((found.pairs, found.of, found.bias), (2, 4, (1.5 + 0.5) / 4.0));
    /// ```
    pub fn of(votes: impl IntoIterator<Item = Vec<Grade>>) -> Self {
        let mut found = Self::default();
        let mut sum = 0.0;
        for mut votes in votes {
            votes.sort_unstable();
            found.of += usize::from(!votes.is_empty());
            let middle = votes.len() / 2;
            let two = middle.checked_sub(1).and_then(|low| Some((*votes.get(low)?, *votes.get(middle)?)));
            let Some((low, high)) = two.filter(|(low, high)| votes.len().is_multiple_of(2) && low < high)
            else {
                continue;
            };
            found.pairs += 1;
            sum += (f64::from(high) - f64::from(low)) / 2.0;
        }
        if found.of > 0 {
            found.bias = sum / found.of as f64;
        }
        found
    }
}
