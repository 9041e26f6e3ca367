//! The pairs that a figure reads.

/// A pair that a figure reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairOfFrame {
    /// The position of its query, from 0.
    pub query: usize,
    /// The grade that the judge gave it.
    pub grade: i64,
    /// Its weight in the figure, which is the sum of weight × label over all pairs: for the mean of P@10 over 50
    /// queries, 1/500 in the top 10. In a difference of two systems, the candidate's less the baseline's.
    pub weight: f64,
    /// The judge's label as the figure reads it: 1 or 0 for a binary measure, the gain for DCG.
    pub judged: f64,
    /// The label of a person as the figure reads it, if this pair was sampled.
    pub human: Option<f64>,
}

/// A pair of a frame from which pairs were drawn with unequal probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnPair {
    /// The pair.
    pub pair: PairOfFrame,
    /// The probability with which it was to be drawn, above 0 and at most 1.
    pub probability: f64,
    /// The position of its stratum, from 0; 0 where there are none.
    pub stratum: usize,
}
