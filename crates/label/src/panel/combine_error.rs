//! Errors of combining a panel's grades.

use super::method::PanelMethod;

/// Why a method cannot combine grades.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CombineError {
    /// The method learns from human labels, and none were given.
    #[error(
        "{0} learns from human labels: give those of a random sample of the pairs (--truth), or take median, mean or \
         majority"
    )]
    NeedsTruth(PanelMethod),
    /// Human labels are of one query only, whose labels must not be learnt from them.
    #[error(
        "{0} learns the labels of a query from human labels of others, and all human labels are of one query: have \
         pairs of more queries labelled"
    )]
    OneQuery(PanelMethod),
    /// The panel has fewer judges.
    #[error("{method} takes {wanted} judges, and the panel has {judges}")]
    TooFewJudges {
        /// The method.
        method: PanelMethod,
        /// How many judges it takes.
        wanted: usize,
        /// How many there are.
        judges: usize,
    },
    /// The judges' grades do not rise with the human grades.
    #[error(
        "the judges' grades do not rise with the human labels, so that nothing can be learnt from them: have more \
         pairs labelled, or look at the judges (`llull audit`)"
    )]
    NothingToLearn,
}
