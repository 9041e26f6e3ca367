//! Verdicts of published judges on two TREC collections, and how many of them human labels confirmed.
//!
//! A verdict is a pair of submitted systems whose 95% interval by Student's t excludes 0 under a judge's labels. Human
//! labels confirm it if theirs excludes 0 on the same side. Runs as submitted, documents without a label not relevant,
//! P, RR and AP with grades from 2 on. The counts of DL 2019 are reproduced from its runs and label sets
//! (`conformance/tests/published/track_record_dl19.rs`). Those of DL 2021, and the curves, were measured with the same
//! program; of DL 2021 the shares are known to two decimals, and only for nDCG@10.

use llull_metrics::{Gain, Measure, Unjudged};

/// The verdicts of a collection that are about as clear as each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) verdicts: usize,
    pub(super) confirmed: usize,
    pub(super) same_direction: usize,
    pub(super) opposite: usize,
    /// The confirmed share with 15 of the queries.
    pub(super) with_15_queries: f64,
}

/// Verdicts from this x on, up to the next one's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bin {
    pub(super) from: f64,
    pub(super) dl19: Counts,
    pub(super) dl21: Option<Counts>,
    /// The least confirmed share among judges with 15 such verdicts or more.
    pub(super) least_of_a_judge: f64,
}

/// The verdicts on one measure.
#[derive(Debug)]
pub(super) struct PublishedVerdicts {
    /// How many label sets decided on each collection.
    pub(super) label_sets: [usize; 2],
    pub(super) bins: [Bin; 7],
    /// `logit P = a + min(x, 4) * (b + c * ln(Q / 40))`; `None` where it is not well calibrated.
    curve: Option<[f64; 3]>,
    /// Whether the systematic errors of judges are known.
    pub(super) exaggeration: bool,
}

/// The fewest queries of a record.
pub(super) const LEAST_QUERIES: usize = 15;

/// The fewest queries for which the curve holds: below, it is off by up to 0.13.
const LEAST_OF_CURVE: usize = 25;

/// The most queries that the curve was fitted to.
const MOST_OF_CURVE: usize = 53;

impl PublishedVerdicts {
    /// Returns the verdicts on a measure; `None` for measures that were not examined.
    pub(super) fn on(measure: &Measure) -> Option<&'static Self> {
        let parameters = measure.parameters();
        let plain = parameters.gain == Gain::Linear && parameters.unjudged == Unjudged::default();
        let at = measure.cutoff().map(|cutoff| cutoff.rank());
        let from_2 = measure.relevant().is_some_and(|level| level.grade() == 2);
        match (measure.family(), at) {
            _ if !plain => None,
            ("nDCG", Some(10)) if parameters.min_rel == 0 => Some(&NDCG),
            ("P", Some(10)) if from_2 && !parameters.relative => Some(&P),
            ("RR", Some(10)) if from_2 => Some(&RR),
            ("AP", None) if from_2 => Some(&AP),
            _ => None,
        }
    }

    /// Returns the verdicts with about this x.
    pub(super) fn at(&self, x: f64) -> Option<&Bin> {
        self.bins.iter().rev().find(|bin| x >= bin.from)
    }

    /// Returns the share that the curve gives for a verdict with this x on so many queries; `None` where it does not
    /// hold.
    pub(super) fn expected(&self, x: f64, queries: usize) -> Option<f64> {
        let [a, b, c] = self.curve.filter(|_| (LEAST_OF_CURVE..=MOST_OF_CURVE).contains(&queries))?;
        Some(1.0 / (1.0 + (-(a + x.min(4.0) * (b + c * (queries as f64 / 40.0).ln()))).exp()))
    }
}

const fn counted(
    [verdicts, confirmed, same_direction, opposite]: [usize; 4],
    with_15_queries: f64,
) -> Counts {
    Counts { verdicts, confirmed, same_direction, opposite, with_15_queries }
}

/// Counts from shares in hundredths and thousandths. A share that rounds to all may be less, so it never is all.
const fn shared(
    verdicts: usize,
    (confirmed, same_direction): (usize, usize),
    opposite: usize,
    with_15_queries: f64,
) -> Option<Counts> {
    let confirmed = (verdicts * confirmed + 50) / 100;
    let same_direction = (verdicts * if same_direction > 999 { 999 } else { same_direction } + 500) / 1_000;
    Some(Counts { verdicts, confirmed, same_direction, opposite, with_15_queries })
}

const fn bin(from: f64, dl19: Counts, dl21: Option<Counts>, least_of_a_judge: f64) -> Bin {
    Bin { from, dl19, dl21, least_of_a_judge }
}

static NDCG: PublishedVerdicts = PublishedVerdicts {
    label_sets: [13, 20],
    curve: Some([0.660, 2.284, 1.338]),
    exaggeration: true,
    bins: [
        bin(0.0, counted([429, 298, 427, 0], 0.65), shared(1_763, (73, 975), 3, 0.68), 0.33),
        bin(0.25, counted([427, 328, 426, 0], 0.72), shared(1_723, (80, 978), 2, 0.75), 0.32),
        bin(0.5, counted([821, 734, 819, 1], 0.83), shared(3_251, (88, 988), 0, 0.84), 0.53),
        bin(1.0, counted([763, 731, 763, 0], 0.87), shared(3_026, (95, 996), 0, 0.91), 0.78),
        bin(1.5, counted([669, 663, 669, 0], 0.93), shared(2_788, (98, 1_000), 0, 0.96), 0.92),
        bin(2.0, counted([1_044, 1_044, 1_044, 0], 0.96), shared(4_470, (99, 1_000), 0, 0.98), 0.96),
        bin(3.0, counted([1_484, 1_484, 1_484, 0], 1.0), None, 1.0),
    ],
};

static P: PublishedVerdicts = PublishedVerdicts {
    label_sets: [7, 0],
    curve: Some([0.293, 1.959, 0.946]),
    exaggeration: false,
    bins: [
        bin(0.0, counted([232, 169, 221, 1], 0.64), None, 0.55),
        bin(0.25, counted([203, 144, 202, 0], 0.70), None, 0.45),
        bin(0.5, counted([361, 321, 360, 0], 0.79), None, 0.71),
        bin(1.0, counted([367, 343, 367, 0], 0.82), None, 0.89),
        bin(1.5, counted([371, 351, 371, 0], 0.93), None, 0.89),
        bin(2.0, counted([527, 516, 527, 0], 0.95), None, 0.95),
        bin(3.0, counted([675, 674, 675, 0], 0.99), None, 0.99),
    ],
};

static RR: PublishedVerdicts = PublishedVerdicts {
    label_sets: [7, 0],
    curve: Some([0.019, 2.094, 1.022]),
    exaggeration: false,
    bins: [
        bin(0.0, counted([299, 127, 291, 0], 0.45), None, 0.13),
        bin(0.25, counted([317, 218, 313, 0], 0.57), None, 0.52),
        bin(0.5, counted([353, 295, 353, 0], 0.69), None, 0.62),
        bin(1.0, counted([201, 182, 201, 0], 0.87), None, 0.79),
        bin(1.5, counted([138, 135, 138, 0], 0.97), None, 0.94),
        bin(2.0, counted([106, 103, 106, 0], 0.99), None, 0.92),
        bin(3.0, counted([270, 270, 270, 0], 1.0), None, 1.0),
    ],
};

/// Its curve errs by .09 to .13 with few queries, and is not shown.
static AP: PublishedVerdicts = PublishedVerdicts {
    label_sets: [7, 0],
    curve: None,
    exaggeration: false,
    bins: [
        bin(0.0, counted([183, 105, 159, 6], 0.46), None, 0.30),
        bin(0.25, counted([188, 116, 174, 2], 0.51), None, 0.46),
        bin(0.5, counted([341, 243, 321, 2], 0.62), None, 0.44),
        bin(1.0, counted([281, 226, 275, 2], 0.74), None, 0.67),
        bin(1.5, counted([276, 236, 271, 1], 0.79), None, 0.79),
        bin(2.0, counted([448, 382, 445, 0], 0.84), None, 0.63),
        bin(3.0, counted([1_447, 1_376, 1_446, 0], 0.92), None, 0.87),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn on(measure: &str) -> Option<&'static PublishedVerdicts> {
        PublishedVerdicts::on(&measure.parse().unwrap())
    }

    /// `experiments/ndcg_from_pairs/golden.py`: curve nDCG x .5 Q 43; x 1 Q 25.
    #[test]
    fn the_curve_gives_the_worked_examples() {
        let ndcg = on("nDCG@10").unwrap();
        for (x, queries, expected) in [(0.5, 43, 0.8641720093), (1.0, 25, 0.9101227920)] {
            let found = ndcg.expected(x, queries).unwrap();
            assert!((found - expected).abs() < 1e-10, "{found}");
        }
    }

    #[test]
    fn the_curve_ends_where_it_was_fitted() {
        let ndcg = on("nDCG@10").unwrap();
        assert_eq!(ndcg.expected(1.0, 24), None);
        assert!(ndcg.expected(1.0, 53).is_some());
        assert_eq!(ndcg.expected(1.0, 54), None);
        assert_eq!(ndcg.expected(4.0, 43), ndcg.expected(40.0, 43));
        assert_eq!(on("AP(rel=2)").unwrap().expected(1.0, 43), None);
    }

    #[test]
    fn other_measures_and_other_forms_have_no_record() {
        for measure in [
            "nDCG@5",
            "nDCG",
            "nDCG(dcg='exp-log2')@10",
            "P(rel=2)@5",
            "RR(rel=2)",
            "R(rel=2)@10",
            "AP(rel=2)@100",
            "RBP",
            "ERR@10",
        ] {
            assert!(on(measure).is_none(), "{measure}");
        }
        for family in
            ["P@10", "P(rel=1)@10", "P(rel=3)@10", "RR@10", "RR(rel=3)@10", "AP", "AP(rel=3)", "map"]
        {
            assert!(on(family).is_none(), "{family}: another level of relevance");
        }
        for measure in ["nDCG@10", "P(rel=2)@10", "RR(rel=2)@10", "AP(rel=2)"] {
            assert!(on(measure).is_some(), "{measure}");
        }
        assert!(on("nDCG(judged_only=True)@10").is_none());
    }

    #[test]
    fn each_verdict_falls_into_one_bin() {
        for verdicts in [&NDCG, &P, &RR, &AP] {
            assert!(verdicts.at(-0.01).is_none());
            let from = |x: f64| verdicts.at(x).map(|bin| bin.from);
            assert_eq!(
                [0.0, 0.49, 0.5, 2.99, 3.0, 90.0].map(from),
                [0.0, 0.25, 0.5, 2.0, 3.0, 3.0].map(Some)
            );
            for bin in &verdicts.bins {
                for counts in [Some(bin.dl19), bin.dl21].into_iter().flatten() {
                    assert!(counts.confirmed <= counts.same_direction);
                    assert!(counts.same_direction + counts.opposite <= counts.verdicts);
                }
            }
        }
    }
}
