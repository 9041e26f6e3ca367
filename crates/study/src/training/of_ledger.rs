//! Converts a study's ledger to a table of answers about pairs.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use llull_core::PairChoice;
use llull_files::training::{LearnedTable, TrainingError};
use llull_learner::{FeatureTable, PairFeature, TrainingTable};
use llull_stats::Choice;

use crate::error::StudyError;
use crate::preferences::PairReference;
use crate::study::Study;

/// Makes a table of judges' answers in a study's ledger about the pairs whose better one `target` has.
///
/// Each comparing judge is a feature, with one more if it saw both orders. A feature costs its number of calls, or the
/// number in `calls`; those in `ignored` are left out.
///
/// # Errors
/// Returns an error if the ledger cannot be read, no judge has compared anything, or a named feature does not exist.
pub fn ledger_training_table(
    study: &Study,
    target: &PairReference,
    calls: &BTreeMap<String, u32>,
    ignored: &[String],
) -> Result<LearnedTable, StudyError> {
    let ledger = study.ledger().name();
    let answers = study.attempts().pair_answers()?;
    let no_feature = calls.keys().chain(ignored).find(|name| !answers.contains_key(*name));
    if let Some(feature) = no_feature {
        return Err(TrainingError::NoFeature { file: ledger, feature: feature.clone() }.into());
    }
    let columns: Vec<_> = answers
        .into_iter()
        .filter(|(name, _)| !ignored.contains(name))
        .map(|(name, (feature, column))| {
            let calls = calls.get(&name).copied().unwrap_or(feature.calls);
            (PairFeature { calls, ..feature }, column)
        })
        .collect();
    let pairs: BTreeSet<_> = columns.iter().flat_map(|(_, column)| column.keys()).collect();
    let (mut rows, mut lhs, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    let (mut queries, mut neither, mut without_target) = (IndexSet::new(), 0, 0);
    for pair in pairs {
        let (query, first, second) = pair;
        match target.choice(Some(query), first, second) {
            None => without_target += 1,
            Some(Choice::Neither) => neither += 1,
            Some(side) => {
                rows.push(pair);
                lhs.push(side == Choice::First);
                groups.push(queries.insert_full(query).0);
            }
        }
    }
    let column = |column: &BTreeMap<_, PairChoice>| -> Vec<PairChoice> {
        rows.iter().map(|pair| column.get(*pair).copied().unwrap_or(PairChoice::Missing)).collect()
    };
    let filled = columns.iter().map(|(feature, said)| (feature.clone(), column(said)));
    let (known, empty): (Vec<_>, Vec<_>) =
        filled.partition(|(_, said)| said.iter().any(|one| *one != PairChoice::Missing));
    let (features, said) = known.into_iter().unzip();
    let wrong = |source| TrainingError::Table { file: ledger.clone(), source };
    let table = FeatureTable::new(features, said).map_err(wrong)?;
    let table = TrainingTable::new(table, lhs, groups).map_err(wrong)?;
    let without_answers = empty.into_iter().map(|(feature, _)| feature.name).collect();
    Ok(LearnedTable { table, neither, without_target, without_answers })
}
