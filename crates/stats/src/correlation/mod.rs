//! Correlation: the agreement of two orders of the same things.

mod coefficients;
mod system_agreement;

pub use coefficients::{kendall_tau_b, pearson, rank_biased_overlap, spearman, tau_ap, tau_ap_b};
pub use system_agreement::{
    Conclusion, ConclusionCounts, RankChange, SystemAgreement, SystemError, SystemFigures, SystemOptions,
    SystemScores, system_agreement,
};
