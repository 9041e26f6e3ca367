//! The language models of a ledger.

use llull_core::{Hash, JudgeSpec, Paradigm};
use llull_report::text::count;
use llull_store::{LedgerJudge, LedgerReader, Totals};

use crate::error::StudyError;
use crate::judging::short;

/// The least number of characters for a hash, so that no word passes for one.
const LEAST: usize = 4;

/// A language model in a ledger, with the number of its verdicts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KnownJudge {
    pub(super) judge: LedgerJudge,
    pub(super) verdicts: u64,
}

impl KnownJudge {
    /// Reads the language models of a paradigm with a verdict, in the order of their first requests.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(super) fn read(ledger: &dyn LedgerReader, paradigm: Paradigm) -> Result<Vec<Self>, StudyError> {
        let mut known = Vec::new();
        for judge in ledger.judges()? {
            if judge.spec.paradigm != paradigm || judge.spec.sampling.is_none() {
                continue;
            }
            let verdicts = Totals::read(ledger, Some(judge.id))?.judged;
            if verdicts > 0 {
                known.push(Self { judge, verdicts });
            }
        }
        Ok(known)
    }

    /// Whether it has this name, or is this model.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.judge.name == name || self.judge.spec.model == name
    }

    /// Whether its specification has this mark.
    pub(super) fn has(&self, mark: &str) -> bool {
        let spec = &self.judge.spec;
        let hashes = [spec.rubric_hash, spec.prompt_hash, spec.fingerprint()];
        let begins = |hash: Hash| mark.len() >= LEAST && hash.to_string().starts_with(mark);
        spec.prompt == mark || hashes.into_iter().any(begins)
    }

    /// Its unambiguous notation, and its description.
    pub(super) fn line(&self) -> String {
        let Self { judge, verdicts } = self;
        let own = short(judge.spec.fingerprint());
        format!("  {}@{own}: {}, {} answers", judge.name, judge_text(&judge.spec), count(*verdicts))
    }
}

/// Describes a judge.
pub(super) fn judge_text(spec: &JudgeSpec) -> String {
    match spec.sampling {
        Some(_) => format!("{}, prompt {}, rubric {}", spec.model, spec.prompt, short(spec.rubric_hash)),
        None => spec.model.clone(),
    }
}
