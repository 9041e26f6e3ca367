//! Finds a few labels far from all others.
//!
//! They distort figures of the whole scale: a single 10 among four thousand labels from 0 to 3 makes the scale so long
//! that all other disagreements seem small.

use std::collections::BTreeMap;

use llull_core::Grade;
use llull_stats::{Agreement, AgreementOptions, Clamp, LabelFigures, label_agreement};
use serde::Serialize;

use super::named_labels::{NamedLabels, UsedGrades};
use super::report::AgreementReportError;
use crate::text::counted;

/// At most one label in so many is a stray. Of fewer common pairs none is: it may be the only disagreement that there
/// is.
const RARE: u64 = 100;

/// Labels beyond the scale of all others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrayLabels {
    /// The scale of the others: `0..3`.
    pub scale: String,
    /// How many labels of the truth are beyond it, over the common pairs.
    pub truth: u64,
    /// How many labels of the other are.
    pub other: u64,
    /// The figures if those labels counted as the nearer end of the scale.
    pub clamped: LabelFigures<Option<f64>>,
    /// Where they are: `1 label is above 3`.
    #[serde(skip)]
    pub phrase: String,
}

impl StrayLabels {
    /// Finds labels of either side that are beyond the scale, and computes the figures without them. The scale is that
    /// of the truth, without labels of its own beyond a gap. If more than one label in a hundred is beyond it, the
    /// other set has another scale, and no label is a stray. A truth of one grade has no scale to compare with. Among
    /// fewer than a hundred pairs a single label is not rare.
    pub(crate) fn find(
        truth: &NamedLabels,
        other: &NamedLabels,
        agreement: &Agreement,
        options: &AgreementOptions,
    ) -> Result<Option<Self>, AgreementReportError> {
        let clamped_grades =
            (truth.qrels.grades()).map(|grade| options.clamp.map_or(grade, |clamp| clamp.apply(grade)));
        let Some((low, high)) = main_range(clamped_grades) else { return Ok(None) };
        if low == high || (agreement.n as u64) < RARE {
            return Ok(None);
        }
        let most = agreement.n as u64 / RARE;
        let of_truth = UsedGrades::of_truth(agreement).beyond(low, high);
        let of_other = UsedGrades::of_other(agreement).beyond(low, high);
        let all = |(below, above): (u64, u64)| below + above;
        if all(of_other) > most || all(of_truth) + all(of_other) == 0 {
            return Ok(None);
        }
        let Ok(scale) = Clamp::new(low, high) else { return Ok(None) };
        let clamped = AgreementOptions { clamp: Some(scale), bootstrap: None };
        let clamped = label_agreement(&truth.qrels, &other.qrels, &clamped)?.figures;
        let (below, above) = (of_truth.0 + of_other.0, of_truth.1 + of_other.1);
        let beyond = match (below, above) {
            (0, _) => format!("above {high}"),
            (_, 0) => format!("below {low}"),
            _ => format!("outside {scale}"),
        };
        let count = usize::try_from(below + above).unwrap_or(usize::MAX);
        Ok(Some(Self {
            scale: scale.to_string(),
            truth: all(of_truth),
            other: all(of_other),
            clamped,
            phrase: format!("{} {} {beyond}", counted(count, "label"), if count == 1 { "is" } else { "are" }),
        }))
    }

    /// Warns a reader who relies on a figure of the whole scale.
    pub(super) fn note(&self, truth: &str, other: &str) -> String {
        let whose = match (self.truth, self.other) {
            (0, _) => format!("of {other}"),
            (_, 0) => format!("of {truth}"),
            _ => format!("of {truth} and {other} together"),
        };
        format!(
            "{} ({whose}), which moves figures of the whole scale, such as AC2; --clamp {} counts such labels as the \
             nearer end",
            self.phrase, self.scale
        )
    }
}

/// Returns the lowest and the highest of these labels' grades; `None` if there is none. Rare grades beyond a gap are
/// left out: at most one label in a hundred, such as a single 10 among labels from 0 to 3.
pub fn main_range(grades: impl Iterator<Item = Grade>) -> Option<(Grade, Grade)> {
    let mut counts: BTreeMap<Grade, u64> = BTreeMap::new();
    grades.for_each(|grade| *counts.entry(grade).or_default() += 1);
    let most = (counts.values().sum::<u64>() / RARE).max(1);
    let used: Vec<(Grade, u64)> = counts.into_iter().collect();
    let without_end = |ascending: &mut dyn Iterator<Item = (Grade, u64)>| -> Option<Grade> {
        let mut seen = 0;
        let mut ends = ascending.peekable();
        let (mut end, mut count) = ends.next()?;
        for (grade, more) in ends {
            seen += count;
            if seen > most || end.abs_diff(grade) <= 1 {
                break;
            }
            (end, count) = (grade, more);
        }
        Some(end)
    };
    let low = without_end(&mut used.iter().copied())?;
    let high = without_end(&mut used.iter().rev().copied())?;
    if low < high { Some((low, high)) } else { Some((used.first()?.0, used.last()?.0)) }
}

#[cfg(test)]
mod tests {
    use llull_core::Qrels;

    use super::*;

    fn labels(grades: &[(Grade, usize)]) -> NamedLabels {
        let mut qrels = Qrels::default();
        let all = grades.iter().flat_map(|(grade, times)| std::iter::repeat_n(*grade, *times));
        all.enumerate().for_each(|(document, grade)| {
            qrels.insert("q", &document.to_string(), grade);
        });
        NamedLabels::new("labels", qrels)
    }

    fn found(truth: &NamedLabels, other: &NamedLabels) -> Option<StrayLabels> {
        let options = AgreementOptions::default();
        let agreement = label_agreement(&truth.qrels, &other.qrels, &options).unwrap();
        StrayLabels::find(truth, other, &agreement, &options).unwrap()
    }

    #[test]
    fn a_label_far_from_the_others_is_found_on_either_side() {
        let plain = labels(&[(0, 500), (1, 300), (2, 150), (3, 50)]);
        assert_eq!(found(&plain, &plain), None);
        let stray = labels(&[(0, 500), (1, 300), (2, 150), (3, 49), (10, 1)]);
        let by_other = found(&plain, &stray).unwrap();
        assert_eq!((by_other.phrase.as_str(), by_other.scale.as_str()), ("1 label is above 3", "0..3"));
        assert_eq!((by_other.truth, by_other.other), (0, 1));
        let by_truth = found(&stray, &plain).unwrap();
        assert_eq!((by_truth.truth, by_truth.other, by_truth.scale.as_str()), (1, 0, "0..3"));
        let both = found(&plain, &labels(&[(-7, 1), (0, 499), (1, 300), (2, 150), (3, 49), (4, 1)])).unwrap();
        assert_eq!(both.phrase, "2 labels are outside 0..3");
    }

    /// `--clamp 2..2` was advised for the only disagreement with a constant truth, and made agreement 100%.
    #[test]
    fn the_only_disagreement_with_a_truth_of_one_grade_is_no_stray() {
        let constant = labels(&[(2, 500)]);
        assert_eq!(found(&constant, &labels(&[(2, 499), (1, 1)])), None);
        assert_eq!(found(&constant, &labels(&[(2, 499), (3, 1)])), None);
        let few = |stray| labels(&[(0, 50), (1, 30), (2, 18), (stray, 1)]);
        assert_eq!(found(&labels(&[(0, 50), (1, 30), (2, 19)]), &few(9)), None, "99 pairs");
        let more = |last| labels(&[(0, 50), (1, 30), (2, 19), (last, 1)]);
        assert_eq!(found(&more(2), &more(9)).unwrap().phrase, "1 label is above 2", "100 pairs");
        assert_eq!(found(&more(2), &more(-9)).unwrap().phrase, "1 label is below 0");
    }

    /// A judge that gives no 3 has no stray label, and a rare top grade next to the others is not stray.
    #[test]
    fn another_scale_or_a_rare_grade_is_no_stray() {
        let truth = labels(&[(0, 500), (1, 300), (2, 195), (3, 5)]);
        assert_eq!(found(&truth, &labels(&[(0, 500), (1, 300), (2, 200)])), None);
        assert_eq!(found(&truth, &labels(&[(0, 500), (1, 300), (4, 100), (5, 100)])), None);
        assert_eq!(found(&labels(&[(0, 900), (2, 100)]), &labels(&[(0, 900), (2, 100)])), None);
    }
}
