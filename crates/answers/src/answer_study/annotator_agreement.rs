//! Measures the agreement of judges of expected answers with annotators.

use llull_core::{Grade, Qrels};
use llull_judge::Rubric;
use llull_label::median;
use llull_runner::{Case, ExpectedAnswers, JudgeEvidence};
use llull_stats::{AgreementError, AgreementOptions, BootstrapOptions, Ends, label_agreement};
use llull_study::people::StandingAnswers;
use llull_study::{Study, StudyError, StudyEvidence};
use serde::Serialize;

use super::annotator::annotator_of_judge;
use super::contexts::expected_texts;
use crate::expected_answers::AnswerQuestion;

/// Human labels of an evaluation's contexts, and each judge's agreement with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorAgreement {
    /// The annotators who answered randomly drawn contexts, in order of name.
    pub people: Vec<AnnotatorContexts>,
    /// The annotators who settled contexts on which others disagree, in order of name; absent if there are none. Their
    /// answers replace the median.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub adjudicators: Vec<AnnotatorContexts>,
    /// The number of randomly drawn contexts with an answer.
    pub contexts: usize,
    /// The number of contexts that annotators answered only in queues without a random draw. No figure here counts
    /// them: judges agree less with annotators on them than on the rest.
    pub chosen: usize,
    /// Each judge except annotators, in the order of the panel.
    pub judges: Vec<JudgeAgreement>,
}

/// An annotator, and the number of their answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnotatorContexts {
    /// The annotator.
    #[serde(rename = "person")]
    pub annotator: String,
    /// The number of randomly drawn contexts that they answered.
    pub contexts: usize,
}

/// The agreement of a judge with annotators about matching texts, over the contexts that both answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAgreement {
    /// The judge.
    pub judge: String,
    /// The number of contexts that both answered.
    pub n: usize,
    /// The number of their queries.
    pub queries: usize,
    /// The share of contexts with equal answers, from 0 to 1; `None` without any.
    pub same: Option<f64>,
    /// Cohen's kappa ([`llull_stats::cohen_kappa`]); `None` if it is not defined, for example if both answer yes
    /// everywhere.
    pub kappa: Option<f64>,
    /// The interval of kappa, by queries; `None` if there are too few.
    pub kappa_ci: Option<Ends>,
    /// The number of contexts that match only according to annotators.
    pub missed: u64,
    /// The number of contexts that match only according to the judge.
    pub added: u64,
}

/// Returns the agreement of the judges of an [`answer_study`](crate::answer_study()) with the annotators in its ledger.
///
/// If several answered a context, an adjudicator's answer counts, otherwise their median; an even split counts as "no".
/// A match is a grade from the rubric's cutoff on. Contexts of one query are similar, so intervals resample queries.
/// `None` without an annotator's answer.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or the interval's parameters are invalid.
pub fn annotator_agreement(
    questions: &[AnswerQuestion<'_>],
    study: &Study,
    evidence: &StudyEvidence,
    rubric: &Rubric,
    bootstrap: BootstrapOptions,
) -> Result<Option<AnnotatorAgreement>, StudyError> {
    let read = |drawn| {
        let scale = (rubric.hash, rubric.scale);
        study
            .ledger()
            .read(&mut |ledger| StandingAnswers::read(scale, drawn, ledger).map_err(StudyError::from))
    };
    let (drawn, all) = (read(true)?, read(false)?);
    if !all.iter().any(StandingAnswers::has_any) {
        return Ok(None);
    }
    let expected = expected_texts(questions);
    let mut agreement = AnnotatorAgreement {
        people: drawn.iter().map(|annotator| AnnotatorContexts::new(annotator.name())).collect(),
        adjudicators: all.iter().map(|annotator| AnnotatorContexts::new(annotator.name())).collect(),
        contexts: 0,
        chosen: 0,
        judges: Vec::new(),
    };
    let mut truth = Qrels::default();
    for case in evidence.pooled.cases() {
        let grades: Vec<Option<Grade>> = drawn.iter().map(|annotator| annotator.grade(&case)).collect();
        for (annotator, grade) in agreement.people.iter_mut().zip(&grades) {
            annotator.contexts += usize::from(grade.is_some());
        }
        let given: Vec<Grade> = grades.into_iter().flatten().collect();
        let settled = StandingAnswers::settled(&all, &case);
        if let Some((name, _)) = settled {
            let adjudicator = agreement.adjudicators.iter_mut().find(|known| known.annotator == name);
            adjudicator.into_iter().for_each(|known| known.contexts += 1);
        }
        match settled.map(|(_, grade)| grade).or_else(|| Some(median(&given)?.grade)) {
            Some(grade) => {
                agreement.contexts += 1;
                insert(&mut truth, &expected, &case, grade >= rubric.cutoff);
            }
            None => {
                agreement.chosen += usize::from(all.iter().any(|annotator| annotator.grade(&case).is_some()));
            }
        }
    }
    agreement.people.retain(|annotator| annotator.contexts > 0);
    agreement.adjudicators.retain(|annotator| annotator.contexts > 0);
    if agreement.contexts + agreement.chosen == 0 {
        return Ok(None);
    }
    let options = AgreementOptions { clamp: None, bootstrap: Some(bootstrap) };
    let judges = evidence.judges.judges().iter().filter(|judge| annotator_of_judge(judge.name()).is_none());
    for judge in judges {
        let said = said(judge, evidence, rubric, &expected);
        agreement.judges.push(of_judge(judge.name(), &truth, &said, &options)?);
    }
    Ok(Some(agreement))
}

impl AnnotatorContexts {
    fn new(annotator: &str) -> Self {
        Self { annotator: annotator.to_owned(), contexts: 0 }
    }
}

/// Adds whether a context matches. Contexts are grouped by their queries, over all expected answers.
fn insert(labels: &mut Qrels, expected: &ExpectedAnswers, case: &Case<'_>, matches: bool) {
    let topic = &case.topic.id;
    let query = expected.get(topic).map_or(topic, |(query, _)| query);
    labels.insert(query, &format!("{topic}, {}", case.document_id()), matches.into());
}

fn said(
    judge: &JudgeEvidence,
    evidence: &StudyEvidence,
    rubric: &Rubric,
    expected: &ExpectedAnswers,
) -> Qrels {
    let mut said = Qrels::default();
    for (place, case) in evidence.pooled.cases().enumerate() {
        if let Some(grade) = judge.status(place).grade() {
            insert(&mut said, expected, &case, grade >= rubric.cutoff);
        }
    }
    said
}

fn of_judge(
    judge: &str,
    truth: &Qrels,
    said: &Qrels,
    options: &AgreementOptions,
) -> Result<JudgeAgreement, AgreementError> {
    let found = label_agreement(truth, said, options)?;
    let place = |grade: Grade| found.grades.iter().position(|known| *known == grade);
    let count = |truth: Grade, said: Grade| {
        let row = place(truth).and_then(|row| found.confusion.get(row));
        row.zip(place(said)).and_then(|(row, column)| row.get(column)).copied().unwrap_or(0)
    };
    Ok(JudgeAgreement {
        judge: judge.to_owned(),
        n: found.n,
        queries: found.queries,
        same: found.figures.exact,
        kappa: found.figures.kappa.plain,
        kappa_ci: found.ci.as_ref().and_then(|ci| ci.labels.kappa.plain),
        missed: count(1, 0),
        added: count(0, 1),
    })
}
