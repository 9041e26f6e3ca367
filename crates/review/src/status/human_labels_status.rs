//! Computes the progress of a study's human labels.

use std::collections::BTreeMap;

use llull_config::{Folder, Settings};
use llull_core::{Outcome, TaskKey};
use llull_judge::Rubric;
use llull_runner::{AnnotatorJudge, JudgeIdentity as _};
use llull_store::{Detail, JudgeId, LedgerReader};
use llull_study::people::{AnswerKind, AnswerRecord, HumanLabels, PooledCases, SampledPair};
use llull_study::{Inputs, Study, StudyEvidence};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::agreement::{AnnotatorAgreement, agreement};
use super::course::{DecisionCourse, courses};
use crate::error::ReviewError;
use crate::item::item_id;
use crate::marks::{Marks, MarksFile, ReviewMark};
use crate::queue::current_name;

/// The progress of a study's human labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HumanLabelsStatus {
    /// The study's sample; null if none was drawn.
    pub sample: Option<SampleProgress>,
    /// All annotators who labelled a pair of the sample, settled one or set one aside, in order of name.
    pub people: Vec<AnnotatorProgress>,
    /// Answers to pairs that a queue chose by a rule: they correct no figure.
    pub picked: Vec<PickedAnswers>,
    /// The agreement of annotators with each other, and of each judge with them; null if the sample has no label.
    pub agreement: Option<AnnotatorAgreement>,
    /// The pairs on which annotators disagree, unsettled ones first.
    pub disputed: Vec<SampledPair>,
    /// The course of each comparison, or of the single system's figure, as labels arrived.
    pub courses: Vec<DecisionCourse>,
    /// The reason why a labelled sample has no course; null if it has one.
    pub no_course: Option<String>,
}

/// The progress of a sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleProgress {
    /// The name of the sample.
    pub id: String,
    /// The design of its draw.
    pub design: String,
    /// The number of drawn pairs.
    pub drawn: usize,
    /// The number of drawn pairs with a label.
    pub labelled: usize,
    /// The number of labels by an adjudicator.
    pub adjudicated: usize,
    /// The number of pairs on which annotators disagree, settled or not.
    pub disputed: usize,
    /// The number of pairs that two or more annotators labelled.
    pub by_several: usize,
}

/// An annotator's work on a sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnotatorProgress {
    /// The annotator.
    #[serde(rename = "person")]
    pub annotator: String,
    /// The number of pairs that they labelled.
    pub labelled: usize,
    /// The number of disputed pairs that they settled.
    pub adjudicated: usize,
    /// The number of pairs that they set aside and have not labelled.
    #[serde(flatten)]
    pub set_aside: SetAside,
}

/// An annotator's answers to pairs of a queue other than the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PickedAnswers {
    /// The annotator.
    #[serde(rename = "person")]
    pub annotator: String,
    /// The queue.
    pub queue: String,
    /// The number of pairs.
    pub pairs: usize,
}

impl HumanLabelsStatus {
    /// Returns the progress of the human labels: counts, agreement, and the course of the decision. Human labels are
    /// read from the ledger, judges' answers from `evidence`.
    ///
    /// # Errors
    /// Returns an error if sample, marks or ledger cannot be read, or intervals cannot be computed.
    pub fn of_study(study: &Study, inputs: &Inputs, evidence: &StudyEvidence) -> Result<Self, ReviewError> {
        let human_labels = match study.settings().base {
            Some(_) => None,
            None => study.annotators().labels(inputs, evidence)?,
        };
        study.ledger().read(&mut |ledger| {
            human_labels_status(
                study.settings(),
                (study.folder(), ledger),
                inputs,
                evidence,
                human_labels.as_ref(),
            )
        })
    }
}

/// Combines the parts of the progress. `human_labels` is the sample with its labels.
fn human_labels_status(
    settings: &Settings,
    (folder, ledger): (&Folder, &dyn LedgerReader),
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: Option<&HumanLabels>,
) -> Result<HumanLabelsStatus, ReviewError> {
    let picked = picked(&inputs.rubric, ledger)?;
    let Some(human_labels) = human_labels else {
        return Ok(HumanLabelsStatus { picked, ..HumanLabelsStatus::default() });
    };
    let labelled = human_labels.labels.labelled() > 0;
    let (courses, no_course) = match evidence.uncorrectable().filter(|_| labelled) {
        Some(why) => (Vec::new(), Some(why)),
        None if !labelled => (Vec::new(), None),
        None => match courses(settings, inputs, evidence, human_labels) {
            Ok(courses) => (courses, None),
            Err(why) => (Vec::new(), Some(why.to_string())),
        },
    };
    let mut disputed: Vec<SampledPair> = human_labels.disputed().cloned().collect();
    disputed.sort_by_key(|pair| pair.settled.is_some());
    Ok(HumanLabelsStatus {
        sample: Some(progress(human_labels)),
        people: by_annotator(human_labels, &set_aside(folder, inputs, evidence, human_labels)?),
        picked,
        agreement: match labelled {
            true => Some(agreement(settings, inputs, evidence, human_labels)?),
            false => None,
        },
        disputed,
        courses,
        no_course,
    })
}

fn progress(human_labels: &HumanLabels) -> SampleProgress {
    let design = human_labels.sample.sample.design.map_or("unequal", llull_core::SampleDesign::name);
    SampleProgress {
        id: human_labels.sample.id.clone(),
        design: design.to_owned(),
        drawn: human_labels.sample.drawn(),
        labelled: human_labels.labels.labelled(),
        adjudicated: human_labels.adjudicated(),
        disputed: human_labels.disputed().count(),
        by_several: human_labels.pairs.iter().filter(|pair| pair.answers.len() > 1).count(),
    }
}

fn by_annotator(human_labels: &HumanLabels, aside: &BTreeMap<String, SetAside>) -> Vec<AnnotatorProgress> {
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, labelled) in &human_labels.annotators {
        found.entry(name).or_default().0 = *labelled;
    }
    for (name, settled) in &human_labels.adjudicators {
        found.entry(name).or_default().1 = *settled;
    }
    for name in aside.keys() {
        found.entry(name).or_default();
    }
    let row = |(annotator, (labelled, adjudicated)): (&str, (usize, usize))| AnnotatorProgress {
        annotator: annotator.to_owned(),
        labelled,
        adjudicated,
        set_aside: aside.get(annotator).copied().unwrap_or_default(),
    };
    found.into_iter().map(row).collect()
}

/// Counts the current answers that are not to a sample.
fn picked(rubric: &Rubric, ledger: &dyn LedgerReader) -> Result<Vec<PickedAnswers>, ReviewError> {
    let mut annotators: FxHashMap<JudgeId, String> = FxHashMap::default();
    for judge in ledger.judges()? {
        let Some(annotator) = AnnotatorJudge::annotator(&judge.spec) else { continue };
        let human = AnnotatorJudge::new(annotator, rubric.hash, rubric.scale);
        if human.spec().fingerprint() == judge.spec.fingerprint() {
            annotators.insert(judge.id, annotator.to_owned());
        }
    }
    if annotators.is_empty() {
        return Ok(Vec::new());
    }
    let mut standing: FxHashMap<(JudgeId, TaskKey), Option<String>> = FxHashMap::default();
    let ids: Vec<JudgeId> = annotators.keys().copied().collect();
    ledger.scan(Some(&ids), Detail::Replies, &mut |judge, attempt| {
        let record = AnswerRecord::read(attempt.answer.reply.as_deref());
        let record = record.filter(|record| attempt.is_vote() && record.kind() == AnswerKind::Picked);
        if let Some(record) = record {
            let is_answer = matches!(attempt.answer.outcome, Outcome::Judged { .. });
            standing.insert((judge, attempt.key), record.queue.filter(|_| is_answer));
        }
        Ok(())
    })?;
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for ((judge, _), queue) in standing {
        if let (Some(annotator), Some(queue)) = (annotators.get(&judge), queue) {
            let queue = current_name(&queue).to_owned();
            *counts.entry((annotator.clone(), queue)).or_default() += 1;
        }
    }
    let row = |((annotator, queue), pairs)| PickedAnswers { annotator, queue, pairs };
    Ok(counts.into_iter().map(row).collect())
}

/// The number of pairs that an annotator set aside and has not labelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SetAside {
    /// Skipped.
    pub skipped: usize,
    /// Left for later.
    pub later: usize,
    /// Read, but undecidable.
    pub cannot_tell: usize,
}

/// Returns the pairs of a sample that each annotator set aside.
///
/// # Errors
/// Returns an error if the file of marks cannot be read.
pub(super) fn set_aside(
    folder: &Folder,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: &HumanLabels,
) -> Result<BTreeMap<String, SetAside>, ReviewError> {
    let mut marks = Marks::default();
    marks.refresh(&MarksFile::Study(folder.clone()))?;
    let names = marks.annotators();
    let mut found: BTreeMap<String, SetAside> = BTreeMap::new();
    if names.is_empty() {
        return Ok(found);
    }
    let cases = PooledCases::of(&evidence.pooled);
    for pair in &human_labels.pairs {
        let Some(case) = cases.get(&pair.query, &pair.document) else { continue };
        let item = item_id(case, inputs.rubric.hash);
        for name in &names {
            if pair.answers.iter().any(|answer| answer.annotator == *name) {
                continue;
            }
            let Some(mark) = marks.of(name, &item) else { continue };
            let aside = found.entry((*name).to_owned()).or_default();
            match mark {
                ReviewMark::Skip => aside.skipped += 1,
                ReviewMark::Later => aside.later += 1,
                ReviewMark::CannotTell => aside.cannot_tell += 1,
                ReviewMark::Open => {}
            }
        }
    }
    Ok(found)
}
