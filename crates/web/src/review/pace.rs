//! How fast an annotator answers, and the time that is left.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many of the last answers count.
const LAST: usize = 20;
/// How many it takes to estimate.
const FEWEST: usize = 5;
/// A longer gap is a break.
const BREAK: Duration = Duration::from_secs(300);

/// The times between an annotator's last answers.
#[derive(Debug, Clone, Default)]
pub(super) struct Pace {
    last: Option<Instant>,
    gaps: VecDeque<Duration>,
}

impl Pace {
    /// Counts an answer at this time.
    pub(super) fn answered(&mut self, now: Instant) {
        if let Some(gap) = self.last.map(|last| now.duration_since(last)).filter(|gap| *gap < BREAK) {
            self.gaps.push_back(gap);
            if self.gaps.len() > LAST {
                self.gaps.pop_front();
            }
        }
        self.last = Some(now);
    }

    /// The minutes that this many more answers take, at the median pace; `None` after too few answers.
    pub(super) fn minutes(&self, open: usize) -> Option<u64> {
        if self.gaps.len() < FEWEST || open == 0 {
            return None;
        }
        let mut gaps: Vec<Duration> = self.gaps.iter().copied().collect();
        gaps.sort_unstable();
        let median = gaps.get(gaps.len() / 2)?.as_secs_f64();
        Some(((median * open as f64) / 60.0).ceil().max(1.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_gap_counts_and_breaks_do_not() {
        let mut pace = Pace::default();
        let mut now = Instant::now();
        // Gaps of 10, 10, 20, 30 and 60 seconds: the median is 20.
        for gap in [0, 10, 10, 20, 3_600, 30, 60] {
            now += Duration::from_secs(gap);
            assert_eq!(pace.minutes(30), None, "too few answers");
            pace.answered(now);
        }
        assert_eq!((pace.minutes(30), pace.minutes(1), pace.minutes(0)), (Some(10), Some(1), None));
    }
}
