//! What the ledger holds of every question of every judge, as a report reads it.

use llull_core::{TaskKey, Verdict};
use llull_report::text::shorten;
use llull_report::{Fate, JudgeAnswer};
use llull_runner::{Ended, Judge, JudgeOutcome, Workload};
use llull_store::{JudgmentStore, Known, SqliteLedger, Totals};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::config::{JudgeKind, JudgeSettings};
use crate::{Judged, Study, StudyError};

/// How long a rationale may be in a report, in characters.
const RATIONALE: usize = 300;

/// One judge's part of a study.
pub(crate) struct Record<'a> {
    pub(crate) settings: &'a JudgeSettings,
    pub(crate) judge: &'a dyn Judge,
    pub(crate) outcome: &'a JudgeOutcome,
    /// What became of every question, in the order of the workload. What has no answer is told by the ledger, so that a
    /// report says the same whether its own run or an earlier one met the failures.
    pub(crate) fates: Vec<Fate>,
    /// Sums over all attempts at these questions.
    pub(crate) totals: Totals,
    /// How every question ended, likewise in the order of the workload.
    ends: Vec<&'a [Ended]>,
    keys: Vec<TaskKey>,
    /// Verdicts with explanations, of a judge that gives any and whose answers are shown document by document.
    verdicts: FxHashMap<TaskKey, Verdict>,
    /// The question about a topic and a document, where questions are not the pool's own.
    places: Option<FxHashMap<(u32, u32), usize>>,
    compares: bool,
}

/// Every judge's record: those that the study's labels begin with, then those that grade a few documents of each tier.
pub(crate) fn records<'a>(
    study: &'a Study,
    judged: &'a Judged,
    ledger: &SqliteLedger,
) -> Result<Vec<Record<'a>>, StudyError> {
    let settings = study.settings();
    let compares = judged.comparison.is_some();
    let first = settings.judges.iter().zip(&judged.judges).zip(&judged.outcome.judges);
    let mut records = first
        .map(|((settings, judge), outcome)| {
            Record::new(settings, judge.as_ref(), outcome, &judged.workload, ledger, compares)
        })
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(grading) = &judged.grading {
        let graders = settings.graders.iter().zip(&grading.judges).zip(&grading.outcome.judges);
        for ((settings, judge), outcome) in graders {
            let mut record =
                Record::new(settings, judge.as_ref(), outcome, &grading.workload, ledger, false)?;
            record.places = Some(places(&grading.workload));
            records.push(record);
        }
    }
    Ok(records)
}

fn places(workload: &Workload) -> FxHashMap<(u32, u32), usize> {
    let of_question = |at| {
        let question = workload.question(at)?;
        Some(((question.topic, *question.documents.first()?), at))
    };
    (0..workload.len()).filter_map(of_question).collect()
}

impl<'a> Record<'a> {
    fn new(
        settings: &'a JudgeSettings,
        judge: &'a dyn Judge,
        outcome: &'a JudgeOutcome,
        workload: &Workload,
        ledger: &SqliteLedger,
        compares: bool,
    ) -> Result<Self, StudyError> {
        // Only the first sample's: that is the one whose explanation is shown.
        let keys: Vec<TaskKey> = workload.cases().map(|case| judge.key(&case, 0)).collect();
        let only: FxHashSet<TaskKey> = keys.iter().copied().collect();
        let failures = ledger.failures(outcome.id)?;
        let unanswered = |key: &TaskKey| failures.get(key).map_or(Fate::NotAsked, |kind| Fate::Failed(*kind));
        let ends: Vec<&[Ended]> = outcome.questions().collect();
        let fate = |(ends, key): (&&[Ended], &TaskKey)| match ends.first().and_then(Ended::known) {
            Some(Known::Grade(_) | Known::Compared(_)) => Fate::Judged,
            Some(Known::Unusable { reason, .. }) => Fate::Unusable(*reason),
            None => unanswered(key),
        };
        Ok(Self {
            fates: ends.iter().zip(&keys).map(fate).collect(),
            totals: ledger.totals(Some(outcome.id), Some(&only))?,
            verdicts: match settings.kind {
                JudgeKind::Prompted { .. } if !compares => ledger.verdicts(outcome.id, &only)?,
                _ => FxHashMap::default(),
            },
            settings,
            judge,
            outcome,
            ends,
            keys,
            places: None,
            compares,
        })
    }

    /// What the judge says about one document: nothing where it compares, since its answers are about several at once.
    pub(crate) fn answer(&self, pair: usize, topic: u32, document: u32) -> JudgeAnswer {
        let place = match &self.places {
            None => Some(pair).filter(|_| !self.compares),
            Some(places) => places.get(&(topic, document)).copied(),
        };
        let Some((place, ended)) = place.and_then(|place| Some((place, self.ends.get(place)?.first()?)))
        else {
            return JudgeAnswer::default();
        };
        let verdict = self.keys.get(place).and_then(|key| self.verdicts.get(key));
        let rationale = verdict.map(|verdict| shorten(verdict.rationale(), RATIONALE));
        JudgeAnswer {
            grade: match ended.known() {
                Some(Known::Grade(grade)) => Some(*grade),
                _ => None,
            },
            missing: self.fates.get(place).and_then(|fate| fate.missing()).map(str::to_owned),
            rationale: rationale.filter(|text| !text.is_empty()),
        }
    }
}
