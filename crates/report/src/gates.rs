//! Gates: conditions that may fail a build.
//!
//! They are on the difference from the baseline, or on a figure itself.

use llull_metrics::{DifferenceBounds, Measure, Scores};
use llull_stats::{BootstrapOptions, Bound, Comparator, Gate, GateSubject, least_topics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checks::CheckGate;
use crate::comparable::check_comparable;
use crate::comparison::{MissingLabels, interval_of, is_labelled, paired, queries_needed, split};
use crate::corrected_figure::CorrectedFigure;
use crate::error::ReportError;
use crate::json_number::finite;
use crate::systems::{LoneFigure, figures_of, mean_with_interval};
use crate::text::{
    ABSENT, Table, confidence, count, counted, difference, difference_interval, estimate, figure, figures,
    interval, table_difference, table_figure, words,
};

/// The outcome of a gate for one system. A gate is a condition that can fail a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateResult {
    /// The condition: `low(nDCG@10) >= -0.01`.
    pub gate: String,
    /// The system that was tested.
    pub system: String,
    /// Whether the system's own figure was tested, as in `value(nDCG@10) > 0.7`, and not its difference from the
    /// baseline.
    pub absolute: bool,
    /// The value that was tested; null if there was none, or if it has no bound.
    pub value: Option<f64>,
    /// The mean of the difference, or of the figure; null without queries.
    pub mean: Option<f64>,
    /// The lower end of its interval; null if it has none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether human labels corrected the tested figure; if not, it depends on the judges' labels alone.
    pub corrected: bool,
    /// Whether the outcome is `passed`. Any other fails a build.
    pub passed: bool,
    /// The outcome.
    pub outcome: GateOutcome,
    /// The same in one sentence.
    pub sentence: String,
}

/// The outcome of a gate. All but one fail a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// The condition holds.
    Passed,
    /// The condition does not hold.
    Failed,
    /// There is nothing to test it on.
    Unmeasured,
    /// Labels are missing that could change the outcome.
    Incomplete,
    /// A judge is unreliable.
    UnreliableJudge,
}

impl GateOutcome {
    /// Returns the outcome in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Unmeasured => "not measured",
            Self::Incomplete => "incomplete",
            Self::UnreliableJudge => "unreliable judge",
        }
    }
}

impl GateResult {
    /// Sets the outcome.
    pub(crate) fn settle(&mut self, outcome: GateOutcome) {
        self.outcome = outcome;
        self.passed = outcome == GateOutcome::Passed;
    }

    /// Fails the gate as incomplete if missing labels could change its outcome. That is: it passes, and under some
    /// labels the tested value, a mean or an end of an interval, would not satisfy the condition; or it fails, and
    /// under some labels the value or the mean would. `bounds` are of the tested figure: the difference, or the
    /// system's own. A gate on figures corrected by human labels remains.
    ///
    /// # Errors
    /// Returns an error if the options of the bootstrap are invalid.
    pub fn bound(
        &mut self,
        gate: &Gate,
        bounds: &[DifferenceBounds],
        options: &BootstrapOptions,
    ) -> Result<(), ReportError> {
        let Some(missing) = MissingLabels::of(bounds)
            .filter(|_| !self.corrected && self.outcome != GateOutcome::UnreliableJudge)
        else {
            return Ok(());
        };
        let satisfies = |value: Option<f64>| value.map(|value| gate.holds(value));
        if gate.bound() != Bound::Mean && (self.passed || satisfies(self.mean) == Some(true)) {
            return self.bound_end(gate, (&missing, bounds), options);
        }
        let (worst, best) = match gate.comparator() {
            Comparator::AtLeast | Comparator::Above => (missing.lowest, missing.highest),
            Comparator::AtMost | Comparator::Below => (missing.highest, missing.lowest),
        };
        let other = if self.passed { worst } else { best };
        if satisfies(other) == Some(self.passed) {
            return Ok(());
        }
        self.settle(GateOutcome::Incomplete);
        let value = match gate.subject() {
            GateSubject::Value => figure(other),
            GateSubject::Difference => difference(other),
        };
        self.sentence = format!(
            "{gate} fails as incomplete for {}: {}. By the known labels the mean is {}; with the missing ones it could \
             be {value}.",
            self.system,
            missing,
            match gate.subject() {
                GateSubject::Value => figure(self.mean),
                GateSubject::Difference => difference(self.mean),
            },
        );
        Ok(())
    }

    /// Fails a gate on an end of an interval as incomplete if it holds and would not under the worst labels, or does
    /// not and would under the best.
    fn bound_end(
        &mut self,
        gate: &Gate,
        (missing, bounds): (&MissingLabels, &[DifferenceBounds]),
        options: &BootstrapOptions,
    ) -> Result<(), ReportError> {
        let wants_more = matches!(gate.comparator(), Comparator::AtLeast | Comparator::Above);
        // the worst labels for a gate that holds, the best for one that does not
        let values: Vec<f64> = bounds
            .iter()
            .map(|query| if wants_more == self.passed { query.low } else { query.high })
            .collect();
        let interval = match gate.subject() {
            GateSubject::Difference => interval_of(&values, options)?,
            GateSubject::Value => {
                let measure = gate.measure().parse::<Measure>().ok();
                mean_with_interval(measure.as_ref(), &values, options)
                    .ok()
                    .and_then(|interval| finite(interval.low).zip(finite(interval.high)))
            }
        };
        let end = interval.map(|(low, high)| if gate.bound() == Bound::Low { low } else { high });
        if end.is_some_and(|end| gate.holds(end)) == self.passed {
            return Ok(());
        }
        self.settle(GateOutcome::Incomplete);
        let shown = |value| match gate.subject() {
            GateSubject::Value => figure(value),
            GateSubject::Difference => difference(value),
        };
        self.sentence = format!(
            "{gate} fails as incomplete for {}: {missing}. By the known labels the value is {}; with the missing ones \
             it could be {}.",
            self.system,
            shown(self.value),
            shown(end),
        );
        Ok(())
    }

    /// Tests the gate on the figure corrected by human labels, in place of the judge's, as the decision does. While
    /// labels are still to come, a gate fails unless the interval holds at every look: stopping at the first pass errs
    /// more often than the confidence allows.
    pub fn correct(&mut self, gate: &Gate, baseline: &str, corrected: &CorrectedFigure) {
        let value = match gate.bound() {
            Bound::Mean => corrected.value,
            Bound::Low => corrected.low,
            Bound::High => corrected.high,
        };
        let open = corrected.nonresponse > 0 && !corrected.any_time;
        self.value = Some(value);
        self.mean = Some(corrected.value);
        self.low = Some(corrected.low);
        self.high = Some(corrected.high);
        self.settle(match (gate.holds(value), open) {
            (true, false) => GateOutcome::Passed,
            (true, true) => GateOutcome::Incomplete,
            (false, _) => GateOutcome::Failed,
        });
        self.corrected = true;
        let found = match gate.subject() {
            GateSubject::Value => format!(
                "it is {} {}",
                figure(Some(corrected.value)),
                interval(Some(corrected.low), Some(corrected.high))
            ),
            GateSubject::Difference => format!(
                "the difference from {baseline} is {} {}",
                difference(Some(corrected.value)),
                difference_interval(Some(corrected.low), Some(corrected.high))
            ),
        };
        let looks = if corrected.any_time { ", at any look" } else { "" };
        let labels = counted(corrected.labels, "human label");
        let sure = confidence(corrected.confidence);
        let waits = if open { still_open(corrected) } else { String::new() };
        self.sentence = format!(
            "{gate} {} for {}: corrected by {labels}, {found} ({sure}{looks}){waits}.",
            if self.passed { "holds" } else { "fails" },
            self.system,
        );
    }

    /// Adds why the gate is tested on the judge's labels alone although there is a sample.
    pub fn leave_uncorrected(&mut self, reason: &str) {
        self.sentence = format!("{} Not corrected by human labels: {reason}.", self.sentence);
    }
}

/// Returns the value of a figure or a difference that a gate tests.
fn at(tested: &LoneFigure, bound: Bound) -> Option<f64> {
    match bound {
        Bound::Mean => tested.mean,
        Bound::Low => tested.low,
        Bound::High => tested.high,
    }
}

/// Tests every gate on every system but `baseline`, or on the only one: gate by gate, systems in the order of `scores`.
/// A gate fails without queries, or if it is on an end of an interval that has no bound. It also fails if no document
/// that the measure uses has a label, since the values are 0 by convention then.
///
/// # Errors
/// Returns an error as [`compare`](crate::compare) does, if a gate is on the difference by a measure that cannot be
/// compared, or if it names a measure that was not computed.
pub fn gates(
    gates: &[Gate],
    scores: &[Scores],
    baseline: &str,
    options: &BootstrapOptions,
) -> Result<Vec<GateResult>, ReportError> {
    let mut results = Vec::new();
    for gate in gates {
        let (baseline, others) = split(scores, baseline)?;
        let place = measure_of(gate, baseline)?;
        let measure = baseline.measures.get(place).filter(|_| gate.subject() == GateSubject::Difference);
        measure.map_or(Ok(()), check_comparable)?;
        // An only system has no baseline, but a figure of its own.
        let only = (scores.len() == 1 && gate.subject() == GateSubject::Value).then_some(baseline);
        for system in others.chain(only) {
            let own = figures_of(&[(system, place)], options)?;
            let own = own.first().map(LoneFigure::from).unwrap_or_default();
            let (tested, labelled) = match gate.subject() {
                GateSubject::Value => (own, is_labelled(system, place)),
                GateSubject::Difference => (
                    difference_from(baseline, system, place, options)?,
                    is_labelled(system, place) || is_labelled(baseline, place),
                ),
            };
            let tested = match tested {
                _ if !labelled => Err(UNLABELLED),
                tested if tested.n == 0 => Err("there are no queries"),
                tested => Ok(tested),
            };
            let needed = would_pass(gate, (system, baseline), place, &tested);
            results.push(hold(gate, system, baseline, tested, (own.mean, needed)));
        }
    }
    Ok(results)
}

/// Labels could change the outcome of a gate without any; nothing changes that of a gate without queries.
const UNLABELLED: &str = "nothing is labelled";

fn difference_from(
    baseline: &Scores,
    system: &Scores,
    measure: usize,
    options: &BootstrapOptions,
) -> Result<LoneFigure, ReportError> {
    let paired = paired(system, baseline, measure, options)?;
    Ok(LoneFigure {
        mean: paired.and_then(|paired| finite(paired.mean)),
        low: paired.and_then(|paired| finite(paired.low)),
        high: paired.and_then(|paired| finite(paired.high)),
        confidence: options.confidence,
        n: paired.map_or(0, |paired| paired.n),
    })
}

fn measure_of(gate: &Gate, scores: &Scores) -> Result<usize, ReportError> {
    let measure = gate.measure().parse::<Measure>().ok();
    measure.and_then(|measure| scores.measures.iter().position(|known| *known == measure)).ok_or_else(|| {
        ReportError::GateMeasure {
            gate: gate.to_string(),
            known: scores.measures.iter().map(ToString::to_string).collect(),
        }
    })
}

fn hold(
    gate: &Gate,
    system: &Scores,
    baseline: &Scores,
    tested: Result<LoneFigure, &'static str>,
    (own, needed): (Option<f64>, Option<usize>),
) -> GateResult {
    let value = tested.ok().and_then(|tested| at(&tested, gate.bound()));
    let passed = value.is_some_and(|value| gate.holds(value));
    let outcome = match (tested, value) {
        (Err(UNLABELLED), _) => GateOutcome::Incomplete,
        (Err(_), _) | (Ok(_), None) => GateOutcome::Unmeasured,
        _ if passed => GateOutcome::Passed,
        _ => GateOutcome::Failed,
    };
    let result = match outcome {
        GateOutcome::Passed => "holds",
        GateOutcome::Incomplete => "fails as incomplete",
        _ => "fails",
    };
    let found = match (tested, value) {
        (Err(why), _) => why.to_owned(),
        (Ok(tested), None) => format!(
            "it has no bound, as an interval of {} takes at least {} queries (n = {})",
            confidence(tested.confidence),
            least_topics(tested.confidence),
            count(tested.n)
        ),
        (Ok(tested), Some(_)) => {
            let hint = match passed {
                true => only_the_mean(gate, &tested),
                false => meant_the_figure(gate, own).or_else(|| {
                    let mean = difference(tested.mean);
                    Some(format!(
                        "; {} queries would pass in 80% of cases, if the true difference is {mean}",
                        estimate(needed?)
                    ))
                }),
            };
            format!("{}{}", found(gate, baseline, &tested), hint.unwrap_or_default())
        }
    };
    GateResult {
        gate: gate.to_string(),
        system: system.run.clone(),
        absolute: gate.subject() == GateSubject::Value,
        value,
        mean: tested.ok().and_then(|tested| tested.mean),
        low: tested.ok().and_then(|tested| tested.low),
        high: tested.ok().and_then(|tested| tested.high),
        corrected: false,
        passed,
        outcome,
        sentence: format!("{gate} {result} for {}: {found}.", system.run),
    }
}

/// `the difference from bm25 is -0.0054 [-0.0497, +0.0370] over 24 queries`
fn found(gate: &Gate, baseline: &Scores, tested: &LoneFigure) -> String {
    let absolute = gate.subject() == GateSubject::Value;
    let mean = match absolute {
        true => format!("it is {}", figure(tested.mean)),
        false => format!("the difference from {} is {}", baseline.run, difference(tested.mean)),
    };
    let ends = match (tested.low, tested.high) {
        (None, None) => String::new(),
        (low, high) if absolute => format!(" {}", interval(low, high)),
        (low, high) => format!(" {}", difference_interval(low, high)),
    };
    format!("{mean}{ends} over {}", counted(tested.n, "query"))
}

/// How many queries a gate on an end of a difference's interval needs to pass, if its mean would.
fn would_pass(
    gate: &Gate,
    systems: (&Scores, &Scores),
    measure: usize,
    tested: &Result<LoneFigure, &'static str>,
) -> Option<usize> {
    let tested = tested.as_ref().ok()?;
    let is_end = gate.bound() != Bound::Mean && gate.subject() == GateSubject::Difference;
    let fails = is_end && !gate.holds(at(tested, gate.bound())?) && gate.holds(tested.mean?);
    let needed = || queries_needed(systems, measure, gate.threshold(), 0, 1.0 - tested.confidence);
    fails.then(needed).flatten()
}

/// A remark for a mean that passes although its interval does not.
fn only_the_mean(gate: &Gate, tested: &LoneFigure) -> Option<String> {
    let bound = match gate.comparator() {
        Comparator::AtLeast | Comparator::Above => Bound::Low,
        Comparator::AtMost | Comparator::Below => Bound::High,
    };
    let fails = gate.bound() == Bound::Mean && !gate.holds(at(tested, bound)?);
    fails.then(|| format!("; only the mean is tested, and {} would fail", gate.on(bound)))
}

/// A hint for a difference that fails a condition which reads as one on the figure itself.
fn meant_the_figure(gate: &Gate, own: Option<f64>) -> Option<String> {
    /// Differences between systems that are worth comparing are seldom larger.
    const LARGE: f64 = 0.1;
    let own = own.filter(|own| gate.threshold() >= LARGE && gate.holds(*own))?;
    (gate.subject() == GateSubject::Difference).then(|| {
        format!("; for {} itself, which is {}, write {}", gate.measure(), figure(own), {
            gate.about(GateSubject::Value)
        })
    })
}

/// `; 12 pairs of the sample are not labelled yet, ...`
fn still_open(corrected: &CorrectedFigure) -> String {
    let what = if corrected.sampled_queries.is_some() { "query" } else { "pair" };
    let are = if corrected.nonresponse == 1 { "is" } else { "are" };
    format!(
        "; {} of the sample {are} not labelled yet, and before the planned number is reached a gate passes with \
         --anytime only",
        counted(corrected.nonresponse, what)
    )
}

/// A gate on a system, or a bound on a judge, with its value and result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateRow {
    /// The condition.
    pub gate: String,
    /// The system or judge that it was tested on; empty without any.
    pub subject: String,
    /// Whether the subject is a judge.
    pub is_judge: bool,
    /// The tested value.
    pub value: String,
    /// The result in words.
    pub result: &'static str,
    /// Whether the condition holds.
    pub passed: bool,
    /// Whether missing labels could change the result.
    pub incomplete: bool,
    /// Whether there was no value to test.
    pub unmeasured: bool,
    /// The value, its interval and the reason, in a sentence.
    pub sentence: String,
}

/// Returns the gates on systems, then the bounds on judges.
pub fn gate_rows(gates: &[GateResult], bounds: &[CheckGate]) -> Vec<GateRow> {
    let of_systems = gates.iter().map(|gate| GateRow {
        gate: gate.gate.clone(),
        subject: gate.system.clone(),
        is_judge: false,
        value: if gate.absolute { table_figure(gate.value) } else { table_difference(gate.value) },
        result: gate.outcome.words(),
        passed: gate.passed,
        incomplete: gate.outcome == GateOutcome::Incomplete,
        unmeasured: gate.outcome == GateOutcome::Unmeasured,
        sentence: gate.sentence.clone(),
    });
    let of_judges = bounds.iter().map(|bound| GateRow {
        gate: bound.gate.clone(),
        subject: bound.judge.clone().unwrap_or_default(),
        is_judge: true,
        value: bound.value.map_or_else(|| ABSENT.to_owned(), table_figure),
        result: match (bound.passed, bound.value) {
            (true, _) => GateOutcome::Passed.words(),
            (false, None) => GateOutcome::Unmeasured.words(),
            (false, Some(_)) => GateOutcome::Failed.words(),
        },
        passed: bound.passed,
        incomplete: false,
        unmeasured: bound.value.is_none(),
        sentence: bound.sentence.clone(),
    });
    of_systems.chain(of_judges).collect()
}

fn cells(row: &GateRow) -> Vec<String> {
    let subject = if row.is_judge && !row.subject.is_empty() { "judge " } else { "" };
    vec![
        row.gate.clone(),
        format!("{subject}{}", row.subject),
        row.value.clone(),
        if row.passed { row.result.to_owned() } else { row.result.to_uppercase() },
    ]
}

/// Returns the gates as a table.
pub(crate) fn gate_table(rows: &[GateRow]) -> Table {
    Table::new([words("gate"), words("of"), figures("value"), words("result")], rows.iter().map(cells))
}
