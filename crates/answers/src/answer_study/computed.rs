//! Adapts judges that compute their answers to judges of a study.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{CustomJudge, JudgeKind, JudgeSettings};
use llull_core::{
    Answer, Attempt, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Reason, TaskKey,
    Unusable, Verdict,
};
use llull_judge::RubricError;
use llull_runner::{Case, Judge, JudgeEvidence, JudgeIdentity};
use llull_study::{StudyError, expected_answer_rubric};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contexts::{AnswerStudyOptions, Contexts, answer_study};
use crate::expected_answers::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because};

/// Computes a judge's answers to all questions, for an [`answer_study`](crate::answer_study()). The study then records
/// its verdicts, counts them in a panel and compares them with others' like any judge's.
///
/// The cosines of a judge with a [threshold for cosines](AnswerJudge::cosine_threshold) are recorded, and the threshold
/// is applied when they are read. Cosines in the ledger of the study are not computed again.
///
/// # Errors
/// Returns an error if it can judge nothing, or reads identifiers, which other judges do not see, or the ledger cannot
/// be read.
pub fn computed_answers(
    judge: &dyn AnswerJudge,
    questions: &[AnswerQuestion<'_>],
    ledger: Option<&Path>,
) -> Result<JudgeSettings, AnswerJudgeError> {
    let name = judge.name().to_owned();
    if judge.reads_identifiers() {
        let source = "it reads identifiers of documents, and other judges are not shown any".into();
        return Err(AnswerJudgeError { judge: name, source });
    }
    let known = ledger.filter(|file| judge.cosine_threshold().is_some() && file.is_file());
    let open = match known {
        None => questions.to_vec(),
        Some(ledger) => {
            let nothing = settings(judge, FxHashMap::default())?;
            unanswered(questions, nothing, ledger)
                .map_err(|error| AnswerJudgeError { judge: name, source: error.into() })?
        }
    };
    let contexts = Contexts::of(questions);
    let mut answers = FxHashMap::default();
    for (question, judged) in open.iter().zip(judge.judge(&open)?) {
        let pairs = question.texts.iter().flat_map(|text| {
            question.expected.iter().map(|expected| contexts.ids(question.query, expected, text))
        });
        for (ids, judgment) in pairs.zip(judged) {
            answers.extend(ids.map(|ids| (ids, judgment)));
        }
    }
    settings(judge, answers)
}

/// Returns a judge with computed answers, for an [`answer_study`](crate::answer_study()) that computes none: only its
/// answers in the ledger count.
///
/// # Errors
/// The rubric is built in; an error would be one of its own.
pub fn recorded_answers(judge: &dyn AnswerJudge) -> Result<JudgeSettings, AnswerJudgeError> {
    settings(judge, FxHashMap::default())
}

/// Returns the questions without an answer of this judge in the ledger, with their texts.
fn unanswered<'a>(
    questions: &[AnswerQuestion<'a>],
    judge: JudgeSettings,
    ledger: &Path,
) -> Result<Vec<AnswerQuestion<'a>>, StudyError> {
    let options = AnswerStudyOptions { ledger: Some(ledger.to_owned()), ..AnswerStudyOptions::default() };
    let Some(study) = answer_study(questions, vec![judge], options)? else { return Ok(Vec::new()) };
    let evidence = study.evidence(&study.inputs()?)?;
    let statuses = evidence.judges.judges().first().into_iter().flat_map(JudgeEvidence::tasks);
    let open: FxHashSet<(&str, &str)> = (evidence.pooled.cases().zip(statuses))
        .filter(|(_, status)| !status.is_judged())
        .map(|(case, _)| (case.topic.id.as_str(), case.document_id()))
        .collect();
    let contexts = Contexts::of(questions);
    let lacks = |question: &AnswerQuestion<'a>, text: &str| {
        question.expected.iter().any(|expected| {
            let ids = contexts.ids(question.query, expected, text);
            ids.is_some_and(|(topic, document)| open.contains(&(topic.as_str(), document.as_str())))
        })
    };
    let of = |question: &AnswerQuestion<'a>| AnswerQuestion {
        texts: question.texts.iter().copied().filter(|text| lacks(question, text)).collect(),
        ..question.clone()
    };
    Ok(questions.iter().map(of).collect())
}

fn settings(
    judge: &dyn AnswerJudge,
    answers: FxHashMap<(String, String), AnswerJudgment>,
) -> Result<JudgeSettings, AnswerJudgeError> {
    let name = judge.name().to_owned();
    let threshold = judge.cosine_threshold();
    let mut options = judge.parameters();
    if threshold.is_some() {
        options.remove("threshold");
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
        options,
    };
    let concurrency = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let computed = ComputedAnswers {
        name: name.clone(),
        fingerprint: spec.fingerprint(),
        spec,
        answers,
        threshold,
        concurrency,
    };
    let kind = JudgeKind::Custom { judge: CustomJudge(Arc::new(computed)) };
    Ok(JudgeSettings { model: name.clone(), name, kind, concurrency, weight: 1.0 })
}

/// The answers that a judge has computed, by the identifiers of topic and document.
struct ComputedAnswers {
    name: String,
    spec: JudgeSpec,
    fingerprint: Hash,
    answers: FxHashMap<(String, String), AnswerJudgment>,
    /// The cosine from which a text matches, if the judge compares vectors.
    threshold: Option<f64>,
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

    fn regrades(&self) -> bool {
        self.threshold.is_some()
    }

    /// The reply is the cosine.
    fn regrade(&self, attempt: &Attempt) -> Option<Outcome> {
        let (threshold, Outcome::Judged { verdict: Verdict::Graded(known) }) =
            (self.threshold?, &attempt.answer.outcome)
        else {
            return None;
        };
        let reply = attempt.answer.reply.as_deref().unwrap_or_default();
        Some(match reply.parse::<f32>() {
            Ok(cosine) if cosine.is_finite() => {
                let grade = i32::from(f64::from(cosine) >= threshold);
                Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, ..known.clone() }) }
            }
            _ => {
                let detail = format!("the reply {reply:?} is no cosine");
                Outcome::Unusable(Unusable { reason: Reason::Malformed, detail })
            }
        })
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
        let answer = self.answers.get(&ids);
        let reply = match answer {
            Some(AnswerJudgment::Judged { because: Because::Cosine(cosine), .. }) => Some(cosine.to_string()),
            _ => None,
        };
        let outcome = match answer {
            Some(AnswerJudgment::Judged { matches, because }) => Outcome::Judged {
                verdict: Verdict::Graded(GradedVerdict {
                    grade: (*matches).into(),
                    rationale: because.to_string(),
                    ..GradedVerdict::default()
                }),
            },
            Some(AnswerJudgment::Unusable(why)) => unusable(why),
            None => unusable("not asked"),
        };
        Box::pin(async move { Answer { reply, ..Answer::computed(outcome) } })
    }
}

#[cfg(feature = "encoders")]
#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use llull_encoder::{EncodeError, Encoder, KeptVectors, TextRole, Vectors};

    use super::*;
    use crate::answer_study::asked_judgments;
    use crate::expected_answers::SemanticJudge;

    /// Counts letters a and b, and how many texts it was given.
    #[derive(Default)]
    struct Letters(AtomicUsize);

    impl Encoder for Letters {
        fn name(&self) -> &str {
            "letters"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            let count = |text: &str, letter: char| text.matches(letter).count() as f32;
            Vectors::normalized(2, texts.iter().map(|text| (vec![count(text, 'a'), count(text, 'b')], false)))
        }
    }

    /// Judges by what a ledger keeps. Returns who matches, and how many texts were encoded for that.
    fn matches(questions: &[AnswerQuestion<'_>], threshold: f64, ledger: &Path) -> (Vec<bool>, usize) {
        let letters = Letters::default();
        let judge = SemanticJudge::new(&letters, KeptVectors::in_memory(), threshold, |_| {});
        let settings = computed_answers(&judge, questions, Some(ledger)).unwrap();
        let options = AnswerStudyOptions { ledger: Some(ledger.to_owned()), ..AnswerStudyOptions::default() };
        let study = answer_study(questions, vec![settings], options).unwrap().unwrap();
        let inputs = study.inputs().unwrap();
        let outcome = study.judge(&inputs).run().unwrap();
        let judged = asked_judgments(
            questions,
            &outcome.evidence,
            &inputs.rubric,
            &crate::answer_study::SettledContexts::default(),
        );
        let matches = judged.iter().flatten().map(|judgment| judgment.matches().unwrap()).collect();
        (matches, letters.0.load(Ordering::Relaxed))
    }

    /// cos((1, 0), (1, 1)) is 0.7071..., cos((1, 0), (2, 1)) is 0.8944...
    #[test]
    fn cosines_are_recorded_and_any_threshold_holds_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("answers.sqlite");
        let ask = |texts: &[&'static str]| {
            vec![AnswerQuestion { query: "q", expected: vec!["a"], texts: texts.to_vec() }]
        };
        let two = ask(&["ab", "aab"]);
        assert_eq!(matches(&two, 0.7, &ledger), (vec![true, true], 3));
        assert_eq!(matches(&two, 0.8, &ledger), (vec![false, true], 0));
        assert_eq!(matches(&two, 0.9, &ledger), (vec![false, false], 0));
        assert_eq!(matches(&two, 0.7, &ledger), (vec![true, true], 0));
        // What is not known is computed alone, and recorded beside it.
        let three = ask(&["ab", "b", "aab"]);
        assert_eq!(matches(&three, 0.8, &ledger), (vec![false, false, true], 2));
        assert_eq!(matches(&three, -0.5, &ledger), (vec![true, true, true], 0));
    }
}
