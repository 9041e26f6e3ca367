//! A grade from the sum of several criteria's grades.

use std::fmt;
use std::str::FromStr;

use llull_core::Grade;

/// A grade from the sum of the grades that a document has by several criteria: 0 below the first cut, and one more from
/// each cut on. Its printed form is what users write.
///
/// The LLMJudge submission TREMA-sumdecompose has four criteria from 0 to 3 and the cuts 6, 7 and 10 (Farzi and Dietz,
/// Criteria-based LLM relevance judgments, 2025).
///
/// ```
/// use llull_label::SumRule;
///
/// let rule: SumRule = "6,7,10".parse()?;
/// assert_eq!(rule.grade(&[Some(3), Some(2), Some(2), Some(1)]), Some(2));
/// assert_eq!(rule.grade(&[Some(3), Some(2), Some(2), None]), None, "a criterion is missing");
/// assert_eq!(rule.to_string(), "6,7,10");
/// # Ok::<(), llull_label::SumRuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumRule {
    /// From which sum on a document has grade 1, 2 and so on; each greater than the one before.
    cuts: Vec<i64>,
}

/// The cuts are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} are no cuts of a sum: write from which sum on the grade is 1, 2 and so on, each greater than the one \
     before, like 6,7,10"
)]
pub struct SumRuleError(pub String);

impl SumRule {
    /// A rule with a cut for each grade above 0, lowest first.
    ///
    /// # Errors
    /// Returns an error if there is no cut, or one is not greater than that before it.
    pub fn new(cuts: Vec<i64>) -> Result<Self, SumRuleError> {
        let rule = Self { cuts };
        if rule.cuts.is_empty() || rule.cuts.iter().zip(rule.cuts.iter().skip(1)).any(|(a, b)| a >= b) {
            return Err(SumRuleError(rule.to_string()));
        }
        Ok(rule)
    }

    /// Returns the grade of a document with these grades, one for each criterion; `None` if one is missing, since it
    /// cannot be inferred from the others.
    pub fn grade(&self, criteria: &[Option<Grade>]) -> Option<Grade> {
        let sum = criteria.iter().map(|grade| grade.map(i64::from)).sum::<Option<i64>>()?;
        Grade::try_from(self.cuts.partition_point(|cut| *cut <= sum)).ok()
    }

    /// Returns the highest grade.
    pub fn highest(&self) -> Grade {
        Grade::try_from(self.cuts.len()).unwrap_or(Grade::MAX)
    }
}

impl fmt::Display for SumRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cuts: Vec<String> = self.cuts.iter().map(i64::to_string).collect();
        f.pad(&cuts.join(","))
    }
}

impl FromStr for SumRule {
    type Err = SumRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let cuts = text.split(',').map(|cut| cut.trim().parse()).collect::<Result<Vec<i64>, _>>();
        cuts.ok().and_then(|cuts| Self::new(cuts).ok()).ok_or_else(|| SumRuleError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cuts_rise() {
        for wrong in ["", "6,6", "7,6", "6,x", "1.5", "6,,7"] {
            assert_eq!(wrong.parse::<SumRule>(), Err(SumRuleError(wrong.to_owned())));
        }
        let rule: SumRule = "-1, 2".parse().unwrap();
        assert_eq!([-2, -1, 1, 2].map(|sum| rule.grade(&[Some(sum)])), [Some(0), Some(1), Some(1), Some(2)]);
        assert_eq!(rule.grade(&[Some(Grade::MAX); 3]), Some(2), "sums are wider than grades");
    }

    proptest! {
        #[test]
        fn a_higher_grade_by_one_criterion_never_lowers_the_label(
            grades in proptest::collection::vec(0..4, 1..6),
            cuts in proptest::collection::btree_set(0_i64..20, 1..5),
            which in any::<prop::sample::Index>(),
        ) {
            let rule = SumRule::new(cuts.into_iter().collect()).unwrap();
            let mut given: Vec<Option<Grade>> = grades.iter().map(|grade| Some(*grade)).collect();
            let before = rule.grade(&given).unwrap();
            let place = which.index(given.len());
            given[place] = given[place].map(|grade| grade + 1);
            let after = rule.grade(&given).unwrap();
            prop_assert!(before <= after && after <= before + 1 && (0..=rule.highest()).contains(&after));
        }
    }
}
