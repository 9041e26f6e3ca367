//! Bootstrap intervals of means, clustered figures and paired differences.
//!
//! Queries are resampled with replacement (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13 to
//! 15). Intervals of means are bias-corrected and accelerated (BCa). Intervals of differences are percentiles, because
//! differences are seldom skewed and often 0, where the corrections of BCa do harm. The two-sided p is the one at which
//! the interval would just touch 0; resamples whose mean is exactly 0 count half.
//!
//! Such intervals are too narrow for few queries: resamples vary by the plug-in deviation, which divides by n, and n
//! values carry no information about the tails beyond them. So the intervals are expanded as much as a t interval is
//! wider than a normal one: Hesterberg, What teachers should know about the bootstrap, The American Statistician 69(4),
//! 2015.
//!
//! Measured on 2,000 random pairs of TREC DL 2019's runs, the values centred on 0 and resampled. The shares in % of
//! pairs with a significant difference (5 would be right), and of intervals that hold the mean of one run (95 would be
//! right), by the number of queries:
//!
//! | | 6 | 10 | 20 | 43 |
//! |---|---|---|---|---|
//! | nDCG@10, significant: BCa | 17 | 14 | 9 | 7 |
//! | expanded BCa | 8 | 9 | 6 | 6 |
//! | expanded percentiles | 9 | 8 | 5 | 6 |
//! | P@5 with random signs, significant: BCa | 18 | 15 | 11 | 8 |
//! | expanded BCa | 0 | 2 | 7 | 7 |
//! | expanded percentiles | 0 | 2 | 5 | 6 |
//! | P@5, mean held: BCa | 86 | 88 | 93 | 95 |
//! | expanded BCa | 94 | 94 | 95 | 96 |
//! | expanded percentiles | 89 | 90 | 93 | 95 |
//!
//! Resamples never leave the range of the values, and all n values lie on one side of the mean once in 2^(n - 1): so
//! fewer than six queries have no interval of 95% ([`least_topics`](crate::least_topics)).

mod clusters;
mod decision;
mod interval;
mod resample;

pub(crate) use clusters::{ClusterResamples, ClusterSums};
pub use clusters::{Ends, clustered_shares};
pub use decision::{Decision, PairedDifference, Undecidable, paired_bootstrap};
pub use interval::{
    BootstrapInterval, BootstrapOptions, Interval, IntervalMethod, bootstrap_mean, mean_interval,
    mean_intervals,
};
pub(crate) use resample::{TOGETHER, resampled_sums};
