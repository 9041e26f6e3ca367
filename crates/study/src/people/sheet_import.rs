//! Imports the answers of a sheet into the ledger.

use std::path::Path;

use llull_core::{Attempt, GradedVerdict, Outcome, TaskKey, Verdict};
use llull_data::{SheetAnswer, SheetFile, shown_path};
use llull_judge::Rubric;
use llull_runner::{HumanJudge, JudgeIdentity as _, Workload};
use llull_store::{Detail, LedgerWriter};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::answer_record::{AnswerKind, AnswerRecord};
use super::labels::PooledCases;
use super::saved_sample::StudySample;
use crate::error::StudyError;
use crate::people::error::PeopleError;

/// The effect of importing a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SheetTaken {
    /// The number of new labels.
    pub new: usize,
    /// The number of labels that correct an earlier one of the same annotator.
    pub corrected: usize,
    /// The number of labels that the ledger had already.
    pub unchanged: usize,
    /// The number of rows without a grade.
    pub blank: usize,
    /// The number of drawn pairs without a row on the sheet.
    pub absent: usize,
}

/// Appends the answers of a sheet to the ledger, under the annotator's name: all of them, or none if one is invalid.
///
/// # Errors
/// Returns an error that names the line if a row's pair was not drawn or is not in the pool, or its grade is off the
/// scale. Also if the ledger cannot be written.
pub(crate) fn take_sheet(
    file: &Path,
    sheet: &SheetFile,
    sample: &StudySample,
    rater: &HumanJudge,
    rubric: &Rubric,
    pooled: &Workload,
    ledger: &mut dyn LedgerWriter,
) -> Result<SheetTaken, StudyError> {
    let cases = PooledCases::of(pooled);
    let before = answers(rater, ledger)?;
    let mut taken =
        SheetTaken { absent: sample.drawn().saturating_sub(sheet.answers.len()), ..SheetTaken::default() };
    let mut attempts = Vec::new();
    for answer in &sheet.answers {
        let line = answer.line;
        let unit = sample.sample.units.get(answer.number - 1).filter(|unit| unit.drawn == Some(true));
        let Some(unit) = unit else {
            let file = shown_path(file);
            return Err(PeopleError::NotDrawn { file, line, number: answer.number }.into());
        };
        let Some(grade) = answer.grade else {
            taken.blank += 1;
            continue;
        };
        if !rubric.scale.contains(grade) {
            let file = shown_path(file);
            return Err(PeopleError::OffScale { file, line, grade, scale: rubric.scale }.into());
        }
        let Some(case) = cases.get(&unit.topic, &unit.document) else {
            let (query, document) = (unit.topic.clone(), unit.document.clone());
            return Err(PeopleError::NotPooled { file: shown_path(file), line, query, document }.into());
        };
        let verdict = GradedVerdict { grade, rationale: answer.note.clone(), ..GradedVerdict::default() };
        match before.get(&rater.key(case, 0)) {
            Some(same) if *same == verdict => {
                taken.unchanged += 1;
                continue;
            }
            Some(_) => taken.corrected += 1,
            None => taken.new += 1,
        }
        attempts.push(rater.attempt(case, verdict, as_written(&sheet.draw, answer)));
    }
    ledger.atomically(&mut |ledger| {
        let id = ledger.register(rater.name(), rater.spec())?;
        let attempts: Vec<(_, Attempt)> = attempts.iter().map(|attempt| (id, attempt.clone())).collect();
        ledger.append(&attempts)
    })?;
    Ok(taken)
}

/// The annotator's latest label of each question of a sample; answers to picked pairs do not count.
fn answers(
    rater: &HumanJudge,
    ledger: &dyn LedgerWriter,
) -> Result<FxHashMap<TaskKey, GradedVerdict>, StudyError> {
    let mut answers = FxHashMap::default();
    if let Some(id) = ledger.find(rater.spec())? {
        ledger.scan(Some(&[id]), Detail::Replies, &mut |_, attempt| {
            if AnswerRecord::kind_of(attempt.answer.reply.as_deref()) != AnswerKind::Sampled {
                return Ok(());
            }
            match attempt.answer.outcome {
                Outcome::Judged { verdict: Verdict::Graded(verdict) } => answers.insert(attempt.key, verdict),
                // The answer was taken back.
                _ => answers.remove(&attempt.key),
            };
            Ok(())
        })?;
    }
    Ok(answers)
}

/// The record of a row for the ledger.
fn as_written(draw: &str, answer: &SheetAnswer) -> String {
    let record = AnswerRecord {
        queue: None,
        sample: Some(draw.to_owned()),
        number: Some(answer.number),
        draw: None,
        sheet: None,
        grade: answer.grade,
        choice: None,
        note: answer.note.clone(),
    };
    record.written()
}
