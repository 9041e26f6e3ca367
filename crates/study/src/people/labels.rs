//! Human labels of a study's sample, from the ledger.

use std::fmt;

use llull_config::ALL_ANNOTATORS;
use llull_core::{Grade, LabelSet, Outcome, Qrels, SamplingUnit, TaskKey, Verdict};
use llull_judge::Rubric;
use llull_label::{labels_by, median};
use llull_report::text::{count, counted};
use llull_runner::{AnnotatorJudge, Case, JudgeIdentity as _, Workload};
use llull_store::{Detail, JudgeId, LedgerReader};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::answer_record::{AnswerKind, AnswerRecord};
use super::saved_sample::StudySample;
use crate::error::StudyError;

/// The pool's pairs by query and document.
pub struct PooledCases<'a>(FxHashMap<&'a str, FxHashMap<&'a str, Case<'a>>>);

impl<'a> PooledCases<'a> {
    /// Indexes the pairs of a pool.
    pub fn of(pooled: &'a Workload) -> Self {
        let mut cases: FxHashMap<&str, FxHashMap<&str, Case<'_>>> = FxHashMap::default();
        for case in pooled.cases() {
            cases.entry(&case.topic.id).or_default().insert(case.document_id(), case);
        }
        Self(cases)
    }

    /// Returns the pair of these identifiers; `None` if it is not in the pool.
    pub fn get(&self, query: &str, document: &str) -> Option<&Case<'a>> {
        self.0.get(query)?.get(document)
    }
}

/// A sample with its human labels.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanLabels {
    /// The sample.
    pub sample: StudySample,
    /// The label of each drawn pair with an answer: an adjudicator's grade if there is one, otherwise the median of the
    /// annotators'. Pairs without an answer are missing.
    pub labels: LabelSet,
    /// The annotators who labelled, with their numbers of pairs of the sample; in order of name.
    pub annotators: Vec<(String, usize)>,
    /// The annotators who settled pairs on which others disagree, with their numbers of pairs; in order of name.
    pub adjudicators: Vec<(String, usize)>,
    /// The drawn pairs and each annotator's label, in the order of the frame.
    pub pairs: Vec<SampledPair>,
}

/// A drawn pair with its human labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampledPair {
    /// Its number in the sample's frame, from 1.
    pub number: usize,
    /// The query's identifier.
    pub query: String,
    /// The document's identifier.
    pub document: String,
    /// The annotators' labels.
    pub answers: Vec<AnnotatorGrade>,
    /// An adjudicator's label, the latest if there are several; it is the label of the pair.
    pub settled: Option<AnnotatorGrade>,
}

/// An annotator's label of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnotatorGrade {
    /// The annotator.
    #[serde(rename = "person")]
    pub annotator: String,
    /// The grade.
    pub grade: Grade,
}

impl SampledPair {
    fn of(unit: &SamplingUnit, number: usize) -> Self {
        let (query, document) = (unit.topic.clone(), unit.document.clone());
        Self { number, query, document, answers: Vec::new(), settled: None }
    }

    /// Returns whether two annotators gave it different grades.
    pub fn is_disputed(&self) -> bool {
        self.answers.windows(2).any(|two| two[0].grade != two[1].grade)
    }

    /// Returns the grades that count for its label.
    fn counted(&self) -> Vec<Option<Grade>> {
        let answers: Vec<_> = self.answers.iter().map(|answer| Some(answer.grade)).collect();
        self.settled.as_ref().map_or(answers, |settled| vec![Some(settled.grade)])
    }
}

/// The source of these labels: `the reviewers (sample s1234abcd: 34 of 60 pairs; ...)`.
impl fmt::Display for HumanLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (labelled, drawn) = (count(self.labels.labelled()), counted(self.sample.drawn(), "pair"));
        let settled = self.adjudicated_text().map_or(String::new(), |words| format!("; {words}"));
        write!(f, "{ALL_ANNOTATORS} (sample {}: {labelled} of {drawn}{settled})", self.sample.id)
    }
}

impl HumanLabels {
    /// Returns the number of labels by an adjudicator.
    pub fn adjudicated(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.settled.is_some()).count()
    }

    /// Describes the number of labels that adjudicators settled, and their names; `None` without any.
    pub fn adjudicated_text(&self) -> Option<String> {
        let names: Vec<String> =
            self.adjudicators.iter().map(|(name, settled)| format!("{name} {}", count(*settled))).collect();
        let labels = counted(self.adjudicated(), "label");
        (!names.is_empty()).then(|| format!("{labels} settled by an adjudicator: {}", names.join(", ")))
    }

    /// Returns the labels of the annotator of this name, or those of all together for [`ALL_ANNOTATORS`]; `None` if no
    /// annotator of that name labelled a pair of the sample.
    pub fn labels_of(&self, name: &str) -> Option<Qrels> {
        if name == ALL_ANNOTATORS {
            return (self.labels.labelled() > 0).then(|| self.labels.qrels().clone());
        }
        let mut labels = Qrels::default();
        for pair in &self.pairs {
            for answer in pair.answers.iter().filter(|answer| answer.annotator == name) {
                labels.insert(&pair.query, &pair.document, answer.grade);
            }
        }
        (labels.pairs() > 0).then_some(labels)
    }

    /// Returns the pairs on which annotators disagree, settled or not.
    pub fn disputed(&self) -> impl Iterator<Item = &SampledPair> {
        self.pairs.iter().filter(|pair| pair.is_disputed())
    }

    /// Combines the annotators' labels of the drawn pairs of a sample.
    pub fn new(sample: &StudySample, pairs: Vec<SampledPair>) -> Self {
        let given = pairs.iter().map(|pair| (pair.query.as_str(), pair.document.as_str(), pair.counted()));
        let labels = labels_by(median, given);
        let annotators = counted_by_annotator(pairs.iter().flat_map(|pair| &pair.answers));
        let adjudicators = counted_by_annotator(pairs.iter().filter_map(|pair| pair.settled.as_ref()));
        Self { sample: sample.clone(), labels, annotators, adjudicators, pairs }
    }
}

fn counted_by_annotator<'a>(grades: impl Iterator<Item = &'a AnnotatorGrade>) -> Vec<(String, usize)> {
    let mut names: Vec<&str> = grades.map(|given| given.annotator.as_str()).collect();
    names.sort_unstable();
    names.chunk_by(|a, b| a == b).map(|same| (same[0].to_owned(), same.len())).collect()
}

/// Reads the human labels of a sample under the study's rubric.
///
/// The latest of several answers of one annotator to one pair counts: it corrects the earlier ones, or takes them back.
/// Labels of pairs that were not drawn, or whose text has changed, are ignored. So are answers to pairs that a queue
/// chose by a rule: an annotator who sees a pair because judges disagree on it knows something about their answers.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn human_labels(
    sample: &StudySample,
    rubric: &Rubric,
    pooled: &Workload,
    ledger: &dyn LedgerReader,
) -> Result<HumanLabels, StudyError> {
    let cases = PooledCases::of(pooled);
    let units = sample.sample.units.iter().enumerate();
    let drawn = units.filter(|(_, unit)| unit.drawn == Some(true));
    let mut pairs: Vec<SampledPair> = drawn.map(|(at, unit)| SampledPair::of(unit, at + 1)).collect();
    let mut places: FxHashMap<(JudgeId, TaskKey), (usize, usize)> = FxHashMap::default();
    let mut annotators: Vec<String> = Vec::new();
    let mut ids = Vec::new();
    for judge in ledger.judges()? {
        let Some(annotator) = AnnotatorJudge::annotator(&judge.spec) else { continue };
        let human = AnnotatorJudge::new(annotator, rubric.hash, rubric.scale);
        if human.spec().fingerprint() != judge.spec.fingerprint() {
            continue;
        }
        for (at, pair) in pairs.iter().enumerate() {
            if let Some(case) = cases.get(&pair.query, &pair.document) {
                places.insert((judge.id, human.key(case, 0)), (at, annotators.len()));
            }
        }
        annotators.push(annotator.to_owned());
        ids.push(judge.id);
    }
    if !ids.is_empty() {
        let mut settled: Vec<Vec<AnnotatorGrade>> = vec![Vec::new(); pairs.len()];
        ledger.scan(Some(&ids), Detail::Replies, &mut |judge, attempt| {
            let place = places.get(&(judge, attempt.key)).filter(|_| attempt.is_vote());
            let Some((at, annotator)) = place else { return Ok(()) };
            let given = match AnswerRecord::kind_of(attempt.answer.reply.as_deref()) {
                AnswerKind::Sampled => &mut pairs[*at].answers,
                AnswerKind::Settling => &mut settled[*at],
                AnswerKind::Picked => return Ok(()),
            };
            given.retain(|before| before.annotator != annotators[*annotator]);
            // Otherwise the previous answer was taken back.
            if let Outcome::Judged { verdict: Verdict::Graded(verdict) } = &attempt.answer.outcome {
                given
                    .push(AnnotatorGrade { annotator: annotators[*annotator].clone(), grade: verdict.grade });
            }
            Ok(())
        })?;
        for (pair, mut settled) in pairs.iter_mut().zip(settled) {
            pair.answers.sort_by(|a, b| a.annotator.cmp(&b.annotator));
            pair.settled = settled.pop();
        }
    }
    Ok(HumanLabels::new(sample, pairs))
}
