//! Why a study's ledger has no answer to a question about it.

use std::path::PathBuf;

/// Why a study's ledger has no answer to a question about it.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no ledger yet.
    #[error("{}: there is no ledger yet; llull run makes one", .0.display())]
    NoLedger(PathBuf),
    /// No judge has answered anything.
    #[error("nothing was judged: {0}")]
    NothingAnswered(String),
    /// The order in which documents joined tournaments cannot be read.
    #[error("{}: {problem}. Remove it, and more may be asked again", path.display())]
    EntryOrder {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A judge that was named has compared nothing in this ledger.
    #[error(
        "no judge {judge:?} compares documents in this ledger{}",
        match known.as_slice() {
            [] => ", and no other one does".to_owned(),
            known => format!("; there are {}", known.join(", ")),
        }
    )]
    NotComparing {
        /// The judge.
        judge: String,
        /// The judges that there are.
        known: Vec<String>,
    },
    /// A judge that was named has compared no pair in this ledger.
    #[error("no judge {judge:?} has compared pairs in this ledger; there are {}", known.join(", "))]
    NotPairwise {
        /// The judge.
        judge: String,
        /// The judges that there are.
        known: Vec<String>,
    },
    /// No judge has compared pairs in this ledger.
    #[error(
        "no judge has compared pairs in this ledger. Give the study a judge with paradigm = \"pairwise\" and run it, \
         or name \
         a file of answers: llull agree --preferences TRUTH ANSWERS"
    )]
    NoPairwiseJudge,
    /// Nothing can be learnt of comparisons, since there are none.
    #[error(
        "the ledger has no comparison to learn from: llull judge asks the judges of a study with paradigm = \
         \"pairwise\" or \"listwise\""
    )]
    NothingCompared,
    /// A judge's own labels are asked for, and the judges of the study compare.
    #[error(
        "judges of this study compare, so its labels are those of all judges together: leave out the judge's name, or \
         compare answers pair by pair, with people's by llull agree --people, others by --preferences"
    )]
    JudgesCompare,
}
