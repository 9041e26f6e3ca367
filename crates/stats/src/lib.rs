//! Intervals, comparisons, agreement and correlation.
//!
//! Pure functions: every source of chance is a [`Seed`](llull_core::Seed) in the arguments, and no result depends on
//! the number of cores. What is undefined is `None`, never 0 or 1.
//!
//! | question | answer |
//! |---|---|
//! | is the candidate better than the baseline? | [`paired_bootstrap`] |
//! | how sure is a mean? | [`mean_interval`] |
//! | may this change be merged? | [`Gate`] |
//! | do two sets of labels order the systems alike? | [`kendall_tau_b`] |
//! | do two judges give the same grades? | [`ConfusionMatrix`], [`cohen_kappa`] |
//! | does a judge prefer what a reference prefers, whichever is shown first? | [`preference_agreement`] |
//! | how sure is a share? | [`Proportion`] |
//!
//! ```
//! use llull_core::Seed;
//! use llull_stats::{BootstrapOptions, Decision, Gate, paired_bootstrap};
//!
//! // nDCG@10 of eight topics under each of two systems.
//! let baseline = [0.31, 0.52, 0.44, 0.20, 0.67, 0.38, 0.55, 0.41];
//! let candidate = [0.42, 0.60, 0.43, 0.35, 0.71, 0.52, 0.61, 0.55];
//! let difference = paired_bootstrap(&baseline, &candidate, &BootstrapOptions::new(Seed(7)))?;
//! assert_eq!(difference.decision, Decision::Better);
//! assert_eq!((difference.wins, difference.ties, difference.losses), (7, 0, 1));
//!
//! let gate: Gate = "low(nDCG@10) >= -0.01".parse()?;
//! assert!(gate.holds(&difference));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod bootstrap;
mod correlation;
mod error;
mod gate;
mod normal;
mod proportion;
mod resample;
mod rounding;

pub use agreement::{
    Choice, ConfusionMatrix, JudgedPair, Mode, ModeAgreement, PreferenceAgreement, SwapAgreement, Votes,
    Weights, cohen_kappa, preference_agreement,
};
pub use bootstrap::{
    BootstrapOptions, Decision, Interval, PairedDifference, Undecidable, mean_interval, paired_bootstrap,
};
pub use correlation::kendall_tau_b;
pub use error::StatsError;
pub use gate::{Bound, Comparator, Gate, GateError};
pub use proportion::Proportion;
