//! Reads annotators' answers to a queue's pairs from the growing ledger.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Attempt, Hash, Outcome, Scale};
use llull_runner::{AnnotatorJudge, Case, DocumentIndex, JudgeIdentity as _, Workload};
use llull_store::{Detail, JudgeId, LedgerReader, StoreError};
use llull_study::people::{AnnotatorAnswer, AnswerKind, AnswerRecord};
use rustc_hash::FxHashMap;

use crate::item::QueuedItem;
use crate::queue::Queued;
use crate::verdict::ReviewForm;

/// The pairs of a queue, and their rubric.
#[derive(Debug)]
pub(crate) struct QueuedPairs {
    /// A question for each pair, and for pairs outside of the queue.
    asked: Arc<Workload>,
    pub(crate) items: Vec<QueuedItem>,
    pub(crate) form: ReviewForm,
    pub(crate) rubric: (Hash, Scale),
    /// The purpose of their answers.
    pub(crate) kind: AnswerKind,
    /// The places in `items`, by the query and the documents in the order of their identifiers.
    by_pair: FxHashMap<(String, Vec<String>), usize>,
}

impl QueuedPairs {
    pub(crate) fn new(queued: Queued, rubric: (Hash, Scale), kind: AnswerKind) -> Self {
        let Queued { asked, items, form } = queued;
        let mut by_pair = FxHashMap::default();
        for (at, item) in items.iter().enumerate() {
            if let Some(case) = asked.case_at(item.place) {
                let mut documents: Vec<String> = case.document_ids().map(str::to_owned).collect();
                documents.sort_unstable();
                by_pair.insert((case.topic.id.clone(), documents), at);
            }
        }
        Self { asked, items, form, rubric, kind, by_pair }
    }

    /// Whether the corpus of the pairs is known.
    pub(crate) fn has_texts(&self) -> bool {
        self.asked.cases().any(|case| case.document().is_some())
    }

    pub(crate) fn case(&self, at: usize) -> Option<Case<'_>> {
        self.asked.case_at(self.items.get(at)?.place)
    }

    /// The place of an attempt's pair, whichever side its documents were on.
    fn place(&self, attempt: &Attempt) -> Option<usize> {
        let mut documents = match attempt.documents.as_slice() {
            [] => vec![attempt.document.clone()],
            documents => documents.to_vec(),
        };
        documents.sort_unstable();
        self.by_pair.get(&(attempt.topic.clone(), documents)).copied()
    }

    /// The answer of an attempt to the pair at a place, for the sides of its documents now: another seed may have
    /// swapped them.
    ///
    /// `None` if the attempt is about other texts; the inner value is `None` if an answer was taken back.
    fn said(&self, at: usize, attempt: &Attempt, judge: &AnnotatorJudge) -> Option<Option<AnnotatorAnswer>> {
        let case = self.case(at)?;
        let said = AnnotatorAnswer::of(&attempt.answer.outcome);
        let turned = attempt.documents.first().is_some_and(|first| first != case.document_id());
        if !turned {
            return (judge.key(&case, 0) == attempt.key).then_some(said);
        }
        let question = self.asked.question(self.items.get(at)?.place)?;
        let documents: Vec<DocumentIndex> = question.documents.iter().rev().copied().collect();
        let case = Case::new(case.topic, &documents, self.asked.documents())?;
        (judge.key(&case, 0) == attempt.key).then(|| said.map(AnnotatorAnswer::mirrored))
    }

    /// Returns the judge for an annotator of these pairs.
    pub(crate) fn judge(&self, annotator: &str) -> AnnotatorJudge {
        match self.form {
            ReviewForm::Grade => AnnotatorJudge::new(annotator, self.rubric.0, self.rubric.1),
            ReviewForm::Compare => AnnotatorJudge::comparing(annotator, self.rubric.0, self.rubric.1),
        }
    }
}

/// One answer of an annotator to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GivenAnswer {
    pub(crate) annotator: usize,
    /// `None` if the previous answer was taken back.
    pub(crate) said: Option<AnnotatorAnswer>,
    pub(crate) note: String,
    /// The sheet that contained it; `None` for an answer in the browser.
    pub(crate) sheet: Option<String>,
}

/// An annotator with answers under this rubric in the ledger.
#[derive(Debug)]
struct Annotator {
    name: String,
    id: JudgeId,
    judge: AnnotatorJudge,
}

/// The answers of all annotators.
#[derive(Debug, Default)]
pub(crate) struct HumanAnswers {
    annotators: Vec<Annotator>,
    /// The number of attempts of the ledger that were read.
    seen: u64,
    /// By pair of the queue, oldest first.
    given: Vec<Vec<GivenAnswer>>,
    /// The pairs of all answers, oldest first, with the annotator.
    order: Vec<(usize, usize)>,
    /// By pair, the answers of each annotator to it as a randomly drawn pair; only for a queue that settles pairs.
    drawn: Vec<BTreeMap<usize, AnnotatorAnswer>>,
}

impl HumanAnswers {
    /// Reads the new attempts of the ledger.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub(crate) fn refresh(
        &mut self,
        queued: &QueuedPairs,
        ledger: &dyn LedgerReader,
    ) -> Result<(), StoreError> {
        self.given.resize_with(queued.items.len(), Vec::new);
        if queued.kind == AnswerKind::Settling {
            self.drawn.resize_with(queued.items.len(), BTreeMap::new);
        }
        loop {
            let judges = ledger.judges()?;
            self.meet(queued, &judges);
            let ids: Vec<JudgeId> = self.annotators.iter().map(|annotator| annotator.id).collect();
            let mut found = Vec::new();
            let seen = ledger.follow(self.seen, Some(&ids), Detail::Replies, &mut |judge, attempt| {
                let place = self.annotators.iter().position(|annotator| annotator.id == judge);
                found.extend(place.zip(Some(attempt)));
                Ok(())
            })?;
            // An annotator who was registered meanwhile may have answers among the attempts already read.
            if ledger.judges()?.len() != judges.len() {
                continue;
            }
            self.seen = seen;
            for (annotator, attempt) in found {
                self.take(queued, annotator, &attempt);
            }
            return Ok(());
        }
    }

    fn meet(&mut self, queued: &QueuedPairs, judges: &[llull_store::LedgerJudge]) {
        for found in judges {
            let Some(name) = AnnotatorJudge::annotator(&found.spec) else { continue };
            let judge = queued.judge(name);
            let known = self.annotators.iter().any(|annotator| annotator.id == found.id);
            if !known && judge.spec().fingerprint() == found.spec.fingerprint() {
                self.annotators.push(Annotator { name: name.to_owned(), id: found.id, judge });
            }
        }
    }

    fn take(&mut self, queued: &QueuedPairs, annotator: usize, attempt: &Attempt) {
        let Some(at) = queued.place(attempt).filter(|_| attempt.is_vote()) else { return };
        let Some(known) = self.annotators.get(annotator) else { return };
        let record = AnswerRecord::read(attempt.answer.reply.as_deref());
        let kind = AnswerRecord::kind_of(attempt.answer.reply.as_deref());
        let disputes = kind == AnswerKind::Sampled && queued.kind == AnswerKind::Settling;
        if !(kind == queued.kind || disputes) || matches!(attempt.answer.outcome, Outcome::Failed(_)) {
            return;
        }
        let Some(said) = queued.said(at, attempt, &known.judge) else { return };
        if disputes {
            match (self.drawn.get_mut(at), said) {
                (Some(of_pair), Some(said)) => of_pair.insert(annotator, said),
                (Some(of_pair), None) => of_pair.remove(&annotator),
                (None, _) => None,
            };
            return;
        }
        let record = record.unwrap_or_default();
        let sheet = record.of_sheet().map(str::to_owned);
        let note = record.note;
        if let Some(given) = self.given.get_mut(at) {
            given.push(GivenAnswer { annotator, said, note, sheet });
            self.order.push((at, annotator));
        }
    }

    fn annotator(&self, name: &str) -> Option<usize> {
        self.annotators.iter().position(|annotator| annotator.name == name)
    }

    fn of(&self, at: usize) -> &[GivenAnswer] {
        self.given.get(at).map_or(&[], Vec::as_slice)
    }

    /// The current answer of an annotator.
    pub(crate) fn standing(&self, at: usize, annotator: &str) -> Option<&GivenAnswer> {
        let annotator = self.annotator(annotator)?;
        self.of(at).iter().rfind(|given| given.annotator == annotator).filter(|given| given.said.is_some())
    }

    /// Whether this sheet's answer was read before with this note, and the annotator has given another answer since.
    pub(crate) fn was_corrected(
        &self,
        at: usize,
        annotator: &str,
        said: (AnnotatorAnswer, &str),
        sheet: &str,
    ) -> bool {
        let Some(annotator) = self.annotator(annotator) else { return false };
        let of_sheet = |given: &GivenAnswer| given.sheet.as_deref() == Some(sheet);
        let mut own = self.of(at).iter().filter(|given| given.annotator == annotator).rev();
        own.next().is_some_and(|last| !of_sheet(last))
            && own.any(|given| of_sheet(given) && (given.said, given.note.as_str()) == (Some(said.0), said.1))
    }

    /// Whether two annotators disagree on a randomly drawn pair.
    pub(crate) fn is_disputed(&self, at: usize) -> bool {
        let mut said = self.drawn.get(at).into_iter().flat_map(BTreeMap::values);
        said.next().is_some_and(|first| said.any(|other| other != first))
    }

    /// Whether two annotators have answered a randomly drawn pair.
    pub(crate) fn has_answers_of_two(&self, at: usize) -> bool {
        self.drawn.get(at).is_some_and(|said| said.len() > 1)
    }

    /// Whether an annotator may settle a pair.
    ///
    /// Others disagree on it, the annotator has not answered it, and no one else has settled it. A pair that the
    /// annotator settled counts, too, so that it can be corrected.
    pub(crate) fn is_to_settle(&self, at: usize, annotator: &str) -> bool {
        let number = self.annotator(annotator);
        let answered = |number| self.drawn.get(at).is_some_and(|said| said.contains_key(&number));
        self.standing(at, annotator).is_some()
            || self.is_disputed(at) && !number.is_some_and(answered) && self.others(at, annotator) == 0
    }

    /// How often an annotator has answered a pair or taken an answer back.
    pub(crate) fn times(&self, at: usize, annotator: &str) -> usize {
        let Some(annotator) = self.annotator(annotator) else { return 0 };
        self.of(at).iter().filter(|given| given.annotator == annotator).count()
    }

    /// The number of others with a current answer.
    pub(crate) fn others(&self, at: usize, annotator: &str) -> usize {
        let other = |other: &&Annotator| other.name != annotator && self.standing(at, &other.name).is_some();
        self.annotators.iter().filter(other).count()
    }

    /// The pair of an annotator's latest current answer.
    pub(crate) fn latest(&self, annotator: &str) -> Option<usize> {
        let number = self.annotator(annotator)?;
        let own = self.order.iter().rev().filter(|(_, who)| *who == number);
        own.map(|(at, _)| *at).find(|at| self.standing(*at, annotator).is_some())
    }

    /// All annotators with a current answer, in order of name, with the number of their pairs.
    pub(crate) fn everybody(&self) -> Vec<(&str, usize)> {
        let pairs =
            |name: &str| (0..self.given.len()).filter(|at| self.standing(*at, name).is_some()).count();
        let named = self.annotators.iter().map(|annotator| (annotator.name.as_str(), pairs(&annotator.name)));
        let mut annotators: Vec<_> = named.filter(|(_, pairs)| *pairs > 0).collect();
        annotators.sort_unstable();
        annotators
    }
}
