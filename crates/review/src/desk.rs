//! The desk of a review: annotators answer the pairs of a queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_config::Folder;
use llull_core::Seed;
use llull_data::{Sheet, SheetDraw, SheetForm, SheetRow};
use llull_judge::Rubric;
use llull_runner::ExpectedAnswers;
use llull_study::people::{AnswerKind, PairDraw};
use llull_study::{Inputs, Study, StudyEvidence, StudyLedger, StudySample, flagged_pairs};

use crate::answers::{HumanAnswers, QueuedPairs};
use crate::disputes::Disputes;
use crate::error::{ReviewError, ReviewRefusal};
use crate::first_place::first_place;
use crate::graded_queue::of_sample;
use crate::item::{QueuedItem, ReviewItem, RightDocument};
use crate::marks::{Marks, MarksFile, ReviewMark};
use crate::progress::{ItemState, ReviewTally};
use crate::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};
use crate::queued::queued;
use crate::verdict::ReviewForm;

/// The desk of a review, at which annotators answer the pairs of a queue.
pub struct ReviewDesk {
    pub(crate) marks_file: MarksFile,
    pub(crate) ledger: StudyLedger,
    pub(crate) queue: ReviewQueue,
    pub(crate) overlap: Option<usize>,
    pub(crate) expected: Option<Arc<ExpectedAnswers>>,
    pub(crate) sample: Option<String>,
    pub(crate) seed: Seed,
    /// The draw of pairs in random order.
    pub(crate) draw: Option<PairDraw>,
    pub(crate) pairs: QueuedPairs,
    pub(crate) answers: HumanAnswers,
    pub(crate) marks: Marks,
    /// The pairs to settle; `None` if all pairs are shown.
    pub(crate) disputes: Option<Disputes>,
    /// The places that each annotator answered here, for undo.
    pub(crate) done: BTreeMap<String, Vec<usize>>,
}

impl ReviewDesk {
    /// Opens a desk for the pairs of a queue. It leaves out pairs with an existing label (base).
    ///
    /// # Errors
    /// Returns an error if the study has no texts, a required sample does not exist, or there is no pair to answer; or
    /// if ledger or sample cannot be read.
    pub fn of_study(
        study: &Study,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        options: &ReviewOptions,
    ) -> Result<Self, ReviewError> {
        // Where judges grade, labels of settled pairs would count nowhere next to existing labels.
        let settles = matches!(options.queue, ReviewQueue::Adjudicate(_)) && evidence.compared().is_none();
        if settles || options.queue == ReviewQueue::Sample {
            study.annotators().without_base()?;
        }
        let sample = study.annotators().sample()?;
        let of_sample = sample.as_ref().filter(|_| options.queue == ReviewQueue::Sample);
        let seed = seed(study, of_sample);
        let flagged =
            (options.queue == ReviewQueue::Checks).then(|| flagged_pairs(study.settings(), inputs, evidence));
        let kept = inputs.base.as_ref().map(|base| &base.labels);
        let expected = options.expected.clone();
        let source = QueueSource { evidence, sample: sample.as_ref(), kept, flagged, expected };
        if evidence.pooled.cases().all(|case| case.document().is_none()) {
            return Err(ReviewRefusal::Problem(
                "the study has no corpus, and nobody can grade a document unseen; name one in llull.toml (corpus)"
                    .to_owned(),
            )
            .into());
        }
        let (queued, draw) = queued(&source, inputs.rubric.hash, seed, options)?;
        let (place, sample) = ((study.folder(), study.ledger()), sample.map(|sample| sample.id));
        let desk = Self::with(place, (&inputs.rubric, seed), (queued, draw, sample), options)?;
        if let Some(disputes) = desk.disputes.as_ref().filter(|_| desk.is_empty()) {
            let why = disputes.why_none(desk.pairs.items.len(), &desk.answers);
            return Err(ReviewRefusal::Empty { queue: options.queue.name(), why }.into());
        }
        Ok(desk)
    }

    /// Returns the sheet of a sample of the study: all of its pairs, also without texts.
    ///
    /// # Errors
    /// Returns an error if the pool lacks a drawn pair, or the ledger cannot be read.
    pub fn sample_sheet(
        study: &Study,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        sample: &StudySample,
    ) -> Result<Sheet, ReviewError> {
        let source =
            QueueSource { evidence, sample: Some(sample), kept: None, flagged: None, expected: None };
        let drawn = (of_sample(&source, inputs.rubric.hash)?, None, Some(sample.id.clone()));
        let place = (study.folder(), study.ledger());
        let desk =
            Self::with(place, (&inputs.rubric, seed(study, Some(sample))), drawn, &ReviewOptions::default())?;
        Ok(desk.sheet(None)?)
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
            answers: HumanAnswers::default(),
            marks: Marks::default(),
            disputes: match &options.queue {
                ReviewQueue::Adjudicate(annotator) => Some(Disputes::of(annotator.clone(), options.most)),
                _ => None,
            },
            done: BTreeMap::new(),
        };
        desk.refresh()?;
        Ok(desk)
    }

    /// Reads the additions of other processes.
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

    /// Returns the queue of its pairs.
    pub fn queue(&self) -> &ReviewQueue {
        &self.queue
    }

    /// Returns the task of annotators for each pair.
    pub fn form(&self) -> ReviewForm {
        self.pairs.form
    }

    /// Returns whether annotators mark the documents that hold an expected answer.
    pub fn is_of_answers(&self) -> bool {
        self.expected.is_some()
    }

    /// Returns the wanted number of annotators for each pair; `None` for no limit.
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

    /// Returns the places of the shown pairs, in their order. These are all pairs; or if pairs are settled, those in
    /// dispute, each at a place that never changes.
    pub fn places(&self) -> Vec<usize> {
        match &self.disputes {
            Some(disputes) => disputes.places().collect(),
            None => (0..self.pairs.items.len()).collect(),
        }
    }

    /// Returns the number of places, shown or not.
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

    /// Returns the pair at a place of the queue; `None` if it is not shown.
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

    /// Returns an annotator's state of the pair at a place of the queue.
    pub fn state(&self, at: usize, annotator: &str) -> ItemState {
        if let Some(said) = self.answers.standing(at, annotator).and_then(|given| given.said) {
            return ItemState::Answered(said);
        }
        if self.overlap.is_some_and(|wanted| self.answers.others(at, annotator) >= wanted) {
            return ItemState::Full;
        }
        match self.queued(at).and_then(|item| self.marks.of(annotator, &item.mark)) {
            Some(ReviewMark::Skip) => ItemState::Skipped,
            Some(ReviewMark::Later) => ItemState::Later,
            Some(ReviewMark::CannotTell) => ItemState::CannotTell,
            Some(ReviewMark::Open) | None => ItemState::Open,
        }
    }

    /// Returns the note of an annotator's current answer; empty without one.
    pub fn note(&self, at: usize, annotator: &str) -> &str {
        self.answers.standing(at, annotator).map_or("", |given| &given.note)
    }

    /// Returns how often an annotator has answered a pair or taken an answer back.
    pub fn times(&self, at: usize, annotator: &str) -> usize {
        self.answers.times(at, annotator)
    }

    /// Returns the number of pairs in each of an annotator's states.
    pub fn tally(&self, annotator: &str) -> ReviewTally {
        ReviewTally::of(self.places().into_iter().map(|at| self.state(at, annotator)))
    }

    /// Returns the annotators with answers here, in order of name, and the number of their pairs.
    pub fn annotators(&self) -> Vec<(&str, usize)> {
        self.answers.everybody()
    }

    /// Returns the next pair for an annotator after this one: an open one, or else one that was left for later; `None`
    /// if there is neither.
    pub fn next(&self, annotator: &str, after: Option<usize>) -> Option<usize> {
        let begin = match (after, self.overlap) {
            (Some(after), _) => after + 1,
            // Annotators who share a queue begin at different pairs.
            (None, Some(_)) => first_place(annotator, self.all_places()),
            (None, None) => 0,
        };
        let places = self.places();
        let (before, from) = places.split_at(places.partition_point(|at| *at < begin));
        let in_turn = || from.iter().chain(before).copied();
        let of = |state| in_turn().find(|at| self.state(*at, annotator) == state);
        of(ItemState::Open).or_else(|| of(ItemState::Later))
    }

    /// Returns the place of the pair with this identifier.
    ///
    /// # Errors
    /// Returns an error if no shown pair has it.
    pub fn place(&self, item: &str) -> Result<usize, ReviewRefusal> {
        let found = self.pairs.items.iter().position(|queued| queued.id == item);
        let at = found.ok_or(ReviewRefusal::NotInQueue)?;
        self.queued(at).map(|_| at).ok_or(ReviewRefusal::NotDisputed)
    }

    /// Sets a pair aside, or opens it again. A repeated mark changes nothing.
    ///
    /// # Errors
    /// Returns a [`ReviewRefusal`] if the pair has an answer or is not in the queue. Returns an error if the mark
    /// cannot be saved.
    pub fn mark(&mut self, annotator: &str, item: &str, mark: ReviewMark) -> Result<usize, ReviewError> {
        self.refresh()?;
        let at = self.place(item)?;
        if let ItemState::Answered(said) = self.state(at, annotator) {
            return Err(ReviewRefusal::Answered(said).into());
        }
        let id = self.queued(at).map_or_else(|| item.to_owned(), |queued| queued.mark.clone());
        if self.marks.of(annotator, &id).unwrap_or(ReviewMark::Open) != mark {
            self.marks.add(&self.marks_file, annotator, &id, mark)?;
            if mark != ReviewMark::Open {
                self.done.entry(annotator.to_owned()).or_default().push(at);
            }
        }
        Ok(at)
    }

    /// Returns the place of an annotator's last action; `None` if there was none.
    pub fn last_done(&self, annotator: &str) -> Option<usize> {
        let here = self.done.get(annotator).and_then(|done| done.last().copied());
        here.or_else(|| self.answers.latest(annotator))
    }

    pub(crate) fn forget_mark(&mut self, at: usize, annotator: &str) -> Result<(), ReviewError> {
        let Some(item) = self.queued(at).map(|item| item.mark.clone()) else { return Ok(()) };
        match self.marks.of(annotator, &item) {
            Some(_) => self.marks.add(&self.marks_file, annotator, &item, ReviewMark::Open),
            None => Ok(()),
        }
    }
}

/// The seed that drew a queue's pairs; a sample has its own.
fn seed(study: &Study, sample: Option<&StudySample>) -> Seed {
    sample.and_then(|sample| sample.sample.seed).unwrap_or(Seed(study.settings().seed))
}

impl ReviewDesk {
    /// Returns the queue as a sheet, in the order of the browser: the open pairs of an annotator, or all. Pairs with
    /// enough answers are left out.
    ///
    /// # Errors
    /// Returns an error if nothing is left.
    pub fn sheet(&self, annotator: Option<&str>) -> Result<Sheet, ReviewRefusal> {
        // No annotator has the empty name (`check_annotator`), so it has no answers.
        let name = annotator.unwrap_or("");
        let begin = match (annotator, self.overlap) {
            (Some(annotator), Some(_)) => first_place(annotator, self.all_places()),
            _ => 0,
        };
        let waits = |at: &usize| matches!(self.state(*at, name), ItemState::Open | ItemState::Later);
        let mut places = self.places();
        let before = places.partition_point(|at| *at < begin);
        places.rotate_left(before);
        places.retain(waits);
        if places.is_empty() {
            let why = match annotator {
                Some(annotator) => format!("no pair of it waits for {annotator}"),
                None => "enough annotators (--overlap) have answered every pair".to_owned(),
            };
            return Err(ReviewRefusal::Empty { queue: self.queue.name(), why });
        }
        let draw = SheetDraw {
            queue: self.queue.name().to_owned(),
            rows: Some(places.len()),
            seed: self.seed,
            pairs: self.draw.map(|draw| draw.pairs),
            overlap: self.overlap,
            sample: self.sample.clone(),
        };
        let has_texts = self.pairs.has_texts();
        let rows = places.into_iter().filter_map(|at| self.sheet_row(at, has_texts)).collect();
        Ok(Sheet { draw, form: self.sheet_form(), rows })
    }

    /// The task of annotators on its sheet.
    fn sheet_form(&self) -> SheetForm {
        match (self.form(), self.is_of_answers()) {
            (_, true) => SheetForm::Answers,
            (ReviewForm::Grade, false) => SheetForm::Grade,
            (ReviewForm::Compare, false) => SheetForm::Compare,
        }
    }

    fn sheet_row(&self, at: usize, has_texts: bool) -> Option<SheetRow> {
        let (queued, item, case) = (self.queued(at)?, self.item(at)?, self.pairs.case(at)?);
        let mut names: Vec<String> =
            [item.query].into_iter().chain(case.document_ids()).map(str::to_owned).collect();
        if self.is_of_answers() {
            // The hashes of the texts in the row.
            names.clear();
        }
        let asked = [Some(item.question), item.expected];
        let texts = asked.into_iter().flatten().map(str::to_owned);
        let texts = texts.chain(case.texts().map(|text| text.into_owned()));
        Some(SheetRow {
            number: queued.number.unwrap_or(at + 1),
            item: queued.id.clone(),
            names,
            texts: if has_texts { texts.collect() } else { Vec::new() },
        })
    }
}
