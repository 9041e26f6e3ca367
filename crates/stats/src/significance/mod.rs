//! Significance tests: whether a difference over the same queries could be chance.

mod compare_pairs;
mod equivalence;
mod paired_tests;
mod permutation;
mod test_result;

pub use compare_pairs::{PairResult, PairResults, compare_all, compare_with};
pub use equivalence::{Equivalence, equivalence_test};
pub use paired_tests::{bootstrap_test, paired_t_test, sign_test, wilcoxon_test};
pub use permutation::{PermutationOptions, permutation_test};
pub use test_result::{Direction, Method, PairOptions, PairTest, TestResult, UnknownTest};
