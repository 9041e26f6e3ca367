//! Reads the judges' logs, and old replies by current rules and thresholds.

use std::{collections::BTreeMap, sync::Arc};

use llull_core::{Outcome, Reason, TaskKey, Unusable};
use llull_store::{Detail, JudgeId, JudgeLog, LedgerReader, StoreError};
use rustc_hash::FxHashSet;

use crate::{
    judge::JudgeIdentity,
    reread::{RereadCounts, Rereader},
};

/// Reads the judges' logs. The ledger is read once more with the replies, which are then read again, in three cases: a
/// judge has verdicts by earlier rules, a judge's grades depend on current settings, or an annotator withdrew answers.
pub(crate) fn read_logs<J: JudgeIdentity + ?Sized>(
    ledger: &dyn LedgerReader,
    judges: &[Arc<J>],
    ids: &[Option<JudgeId>],
    detail: Detail,
) -> Result<Vec<(JudgeLog, RereadCounts)>, StoreError> {
    let mut concerned = vec![false; ids.len()];
    let mut taken_back: Vec<FxHashSet<TaskKey>> = vec![FxHashSet::default(); ids.len()];
    let logs = JudgeLog::read_altered(ledger, ids, (detail, detail), &mut |at, attempt| {
        if let Some(concerned) = concerned.get_mut(at) {
            *concerned |= Rereader::concerns(attempt);
        }
        if let Some(taken_back) = taken_back.get_mut(at) {
            match (judges.get(at).is_some_and(|judge| !judge.is_asked()), &attempt.answer.outcome) {
                (true, Outcome::Judged { .. }) => taken_back.remove(&attempt.key),
                (true, Outcome::Unusable(_)) => taken_back.insert(attempt.key),
                _ => false,
            };
        }
    })?;
    let readers: Vec<Option<Rereader>> = judges
        .iter()
        .zip(&concerned)
        .map(|(judge, concerned)| judge.rereader().filter(|_| *concerned))
        .collect();
    let regrades = |at: usize| judges.get(at).is_some_and(|judge| judge.regrades());
    let as_recorded = readers.iter().all(Option::is_none) && taken_back.iter().all(FxHashSet::is_empty);
    if as_recorded && !(0..judges.len()).any(regrades) {
        return Ok(logs.into_iter().map(|log| (log, RereadCounts::default())).collect());
    }
    // The change of each question, unless it has a later answer.
    let mut changes: Vec<BTreeMap<TaskKey, (String, String)>> = vec![BTreeMap::new(); ids.len()];
    let logs = JudgeLog::read_altered(ledger, ids, (Detail::Replies, detail), &mut |at, attempt| {
        if taken_back.get(at).is_some_and(|keys| keys.contains(&attempt.key)) {
            let detail = "it was taken back".to_owned();
            attempt.answer.outcome = Outcome::Unusable(Unusable { reason: Reason::NoAnswer, detail });
            return;
        }
        if let Some(after) = judges.get(at).filter(|_| regrades(at)).and_then(|judge| judge.regrade(attempt))
        {
            attempt.answer.outcome = after;
            return;
        }
        let (Some(Some(reader)), Some(changes)) = (readers.get(at), changes.get_mut(at)) else { return };
        if let Some(after) = reader.outcome(attempt) {
            changes.insert(attempt.key, (attempt.answer.outcome.to_string(), after.to_string()));
            attempt.answer.outcome = after;
        } else if !matches!(attempt.answer.outcome, Outcome::Failed(_)) {
            changes.remove(&attempt.key);
        }
    })?;
    Ok(logs.into_iter().zip(changes.into_iter().map(RereadCounts::of)).collect())
}
