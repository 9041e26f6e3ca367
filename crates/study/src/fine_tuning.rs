//! Prompts and replies of a ledger, to train a language model with.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use llull_core::{KeyBuilder, Outcome};
use llull_data::DataError;
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader, StoreError};
use serde::Serialize;

use crate::error::StudyError;
use crate::evidence::LedgerError;
use crate::judging::{AskedPrompt, PreviewMessage, SentPrompts};

/// The prompt and the reply of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FineTuningExample {
    /// The query.
    pub query: String,
    /// The messages of the prompt, in order.
    pub messages: Vec<PreviewMessage>,
    /// The reply, word for word.
    pub reply: String,
}

/// The attempts of a fine-tuning set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FineTuningTally {
    /// The judges, with their numbers of examples.
    pub judges: IndexMap<String, usize>,
    /// The attempts with a verdict that are no examples, by judge and reason.
    pub left_out: Vec<LeftOutAttempts>,
}

/// Attempts that are no examples for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOutAttempts {
    /// The judge.
    pub judge: String,
    /// The reason, as a sentence without its full stop.
    pub reason: String,
    /// Their number.
    pub attempts: usize,
    /// The query of the first.
    pub query: String,
    /// The document of the first, in a comparison the one that was shown first.
    pub document: String,
}

/// Passes prompts and replies to `each`: see [`Study::fine_tuning`](crate::Study::fine_tuning).
pub(crate) fn fine_tuning(
    ledger: &dyn LedgerReader,
    prompts: &mut SentPrompts<'_>,
    names: &[String],
    each: &mut dyn FnMut(FineTuningExample) -> Result<(), DataError>,
) -> Result<FineTuningTally, StudyError> {
    let judges = language_models(ledger.judges()?, names)?;
    let ids: Vec<JudgeId> = judges.keys().copied().collect();
    let mut tally = FineTuningTally::default();
    tally.judges.extend(judges.values().map(|judge| (judge.name.clone(), 0)));
    let mut left_out: IndexMap<(String, String), LeftOutAttempts> = IndexMap::new();
    let mut failed = None;
    let scanned = ledger.scan(Some(&ids), Detail::Replies, &mut |id, attempt| {
        let Some(judge) = judges.get(&id) else { return Ok(()) };
        let Outcome::Judged { .. } = &attempt.answer.outcome else { return Ok(()) };
        let found = match (attempt.answer.reply.clone(), prompts.of(&judge.spec, &attempt)) {
            (None, _) => Err("the ledger does not have its reply".to_owned()),
            (_, AskedPrompt::Unknown(reason)) => Err(reason),
            (Some(reply), AskedPrompt::Exact(prompt)) => Ok((reply, prompt.messages)),
        };
        match found {
            Ok((reply, messages)) => {
                let example = FineTuningExample { query: attempt.topic, messages, reply };
                if let Err(error) = each(example) {
                    failed = Some(error);
                    return Err(StoreError::Write(std::io::ErrorKind::Other.into()));
                }
                *tally.judges.entry(judge.name.clone()).or_default() += 1;
            }
            Err(reason) => {
                let kind = (judge.name.clone(), reason);
                let known = left_out.entry(kind).or_insert_with_key(|(judge, reason)| LeftOutAttempts {
                    judge: judge.clone(),
                    reason: reason.clone(),
                    attempts: 0,
                    query: attempt.topic,
                    document: attempt.document,
                });
                known.attempts += 1;
            }
        }
        Ok(())
    });
    match failed {
        Some(error) => return Err(error.into()),
        None => scanned?,
    }
    tally.left_out = left_out.into_values().collect();
    Ok(tally)
}

/// The language models with one of these names, or all.
fn language_models(
    judges: Vec<LedgerJudge>,
    names: &[String],
) -> Result<BTreeMap<JudgeId, LedgerJudge>, StudyError> {
    let models: Vec<LedgerJudge> = judges.into_iter().filter(|judge| judge.spec.sampling.is_some()).collect();
    if let Some(unknown) = names.iter().find(|name| models.iter().all(|judge| judge.name != **name)) {
        let known: BTreeSet<String> = models.into_iter().map(|judge| judge.name).collect();
        let others = match known.is_empty() {
            true => ", and no other one has".to_owned(),
            false => format!("; there are {}", known.into_iter().collect::<Vec<_>>().join(", ")),
        };
        return Err(StudyError::Ledger(LedgerError::Problem(format!(
            "no language model {unknown:?} has answered in this ledger{others}"
        ))));
    }
    let wanted = models.into_iter().filter(|judge| names.is_empty() || names.contains(&judge.name));
    Ok(wanted.map(|judge| (judge.id, judge)).collect())
}

/// Draws queries for validation: this share of them, at least one, and not all if there are several. The same seed
/// draws the same queries, whatever their order.
pub fn validation_queries<'a>(
    queries: impl IntoIterator<Item = &'a str>,
    share: f64,
    seed: u64,
) -> BTreeSet<&'a str> {
    let key = |query: &str| {
        KeyBuilder::new("llull fine-tuning split v1").number("seed", seed).text("query", query).finish()
    };
    let drawn: BTreeMap<_, &str> = queries.into_iter().map(|query| (key(query), query)).collect();
    let number = (share * drawn.len() as f64).round() as usize;
    let number = number.clamp(1, drawn.len().saturating_sub(1).max(1));
    drawn.into_values().take(number).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_share_of_the_queries_is_drawn_whatever_their_order(
            count in 1usize..60,
            share in 0.01f64..0.99,
            seed in any::<u64>(),
        ) {
            let names: Vec<String> = (0..count).map(|at| format!("q{at}")).collect();
            let drawn = validation_queries(names.iter().map(String::as_str), share, seed);
            prop_assert_eq!(&drawn, &validation_queries(names.iter().rev().map(String::as_str), share, seed));
            prop_assert!(!drawn.is_empty() && (count == 1 || drawn.len() < count));
            prop_assert!((drawn.len() as f64 - share * count as f64).abs() <= 1.0);
        }
    }

    #[test]
    fn another_seed_draws_others() {
        let names: Vec<String> = (0..40).map(|at| format!("q{at}")).collect();
        let drawn = |seed| validation_queries(names.iter().map(String::as_str), 0.25, seed);
        assert_eq!(drawn(1).len(), 10);
        assert_ne!(drawn(1), drawn(2));
    }
}
