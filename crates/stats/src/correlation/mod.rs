//! Whether two lists of figures order the same things alike.

mod conclusions;
mod kendall;
mod linear;
mod rbo;
mod systems;
mod tau_ap;

pub use conclusions::{Conclusion, ConclusionCounts};
pub use kendall::kendall_tau_b;
pub use linear::{pearson, spearman};
pub use rbo::rank_biased_overlap;
pub use systems::{
    RankChange, SystemAgreement, SystemError, SystemFigures, SystemOptions, SystemScores, system_agreement,
};
pub use tau_ap::{tau_ap, tau_ap_b};
