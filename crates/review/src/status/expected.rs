//! Predicts the use of more labels.

use llull_people::human_labels::SampleCorrection;
use llull_report::text::{count, counted, figure};
use serde::Serialize;

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
