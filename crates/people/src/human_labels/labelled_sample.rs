//! A judge's labels, runs, and human labels of a random sample.

use llull_core::{GRADE_PARTS, Qrels, Run};
use llull_metrics::Measure;

use super::design::{Design, Unit};
use super::labels_read::human_grade;
use super::options::CorrectionOptions;

/// A judge's labels, runs, and human labels of a random sample.
pub(super) struct LabelledSample<'a> {
    pub(super) judge: &'a Qrels,
    /// The means of a panel's grades in parts, if the panel's figures are theirs.
    pub(super) means: Option<&'a Qrels>,
    pub(super) runs: &'a [Run],
    pub(super) human: &'a Qrels,
    pub(super) design: Design<'a>,
    pub(super) options: CorrectionOptions,
    /// The judge's queries, in their order.
    pub(super) queries: Vec<&'a str>,
    /// The highest grade of both.
    pub(super) highest: i32,
}

impl<'a> LabelledSample<'a> {
    /// The labels of which the judge's own figures are, and the measure on their scale.
    pub(super) fn judged(&self, measure: &Measure) -> (&'a Qrels, Measure) {
        let means = self.means.and_then(|means| Some((means, measure.in_parts(GRADE_PARTS)?)));
        means.unwrap_or((self.judge, *measure))
    }

    /// The pair as a unit of the sample's frame; `None` if it could not be drawn.
    pub(super) fn unit(&self, topic: &str, document: &str) -> Option<Unit> {
        match &self.design {
            Design::PairsOfFrame { units, .. } => units.get(&(topic, document)).copied(),
            _ => {
                self.judge.grade(topic, document).map(|_| Unit { probability: 1.0, drawn: None, stratum: 0 })
            }
        }
    }

    /// The human label of a drawn pair: `Some(None)` if it was drawn and has none.
    pub(super) fn drawn_label(
        &self,
        topic: &str,
        document: &str,
        drawn: Option<bool>,
    ) -> Option<Option<i32>> {
        let label = human_grade(self.human, topic, document);
        match drawn {
            Some(false) => None,
            Some(true) => Some(label.flatten()),
            None => label,
        }
    }
}
