//! A desk at which people answer the pairs of a queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_config::Folder;
use llull_core::Seed;
use llull_judge::Rubric;
use llull_runner::ExpectedAnswers;
use llull_study::people::{AnswerKind, PairDraw};
use llull_study::{Inputs, Study, StudyEvidence, StudyLedger, alarmed_pairs};

use crate::answers::{PeopleAnswers, QueuedPairs};
use crate::disputes::Disputes;
use crate::error::ReviewError;
use crate::first_place::first_place;
use crate::item::{QueuedItem, ReviewItem, RightDocument};
use crate::marks::{Marks, MarksFile, ReviewMark};
use crate::progress::{ItemState, ReviewTally};
use crate::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};
use crate::queued::queued;
use crate::refusal::ReviewRefusal;
use crate::verdict::ReviewForm;

/// A desk at which people answer the pairs of a queue.
pub struct ReviewDesk {
    pub(crate) marks_file: MarksFile,
    pub(crate) ledger: StudyLedger,
    pub(crate) queue: ReviewQueue,
    pub(crate) overlap: Option<usize>,
    pub(crate) expected: Option<Arc<ExpectedAnswers>>,
    pub(crate) sample: Option<String>,
    pub(crate) seed: Seed,
    /// How pairs in random order were drawn.
    pub(crate) draw: Option<PairDraw>,
    pub(crate) pairs: QueuedPairs,
    pub(crate) answers: PeopleAnswers,
    pub(crate) marks: Marks,
    /// What somebody is to settle; `None` where all pairs are shown.
    pub(crate) disputes: Option<Disputes>,
    /// What each person did here, to undo it.
    pub(crate) done: BTreeMap<String, Vec<usize>>,
}

impl ReviewDesk {
    /// Opens a desk at which people answer the pairs of a queue. Pairs that have a label already (base) are in none.
    ///
    /// # Errors
    /// Returns an error if the study has no texts, no sample and the sample is asked for, or nothing to answer; or if
    /// ledger or sample cannot be read.
    pub fn of_study(
        study: &Study,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        options: &ReviewOptions,
    ) -> Result<Self, ReviewError> {
        // Where judges grade, what is settled beside labels that exist would count nowhere.
        let settles = matches!(options.queue, ReviewQueue::Adjudicate(_)) && evidence.compared().is_none();
        if settles || options.queue == ReviewQueue::Sample {
            study.people().without_base()?;
        }
        let (sample, seed) = (study.people().sample()?, Seed(study.settings().seed));
        let alarmed =
            (options.queue == ReviewQueue::Alarm).then(|| alarmed_pairs(study.settings(), inputs, evidence));
        let kept = inputs.base.as_ref().map(|base| &base.labels);
        let expected = options.expected.clone();
        let source = QueueSource { evidence, sample: sample.as_ref(), kept, alarmed, expected };
        Self::open((study.folder(), study.ledger()), (&inputs.rubric, seed), &source, options)
    }

    fn open(
        (folder, ledger): (&Folder, &StudyLedger),
        (rubric, seed): (&Rubric, Seed),
        source: &QueueSource<'_>,
        options: &ReviewOptions,
    ) -> Result<Self, ReviewError> {
        if source.evidence.pooled.cases().all(|case| case.document().is_none()) {
            return Err(ReviewRefusal::NoTexts.into());
        }
        let (queued, draw) = queued(source, rubric.hash, seed, options)?;
        let sample = source.sample.map(|sample| sample.id.clone());
        let desk = Self::with((folder, ledger), (rubric, seed), (queued, draw, sample), options)?;
        if let Some(disputes) = desk.disputes.as_ref().filter(|_| desk.is_empty()) {
            let why = disputes.why_none(desk.pairs.items.len(), &desk.answers);
            return Err(ReviewRefusal::Empty { queue: options.queue.name(), why }.into());
        }
        Ok(desk)
    }

    /// Opens a desk with these pairs.
    pub(crate) fn with(
        (folder, ledger): (&Folder, &StudyLedger),
        (rubric, seed): (&Rubric, Seed),
        (queued, draw, sample): (Queued, Option<PairDraw>, Option<String>),
        options: &ReviewOptions,
    ) -> Result<Self, ReviewError> {
        let kind = options.queue.kind();
        let of_sample = kind != AnswerKind::Picked && options.queue != ReviewQueue::Random && draw.is_none();
        let mut desk = Self {
            marks_file: MarksFile::of(folder, ledger),
            ledger: ledger.clone(),
            queue: options.queue.clone(),
            overlap: options.overlap,
            expected: options.expected.clone(),
            sample: sample.filter(|_| of_sample),
            seed,
            draw,
            pairs: QueuedPairs::new(queued, (rubric.hash, rubric.scale), kind),
            answers: PeopleAnswers::default(),
            marks: Marks::default(),
            disputes: match &options.queue {
                ReviewQueue::Adjudicate(person) => Some(Disputes::of(person.clone(), options.most)),
                _ => None,
            },
            done: BTreeMap::new(),
        };
        desk.refresh()?;
        Ok(desk)
    }

    /// Reads what other processes have added.
    ///
    /// # Errors
    /// Returns an error if the ledger or the file of marks cannot be read.
    pub fn refresh(&mut self) -> Result<(), ReviewError> {
        let Self { ledger, pairs, answers, disputes, .. } = self;
        ledger.read(&mut |ledger| answers.refresh(pairs, ledger).map_err(ReviewError::from))?;
        if let Some(disputes) = disputes {
            disputes.refresh(pairs.items.len(), answers);
        }
        self.marks.refresh(&self.marks_file)
    }

    /// Returns where its pairs come from.
    pub fn queue(&self) -> &ReviewQueue {
        &self.queue
    }

    /// Returns what people are asked of each pair.
    pub fn form(&self) -> ReviewForm {
        self.pairs.form
    }

    /// Returns whether people say here which documents hold an expected answer.
    pub fn is_of_answers(&self) -> bool {
        self.expected.is_some()
    }

    /// Returns how many people are to answer each pair; as many as come where it is `None`.
    pub fn overlap(&self) -> Option<usize> {
        self.overlap
    }

    /// Returns the number of pairs that are shown.
    pub fn len(&self) -> usize {
        self.disputes.as_ref().map_or(self.pairs.items.len(), |disputes| disputes.places().count())
    }

    /// Returns whether no pair is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the places of the pairs that are shown, in their order. All of them, unless pairs are settled: then
    /// those in dispute, each at a place that never changes.
    pub fn places(&self) -> Vec<usize> {
        match &self.disputes {
            Some(disputes) => disputes.places().collect(),
            None => (0..self.pairs.items.len()).collect(),
        }
    }

    /// Returns the number of places that pairs can be at, shown or not.
    pub fn all_places(&self) -> usize {
        self.pairs.items.len()
    }

    /// Returns the places shown before and after this one.
    pub fn beside(&self, at: usize) -> (Option<usize>, Option<usize>) {
        let is_shown = |at: &usize| self.queued(*at).is_some();
        let all = self.pairs.items.len();
        ((0..at.min(all)).rev().find(is_shown), (at + 1..all).find(is_shown))
    }

    pub(crate) fn queued(&self, at: usize) -> Option<&QueuedItem> {
        self.pairs.items.get(at).filter(|_| self.disputes.as_ref().is_none_or(|disputes| disputes.shows(at)))
    }

    /// Returns the pair at a place of the queue; `None` where none is shown.
    pub fn item(&self, at: usize) -> Option<ReviewItem<'_>> {
        let (queued, case) = (self.queued(at)?, self.pairs.case(at)?);
        let (document, topic) = (case.document(), case.topic);
        let apart = self.expected.as_ref().and_then(|expected| expected.get(&topic.id));
        let right = case.document_ids().zip(case.documents()).nth(1).map(|(document, text)| RightDocument {
            document,
            title: text.map_or("", |text| &text.title),
            text: text.map_or("", |text| &text.text),
        });
        Some(ReviewItem {
            id: &queued.id,
            query: &topic.id,
            question: apart.map_or(&topic.text, |(question, _)| question),
            expected: apart.map(|(_, expected)| expected.as_str()),
            document: case.document_id(),
            title: document.map_or("", |document| &document.title),
            text: document.map_or("", |document| &document.text),
            right,
        })
    }

    /// Returns how the pair at a place of the queue stands with a person.
    pub fn state(&self, at: usize, person: &str) -> ItemState {
        if let Some(said) = self.answers.standing(at, person).and_then(|given| given.said) {
            return ItemState::Answered(said);
        }
        if self.overlap.is_some_and(|wanted| self.answers.others(at, person) >= wanted) {
            return ItemState::Full;
        }
        match self.queued(at).and_then(|item| self.marks.of(person, &item.mark)) {
            Some(ReviewMark::Skip) => ItemState::Skipped,
            Some(ReviewMark::Later) => ItemState::Later,
            Some(ReviewMark::CannotTell) => ItemState::CannotTell,
            Some(ReviewMark::Open) | None => ItemState::Open,
        }
    }

    /// Returns what a person noted beside the answer that stands; empty if there is none.
    pub fn note(&self, at: usize, person: &str) -> &str {
        self.answers.standing(at, person).map_or("", |given| &given.note)
    }

    /// Returns how often a person has answered a pair or taken an answer back.
    pub fn times(&self, at: usize, person: &str) -> usize {
        self.answers.times(at, person)
    }

    /// Returns how many pairs stand how with a person.
    pub fn tally(&self, person: &str) -> ReviewTally {
        ReviewTally::of(self.places().into_iter().map(|at| self.state(at, person)))
    }

    /// Returns everybody who has answers here, in order of name, and the number of their pairs.
    pub fn people(&self) -> Vec<(&str, usize)> {
        self.answers.everybody()
    }

    /// Returns the place of the pair that a person is to be shown after this one: one that is open, or else one that
    /// was left for later; `None` if there is neither.
    pub fn next(&self, person: &str, after: Option<usize>) -> Option<usize> {
        let begin = match (after, self.overlap) {
            (Some(after), _) => after + 1,
            // Those who share a queue do not all begin with the same pair.
            (None, Some(_)) => first_place(person, self.all_places()),
            (None, None) => 0,
        };
        let places = self.places();
        let (before, from) = places.split_at(places.partition_point(|at| *at < begin));
        let in_turn = || from.iter().chain(before).copied();
        let of = |state| in_turn().find(|at| self.state(*at, person) == state);
        of(ItemState::Open).or_else(|| of(ItemState::Later))
    }

    /// Returns the place of the pair that has this identifier.
    ///
    /// # Errors
    /// Returns an error if none has.
    pub fn place(&self, item: &str) -> Result<usize, ReviewRefusal> {
        let found = self.pairs.items.iter().position(|queued| queued.id == item);
        let at = found.ok_or(ReviewRefusal::NotInQueue)?;
        self.queued(at).map(|_| at).ok_or(ReviewRefusal::NotDisputed)
    }

    /// Sets a pair aside, or opens it again. Where it is set aside already in this way nothing changes.
    ///
    /// # Errors
    /// Returns a [`ReviewRefusal`] if the pair has an answer or is not in the queue, and an error if it cannot be kept.
    pub fn mark(&mut self, person: &str, item: &str, mark: ReviewMark) -> Result<usize, ReviewError> {
        self.refresh()?;
        let at = self.place(item)?;
        if let ItemState::Answered(said) = self.state(at, person) {
            return Err(ReviewRefusal::Answered(said).into());
        }
        let id = self.queued(at).map_or_else(|| item.to_owned(), |queued| queued.mark.clone());
        if self.marks.of(person, &id).unwrap_or(ReviewMark::Open) != mark {
            self.marks.add(&self.marks_file, person, &id, mark)?;
            if mark != ReviewMark::Open {
                self.done.entry(person.to_owned()).or_default().push(at);
            }
        }
        Ok(at)
    }

    /// Returns the place of the pair that a person dealt with last; `None` if there is none.
    pub fn last_done(&self, person: &str) -> Option<usize> {
        let here = self.done.get(person).and_then(|done| done.last().copied());
        here.or_else(|| self.answers.latest(person))
    }

    pub(crate) fn forget_mark(&mut self, at: usize, person: &str) -> Result<(), ReviewError> {
        let Some(item) = self.queued(at).map(|item| item.mark.clone()) else { return Ok(()) };
        match self.marks.of(person, &item) {
            Some(_) => self.marks.add(&self.marks_file, person, &item, ReviewMark::Open),
            None => Ok(()),
        }
    }
}
