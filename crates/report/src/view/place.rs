//! Orders queries by difficulty.

use std::cmp::Ordering;

use crate::topics::TopicDetail;

/// Where a query stands among the hardest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Whether the query has no relevant document; such queries come last.
    hopeless: bool,
    /// The systems' mean of the primary measure.
    mean: f64,
    /// The place in the report, so that equals keep their order.
    index: usize,
}

impl Place {
    pub(super) fn of(topic: &TopicDetail, primary: usize, index: usize) -> Self {
        let values = topic.systems.iter().filter_map(|system| system.values.get(primary)?.value);
        let (sum, n) = values.fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
        let mean = if n == 0 { f64::INFINITY } else { sum / f64::from(n) };
        Self { hopeless: topic.relevant == Some(0), mean, index }
    }

    /// Returns the query's number in the report, from 1.
    pub(super) fn number(&self) -> usize {
        self.index + 1
    }

    pub(super) fn order(a: &Self, b: &Self) -> Ordering {
        let by_mean = a.hopeless.cmp(&b.hopeless).then_with(|| a.mean.total_cmp(&b.mean));
        by_mean.then_with(|| a.index.cmp(&b.index))
    }
}
