//! The course of a decision as labels arrive.
//!
//! It has the estimate after the first ten labels, the first twenty, and so on.

use llull_config::Settings;
use llull_core::Run;
use llull_metrics::Measure;
use llull_people::human_labels::{CorrectionError, Corrector, SampleCorrection};
use llull_report::is_comparable;
use llull_report::text::{count, counted, figure};
use llull_stats::Looks;
use llull_study::people::HumanLabels;
use llull_study::{Inputs, StudyEvidence};
use serde::Serialize;

use super::labels_over_time::LabelsInOrder;

/// The approximate maximum number of points in a course.
const POINTS: usize = 20;

/// The course of a corrected difference, or of the figure of a single system, as labels arrive.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionCourse {
    /// The measure.
    pub measure: String,
    /// The baseline; null for the figure of one system.
    pub baseline: Option<String>,
    /// The system.
    pub system: String,
    /// The number of labels that decides: all drawn ones.
    pub planned: usize,
    /// The number of labels so far.
    pub labelled: usize,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// The estimates after the first 10, 20 and so on, in the order of the draw.
    pub points: Vec<CoursePoint>,
    /// The lower end of the interval that the report uses now, with missing labels at their worst.
    pub reported_low: Option<f64>,
    /// The upper end.
    pub reported_high: Option<f64>,
    /// Half of the interval's width now, if missing labels resemble the others.
    pub half_width: Option<f64>,
    /// The approximate half width with more labels, as far as it is known now.
    pub expected: Vec<ExpectedHalfWidth>,
    /// The reason why it cannot be corrected; null if it can.
    pub refused: Option<String>,
    /// The interpretation, in sentences: whether it decides, and the use of more labels.
    pub says: Vec<String>,
}

/// The estimate by the first labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoursePoint {
    /// The number of labels.
    pub labels: usize,
    /// Whether this is the number that was fixed beforehand.
    pub decides: bool,
    /// The figure; null if there are too few labels.
    pub estimate: Option<CourseEstimate>,
    /// The reason why there is no estimate; null if there is one.
    pub refused: Option<String>,
}

/// A figure by the first labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CourseEstimate {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval. Before the deciding number, the interval holds however often one looks; at that
    /// number it is the one that decides.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Half of the interval's width if this were the number that was fixed beforehand.
    pub half_width: f64,
}

impl DecisionCourse {
    /// Returns the name of the figure: `new - old`, or the system.
    pub fn name(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} - {baseline}", self.system),
            None => self.system.clone(),
        }
    }
}

/// Returns the course of each comparison with the baseline, or of the single system's figure.
///
/// # Errors
/// Returns the reason if the sample is not random, or corrects no measure of the study.
pub(super) fn courses(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: &HumanLabels,
) -> Result<Vec<DecisionCourse>, CorrectionError> {
    let study = LabelsInOrder::new(&evidence.labels, &inputs.runs, human_labels, settings.compare.confidence);
    let human = human_labels.labels.qrels();
    let corrector = study.corrector(&human_labels.sample.sample, human, Looks::Once)?;
    let run = |name: &str| inputs.runs.iter().find(|run| run.name == name);
    let baseline = (settings.systems.len() > 1).then_some(settings.compare.baseline.as_str());
    let compared = settings.systems.iter().filter(|system| baseline != Some(system.name.as_str()));
    let compared: Vec<(&Run, Option<&Run>)> =
        compared.filter_map(|system| Some((run(&system.name)?, baseline.and_then(run)))).collect();
    let measure = measure(settings, human_labels, &corrector, &compared)?;
    Ok(compared.into_iter().map(|systems| study.course(&corrector, &measure, systems)).collect())
}

/// The first measure of the study that the sample can correct, or else the one that it was drawn for.
fn measure(
    settings: &Settings,
    human_labels: &HumanLabels,
    corrector: &Corrector<'_>,
    compared: &[(&Run, Option<&Run>)],
) -> Result<Measure, CorrectionError> {
    let notes = human_labels.sample.sample.notes.iter();
    let drawn_for = notes
        .filter(|(name, _)| name == "measure")
        .filter_map(|(_, written)| written.parse::<Measure>().ok());
    let mut refused = None;
    for measure in settings.measures.iter().copied().chain(drawn_for).filter(is_comparable) {
        // The frame of a sample for P@5 lacks documents that both systems return, whose ranks nDCG@5 reads.
        let outside = |systems: &(&Run, Option<&Run>)| match corrector.correction(&measure, *systems) {
            Err(error @ CorrectionError::OutsideFrame { .. }) => Some(error),
            _ => None,
        };
        let difference = compared.iter().any(|(_, baseline)| baseline.is_some());
        let refusal = corrector.check(&measure, difference).err();
        match refusal.or_else(|| compared.iter().find_map(outside)) {
            None => return Ok(measure),
            Some(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| CorrectionError::NoMean { measure: "what the study measures".to_owned() }))
}

impl LabelsInOrder<'_> {
    fn course(
        &self,
        corrector: &Corrector<'_>,
        measure: &Measure,
        systems: (&Run, Option<&Run>),
    ) -> DecisionCourse {
        let (planned, labelled) = (self.planned(), self.labelled());
        let reported = corrector.correction(measure, systems);
        let drawn = reported.as_ref().map_or(planned, SampleCorrection::drawn);
        let points = numbers(labelled).into_iter().map(|labels| {
            let decides = labels == planned;
            let (estimate, refused) = match self.estimate(labels, measure, systems, (decides, drawn)) {
                Ok(estimate) => (Some(estimate), None),
                Err(why) => (None, Some(why.to_string())),
            };
            CoursePoint { labels, decides, estimate, refused }
        });
        let now = self.correction(labelled, measure, systems, Looks::Once);
        let figure = reported.as_ref().ok().map(SampleCorrection::figure);
        let half_width = now.as_ref().map(SampleCorrection::half_width).map_err(ToString::to_string);
        let expected = now.as_ref().map_or(Vec::new(), |now| expected(now, drawn, (labelled, planned)));
        let known = half_width.as_ref().map(|half| *half).map_err(String::as_str);
        DecisionCourse {
            measure: measure.to_string(),
            baseline: systems.1.map(|run| run.name.clone()),
            system: systems.0.name.clone(),
            planned,
            labelled,
            confidence: self.confidence,
            points: points.collect(),
            reported_low: figure.as_ref().map(|figure| figure.low),
            reported_high: figure.as_ref().map(|figure| figure.high),
            says: sentences((labelled, planned), known, &expected),
            half_width: half_width.as_ref().ok().copied(),
            expected,
            refused: half_width.err(),
        }
    }

    fn estimate(
        &self,
        labels: usize,
        measure: &Measure,
        systems: (&Run, Option<&Run>),
        (decides, narrowest_at): (bool, usize),
    ) -> Result<CourseEstimate, CorrectionError> {
        let once = self.correction(labels, measure, systems, Looks::Once)?;
        let shown = match decides {
            true => once.clone(),
            false => self.correction(labels, measure, systems, Looks::AnyTime { narrowest_at })?,
        };
        let (low, high) = (shown.corrected.low, shown.corrected.high);
        Ok(CourseEstimate { value: once.corrected.value, low, high, half_width: once.half_width() })
    }
}

/// The numbers of labels in the course: multiples of ten, and all labels.
fn numbers(labelled: usize) -> Vec<usize> {
    let step = 10 * labelled.div_ceil(10 * POINTS).max(1);
    let mut numbers: Vec<usize> = (step..labelled).step_by(step).collect();
    numbers.push(labelled);
    numbers
}

/// The approximate width of the interval with more labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedHalfWidth {
    /// The kind of this number of labels.
    pub at: ExpectedAt,
    /// The number of labels.
    pub labels: usize,
    /// The number of further labels.
    pub more: usize,
    /// Half of the expected width.
    pub half_width: f64,
}

/// A number of labels with a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedAt {
    /// All drawn labels.
    Planned,
    /// Twice the drawn labels.
    TwicePlanned,
    /// All pairs of the frame: only the variance of queries remains.
    WholeFrame,
}

/// Returns the expected widths for all drawn labels, for twice as many, and for the whole frame.
///
/// `drawn` is the number of drawn units that the figure reads. The numbers of labels are the sample's; the figure may
/// read a part of them.
pub(super) fn expected(
    now: &SampleCorrection,
    drawn: usize,
    (labelled, planned): (usize, usize),
) -> Vec<ExpectedHalfWidth> {
    let (drawn, frame) = (drawn as f64, now.corrected.frame as f64);
    let per_unit = planned as f64 / drawn.max(1.0);
    let row = |at, units: f64| {
        let labels = (units * per_unit).round() as usize;
        let half_width = now.expected_half_width(units)?;
        Some(ExpectedHalfWidth { at, labels, more: labels.checked_sub(labelled)?, half_width })
    };
    let open = labelled < planned;
    let rows = [
        open.then(|| row(ExpectedAt::Planned, drawn)).flatten(),
        (2.0 * drawn < frame).then(|| row(ExpectedAt::TwicePlanned, 2.0 * drawn)).flatten(),
        row(ExpectedAt::WholeFrame, frame),
    ];
    rows.into_iter().flatten().collect()
}

/// Describes whether these labels decide, and the use of more. `half_width` is the current one, or the reason why it is
/// unknown.
pub(super) fn sentences(
    (labelled, planned): (usize, usize),
    half_width: Result<f64, &str>,
    expected: &[ExpectedHalfWidth],
) -> Vec<String> {
    let mut says = vec![match labelled < planned {
        true => format!(
            "Interim: decides nothing before {}; {} there are.",
            counted(planned, "label"),
            count(labelled)
        ),
        false => format!("All {} that were planned are there: this decides.", counted(planned, "label")),
    }];
    let now = match half_width {
        Ok(now) => now,
        Err(why) => {
            says.push(format!("No figure yet: {why}."));
            return says;
        }
    };
    for expected in expected {
        let (more, half) = (counted(expected.more, "more label"), figure(expected.half_width));
        says.push(match expected.at {
            ExpectedAt::Planned => {
                format!("{more}, all that were drawn, would narrow ±{} to about ±{half}.", figure(now))
            }
            ExpectedAt::TwicePlanned => format!(
                "{more}, twice the planned number, would narrow ±{} to about ±{half}; they need a new draw, whose \
                 number is fixed before its labels are seen.",
                figure(now)
            ),
            ExpectedAt::WholeFrame => format!(
                "Labels of all that could be drawn would leave about ±{half}: only more queries narrow that."
            ),
        });
    }
    says
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn a_course_has_tens_up_to_all_there_are_and_few_points() {
        assert_eq!(numbers(7), [7]);
        assert_eq!(numbers(30), [10, 20, 30]);
        assert_eq!(numbers(34), [10, 20, 30, 34]);
        assert_eq!(numbers(201).first(), Some(&20));
        assert!((1..5_000).all(|labelled| numbers(labelled).len() <= 20), "few");
        assert!((1..5_000).all(|labelled| numbers(labelled).last() == Some(&labelled)));
    }
}
