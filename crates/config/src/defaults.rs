//! Defaults of keys in `llull.toml`, for their readers and their reference.

use llull_rank::Schedule;

/// The seed of all random numbers, unless the file or the environment has one.
pub(crate) const SEED: u64 = 42;

/// Documents of each system that are judged by default.
pub(crate) const POOL_DEPTH: usize = 10;

/// Documents that a retriever returns by default.
pub(crate) const RETRIEVE_DEPTH: usize = 100;

/// Requests at once by default, of judges that wait for a server or program.
pub(crate) const USUAL_CONCURRENCY: usize = 8;

/// Seconds that a request may take by default.
pub(crate) const USUAL_TIMEOUT: u64 = 120;

/// Documents of one question by default, where judges order lists.
pub(crate) const WINDOW: usize = 10;

/// The number of best documents that are put in order by default.
pub(crate) const TOP: usize = 10;

/// How often a pair inside a cycle is repeated by default, where every pair is compared.
pub(crate) const REJUDGE: u32 = 1;

/// The number of orders in which documents are shown by default.
pub(crate) const ORDERS: usize = 1;

/// The number of graded documents in each tier by default.
pub(crate) const ANCHORS: usize = 2;

/// Schedules and their names.
pub(crate) const SCHEDULES: [(&str, Schedule); 4] = [
    ("sequential", Schedule::Sequential),
    ("balanced", Schedule::Balanced),
    ("parallel", Schedule::Parallel),
    ("exhaustive", Schedule::Exhaustive),
];

/// Returns the default share of repeated questions.
///
/// It is higher where judges compare, since their answers may depend on the order of documents. Where they grade, it is
/// enough to recognize random grades.
pub fn default_recheck(compares: bool) -> f64 {
    if compares { 0.05 } else { 0.01 }
}

/// Returns both defaults, for the reference.
pub(crate) fn recheck_defaults() -> String {
    format!("{} where judges compare, else {}", default_recheck(true), default_recheck(false))
}
