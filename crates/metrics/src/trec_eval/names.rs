//! trec_eval's names of measures.

use crate::measure::Measure;
use crate::parameters::{Relevant, Unjudged};

impl Measure {
    /// The name that trec_eval 10 prints for the measure with `-l level`; `None` if it has no such measure, defines it
    /// in another way, or prints a name of another measure (`Rprec(mult=0.333)` would be its `Rprec_mult_0.33`).
    ///
    /// A measure that draws a line between relevant and not has a name only at its own level. The name at level 1
    /// parses back to the measure. RBP counts as trec_eval's `rbp`, which is the same only for grades of 0 and 1, and
    /// on which `-l` has no effect.
    ///
    /// ```
    /// use llull_metrics::{Measure, Relevant};
    ///
    /// let name = |measure: &str, level| {
    ///     let measure: Measure = measure.parse().unwrap();
    ///     measure.trec_eval_name(Relevant::from_grade(level).unwrap())
    /// };
    /// assert_eq!(name("nDCG@10", 1).as_deref(), Some("ndcg_cut_10"));
    /// assert_eq!(name("AP(rel=2)", 2).as_deref(), Some("map"));
    /// assert_eq!(name("AP(rel=2)", 1), None);
    /// assert_eq!(name("IPrec@0.1", 1), None, "trec_eval 10 rounds to the nearest document");
    /// assert_eq!(name("IPrec(rounding='nearest')@0.1", 1).as_deref(), Some("iprec_at_recall_0.10"));
    /// assert_eq!(name("ERR@20", 1), None);
    /// ```
    pub fn trec_eval_name(&self, level: Relevant) -> Option<String> {
        let name = self.definition().trec_eval_name;
        name(self.parameters()).filter(|_| self.is_at_level(level))
    }

    /// trec_eval's name of the mean over several judges ([`evaluate_judges`](crate::evaluate_judges)): `map_avgjg`,
    /// `P_avgjg_5`, `Rprec_mult_avgjg_0.20`. `None` for measures that it does not average over judges.
    pub fn trec_eval_name_over_judges(&self, level: Relevant) -> Option<String> {
        let name = self.definition().trec_eval_name_over_judges;
        name(self.parameters()).filter(|_| self.is_at_level(level))
    }

    /// Whether trec_eval can measure it with `-l level`.
    fn is_at_level(&self, level: Relevant) -> bool {
        self.unjudged() == Unjudged::NotRelevant
            && self.parameters().min_rel == 0
            && self.relevant().is_none_or(|rel| rel == level)
    }
}
