//! What a ledger has of one query, word for word.

use llull_core::Attempt;
use llull_store::{Detail, LedgerReader};

use crate::error::StudyError;

/// An attempt as a ledger has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAttempt {
    /// The judge's name when it was first asked.
    pub judge: String,
    /// The attempt, with its reply.
    pub attempt: Attempt,
}

/// Returns every attempt at a question about a query, oldest first: those of judges, rubrics and prompts of before too,
/// rechecks and probes among them. Reads the whole ledger.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn recorded_attempts(
    ledger: &dyn LedgerReader,
    query: &str,
) -> Result<Vec<RecordedAttempt>, StudyError> {
    let judges = ledger.judges()?;
    let mut found = Vec::new();
    ledger.scan(None, Detail::Replies, &mut |id, attempt| {
        if attempt.topic == query {
            let judge = judges.iter().find(|judge| judge.id == id);
            let judge = judge.map_or_else(|| format!("judge {}", id.0), |judge| judge.name.clone());
            found.push(RecordedAttempt { judge, attempt });
        }
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use llull_core::Paradigm;
    use llull_store::{LedgerWriter, MemoryLedger};
    use llull_testkit::attempts::{attempt, order, spec};

    use super::*;

    #[test]
    fn a_query_has_its_own_attempts_oldest_first() {
        let mut ledger = MemoryLedger::default();
        let one = ledger.register("one", &spec(Paradigm::Pairwise, "a")).unwrap();
        let two = ledger.register("two", &spec(Paradigm::Pairwise, "b")).unwrap();
        let elsewhere = Attempt { topic: "q2".into(), ..attempt("x", &["a", "b"], order(&[&[0], &[1]])) };
        ledger
            .append(&[
                (two, attempt("first", &["a", "b"], order(&[&[0], &[1]]))),
                (one, elsewhere),
                (one, attempt("second", &["b", "a"], order(&[&[0], &[1]]))),
            ])
            .unwrap();
        let found = recorded_attempts(&ledger, "q1").unwrap();
        let judges: Vec<&str> = found.iter().map(|one| one.judge.as_str()).collect();
        assert_eq!(judges, ["two", "one"]);
        assert_eq!(found[1].attempt.documents, ["b", "a"]);
        assert_eq!(recorded_attempts(&ledger, "q3").unwrap(), []);
    }
}
