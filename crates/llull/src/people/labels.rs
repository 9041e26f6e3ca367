//! What people say of a study's sample, from the ledger.

use llull_core::{Grade, LabelSet, Outcome, TaskKey, Verdict};
use llull_judge::Rubric;
use llull_label::by_median;
use llull_runner::{Case, HumanJudge, JudgeIdentity as _, Workload};
use llull_store::{Detail, JudgeId, LedgerReader};
use rustc_hash::FxHashMap;

use super::answer_record::AnswerRecord;
use super::kept_sample::StudySample;
use crate::error::StudyError;

/// The pool's pairs by query and document.
pub(crate) struct PooledCases<'a>(FxHashMap<&'a str, FxHashMap<&'a str, Case<'a>>>);

impl<'a> PooledCases<'a> {
    pub(crate) fn of(pooled: &'a Workload) -> Self {
        let mut cases: FxHashMap<&str, FxHashMap<&str, Case<'_>>> = FxHashMap::default();
        for case in pooled.cases() {
            cases.entry(&case.topic.id).or_default().insert(case.document_id(), case);
        }
        Self(cases)
    }

    pub(crate) fn get(&self, query: &str, document: &str) -> Option<&Case<'a>> {
        self.0.get(query)?.get(document)
    }
}

/// A sample and what people say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PeopleLabels {
    /// The sample.
    pub sample: StudySample,
    /// A label of each drawn pair that somebody labelled, the median where several people did. Pairs that nobody did
    /// are counted as asked.
    pub labels: LabelSet,
    /// Who labelled, and how many pairs of the sample; in order of name.
    pub people: Vec<(String, usize)>,
}

/// Reads what people say of a sample under the study's rubric. Of several answers of one person to one pair the latest
/// counts: it corrects those before, or takes them back. Labels of pairs that were not drawn, or whose text has
/// changed, count for nothing, and neither do answers to pairs that a queue other than the sample showed: who sees a
/// pair since judges disagree on it knows something of theirs.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn people_labels(
    sample: &StudySample,
    rubric: &Rubric,
    pooled: &Workload,
    ledger: &dyn LedgerReader,
) -> Result<PeopleLabels, StudyError> {
    let cases = PooledCases::of(pooled);
    let drawn: Vec<_> = sample.sample.units.iter().filter(|unit| unit.drawn == Some(true)).collect();
    let mut places: FxHashMap<(JudgeId, TaskKey), (usize, usize)> = FxHashMap::default();
    let mut people: Vec<(String, usize)> = Vec::new();
    let mut ids = Vec::new();
    for judge in ledger.judges()? {
        let Some(person) = HumanJudge::person(&judge.spec) else { continue };
        let human = HumanJudge::new(person, rubric.hash, rubric.scale);
        if human.spec().fingerprint() != judge.spec.fingerprint() {
            continue;
        }
        for (at, unit) in drawn.iter().enumerate() {
            if let Some(case) = cases.get(&unit.topic, &unit.document) {
                places.insert((judge.id, human.key(case, 0)), (at, people.len()));
            }
        }
        people.push((person.to_owned(), 0));
        ids.push(judge.id);
    }
    let mut grades: Vec<Vec<Option<Grade>>> = vec![vec![None; people.len()]; drawn.len()];
    if !ids.is_empty() {
        ledger.scan(Some(&ids), Detail::Replies, &mut |judge, attempt| {
            let record = AnswerRecord::read(attempt.reply.as_deref());
            let sampled = attempt.is_vote() && record.is_none_or(|record| record.is_sampled());
            if let Some((at, person)) = places.get(&(judge, attempt.key)).filter(|_| sampled) {
                grades[*at][*person] = match &attempt.outcome {
                    Outcome::Judged { verdict: Verdict::Graded(verdict) } => Some(verdict.grade),
                    // The answer before was taken back.
                    _ => None,
                };
            }
            Ok(())
        })?;
    }
    for given in &grades {
        for (person, grade) in people.iter_mut().zip(given) {
            person.1 += usize::from(grade.is_some());
        }
    }
    let pairs = drawn.iter().zip(grades);
    let labels = by_median(pairs.map(|(unit, grades)| (unit.topic.as_str(), unit.document.as_str(), grades)));
    people.retain(|(_, labelled)| *labelled > 0);
    people.sort();
    Ok(PeopleLabels { sample: sample.clone(), labels, people })
}
