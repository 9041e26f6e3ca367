//! Judges of expected answers that compute theirs, as judges of a study.

use std::pin::Pin;
use std::sync::Arc;

use llull_core::{
    GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Reason, TaskKey, Unusable, Verdict,
};
use llull_judge::RubricError;
use llull_runner::{Answer, Case, Judge, JudgeIdentity};
use rustc_hash::FxHashMap;

use super::contexts::{Contexts, expected_answer_rubric};
use crate::config::{CustomJudge, JudgeKind, JudgeSettings};
use crate::expected_answers::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion};

/// Computes a judge's answers to all questions, and returns it as a judge of a [study](crate::answer_study) about them.
/// Its verdicts are then recorded, counted in a panel and compared with others' like any judge's.
///
/// # Errors
/// Returns an error if it can judge nothing, or reads identifiers, which other judges are not shown.
pub fn computed_answers(
    judge: &dyn AnswerJudge,
    questions: &[AnswerQuestion<'_>],
) -> Result<JudgeSettings, AnswerJudgeError> {
    let name = judge.name().to_owned();
    if judge.reads_identifiers() {
        let source = "it reads identifiers of documents, and other judges are not shown any".into();
        return Err(AnswerJudgeError { judge: name, source });
    }
    let contexts = Contexts::of(questions);
    let mut answers = FxHashMap::default();
    for (question, judged) in questions.iter().zip(judge.judge(questions)?) {
        let pairs = question.texts.iter().flat_map(|text| {
            question.expected.iter().map(|expected| contexts.ids(question.query, expected, text))
        });
        for (ids, judgment) in pairs.zip(judged) {
            answers.extend(ids.map(|ids| (ids, judgment)));
        }
    }
    let wrong = |error: RubricError| AnswerJudgeError { judge: name.clone(), source: error.into() };
    let spec = JudgeSpec {
        paradigm: Paradigm::Graded,
        model: name.clone(),
        prompt: String::new(),
        prompt_hash: Hash::of(b""),
        rubric_hash: Hash::of(b""),
        scale: expected_answer_rubric().map_err(wrong)?.scale,
        sampling: None,
        options: judge.parameters(),
    };
    let concurrency = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let computed =
        ComputedAnswers { name: name.clone(), fingerprint: spec.fingerprint(), spec, answers, concurrency };
    let kind = JudgeKind::Custom { judge: CustomJudge(Arc::new(computed)) };
    Ok(JudgeSettings { model: name.clone(), name, kind, concurrency, weight: 1.0 })
}

/// What a judge has computed, by the identifiers of topic and document.
struct ComputedAnswers {
    name: String,
    spec: JudgeSpec,
    fingerprint: Hash,
    answers: FxHashMap<(String, String), AnswerJudgment>,
    concurrency: usize,
}

impl JudgeIdentity for ComputedAnswers {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new("llull expected answer v1").part("judge", &self.fingerprint.0);
        let key = key.text("query", &case.topic.text);
        case.texts().fold(key, |key, text| key.text("document", &text)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}

impl Judge for ComputedAnswers {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let ids = (case.topic.id.to_string(), case.document_id().to_owned());
        let unusable = |detail: &str| {
            Outcome::Unusable(Unusable { reason: Reason::NoAnswer, detail: detail.to_owned() })
        };
        let outcome = match self.answers.get(&ids) {
            Some(AnswerJudgment::Judged { matches, because }) => Outcome::Judged {
                verdict: Verdict::Graded(GradedVerdict {
                    grade: (*matches).into(),
                    rationale: because.to_string(),
                    ..GradedVerdict::default()
                }),
            },
            Some(AnswerJudgment::Unusable(why)) => unusable(why),
            None => unusable("it was not asked about"),
        };
        Box::pin(async move { Answer::computed(outcome) })
    }
}
