//! Resolves a judge that is a tree over other judges' answers.

use llull_core::Paradigm;
use llull_label::TierScheme;

use crate::{
    error::ConfigError,
    file::StudyFile,
    judges::{JudgeKind, JudgeSettings, written},
    overrides::Overrides,
    place::Place,
    tournament::TournamentSettings,
};

/// Makes a tree the only judge of a study, if there is one.
///
/// Returns the judges whose answers it may read: the study's others, which have no vote of their own then. Returns none
/// without a tree.
pub(crate) fn tree_sources(
    file: &StudyFile,
    tournament: Option<&TournamentSettings>,
    overrides: &Overrides,
    judges: &mut Vec<JudgeSettings>,
    at: &Place<'_>,
) -> Result<Vec<JudgeSettings>, ConfigError> {
    let is_tree = |judge: &JudgeSettings| matches!(judge.kind, JudgeKind::Tree { .. });
    let Some(place) = judges.iter().position(is_tree) else { return Ok(Vec::new()) };
    let wrong = |message: &str| match file.judges.get(place) {
        Some(table) if overrides.judges.is_empty() => at.wrong(table, message),
        _ => ConfigError::Override(format!("--judge: {message}")),
    };
    let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    if paradigm != Paradigm::Pairwise {
        return Err(wrong("a tree decides which of two documents is better: set paradigm = \"pairwise\""));
    }
    if tournament.is_some_and(|tournament| tournament.labels == TierScheme::Anchored) {
        return Err(wrong("a tree and labels = \"anchored\" exclude each other: leave one of them out"));
    }
    if file.escalate.is_some() {
        return Err(wrong("a tree and escalate exclude each other: leave one of them out"));
    }
    if judges.iter().filter(|judge| is_tree(judge)).count() > 1 {
        return Err(wrong("a study has one tree, which is its only judge: choose it with --judge"));
    }
    let tree = judges.swap_remove(place);
    let mut sources = std::mem::replace(judges, vec![tree]);
    // The command line names the tree; its sources are in the file.
    for judge in written(&file.judges, paradigm, overrides, at)? {
        if !is_tree(&judge) && sources.iter().all(|known| known.name != judge.name) {
            sources.push(judge);
        }
    }
    Ok(sources)
}
