//! Imports the rows of a sheet into the ledger.

use std::path::Path;
use std::sync::Arc;

use llull_config::Folder;
use llull_core::{Attempt, Hash, PairChoice, Scale};
use llull_data::{CellAnswer, SheetAnswer, SheetDraw, SheetFile, SheetForm, read_sheet, shown_path};
use llull_judge::Rubric;
use llull_runner::{ExpectedAnswers, JudgeIdentity as _};
use llull_study::people::{ADJUDICATE_QUEUE, AnnotatorAnswer, AnswerRecord, PairDraw};
use llull_study::{HumanLabelsError, Inputs, Study, StudyError, StudyEvidence, StudyLedger, StudySample};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::append_answer::NOTE;
use crate::compared_queue::every_side;
use crate::desk::ReviewDesk;
use crate::error::{ReviewError, ReviewRefusal, SheetError};
use crate::graded_queue::{drawn_to_grade, graded_item, pooled_of_sample, to_grade};
use crate::marks::ReviewMark;
use crate::progress::ItemState;
use crate::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};
use crate::queued::compared_by_chance;
use crate::verdict::attempt;

/// The effect of importing a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SheetTaken {
    /// The number of new answers.
    pub new: usize,
    /// The number of answers that correct an earlier one of the same annotator.
    pub corrected: usize,
    /// The number of pairs that were set aside: skipped, left for later, or undecidable.
    pub set_aside: usize,
    /// The number of answers and marks that the ledger and the file of marks had already.
    pub unchanged: usize,
    /// The number of rows without an answer.
    pub blank: usize,
    /// The number of rows that were removed from the sheet.
    pub absent: usize,
    /// The rows whose content was not recorded.
    pub left_out: Vec<LeftOutRow>,
    /// The names of ignored columns.
    pub unread: Vec<String>,
}

/// A row whose content was not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LeftOutRow {
    /// Its line in the file.
    pub line: u64,
    /// The reason.
    pub why: LeftOut,
}

/// The reason why a row was not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Enough others have answered the pair.
    Full,
    /// The same answer was read from this sheet before, and the annotator has corrected it or taken it back since.
    CorrectedSince,
    /// The annotator sets aside a pair that has their answer.
    HasAnswer,
    /// The annotator may not settle the pair any more.
    NotTheirs,
    /// There is a note but no answer.
    NoteAlone,
}

/// The action of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowAct {
    Answer(AnnotatorAnswer),
    Mark(ReviewMark),
}

/// A row with content.
struct FilledRow<'a> {
    line: u64,
    at: usize,
    act: RowAct,
    note: &'a str,
}

/// The context of reading a sheet.
struct SheetReading<'a> {
    file: &'a Path,
    sheet: &'a SheetFile,
    annotator: &'a str,
    expected: Option<Arc<ExpectedAnswers>>,
}

/// Reads a sheet that an annotator filled in ([`ReviewDesk::sheet`]), and appends its answers to the ledger.
///
/// If a row is invalid, no answer is appended. `expected` is that of [`ReviewOptions::expected`].
///
/// # Errors
/// Returns an error that names the line if a row, its texts or the rubric have changed, or its answer is invalid. Also
/// if the name is a judge's, or the ledger cannot be written.
pub fn take_sheet(
    study: &Study,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    (file, annotator): (&Path, &str),
    expected: Option<Arc<ExpectedAnswers>>,
) -> Result<SheetTaken, ReviewError> {
    study.annotators().check_annotator(annotator)?;
    let sheet = &read_sheet(file, &study.settings().columns)?;
    let of_sample = |id: &String| sample_of_sheet(study, (file, id), &sheet.draw);
    let sample = sheet.draw.sample.as_ref().map(of_sample).transpose()?;
    let (sample, kept, flagged) = (sample.as_ref(), None, None);
    let source = QueueSource { evidence, sample, kept, flagged, expected: expected.clone() };
    let reading = SheetReading { file, sheet, annotator, expected };
    take_answers((study.folder(), study.ledger()), &inputs.rubric, &source, &reading)
}

/// Returns the sample of a sheet. Disagreements are known only for the current sample.
fn sample_of_sheet(
    study: &Study,
    (file, id): (&Path, &str),
    draw: &SheetDraw,
) -> Result<StudySample, ReviewError> {
    study.annotators().without_base()?;
    let current = study.annotators().sample()?.ok_or(HumanLabelsError::NoSample)?;
    let found = match draw.queue == ADJUDICATE_QUEUE {
        true => Some(current.clone()).filter(|sample| sample.id == *id),
        false => study.annotators().sample_named(id)?,
    };
    let (file, draw) = (shown_path(file), id.to_owned());
    Ok(found.ok_or(HumanLabelsError::OtherSample { file, draw, known: current.id })?)
}

/// Appends the answers of a sheet to the ledger under the annotator's name, and the marks to their file. If a row is
/// invalid, nothing is recorded.
///
/// # Errors
/// Returns an error that names the line if a row's pair was changed, or its answer is invalid; and an error if the
/// ledger or the file of marks cannot be written.
fn take_answers(
    place: (&Folder, &StudyLedger),
    rubric: &Rubric,
    source: &QueueSource<'_>,
    reading: &SheetReading<'_>,
) -> Result<SheetTaken, ReviewError> {
    let SheetReading { file, sheet, annotator, expected } = reading;
    let file = shown_path(file);
    match (sheet.form, expected.is_some()) {
        (SheetForm::Answers, true) | (SheetForm::Grade | SheetForm::Compare, false) => {}
        (SheetForm::Answers, false) => {
            let command = "llull review DATASET --results FILE --ledger FILE --read";
            return Err(SheetError::OtherCommand { file, command }.into());
        }
        (_, true) => {
            return Err(SheetError::OtherCommand { file, command: "llull review --read" }.into());
        }
    }
    let draw = &sheet.draw;
    let unknown = || {
        SheetError::Problem(format!(
            "{file}: its rows have the unknown draw {draw:?}; leave the column item unchanged. Nothing of this file \
             was recorded",
            draw = sheet.draw.to_string()
        ))
    };
    let queue = ReviewQueue::of_name(&draw.queue, annotator).ok_or_else(unknown)?;
    let (overlap, expected) = (draw.overlap, expected.clone());
    let options = ReviewOptions { queue, overlap, most: None, expected };
    let queued = sheet_pairs(source, rubric.hash, sheet, &options.queue)?;
    let of_pairs = draw.pairs.map(|pairs| PairDraw { seed: draw.seed.0, pairs });
    let drawn = (queued, of_pairs, draw.sample.clone());
    let mut desk = ReviewDesk::with(place, (rubric, draw.seed), drawn, &options)?;
    let rows = draw.rows.or(source.sample.map(StudySample::drawn)).unwrap_or_default();
    let mut taken = SheetTaken {
        absent: rows.saturating_sub(sheet.answers.len()),
        unread: sheet.unread.clone(),
        ..SheetTaken::default()
    };
    let mut rows = Vec::new();
    let items = || desk.pairs.items.iter().enumerate();
    let places: FxHashMap<&str, usize> = items().map(|(at, item)| (item.id.as_str(), at)).collect();
    let numbers: FxHashMap<usize, usize> =
        items().filter_map(|(at, item)| Some((item.number?, at))).collect();
    for answer in &sheet.answers {
        let SheetAnswer { line, number, item, note, .. } = answer;
        let Some(said) = answer.said else {
            taken.blank += 1;
            if !note.is_empty() {
                taken.left_out.push(LeftOutRow { line: *line, why: LeftOut::NoteAlone });
            }
            continue;
        };
        let act = act(said, rubric.scale, (&file, *line, sheet.form))?;
        if note.len() > NOTE {
            let why = ReviewRefusal::LongNote { length: note.len(), most: NOTE };
            return Err(SheetError::Row { file, line: *line, column: "note", why }.into());
        }
        let place = match item {
            Some(item) => places.get(item.as_str()),
            None => numbers.get(number),
        };
        match place {
            Some(at) if desk.queued(*at).is_none() => {
                taken.left_out.push(LeftOutRow { line: *line, why: LeftOut::NotTheirs });
            }
            Some(at) => rows.push(FilledRow { line: *line, at: *at, act, note }),
            None => {
                return Err(SheetError::Problem(format!(
                    "{file} line {line}: pair {number} is not here as the sheet shows it: its query, a text or the \
                     rubric has changed since the sheet was written, or the pool does not have it any more. Nothing of \
                     this file was recorded; take the line out, or write the sheet again"
                ))
                .into());
            }
        }
    }
    drop((places, numbers));
    desk.take(annotator, &draw.to_string(), &rows, &mut taken)?;
    taken.left_out.sort_by_key(|row| row.line);
    Ok(taken)
}

/// The action of a cell, or the reason why it is invalid.
fn act(
    said: CellAnswer,
    scale: Scale,
    (file, line, form): (&str, u64, SheetForm),
) -> Result<RowAct, SheetError> {
    let grade = |grade| RowAct::Answer(AnnotatorAnswer::Grade(grade));
    let yes_or_no = |said| match (scale.low(), scale.high()) {
        (0, 1) => Ok(grade(said)),
        _ => Err(SheetError::Problem(format!(
            "{file} line {line}, column answer: yes and no are the grades 1 and 0, and this rubric has {scale}; write \
             one of its grades. Nothing of this file was recorded"
        ))),
    };
    let choice = |choice| Ok(RowAct::Answer(AnnotatorAnswer::Choice(choice)));
    match said {
        CellAnswer::Grade(said) if !scale.contains(said) => {
            let column = if form == SheetForm::Grade { "grade" } else { "answer" };
            let why = ReviewRefusal::OffScale { grade: said, scale };
            Err(SheetError::Row { file: file.to_owned(), line, column, why })
        }
        CellAnswer::Grade(said) => Ok(grade(said)),
        CellAnswer::Yes => yes_or_no(1),
        CellAnswer::No => yes_or_no(0),
        CellAnswer::Left => choice(PairChoice::Lhs),
        CellAnswer::Right => choice(PairChoice::Rhs),
        CellAnswer::Neither => choice(PairChoice::Neither),
        CellAnswer::Skip => Ok(RowAct::Mark(ReviewMark::Skip)),
        CellAnswer::Later => Ok(RowAct::Mark(ReviewMark::Later)),
        CellAnswer::CannotTell => Ok(RowAct::Mark(ReviewMark::CannotTell)),
    }
}

impl ReviewDesk {
    /// Appends the answers of these rows in one transaction, and then their marks.
    fn take(
        &mut self,
        annotator: &str,
        sheet: &str,
        rows: &[FilledRow<'_>],
        taken: &mut SheetTaken,
    ) -> Result<(), ReviewError> {
        let judge = self.pairs.judge(annotator);
        let mut answers: Vec<(&FilledRow<'_>, AnnotatorAnswer, Attempt)> = Vec::new();
        for row in rows {
            let (RowAct::Answer(said), Some(case)) = (row.act, self.pairs.case(row.at)) else { continue };
            let record = self.record(row.at, Some(said), row.note);
            let record = AnswerRecord { sheet: Some(sheet.to_owned()), ..record };
            answers.push((row, said, attempt(said, &judge, &case, &record)));
        }
        let mut appended = Vec::new();
        let Self { ledger, pairs, answers: known, overlap, disputes, .. } = self;
        let settles = disputes.is_some();
        let before = taken.clone();
        ledger.write_beside::<_, StudyError>(&mut |ledger| {
            Ok(ledger.atomically(&mut |ledger| {
                // This is repeated if another process wrote meanwhile.
                taken.clone_from(&before);
                appended.clear();
                known.refresh(pairs, ledger)?;
                for (row, said, attempt) in &answers {
                    let (at, line) = (row.at, row.line);
                    let standing = known.standing(at, annotator);
                    let is_full = overlap.is_some_and(|wanted| known.others(at, annotator) >= wanted);
                    if standing.is_some_and(|given| given.said == Some(*said) && given.note == row.note) {
                        taken.unchanged += 1;
                    } else if known.was_corrected(at, annotator, (*said, row.note), sheet) {
                        taken.left_out.push(LeftOutRow { line, why: LeftOut::CorrectedSince });
                    } else if settles && !known.is_to_settle(at, annotator) {
                        taken.left_out.push(LeftOutRow { line, why: LeftOut::NotTheirs });
                    } else if standing.is_none() && is_full {
                        taken.left_out.push(LeftOutRow { line, why: LeftOut::Full });
                    } else {
                        *(if standing.is_some() { &mut taken.corrected } else { &mut taken.new }) += 1;
                        appended.push((at, attempt.clone()));
                    }
                }
                if !appended.is_empty() {
                    let id = ledger.register(judge.name(), judge.spec())?;
                    let attempts: Vec<_> =
                        appended.iter().map(|(_, attempt)| (id, attempt.clone())).collect();
                    ledger.append(&attempts)?;
                }
                Ok(())
            })?)
        })?;
        self.refresh()?;
        for (at, _) in appended {
            self.forget_mark(at, annotator)?;
        }
        for row in rows {
            if let RowAct::Mark(mark) = row.act {
                self.set_aside(annotator, row, mark, taken)?;
            }
        }
        Ok(())
    }

    fn set_aside(
        &mut self,
        annotator: &str,
        row: &FilledRow<'_>,
        mark: ReviewMark,
        taken: &mut SheetTaken,
    ) -> Result<(), ReviewError> {
        let Some(item) = self.queued(row.at).map(|item| item.mark.clone()) else { return Ok(()) };
        if let ItemState::Answered(_) = self.state(row.at, annotator) {
            taken.left_out.push(LeftOutRow { line: row.line, why: LeftOut::HasAnswer });
        } else if self.marks.of(annotator, &item) == Some(mark) {
            taken.unchanged += 1;
        } else {
            self.marks.add(&self.marks_file, annotator, &item, mark)?;
            taken.set_aside += 1;
        }
        Ok(())
    }
}

/// Finds the pairs of a sheet by their identifiers: hashes of query, texts and rubric. Those of an old sheet are found
/// by their numbers in the sample.
///
/// Judges' answers may have changed since the sheet was written, so the queue may have other pairs now; the sheet's
/// pairs still count. Pairs to settle are found among all that can be settled; the desk checks that they are still the
/// annotator's.
///
/// # Errors
/// Returns an error if the sheet is of a sample that does not exist, or the pool lacks a pair that can be settled.
pub(crate) fn sheet_pairs(
    source: &QueueSource<'_>,
    rubric: Hash,
    sheet: &SheetFile,
    queue: &ReviewQueue,
) -> Result<Queued, ReviewError> {
    let evidence = source.evidence;
    let mut found = match (queue, sheet.form) {
        (ReviewQueue::Sample, _) => pooled_of_sample(source, rubric)?,
        (ReviewQueue::Adjudicate(_), SheetForm::Compare) => {
            compared_by_chance(evidence, rubric, sheet.draw.seed)?.0
        }
        (ReviewQueue::Adjudicate(_), _) => drawn_to_grade(source, rubric, sheet.draw.seed)?,
        (_, SheetForm::Compare) => every_side(evidence, rubric)?,
        (_, SheetForm::Grade | SheetForm::Answers) => every_pair(source, rubric),
    };
    let (mut numbers, mut old) = (FxHashMap::default(), FxHashSet::default());
    for SheetAnswer { number, item, .. } in &sheet.answers {
        match item {
            Some(item) => drop(numbers.insert(item.as_str(), *number)),
            None => drop(old.insert(*number)),
        }
    }
    found.items.retain(|item| {
        numbers.contains_key(item.id.as_str()) || item.number.is_some_and(|number| old.contains(&number))
    });
    if sheet.draw.pairs.is_some() {
        for item in &mut found.items {
            item.number = numbers.get(item.id.as_str()).copied();
        }
    }
    Ok(found)
}

/// Every pair of the pool, to grade.
fn every_pair(source: &QueueSource<'_>, rubric: Hash) -> Queued {
    let pooled = &source.evidence.pooled;
    let items = (0..pooled.len()).filter_map(|place| graded_item(pooled, rubric, place, None));
    to_grade(source, items.collect())
}
