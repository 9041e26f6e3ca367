//! Aggregates the figures of queries to the figure of a run.

/// How the figures of the queries become the figure of a run:
/// [`Measure::aggregation`](crate::Measure::aggregation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aggregation {
    /// The arithmetic mean; of most measures.
    Mean,
    /// The geometric mean, which moves with the hard queries; of GMAP and gm_bpref. A figure below 0.00001 counts as
    /// 0.00001, since one zero would make the mean 0 (Robertson, On GMAP, CIKM 2006; trec_eval's MIN_GEO_MEAN).
    GeometricMean,
    /// The sum; of counts of queries and documents, as in trec_eval and ir_measures.
    Sum,
}

/// trec_eval's MIN_GEO_MEAN.
const FLOOR: f64 = 0.00001;

impl Aggregation {
    /// The figure of a run; `None` without queries.
    pub fn of(self, values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
        let topics = values.len();
        match self {
            _ if topics == 0 => None,
            Self::Sum => Some(values.sum()),
            Self::Mean => Some(values.sum::<f64>() / topics as f64),
            Self::GeometricMean => {
                let sum: f64 = values.map(|value| value.max(FLOOR).ln()).sum();
                Some((sum / topics as f64).exp())
            }
        }
    }
}
