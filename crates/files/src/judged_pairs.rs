//! The labels of several judges, pair by pair.

use llull_core::{Grade, Label, LabelSet, Qrels, Scale};
use llull_label::panel::PanelGrades;
use llull_label::{GradeMap, LowerMiddle};
use llull_report::text::{count, figure};

use crate::judge_panel::JudgePanel;

/// The grades of a panel's judges for every pair that one of them has labelled, on one scale.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPairs {
    /// Every pair with a grade on the scale.
    pairs: Qrels,
    /// The grades, in the same order.
    pub grades: PanelGrades,
    /// By judge, the number of labels that are off the scale and count as missing.
    pub off_scale: Vec<usize>,
}

impl JudgedPairs {
    /// Puts the labels of judges on the scale that all of theirs are mapped to.
    pub(crate) fn on_scales(panel: JudgePanel, scales: &[GradeMap]) -> Self {
        let (low, high) = scales.first().map_or((0, 1), GradeMap::ends);
        let mut grades = PanelGrades::new(Scale::new(low, high).unwrap_or_default(), panel.len());
        let mut off_scale = vec![0; panel.len()];
        let (mut row, mut graded): (Vec<(usize, Grade)>, Vec<bool>) = (Vec::new(), Vec::new());
        panel.for_each_pair(|query, _, given| {
            row.clear();
            for (judge, (grade, scale)) in given.iter().zip(scales).enumerate() {
                match grade.map(|grade| scale.apply(grade)) {
                    Some(Some(grade)) => row.push((judge, grade)),
                    Some(None) => {
                        if let Some(count) = off_scale.get_mut(judge) {
                            *count += 1;
                        }
                    }
                    None => {}
                }
            }
            graded.push(!row.is_empty() && grades.push(query, row.iter().copied()).is_ok());
        });
        let mut pairs = panel.into_pairs();
        if graded.contains(&false) {
            let mut graded = graded.into_iter();
            let mut rest = Qrels::default();
            for (query, documents) in pairs.iter() {
                for (document, grade) in documents.iter().filter(|_| graded.next() == Some(true)) {
                    rest.insert(query, document, *grade);
                }
            }
            pairs = rest;
        }
        Self { pairs, grades, off_scale }
    }

    /// Returns query and document of every pair.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs
            .iter()
            .flat_map(|(query, documents)| documents.keys().map(move |document| (query, document)))
    }

    pub(crate) fn qrels(&self) -> &Qrels {
        &self.pairs
    }

    pub(crate) fn given(&self, pair: usize) -> Vec<Grade> {
        self.grades.of_pair(pair).map(|given| given.1).collect()
    }

    /// Returns a label for each pair: that of `label_of` for its place and its grades.
    pub(crate) fn labels(&self, label_of: impl Fn(usize, &[Grade]) -> Option<Label>) -> LabelSet {
        let mut labels = LabelSet::default();
        let mut given = Vec::new();
        for (at, (query, document)) in self.pairs().enumerate() {
            given.clear();
            given.extend(self.grades.of_pair(at).map(|given| given.1));
            labels.record(query, document, label_of(at, &given));
        }
        labels
    }

    /// Gives each pair its label, in the order of the pairs.
    pub(crate) fn into_labels(self, labels: Vec<Label>) -> LabelSet {
        LabelSet::of_pairs(self.pairs, labels)
    }

    /// Returns how far medians are lowered by the rule that the lower middle grade counts.
    pub(crate) fn lower_middle(&self) -> LowerMiddle {
        LowerMiddle::of((0..self.grades.pairs()).map(|pair| self.given(pair)))
    }
}

/// Describes the effect of taking the lower of two middle grades; `None` if there is no effect.
pub fn lower_middle_effect(middle: &LowerMiddle) -> Option<String> {
    (middle.pairs > 0).then(|| {
        format!(
            "of two grades in the middle the lower is the label: on {} of {} pairs the two differ, and by their mean \
             the labels would be {} higher on average",
            count(middle.pairs),
            count(middle.of),
            figure(Some(middle.bias))
        )
    })
}
