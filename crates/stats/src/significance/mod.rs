//! Significance tests: whether a difference over the same queries could be chance.

mod bootstrap_test;
mod compare_pairs;
mod equivalence;
mod method;
mod out_of_reach;
mod pair_results;
mod pair_test;
mod permutation;
mod permutation_options;
mod sign;
mod sign_flips;
mod student;
mod test_result;
mod tukey;
mod wilcoxon;

pub use bootstrap_test::bootstrap_test;
pub use compare_pairs::{compare_all, compare_with};
pub use equivalence::{Equivalence, equivalence_test};
pub use method::Method;
pub use pair_results::{PairResult, PairResults};
pub use pair_test::{PairOptions, PairTest, UnknownTest};
pub use permutation::permutation_test;
pub use permutation_options::PermutationOptions;
pub use sign::sign_test;
pub use student::paired_t_test;
pub use test_result::{Direction, TestResult};
pub use wilcoxon::wilcoxon_test;
