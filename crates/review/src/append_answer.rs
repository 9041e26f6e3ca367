//! Appends an annotator's answers to the ledger.

use llull_core::Attempt;
use llull_runner::JudgeIdentity as _;
use llull_study::StudyError;
use llull_study::people::{AnnotatorAnswer, AnswerRecord};

use crate::answers::{GivenAnswer, HumanAnswers};
use crate::desk::ReviewDesk;
use crate::disputes::Disputes;
use crate::error::{ReviewError, ReviewRefusal};
use crate::progress::ItemState;
use crate::verdict::attempt;

/// The maximum length of a note, in bytes.
pub(crate) const NOTE: usize = 4_000;

/// An answer to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// The name of the annotator.
    pub annotator: String,
    /// The pair: `ReviewItem::id`.
    pub item: String,
    /// The annotator's answer.
    pub verdict: AnnotatorAnswer,
    /// The annotator's note.
    pub note: String,
    /// How often the annotator had answered the pair, or taken an answer back, when it was shown:
    /// [`ReviewDesk::times`].
    pub times: usize,
}

/// The effect of an answer on the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// The ledger has it now.
    New,
    /// The ledger has it now, next to the answer that it corrects.
    Corrected,
    /// The ledger had the same answer already.
    Unchanged,
}

impl ReviewDesk {
    /// Appends an answer to the ledger, which has it when this returns. The same answer again changes nothing.
    ///
    /// Judges and other annotators may answer at the same time. The check that the pair still needs the answer runs
    /// where no other process writes.
    ///
    /// # Errors
    /// Returns a [`ReviewRefusal`] if the answer is refused, and an error if the ledger cannot be written.
    pub fn answer(&mut self, answer: &ReviewAnswer) -> Result<Answered, ReviewError> {
        let at = self.place(&answer.item)?;
        if let Some(adjudicator) = self.disputes.as_ref().map(Disputes::annotator)
            && adjudicator != answer.annotator
        {
            let (annotator, adjudicator) = (answer.annotator.clone(), adjudicator.to_owned());
            return Err(ReviewRefusal::OtherAdjudicator { annotator, adjudicator }.into());
        }
        self.pairs.form.check(answer.verdict, self.pairs.rubric.1)?;
        let note = answer.note.trim();
        if note.len() > NOTE {
            return Err(ReviewRefusal::LongNote { length: note.len(), most: NOTE }.into());
        }
        let record = self.record(at, Some(answer.verdict), note);
        let mut done = Answered::New;
        self.append(at, &answer.annotator, record, &mut |desk| {
            let standing = desk.standing(at, &answer.annotator);
            if standing.is_some_and(|given| given.said == Some(answer.verdict) && given.note == note) {
                done = Answered::Unchanged;
                return Ok(false);
            }
            if standing.is_some() {
                done = Answered::Corrected;
            }
            desk.unchanged_since(at, &answer.annotator, answer.times)
        })?;
        if done != Answered::Unchanged {
            self.forget_mark(at, &answer.annotator)?;
            self.done.entry(answer.annotator.clone()).or_default().push(at);
        }
        Ok(done)
    }

    /// Takes an answer back, which stays in the ledger, or opens a pair that was set aside.
    ///
    /// # Errors
    /// Returns a [`ReviewRefusal`] if there is nothing to undo, or the annotator answered the pair after it was shown.
    /// Returns an error if the ledger cannot be written.
    pub fn undo(&mut self, annotator: &str, item: &str, times: usize) -> Result<usize, ReviewError> {
        self.refresh()?;
        let at = self.place(item)?;
        match self.state(at, annotator) {
            ItemState::Answered(_) => {
                let record = self.record(at, None, "");
                self.append(at, annotator, record, &mut |desk| desk.unchanged_since(at, annotator, times))?;
            }
            ItemState::Skipped | ItemState::Later | ItemState::CannotTell => {
                self.forget_mark(at, annotator)?;
            }
            ItemState::Open | ItemState::Full => return Err(ReviewRefusal::NothingToUndo.into()),
        }
        if let Some(done) = self.done.get_mut(annotator) {
            done.retain(|other| *other != at);
        }
        Ok(at)
    }

    pub(crate) fn record(&self, at: usize, said: Option<AnnotatorAnswer>, note: &str) -> AnswerRecord {
        let number = self.queued(at).and_then(|item| item.number);
        AnswerRecord {
            queue: Some(self.queue.name().to_owned()),
            sample: number.and(self.sample.clone()),
            number,
            draw: self.draw,
            sheet: None,
            grade: said.and_then(AnnotatorAnswer::grade),
            choice: said.and_then(AnnotatorAnswer::choice),
            note: note.to_owned(),
        }
    }

    /// Appends an annotator's answer if `decide` accepts it for the current ledger, while no other process writes.
    fn append(
        &mut self,
        at: usize,
        annotator: &str,
        record: AnswerRecord,
        decide: &mut dyn FnMut(&Deciding<'_>) -> Result<bool, ReviewRefusal>,
    ) -> Result<(), ReviewError> {
        let Self { ledger, pairs, answers, overlap, disputes, .. } = self;
        let judge = pairs.judge(annotator);
        let case = pairs.case(at).ok_or(ReviewRefusal::NotInQueue)?;
        let said = record.grade.map(AnnotatorAnswer::Grade).or(record.choice.map(AnnotatorAnswer::Choice));
        let attempt: Attempt = match said {
            Some(said) => attempt(said, &judge, &case, &record),
            None => judge.taken_back(&case, record.written()),
        };
        let mut decided = Ok(false);
        ledger.write_beside::<_, StudyError>(&mut |ledger| {
            Ok(ledger.atomically(&mut |ledger| {
                answers.refresh(pairs, ledger)?;
                decided = decide(&Deciding { answers, overlap: *overlap, settles: disputes.is_some() });
                if decided == Ok(true) {
                    let id = ledger.register(judge.name(), judge.spec())?;
                    ledger.append(&[(id, attempt.clone())])?;
                }
                Ok(())
            })?)
        })?;
        decided?;
        self.refresh()
    }
}

/// The state that decides about an answer, while no other process writes.
struct Deciding<'a> {
    answers: &'a HumanAnswers,
    overlap: Option<usize>,
    /// Whether only pairs in dispute take an answer.
    settles: bool,
}

impl<'a> Deciding<'a> {
    fn standing(&self, at: usize, annotator: &str) -> Option<&'a GivenAnswer> {
        self.answers.standing(at, annotator)
    }

    /// Whether a pair is unchanged since it was shown, and still needs the annotator's answer.
    fn unchanged_since(&self, at: usize, annotator: &str, times: usize) -> Result<bool, ReviewRefusal> {
        let standing = self.standing(at, annotator).and_then(|given| given.said);
        if self.answers.times(at, annotator) != times {
            return Err(ReviewRefusal::Meanwhile { standing });
        }
        if self.settles && !self.answers.is_to_settle(at, annotator) {
            return Err(ReviewRefusal::NotDisputed);
        }
        match self.overlap {
            Some(wanted) if standing.is_none() && self.answers.others(at, annotator) >= wanted => {
                Err(ReviewRefusal::Full { wanted })
            }
            _ => Ok(true),
        }
    }
}
