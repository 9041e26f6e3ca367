//! The task of annotators, their possible answers, and their attempts.

use llull_core::{Attempt, ComparedVerdict, GradedVerdict, PairChoice, Scale};
use llull_runner::{AnnotatorJudge, Case};
use llull_study::people::{AnnotatorAnswer, AnswerRecord};

use crate::error::ReviewRefusal;

/// The task of annotators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewForm {
    /// To grade a document.
    Grade,
    /// To choose the better of two documents.
    Compare,
}

impl ReviewForm {
    /// Refuses an answer of another form.
    ///
    /// # Errors
    /// Returns an error if it is off the scale, or answers another question.
    pub(crate) fn check(self, answer: AnnotatorAnswer, scale: Scale) -> Result<(), ReviewRefusal> {
        match (answer, self) {
            (AnnotatorAnswer::Grade(grade), Self::Grade) if !scale.contains(grade) => {
                Err(ReviewRefusal::OffScale { grade, scale })
            }
            (AnnotatorAnswer::Grade(_), Self::Grade) => Ok(()),
            (AnnotatorAnswer::Choice(choice), Self::Compare) if choice != PairChoice::Missing => Ok(()),
            _ => Err(ReviewRefusal::OtherQuestion),
        }
    }
}

/// Returns the attempt that records an answer.
pub(crate) fn attempt(
    answer: AnnotatorAnswer,
    judge: &AnnotatorJudge,
    case: &Case<'_>,
    record: &AnswerRecord,
) -> Attempt {
    let rationale = record.note.clone();
    match answer {
        AnnotatorAnswer::Grade(grade) => {
            let verdict = GradedVerdict { grade, rationale, ..GradedVerdict::default() };
            judge.attempt(case, verdict, record.written())
        }
        AnnotatorAnswer::Choice(choice) => {
            let order = match choice {
                PairChoice::Lhs => vec![vec![0], vec![1]],
                PairChoice::Rhs => vec![vec![1], vec![0]],
                PairChoice::Neither | PairChoice::Missing => vec![vec![0, 1]],
            };
            let verdict = ComparedVerdict { order, rationale, ..ComparedVerdict::default() };
            judge.comparison(case, verdict, record.written())
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Document, Hash, Outcome, Topic, Verdict};
    use llull_runner::{DocumentIndex, PooledDocument};

    use super::*;

    #[test]
    fn a_choice_is_recorded_by_sides_and_read_back() {
        let topic = Topic { id: "q".into(), text: "why".into() };
        let pool = ["a", "b"].map(|id| {
            PooledDocument::Found(Document { id: id.into(), title: String::new(), text: id.into() })
        });
        let shown = [DocumentIndex(1), DocumentIndex(0)];
        let case = Case::new(&topic, &shown, &pool).unwrap();
        let anna = AnnotatorJudge::comparing("anna", Hash::of(b"r"), Scale::default());
        for (choice, order) in [
            (PairChoice::Lhs, vec![vec![0], vec![1]]),
            (PairChoice::Rhs, vec![vec![1], vec![0]]),
            (PairChoice::Neither, vec![vec![0, 1]]),
        ] {
            let said = AnnotatorAnswer::Choice(choice);
            let record = AnswerRecord { choice: said.choice(), ..AnswerRecord::default() };
            let attempt = attempt(said, &anna, &case, &record);
            let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &attempt.answer.outcome else {
                panic!()
            };
            assert_eq!((&verdict.order, verdict.check(2)), (&order, Ok(())));
            assert_eq!(attempt.documents, ["b", "a"]);
            assert_eq!(AnnotatorAnswer::of(&attempt.answer.outcome), Some(said));
            assert_eq!(AnswerRecord::read(attempt.answer.reply.as_deref()), Some(record));
        }
    }

    #[test]
    fn an_answer_to_another_question_is_none() {
        let scale = Scale::default();
        let (grade, choice) = (AnnotatorAnswer::Grade(1), AnnotatorAnswer::Choice(PairChoice::Lhs));
        assert_eq!(
            (ReviewForm::Grade.check(grade, scale), ReviewForm::Compare.check(choice, scale)),
            (Ok(()), Ok(()))
        );
        for (said, form) in [
            (grade, ReviewForm::Compare),
            (choice, ReviewForm::Grade),
            (AnnotatorAnswer::Choice(PairChoice::Missing), ReviewForm::Compare),
        ] {
            assert_eq!(form.check(said, scale), Err(ReviewRefusal::OtherQuestion), "{said:?}");
        }
    }
}
