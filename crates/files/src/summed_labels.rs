//! Sums grades by several criteria to labels.

use std::collections::BTreeMap;

use llull_core::{Grade, Label, LabelSet};
use llull_label::SumRule;

use crate::judge_panel::JudgePanel;
use crate::panel_labels::{PanelError, something_in_common};

/// The labels that a rule computes from the grades by several criteria.
#[derive(Debug, Clone, PartialEq)]
pub struct SummedLabels {
    /// A label for every pair that has a grade by every criterion.
    pub labels: LabelSet,
    /// By criterion: its name, and the number of pairs that lack a grade on its scale.
    pub missing: Vec<(String, usize)>,
    /// The number of pairs with each label.
    pub pairs_by_grade: BTreeMap<Grade, usize>,
}

impl SummedLabels {
    /// Sums up the grades of these criteria. A declared scale maps the grades of its criterion; otherwise they are
    /// unchanged.
    ///
    /// # Errors
    /// Returns an error if a criterion has no pair in common with any other.
    pub fn of(criteria: &JudgePanel, rule: &SumRule) -> Result<Self, PanelError> {
        something_in_common(criteria)?;
        let (mut labels, mut pairs_by_grade) = (LabelSet::default(), BTreeMap::new());
        let mut missing: Vec<(String, usize)> = criteria.names().into_iter().map(|name| (name, 0)).collect();
        let mut mapped = Vec::new();
        // Pairs with grades only off the scale count, too.
        criteria.for_each_pair(|_, (query, document), given| {
            mapped.clear();
            mapped.extend(criteria.judges().iter().zip(given).map(
                |(criterion, grade)| match &criterion.scale {
                    Some(scale) => scale.apply((*grade)?),
                    None => *grade,
                },
            ));
            let grade = rule.grade(&mapped);
            for ((_, count), _) in missing.iter_mut().zip(&mapped).filter(|(_, grade)| grade.is_none()) {
                *count += 1;
            }
            if let Some(grade) = grade {
                *pairs_by_grade.entry(grade).or_default() += 1;
            }
            labels.record(query, document, grade.map(Label::of_grade));
        });
        Ok(Self { labels, missing, pairs_by_grade })
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Qrels;
    use llull_report::agreement::NamedLabels;

    use super::*;
    use crate::judge_panel::PanelMember;

    fn criterion(name: &str, scale: Option<&str>, pairs: &[(&str, Grade)]) -> PanelMember {
        let mut qrels = Qrels::default();
        pairs.iter().for_each(|(document, grade)| {
            qrels.insert("q", document, *grade);
        });
        PanelMember {
            labels: NamedLabels::new(name, qrels),
            scale: scale.map(|scale| scale.parse().unwrap()),
        }
    }

    #[test]
    fn a_pair_without_a_criterion_has_no_label() {
        let exact = criterion("exact", Some("0..3"), &[("a", 3), ("b", 2), ("c", 1), ("d", 9)]);
        let covers = criterion("covers", Some("0..1 -> 0,3"), &[("a", 1), ("b", 0), ("d", 1)]);
        let found = SummedLabels::of(&[exact.clone(), covers].into_iter().collect(), &"2,5".parse().unwrap())
            .unwrap();
        let grade = |document| found.labels.get("q", document).map(|label| label.grade);
        assert_eq!(["a", "b", "c", "d"].map(grade), [Some(2), Some(1), None, None]);
        assert_eq!((found.labels.asked(), found.labels.labelled()), (4, 2));
        assert_eq!(found.missing, [("exact".to_owned(), 1), ("covers".to_owned(), 1)]);
        assert_eq!(found.pairs_by_grade, BTreeMap::from([(1, 1), (2, 1)]));
        let elsewhere = criterion("elsewhere", None, &[("z", 1)]);
        let refused =
            SummedLabels::of(&[exact, elsewhere].into_iter().collect(), &"2,5".parse().unwrap()).unwrap_err();
        assert!(matches!(refused, PanelError::NothingInCommon(_)), "{refused}");
    }
}
