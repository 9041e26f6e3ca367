//! What people said of a queue's pairs, followed as the ledger grows.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Attempt, Hash, Outcome, Scale};
use llull_runner::{Case, DocumentIndex, HumanJudge, JudgeIdentity as _, Workload};
use llull_store::{Detail, JudgeId, LedgerReader, StoreError};
use llull_study::people::AnnotatorAnswer;
use llull_study::people::{AnswerKind, AnswerRecord};
use rustc_hash::FxHashMap;

use crate::item::QueuedItem;
use crate::queue::Queued;
use crate::verdict::ReviewForm;

/// The pairs of a queue, and the rubric that they are judged under.
#[derive(Debug)]
pub(crate) struct QueuedPairs {
    /// A question for each pair, and for pairs that are not in the queue.
    asked: Arc<Workload>,
    pub(crate) items: Vec<QueuedItem>,
    pub(crate) form: ReviewForm,
    pub(crate) rubric: (Hash, Scale),
    /// What answers to them count for.
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

    pub(crate) fn case(&self, at: usize) -> Option<Case<'_>> {
        self.asked.case_at(self.items.get(at)?.place)
    }

    /// The place of the pair that an attempt is about, on whichever sides its documents were.
    fn place(&self, attempt: &Attempt) -> Option<usize> {
        let mut documents = match attempt.documents.as_slice() {
            [] => vec![attempt.document.clone()],
            documents => documents.to_vec(),
        };
        documents.sort_unstable();
        self.by_pair.get(&(attempt.topic.clone(), documents)).copied()
    }

    /// What an attempt says of the pair at a place, by the sides on which its documents stand now: another seed may
    /// have shown them on the others. `None` if it is about other texts; the inner one is `None` where an answer was
    /// taken back.
    fn said(&self, at: usize, attempt: &Attempt, judge: &HumanJudge) -> Option<Option<AnnotatorAnswer>> {
        let case = self.case(at)?;
        let said = AnnotatorAnswer::of(&attempt.outcome);
        let turned = attempt.documents.first().is_some_and(|first| first != case.document_id());
        if !turned {
            return (judge.key(&case, 0) == attempt.key).then_some(said);
        }
        let question = self.asked.question(self.items.get(at)?.place)?;
        let documents: Vec<DocumentIndex> = question.documents.iter().rev().copied().collect();
        let case = Case::new(case.topic, &documents, self.asked.documents())?;
        (judge.key(&case, 0) == attempt.key).then(|| said.map(AnnotatorAnswer::mirrored))
    }

    /// The judge that a person is here.
    pub(crate) fn judge(&self, person: &str) -> HumanJudge {
        match self.form {
            ReviewForm::Grade => HumanJudge::new(person, self.rubric.0, self.rubric.1),
            ReviewForm::Compare => HumanJudge::comparing(person, self.rubric.0, self.rubric.1),
        }
    }
}

/// One answer of a person to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GivenAnswer {
    pub(crate) person: usize,
    /// `None` if the answer before was taken back.
    pub(crate) said: Option<AnnotatorAnswer>,
    pub(crate) note: String,
    /// The sheet that it was read from; `None` where it was given in the browser.
    pub(crate) sheet: Option<String>,
}

/// A person whose answers under this rubric are in the ledger.
#[derive(Debug)]
struct Person {
    name: String,
    id: JudgeId,
    judge: HumanJudge,
}

/// What people said.
#[derive(Debug, Default)]
pub(crate) struct PeopleAnswers {
    people: Vec<Person>,
    /// How many attempts of the ledger were looked at.
    seen: u64,
    /// By pair of the queue, oldest first.
    given: Vec<Vec<GivenAnswer>>,
    /// The pairs of all answers, oldest first, with the person.
    order: Vec<(usize, usize)>,
    /// Where pairs are settled: by pair, what people said of it where it was drawn by chance, by person.
    drawn: Vec<BTreeMap<usize, AnnotatorAnswer>>,
}

impl PeopleAnswers {
    /// Reads what was added to the ledger.
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
            let ids: Vec<JudgeId> = self.people.iter().map(|person| person.id).collect();
            let mut found = Vec::new();
            let seen = ledger.follow(self.seen, Some(&ids), Detail::Replies, &mut |judge, attempt| {
                let place = self.people.iter().position(|person| person.id == judge);
                found.extend(place.zip(Some(attempt)));
                Ok(())
            })?;
            // Somebody who was registered meanwhile may have answers among those that were passed.
            if ledger.judges()?.len() != judges.len() {
                continue;
            }
            self.seen = seen;
            for (person, attempt) in found {
                self.take(queued, person, &attempt);
            }
            return Ok(());
        }
    }

    fn meet(&mut self, queued: &QueuedPairs, judges: &[llull_store::LedgerJudge]) {
        for found in judges {
            let Some(name) = HumanJudge::person(&found.spec) else { continue };
            let judge = queued.judge(name);
            let known = self.people.iter().any(|person| person.id == found.id);
            if !known && judge.spec().fingerprint() == found.spec.fingerprint() {
                self.people.push(Person { name: name.to_owned(), id: found.id, judge });
            }
        }
    }

    fn take(&mut self, queued: &QueuedPairs, person: usize, attempt: &Attempt) {
        let Some(at) = queued.place(attempt).filter(|_| attempt.is_vote()) else { return };
        let Some(known) = self.people.get(person) else { return };
        let record = AnswerRecord::read(attempt.reply.as_deref());
        let kind = AnswerRecord::kind_of(attempt.reply.as_deref());
        let disputes = kind == AnswerKind::Sampled && queued.kind == AnswerKind::Settling;
        if !(kind == queued.kind || disputes) || matches!(attempt.outcome, Outcome::Failed(_)) {
            return;
        }
        let Some(said) = queued.said(at, attempt, &known.judge) else { return };
        if disputes {
            match (self.drawn.get_mut(at), said) {
                (Some(of_pair), Some(said)) => of_pair.insert(person, said),
                (Some(of_pair), None) => of_pair.remove(&person),
                (None, _) => None,
            };
            return;
        }
        let AnswerRecord { note, sheet, .. } = record.unwrap_or_default();
        if let Some(given) = self.given.get_mut(at) {
            given.push(GivenAnswer { person, said, note, sheet });
            self.order.push((at, person));
        }
    }

    fn person(&self, name: &str) -> Option<usize> {
        self.people.iter().position(|person| person.name == name)
    }

    fn of(&self, at: usize) -> &[GivenAnswer] {
        self.given.get(at).map_or(&[], Vec::as_slice)
    }

    /// The answer of a person that stands.
    pub(crate) fn standing(&self, at: usize, person: &str) -> Option<&GivenAnswer> {
        let person = self.person(person)?;
        self.of(at).iter().rfind(|given| given.person == person).filter(|given| given.said.is_some())
    }

    /// Whether a person's answer with this note was read from this sheet before, and the person has said something else
    /// than on this sheet since.
    pub(crate) fn was_corrected(
        &self,
        at: usize,
        person: &str,
        said: (AnnotatorAnswer, &str),
        sheet: &str,
    ) -> bool {
        let Some(person) = self.person(person) else { return false };
        let of_sheet = |given: &GivenAnswer| given.sheet.as_deref() == Some(sheet);
        let mut own = self.of(at).iter().filter(|given| given.person == person).rev();
        own.next().is_some_and(|last| !of_sheet(last))
            && own.any(|given| of_sheet(given) && (given.said, given.note.as_str()) == (Some(said.0), said.1))
    }

    /// Whether two people say different things of a pair that was drawn by chance.
    pub(crate) fn is_disputed(&self, at: usize) -> bool {
        let mut said = self.drawn.get(at).into_iter().flat_map(BTreeMap::values);
        said.next().is_some_and(|first| said.any(|other| other != first))
    }

    /// Whether two people have answered a pair that was drawn by chance.
    pub(crate) fn has_answers_of_two(&self, at: usize) -> bool {
        self.drawn.get(at).is_some_and(|said| said.len() > 1)
    }

    /// Whether a person is to settle a pair: others disagree on it, the person has not answered it, and nobody else has
    /// settled it; or the person has settled it, and can correct that.
    pub(crate) fn is_to_settle(&self, at: usize, person: &str) -> bool {
        let number = self.person(person);
        let answered = |number| self.drawn.get(at).is_some_and(|said| said.contains_key(&number));
        self.standing(at, person).is_some()
            || self.is_disputed(at) && !number.is_some_and(answered) && self.others(at, person) == 0
    }

    /// How often a person has answered a pair or taken an answer back.
    pub(crate) fn times(&self, at: usize, person: &str) -> usize {
        let Some(person) = self.person(person) else { return 0 };
        self.of(at).iter().filter(|given| given.person == person).count()
    }

    /// How many others have an answer that stands.
    pub(crate) fn others(&self, at: usize, person: &str) -> usize {
        let other = |other: &&Person| other.name != person && self.standing(at, &other.name).is_some();
        self.people.iter().filter(other).count()
    }

    /// The pair of a person's last answer that stands.
    pub(crate) fn latest(&self, person: &str) -> Option<usize> {
        let number = self.person(person)?;
        let own = self.order.iter().rev().filter(|(_, who)| *who == number);
        own.map(|(at, _)| *at).find(|at| self.standing(*at, person).is_some())
    }

    /// Everybody who has an answer that stands, in order of name, with their number of pairs.
    pub(crate) fn everybody(&self) -> Vec<(&str, usize)> {
        let pairs =
            |name: &str| (0..self.given.len()).filter(|at| self.standing(*at, name).is_some()).count();
        let named = self.people.iter().map(|person| (person.name.as_str(), pairs(&person.name)));
        let mut people: Vec<_> = named.filter(|(_, pairs)| *pairs > 0).collect();
        people.sort_unstable();
        people
    }
}
