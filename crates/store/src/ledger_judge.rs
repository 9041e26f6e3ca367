//! Judges as registered in a ledger.

use llull_core::JudgeSpec;

/// The number of a judge in one ledger. Judges with the same fingerprint have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JudgeId(pub i64);

/// A judge as registered in a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerJudge {
    /// The judge's number in this ledger.
    pub id: JudgeId,
    /// The name under which it was first registered.
    pub name: String,
    /// The specification that determines the judge's answers.
    pub spec: JudgeSpec,
}
