//! A judge of the ledger whose specification has changed since.

use llull_core::{JudgeSpec, TaskKey};

use super::prompted::Prompted;
use crate::{case::Case, judge::JudgeIdentity};

/// A judge of the ledger: finds the answers under an earlier specification. It cannot answer.
///
/// A key has a document's text as it was shown. The limit of its length is not part of a specification, so it comes
/// from the current judge. If that limit has changed since, answers about documents that were cut are not found.
#[derive(Debug, Clone)]
pub struct RegisteredJudge(Prompted);

impl RegisteredJudge {
    /// Creates the judge with this name and specification, which was shown documents as `now` is.
    pub fn new(name: impl Into<String>, spec: JudgeSpec, now: &Prompted) -> Self {
        Self(now.as_registered(name.into(), spec))
    }
}

impl JudgeIdentity for RegisteredJudge {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn spec(&self) -> &JudgeSpec {
        self.0.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.0.key(case, sample)
    }
}
