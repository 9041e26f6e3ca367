//! Reads attempts of a ledger, word for word.

use llull_core::Attempt;
use llull_store::{Detail, JudgeId, LedgerReader};

use crate::error::StudyError;

/// An attempt of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAttempt {
    /// Its number in the ledger, from 1 in the order of recording.
    pub place: u64,
    /// The judge's number in the ledger.
    pub judge: JudgeId,
    /// The attempt, with its reply if that was read.
    pub attempt: Attempt,
}

/// Returns the attempts at these places of a ledger, in this order; missing ones are left out.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn recorded_attempts(
    ledger: &dyn LedgerReader,
    places: &[u64],
    detail: Detail,
) -> Result<Vec<RecordedAttempt>, StudyError> {
    let mut found = Vec::with_capacity(places.len());
    ledger.read_at(places, detail, &mut |place, judge, attempt| {
        found.push(RecordedAttempt { place, judge, attempt });
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use llull_core::Paradigm;
    use llull_store::{LedgerWriter, MemoryLedger, SqliteLedger};
    use llull_testkit::attempts::{attempt, order, spec};

    use super::*;

    fn fill(ledger: &mut dyn LedgerWriter) {
        let one = ledger.register("one", &spec(Paradigm::Pairwise, "a")).unwrap();
        let two = ledger.register("two", &spec(Paradigm::Pairwise, "b")).unwrap();
        let of = |question: &str, documents: [&str; 2]| attempt(question, &documents, order(&[&[0], &[1]]));
        ledger
            .append(&[(two, of("x", ["a", "b"])), (one, of("y", ["b", "a"])), (two, of("z", ["c", "a"]))])
            .unwrap();
    }

    #[test]
    fn attempts_are_found_by_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
        let mut memory = MemoryLedger::default();
        fill(&mut file);
        fill(&mut memory);
        for ledger in [&file as &dyn LedgerReader, &memory] {
            let found = recorded_attempts(ledger, &[3, 0, 2, 4, u64::MAX], Detail::Replies).unwrap();
            let seen: Vec<(u64, i64, &str)> =
                found.iter().map(|one| (one.place, one.judge.0, one.attempt.document.as_str())).collect();
            assert_eq!(seen, [(3, 2, "c"), (2, 1, "b")]);
            assert_eq!(found[1].attempt.documents, ["b", "a"]);
        }
    }
}
