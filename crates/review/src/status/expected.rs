//! What more labels are worth, by what is known now.

use llull_people::human_labels::SampleCorrection;
use llull_report::text::{count, counted, figure};
use serde::Serialize;

/// About how wide the interval would be with more labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedHalfWidth {
    /// Which number of labels this is.
    pub at: ExpectedAt,
    /// The number of labels.
    pub labels: usize,
    /// How many more these are than there are now.
    pub more: usize,
    /// Half of the width to expect.
    pub half_width: f64,
}

/// A number of labels that is of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedAt {
    /// All that were drawn.
    Planned,
    /// Twice as many as were drawn.
    TwicePlanned,
    /// All that could be drawn: what remains then is the queries'.
    WholeFrame,
}

/// Returns what is to be expected at all of the drawn labels, at twice as many, and where nothing is left to label.
/// `drawn` is how many
/// drawn units the figure reads; the numbers of labels are the sample's, of which that may be a part.
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

/// Says whether so many labels decide, and what more of them are worth. `half_width` is what is known now, or why it is
/// not known.
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
