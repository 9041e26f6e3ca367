//! Judges as a ledger knows them.

use llull_core::JudgeSpec;

/// A judge's number in one ledger. Judges with one fingerprint have one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JudgeId(pub i64);

/// A judge as a ledger knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerJudge {
    /// Its number in this ledger.
    pub id: JudgeId,
    /// The name under which it was first registered.
    pub name: String,
    /// What decides its answers.
    pub spec: JudgeSpec,
}
