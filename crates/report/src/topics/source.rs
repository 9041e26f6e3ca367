//! Sources of a report's queries.

use serde::{Serialize, Serializer};

use super::detail::TopicDetail;

/// A source of a report's queries, which can be read more than once.
pub trait TopicSource: Serialize {
    /// Calls `visit` with every query, in the report's order.
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail));
}

/// No query: a report of the rest.
impl TopicSource for () {
    fn visit(&self, _: &mut dyn FnMut(&TopicDetail)) {}
}

impl TopicSource for Vec<TopicDetail> {
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail)) {
        self.iter().for_each(visit);
    }
}

/// Queries that are built one by one each time a report is written, and then dropped.
/// The function must return equal queries every time.
///
/// ```
/// use llull_report::{Streamed, TopicDetail, TopicSource};
/// let topics = Streamed(|| (1..=3).map(|n| TopicDetail { id: format!("q{n}"), ..Default::default() }));
/// let mut seen = Vec::new();
/// topics.visit(&mut |topic| seen.push(topic.id.clone()));
/// assert_eq!(seen, ["q1", "q2", "q3"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Streamed<F>(pub F);

impl<F, I> Serialize for Streamed<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = TopicDetail>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

impl<F, I> TopicSource for Streamed<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = TopicDetail>,
{
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail)) {
        self.0().into_iter().for_each(|topic| visit(&topic));
    }
}
