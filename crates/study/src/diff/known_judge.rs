//! The judges that a ledger has.

use llull_core::{Hash, JudgeSpec, Paradigm};
use llull_report::text::count;
use llull_store::{LedgerJudge, LedgerReader, Totals};

use crate::error::StudyError;
use crate::judging::short;

/// How many characters of a hash name it at least, so that no word passes for one.
const LEAST: usize = 4;

/// A language model in a ledger, with the number of its verdicts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KnownJudge {
    pub(super) judge: LedgerJudge,
    pub(super) verdicts: u64,
}

impl KnownJudge {
    /// Reads the language models of a paradigm that have given a verdict, in the order in which they were first asked.
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

    /// Whether it was asked under this name, or is this model.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.judge.name == name || self.judge.spec.model == name
    }

    /// Whether its specification has this.
    pub(super) fn has(&self, mark: &str) -> bool {
        let spec = &self.judge.spec;
        let hashes = [spec.rubric_hash, spec.prompt_hash, spec.fingerprint()];
        let begins = |hash: Hash| mark.len() >= LEAST && hash.to_string().starts_with(mark);
        spec.prompt == mark || hashes.into_iter().any(begins)
    }

    /// How to name it so that no other is meant, and what it is.
    pub(super) fn line(&self) -> String {
        let Self { judge, verdicts } = self;
        let own = short(judge.spec.fingerprint());
        format!("  {}@{own}: {}, {} answers", judge.name, in_words(&judge.spec), count(*verdicts))
    }
}

/// What a judge is, in words.
pub(super) fn in_words(spec: &JudgeSpec) -> String {
    match spec.sampling {
        Some(_) => format!("{}, prompt {}, rubric {}", spec.model, spec.prompt, short(spec.rubric_hash)),
        None => spec.model.clone(),
    }
}
