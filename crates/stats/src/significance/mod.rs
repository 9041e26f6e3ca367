//! Whether a difference over the same topics could be chance.

mod bootstrap;
mod equivalence;
mod flips;
mod paired;
mod pairs;
mod permutation;
mod result;
mod sign;
mod student;
mod tukey;
mod wilcoxon;

pub use bootstrap::bootstrap_test;
pub use equivalence::{Equivalence, equivalence_test};
pub(crate) use paired::{Paired, mean, variance};
pub use pairs::{PairOptions, PairResult, PairResults, PairTest, UnknownTest, compare_all, compare_with};
pub use permutation::{PermutationOptions, permutation_test};
pub use result::{Alternative, Direction, Method, TestResult, Undefined};
pub use sign::sign_test;
pub use student::{StudentInterval, paired_t_interval, paired_t_test};
pub use wilcoxon::{WilcoxonOptions, Zeros, wilcoxon_test};
