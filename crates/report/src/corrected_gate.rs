//! Gates on figures that human labels correct.

use llull_stats::{Bound, Gate, GateSubject};

use crate::corrected_figure::CorrectedFigure;
use crate::gates::{GateOutcome, GateResult};
use crate::text::{confidence, counted, difference, difference_interval, figure, interval};

impl GateResult {
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
