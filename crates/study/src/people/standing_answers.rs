//! Annotators' current answers under a rubric, from the ledger.

use llull_core::{Grade, Hash, Outcome, Scale, TaskKey, Verdict};
use llull_runner::{AnnotatorJudge, Case, JudgeIdentity as _};
use llull_store::{Detail, JudgeId, LedgerReader, StoreError};
use rustc_hash::FxHashMap;

use super::answer_record::{AnswerKind, AnswerRecord};

/// One annotator's answers under a rubric. The latest of several answers to one question counts: it corrects the
/// earlier ones, or takes them back.
#[derive(Debug)]
pub struct StandingAnswers {
    /// The judge of the annotator.
    pub judge: AnnotatorJudge,
    /// The grade of each answered question; `None` if the answer was taken back.
    grades: FxHashMap<TaskKey, Option<Grade>>,
    /// The annotator's grade as an adjudicator, with the number of all earlier answers.
    settled: FxHashMap<TaskKey, (usize, Grade)>,
}

impl StandingAnswers {
    /// Reads the answers of all annotators under a rubric, in order of name: those to randomly drawn questions
    /// (`drawn`), or all.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn read(
        (rubric, scale): (Hash, Scale),
        drawn: bool,
        ledger: &dyn LedgerReader,
    ) -> Result<Vec<Self>, StoreError> {
        let mut found: Vec<(JudgeId, Self)> = Vec::new();
        for known in ledger.judges()? {
            let Some(annotator) = AnnotatorJudge::annotator(&known.spec) else { continue };
            let judge = AnnotatorJudge::new(annotator, rubric, scale);
            if judge.spec().fingerprint() == known.spec.fingerprint() {
                let (grades, settled) = (FxHashMap::default(), FxHashMap::default());
                found.push((known.id, Self { judge, grades, settled }));
            }
        }
        let ids: Vec<JudgeId> = found.iter().map(|(id, _)| *id).collect();
        if !ids.is_empty() {
            let mut seen = 0;
            ledger.scan(Some(&ids), Detail::Replies, &mut |judge, attempt| {
                seen += 1;
                let kind = AnswerRecord::kind_of(attempt.answer.reply.as_deref());
                let annotator = found.iter_mut().find(|(id, _)| *id == judge);
                if let Some((_, annotator)) = annotator.filter(|_| attempt.is_vote()) {
                    let grade = match &attempt.answer.outcome {
                        Outcome::Judged { verdict: Verdict::Graded(verdict) } => Some(verdict.grade),
                        // No run asks an annotator, so nothing can fail; a failure would carry no answer.
                        Outcome::Failed(_) => return Ok(()),
                        // The previous answer was taken back.
                        _ => None,
                    };
                    if kind == AnswerKind::Settling {
                        match grade {
                            Some(grade) => annotator.settled.insert(attempt.key, (seen, grade)),
                            None => annotator.settled.remove(&attempt.key),
                        };
                    }
                    if !drawn || kind == AnswerKind::Sampled {
                        annotator.grades.insert(attempt.key, grade);
                    }
                }
                Ok(())
            })?;
        }
        let mut annotators: Vec<Self> = found.into_iter().map(|(_, annotator)| annotator).collect();
        annotators.sort_by(|one, other| one.name().cmp(other.name()));
        Ok(annotators)
    }

    /// Returns the annotator's name.
    pub fn name(&self) -> &str {
        self.judge.name()
    }

    /// Returns the current grade of a question with this key; `None` without one.
    pub fn grade_of(&self, key: &TaskKey) -> Option<Grade> {
        self.grades.get(key).copied().flatten()
    }

    /// Returns the current grade of a pair; `None` without one.
    pub fn grade(&self, case: &Case<'_>) -> Option<Grade> {
        self.grade_of(&self.judge.key(case, 0))
    }

    /// Returns the annotator who settled a pair last, and the grade; `None` if it is not settled.
    pub fn settled<'a>(annotators: &'a [Self], case: &Case<'_>) -> Option<(&'a str, Grade)> {
        let of = |annotator: &'a Self| {
            let (at, grade) = annotator.settled.get(&annotator.judge.key(case, 0))?;
            Some((*at, annotator.name(), *grade))
        };
        annotators.iter().filter_map(of).max().map(|(_, name, grade)| (name, grade))
    }

    /// Returns whether the annotator has a current answer.
    pub fn has_any(&self) -> bool {
        self.grades.values().any(Option::is_some)
    }
}
