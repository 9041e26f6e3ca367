//! Combines several judges' labels: their scales, coverage, median and mean.

use std::collections::BTreeMap;

use llull_core::{Grade, LabelSet};
use llull_label::{GradeMap, LowerMiddle, panel_label};
use llull_stats::{ConfusionMatrix, DisagreementWeights, cohen_kappa};

use crate::judge_panel::JudgePanel;
use crate::judged_pairs::JudgedPairs;

/// An error of a combination.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PanelError {
    /// The judges' scales differ.
    #[error(
        "{first} grades from {} to {}, and {second} from {} to {}: a median of both means nothing. Say what the grades \
         of one are on the scale of the other, --scale '{mapped}', or that both have one scale, --scale {}..{}",
        of_first.0, of_first.1, of_second.0, of_second.1, whole.0, whole.1
    )]
    Scales {
        /// A judge.
        first: String,
        /// Its lowest and highest grade.
        of_first: (Grade, Grade),
        /// A judge with another scale.
        second: String,
        /// Its lowest and highest grade.
        of_second: (Grade, Grade),
        /// A scale to declare, as a proposal.
        mapped: String,
        /// The lowest and the highest grade of both.
        whole: (Grade, Grade),
    },
    /// A judge has no pair in common with any other.
    #[error("{0} To put labels of different pairs into one file, append one file to the other")]
    NothingInCommon(String),
}

/// The contribution of one judge to the labels.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberSummary {
    /// Its name.
    pub name: String,
    /// Its scale, declared or inferred.
    pub scale: String,
    /// Whether the scale is inferred from its labels.
    pub inferred: bool,
    /// The number of pairs that it labelled.
    pub labels: usize,
    /// The number of pairs that no other judge labelled.
    pub alone: usize,
    /// The number of labels that are off its scale and count as missing.
    pub off_scale: usize,
    /// The share of its labels that equal the panel's.
    pub exact: Option<f64>,
    /// Cohen's kappa of its labels and the panel's.
    pub kappa: Option<f64>,
}

/// The labels of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelLabels {
    /// The label of every pair that a judge labelled: the median and the mean of all, or by the study's method.
    pub labels: LabelSet,
    /// The contribution of each judge.
    pub members: Vec<MemberSummary>,
    /// The number of pairs, by the number of judges that labelled them.
    pub pairs_by_judges: BTreeMap<usize, usize>,
    /// The effect of taking the lower of two middle grades.
    pub lower_middle: LowerMiddle,
}
impl PanelLabels {
    /// Combines the labels of these judges by their median, which is shown, and their mean, which measures read.
    ///
    /// A scale that is not declared is inferred: from 0, or the lowest grade below it, to the highest grade, without
    /// rare ones beyond a gap.
    ///
    /// # Errors
    /// Returns an error if two judges' scales differ, or a judge has no pair in common with any other.
    pub fn of(panel: JudgePanel) -> Result<Self, PanelError> {
        let scales = scales_in_common(&panel)?;
        Ok(Self::joined(panel, &scales, None))
    }

    /// Returns the contribution of each of these judges to given labels.
    pub fn with_labels(panel: JudgePanel, labels: &LabelSet) -> Self {
        let scales = scales(&panel);
        Self::joined(panel, &scales, Some(labels))
    }

    /// The summary for these labels, or for fractional ones.
    fn joined(panel: JudgePanel, scales: &[GradeMap], labels: Option<&LabelSet>) -> Self {
        let judges = panel.judges().iter().map(|judge| (judge.name.clone(), judge.scale.is_none()));
        let judges: Vec<(String, bool)> = judges.collect();
        let judged = JudgedPairs::on_scales(panel, scales);
        let (mut combined, mut given) = (Vec::new(), Vec::new());
        let (mut pairs_by_judges, mut alone) = (BTreeMap::new(), vec![0; judges.len()]);
        let (mut own, mut with_label) =
            (vec![0; judges.len()], vec![ConfusionMatrix::default(); judges.len()]);
        for (pair, (query, document)) in judged.pairs().enumerate() {
            given.clear();
            given.extend(judged.grades.of_pair(pair).map(|given| given.1));
            let label = match labels {
                Some(labels) => labels.get(query, document),
                None => panel_label(&given),
            };
            if labels.is_none() {
                combined.extend(label);
            }
            for (judge, grade) in judged.grades.of_pair(pair) {
                if let (Some(own), Some(with_label)) = (own.get_mut(judge), with_label.get_mut(judge)) {
                    *own += 1;
                    label.iter().for_each(|label| with_label.add(label.grade, grade));
                }
                if given.len() == 1
                    && let Some(alone) = alone.get_mut(judge)
                {
                    *alone += 1;
                }
            }
            *pairs_by_judges.entry(given.len()).or_default() += 1;
        }
        let counts = own.into_iter().zip(alone).zip(&judged.off_scale).zip(&with_label);
        let members = judges.into_iter().zip(scales).zip(counts).map(|((judge, scale), counts)| {
            let ((name, inferred), (((labels, alone), off_scale), with_label)) = (judge, counts);
            MemberSummary {
                name,
                scale: scale.to_string(),
                inferred,
                labels,
                alone,
                off_scale: *off_scale,
                exact: with_label.exact(),
                kappa: cohen_kappa(with_label, DisagreementWeights::None),
            }
        });
        let (members, lower_middle) = (members.collect(), judged.lower_middle());
        // The identifiers of millions of pairs are not copied.
        let labels = labels.cloned().unwrap_or_else(|| judged.into_labels(combined));
        Self { members, pairs_by_judges, lower_middle, labels }
    }
}

/// Each judge's scale, declared or inferred.
fn scales(panel: &JudgePanel) -> Vec<GradeMap> {
    panel.judges().iter().map(|judge| judge.scale()).collect()
}

/// Each judge's scale, declared or inferred. Their ends are equal, and each judge has a pair in common with another.
pub(crate) fn scales_in_common(panel: &JudgePanel) -> Result<Vec<GradeMap>, PanelError> {
    let scales = scales(panel);
    same_ends(panel, &scales)?;
    something_in_common(panel)?;
    Ok(scales)
}

/// Refuses judges whose labels are on different scales.
fn same_ends(panel: &JudgePanel, scales: &[GradeMap]) -> Result<(), PanelError> {
    let name = |at: usize| panel.judges().get(at).map(|judge| judge.name.clone()).unwrap_or_default();
    let Some(first) = scales.first() else { return Ok(()) };
    for (at, scale) in scales.iter().enumerate().skip(1) {
        let (a, b) = (first.ends(), scale.ends());
        if a == b {
            continue;
        }
        let (narrow, own, wide) = if a.1 - a.0 < b.1 - b.0 { (0, a, b) } else { (at, b, a) };
        return Err(PanelError::Scales {
            first: name(0),
            of_first: a,
            second: name(at),
            of_second: b,
            mapped: format!("{}={}", name(narrow), suggested(own, wide)),
            whole: (a.0.min(b.0), a.1.max(b.1)),
        });
    }
    Ok(())
}

/// Proposes a map of a narrow scale to a wide one: ends to ends, and the grades between them evenly.
pub fn suggested((low, high): (Grade, Grade), (from, to): (Grade, Grade)) -> String {
    let steps = f64::from(high - low).max(1.0);
    let place = |grade: Grade| {
        (f64::from(from) + f64::from(grade - low) / steps * f64::from(to - from)).round().to_string()
    };
    let places: Vec<String> = (low..=high).map(place).collect();
    format!("{low}..{high} -> {}", places.join(","))
}

/// Refuses a judge that has no pair in common with any other.
pub(crate) fn something_in_common(panel: &JudgePanel) -> Result<(), PanelError> {
    panel.alone().map_or(Ok(()), |alone| Err(PanelError::NothingInCommon(alone)))
}

#[cfg(test)]
mod tests {
    use llull_core::Qrels;
    use llull_report::agreement::NamedLabels;

    use super::*;
    use crate::judge_panel::PanelMember;

    fn joined(members: impl IntoIterator<Item = PanelMember>) -> Result<PanelLabels, PanelError> {
        PanelLabels::of(members.into_iter().collect())
    }

    fn member(name: &str, scale: Option<&str>, pairs: &[(&str, Grade)]) -> PanelMember {
        let mut qrels = Qrels::default();
        for (document, grade) in pairs {
            qrels.insert("q", document, *grade);
        }
        let scale = scale.map(|scale| scale.parse().unwrap());
        PanelMember { labels: NamedLabels::new(name, qrels), scale }
    }

    /// 0-1 and 0-3 were joined in silence, and the panel was the binary judge.
    #[test]
    fn scales_that_differ_are_refused_with_what_to_write() {
        let graded = member("umbrela", None, &[("a", 0), ("b", 2), ("c", 3), ("d", 1)]);
        let binary = |scale| member("binary", scale, &[("a", 0), ("b", 1), ("c", 1), ("d", 0)]);
        let error = joined([binary(None), graded.clone()]).unwrap_err().to_string();
        assert!(
            error.starts_with("binary grades from 0 to 1, and umbrela from 0 to 3")
                && error.contains("--scale 'binary=0..1 -> 0,3'")
                && error.contains("--scale 0..3"),
            "{error}"
        );
        let joined = joined([binary(Some("0..1 -> 0,3")), graded]).unwrap();
        let grade = |document| joined.labels.get("q", document).map(|label| label.grade);
        assert_eq!(["a", "b", "c", "d"].map(grade), [Some(0), Some(2), Some(3), Some(0)]);
        let [binary, graded] = joined.members.as_slice() else { panic!("{joined:?}") };
        assert_eq!((binary.scale.as_str(), binary.inferred), ("0..1 -> 0,3", false));
        assert_eq!((graded.scale.as_str(), graded.inferred, graded.exact), ("0..3", true, Some(0.75)));
        assert_eq!(joined.lower_middle, LowerMiddle { pairs: 2, of: 4, bias: 0.25 });
    }

    #[test]
    fn coverage_and_stray_grades_are_counted() {
        let all: Vec<(String, Grade)> = (0..200).map(|at| (format!("d{at}"), at % 4)).collect();
        let mut pairs: Vec<(&str, Grade)> = all.iter().map(|(id, grade)| (id.as_str(), *grade)).collect();
        let mut stray = pairs[..150].to_vec();
        stray[0].1 = 10;
        pairs.push(("only beyond", 10));
        let joined = joined([member("a", None, &pairs), member("b", None, &stray)]).unwrap();
        assert_eq!(joined.pairs_by_judges, BTreeMap::from([(1, 51), (2, 149)]));
        let counts =
            |at: usize| (joined.members[at].labels, joined.members[at].alone, joined.members[at].off_scale);
        assert_eq!((counts(0), counts(1)), ((200, 51, 1), (149, 0, 1)));
        assert_eq!(joined.labels.asked(), 200, "a pair without a grade on the scale does not count");
    }

    #[test]
    fn labels_of_another_collection_are_refused() {
        let (here, there) = (member("here", None, &[("a", 1)]), member("there", None, &[("z", 1)]));
        let error = joined([here, there]).unwrap_err().to_string();
        assert!(
            error.contains("no document of their queries in common") && error.contains("append one"),
            "{error}"
        );
    }
}
