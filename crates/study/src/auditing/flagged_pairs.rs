//! Finds the pairs behind failed checks of a study's judges.

use std::collections::BTreeSet;

use llull_audit::JudgeCheck;
use llull_config::Settings;
use llull_core::{Item, Seed};
use llull_runner::{DocumentIndex, PooledDocument, TopicIndex};

use super::check_examples::{CheckExamples, check_examples};
use super::study_checks::AuditedStudy;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;

/// The purpose of the random numbers that order pairs with an equal part in a check.
const TIES: &str = "order of pairs behind a check";

/// The pairs behind failed judge checks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlaggedPairs {
    /// Queries with one document where judges grade, with two where they compare. The checks take turns, each with the
    /// pair that has the largest remaining part in it.
    pub pairs: Vec<(TopicIndex, Vec<DocumentIndex>)>,
    /// The failed checks that no pair stands for, because they are about all answers.
    pub about_all: Vec<String>,
}

impl FlaggedPairs {
    /// Returns the reason why there are no pairs, with a remedy.
    pub fn why_none(&self) -> String {
        if self.about_all.is_empty() {
            return "no judge failed a check or has a warning; --queue sample, random or disagreement shows other pairs"
                .to_owned();
        }
        format!(
            "the failed checks and warnings concern all answers, not single pairs ({}); llull audit shows their \
             remedies, and --queue sample, random or disagreement shows other pairs",
            self.about_all.join(", ")
        )
    }
}

/// Returns the pairs behind failed judge checks. It sends no request.
pub fn flagged_pairs(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> FlaggedPairs {
    let AuditedStudy { judges, collection, checks } = AuditedStudy::of(settings, inputs, evidence);
    let shown = if settings.tournament.is_some() { 2 } else { 1 };
    let places = Places::of(inputs, evidence);
    let mut found = FlaggedPairs::default();
    let mut lists = Vec::new();
    for check in checks.into_iter().filter(JudgeCheck::is_raised) {
        let judge = judges.iter().find(|judge| judge.judge == check.judge);
        let pointed = judge.and_then(|judge| check_examples(&check, judge, &judges, &collection));
        let mut pairs = pointed.unwrap_or_default();
        pairs.retain(|pair| pair.documents.len() == shown);
        if pairs.is_empty() {
            found.about_all.push(format!("{} of {}", check.kind.name(), check.judge));
            continue;
        }
        pairs.sort_by_cached_key(|pair| places.lot(pair, evidence, Seed(settings.seed)));
        pairs.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        lists.push(pairs);
    }
    found.pairs = in_turns(&lists).into_iter().filter_map(|pair| places.of_pair(pair)).collect();
    found
}

/// The pairs of several lists in turns, each pair once.
fn in_turns(lists: &[Vec<CheckExamples>]) -> Vec<&CheckExamples> {
    let mut seen: BTreeSet<(usize, &[Item])> = BTreeSet::new();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|turn| lists.iter().filter_map(move |list| list.get(turn)));
    turns.filter(|pair| seen.insert((pair.query, &pair.documents))).collect()
}

/// The places of queries and documents in the pool, in the order of checks.
struct Places(Vec<(TopicIndex, Vec<DocumentIndex>)>);

impl Places {
    fn of(inputs: &Inputs, evidence: &StudyEvidence) -> Self {
        let mut questions = evidence.pooled.questions();
        let queries = inputs.asked().topics.iter().map(|topic| {
            let of_topic: Vec<_> = questions.by_ref().take(topic.documents.len()).collect();
            let topic = of_topic.first().map_or(TopicIndex(0), |question| question.topic);
            (topic, of_topic.iter().filter_map(|question| question.documents.first().copied()).collect())
        });
        Self(queries.collect())
    }

    /// A number that depends on seed, query and documents alone. So the order of pairs with an equal part does not
    /// follow the systems' ranks.
    fn lot(&self, pair: &CheckExamples, evidence: &StudyEvidence, seed: Seed) -> u64 {
        let Some((topic, documents)) = self.of_pair(pair) else { return 0 };
        let topic = evidence.pooled.topic(topic).map_or("", |topic| &topic.id);
        let mut purpose = format!("{TIES} {}:{topic}", topic.len());
        for at in documents {
            let id = evidence.pooled.document(at).map_or("", PooledDocument::id);
            purpose.push_str(&format!(" {}:{id}", id.len()));
        }
        seed.stream(&purpose)
    }

    fn of_pair(&self, pair: &CheckExamples) -> Option<(TopicIndex, Vec<DocumentIndex>)> {
        let (topic, documents) = self.0.get(pair.query)?;
        let found = pair.documents.iter().map(|item| documents.get(item.index()).copied());
        Some((*topic, found.collect::<Option<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_take_turns_and_a_pair_comes_once() {
        let pair = |document| CheckExamples { query: 0, documents: vec![Item(document)], weight: 1.0 };
        let lists = [vec![pair(1), pair(2), pair(3)], vec![pair(4), pair(1)]];
        let order: Vec<u32> = in_turns(&lists).into_iter().map(|pair| pair.documents[0].0).collect();
        assert_eq!(order, [1, 4, 2, 3]);
    }
}
