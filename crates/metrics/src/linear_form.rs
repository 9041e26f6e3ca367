//! Measures that are sums over documents.

use llull_core::Grade;

use crate::definition::Linear;
use crate::graded_ranking::above;
use crate::measure::Measure;
use crate::parameters::{Parameters, Unjudged};

/// A measure whose figure for a query is the sum, over retrieved documents, of a weight that depends on the rank alone
/// times the worth of the document's own label: P, DCG, RBP and SetP. So it can be estimated from labels of single
/// documents, without bias.
///
/// ```
/// use llull_metrics::Measure;
///
/// let form = "P(rel=2)@10".parse::<Measure>()?.linear_form().unwrap();
/// assert_eq!((form.weight(3, 100), form.weight(11, 100)), (0.1, 0.0));
/// assert_eq!((form.worth(Some(2)), form.worth(Some(1)), form.worth(None)), (1.0, 0.0, 0.0));
/// assert!("nDCG@10".parse::<Measure>()?.linear_form().is_none(), "divided by what all labels of the query say");
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
#[derive(Clone, Copy)]
pub struct LinearForm {
    linear: &'static Linear,
    parameters: Parameters,
}

impl Measure {
    /// The measure as a sum over documents; `None` if it is no sum, or if documents without a label do not count as not
    /// relevant.
    pub fn linear_form(&self) -> Option<LinearForm> {
        let parameters = *self.parameters();
        let is_sum = self.unjudged() == Unjudged::NotRelevant && !parameters.relative;
        self.definition().linear.filter(|_| is_sum).map(|linear| LinearForm { linear, parameters })
    }

    /// The measure as a sum over documents that is divided by the largest one which the labels of the query allow;
    /// `None` if it is none, has no cutoff, or documents without a label do not count as not relevant. Of nDCG@k it is
    /// DCG@k: labels of a part of the pool suffice for a difference of two systems, if the divisor is estimated.
    pub fn divided_form(&self) -> Option<LinearForm> {
        let has_form = self.unjudged() == Unjudged::NotRelevant && self.depth().is_some();
        self.definition()
            .divided
            .filter(|_| has_form)
            .map(|linear| LinearForm { linear, parameters: *self.parameters() })
    }

    /// Whether the figure of a query depends on no other labels than those of the documents that were retrieved, down
    /// to [`depth`](Measure::depth): P, DCG, RBP, RR, Success, ERR. This does not hold if it is divided by all relevant
    /// documents: nDCG, AP, R.
    pub fn reads_retrieved_only(&self) -> bool {
        self.definition().retrieved_only && !self.parameters().relative
    }
}

impl LinearForm {
    /// The weight of the document at a rank, from 1, of a list of this length; 0 beyond the cutoff.
    pub fn weight(&self, rank: usize, length: usize) -> f64 {
        if rank > self.parameters.ranks() {
            0.0
        } else {
            (self.linear.weight)(rank, length, &self.parameters)
        }
    }

    /// The worth of a document with this label, which does not depend on other labels: 0 without one.
    pub fn worth(&self, grade: Option<Grade>) -> f64 {
        let lowest = self.parameters.min_rel;
        grade.map_or(0.0, |grade| (self.linear.worth)(above(grade, lowest), &self.parameters.above_lowest()))
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Qrels, Ranking, Run};
    use proptest::prelude::*;

    use crate::{Measure, definitions, evaluate};

    const LINEAR: [&str; 10] = [
        "DCG(min_rel=1)@5",
        "P@3",
        "P(rel=2)@10",
        "DCG@5",
        "DCG(dcg='exp-log2')@4",
        "DCG",
        "RBP(p=0.8)",
        "RBP(max_rel=3,p=0.5)@4",
        "SetP",
        "SetP(rel=2)",
    ];

    fn measure(name: &str) -> Measure {
        name.parse().unwrap()
    }

    #[test]
    fn what_is_divided_by_other_labels_or_reads_them_is_no_sum() {
        for name in [
            "nDCG@10",
            "AP",
            "R@10",
            "RR",
            "Success@5",
            "ERR@20",
            "P(relative=True)@5",
            "P(judged_only=True)@5",
        ] {
            assert!(measure(name).linear_form().is_none(), "{name}");
        }
        let retrieved_only: Vec<_> = definitions()
            .filter(|definition| measure(definition.example()).reads_retrieved_only())
            .map(|definition| definition.name())
            .collect();
        assert_eq!(retrieved_only, ["DCG", "RR", "P", "Success", "SetP", "ERR", "RBP"]);
        assert!(!measure("P(relative=True)@5").reads_retrieved_only());
    }

    #[test]
    fn of_ndcg_the_form_is_that_of_dcg() {
        for (name, dcg) in [("nDCG@5", "DCG@5"), ("nDCG(dcg='exp-log2')@10", "DCG(dcg='exp-log2')@10")] {
            let (form, dcg) = (measure(name).divided_form().unwrap(), measure(dcg).linear_form().unwrap());
            for at in 0..12 {
                assert_eq!(form.weight(at + 1, 20), dcg.weight(at + 1, 20));
                assert_eq!(form.worth(Some(at as i32)), dcg.worth(Some(at as i32)));
            }
        }
        for name in ["nDCG", "nDCG(judged_only=True)@5", "DCG@5", "AP", "R@5", "RR"] {
            assert!(measure(name).divided_form().is_none(), "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_linear_measure_is_the_sum_of_its_documents(
            grades in proptest::collection::vec(proptest::option::of(-1i32..4), 1..15),
        ) {
            let names: Vec<String> = (0..grades.len()).map(|n| format!("d{n}")).collect();
            let mut qrels = Qrels::default();
            qrels.insert("q", "elsewhere", 3);
            for (name, grade) in names.iter().zip(&grades) {
                if let Some(grade) = grade {
                    qrels.insert("q", name, *grade);
                }
            }
            let mut run = Run::new("run");
            let ranked = names.iter().enumerate().map(|(n, name)| (name.as_str(), -(n as f64)));
            run.insert("q", Ranking::from_scored(ranked));
            for name in LINEAR {
                let measure = measure(name);
                let form = measure.linear_form().unwrap();
                let terms = grades.iter().enumerate();
                let sum: f64 =
                    terms.map(|(at, grade)| form.weight(at + 1, grades.len()) * form.worth(*grade)).sum();
                let value = evaluate(&[measure], &qrels, &run).mean(0).unwrap();
                prop_assert!((sum - value).abs() < 1e-12, "{}: {} {}", name, sum, value);
            }
        }

        #[test]
        fn other_documents_labels_do_not_matter_where_only_the_retrieved_are_read(
            grades in proptest::collection::vec(0i32..4, 3),
            other in 0i32..4,
        ) {
            let value = |measure: Measure, other: Option<i32>| {
                let (mut qrels, mut run) = (Qrels::default(), Run::new("run"));
                for (document, grade) in ["a", "b", "c"].into_iter().zip(&grades) {
                    qrels.insert("q", document, *grade);
                }
                if let Some(grade) = other {
                    qrels.insert("q", "elsewhere", grade);
                }
                run.insert("q", Ranking::from_scored([("a", 3.0), ("b", 2.0), ("c", 1.0)]));
                evaluate(&[measure], &qrels, &run).mean(0)
            };
            for definition in definitions() {
                let measure = measure(definition.example());
                if measure.reads_retrieved_only() {
                    prop_assert_eq!(value(measure, Some(other)), value(measure, None), "{}", measure);
                }
            }
        }
    }
}
