//! Correlation: the agreement of two orders of the same things.

mod conclusions;
mod kendall;
mod pearson;
mod rank_biased_overlap;
mod rank_changes;
mod spearman;
mod system_agreement;
mod system_scores;
mod tau_ap;
mod ties;

pub use conclusions::{Conclusion, ConclusionCounts};
pub use kendall::kendall_tau_b;
pub use pearson::pearson;
pub use rank_biased_overlap::rank_biased_overlap;
pub use rank_changes::RankChange;
pub use spearman::spearman;
pub use system_agreement::{SystemAgreement, SystemFigures, SystemOptions, system_agreement};
pub use system_scores::{SystemError, SystemScores};
pub use tau_ap::{tau_ap, tau_ap_b};
