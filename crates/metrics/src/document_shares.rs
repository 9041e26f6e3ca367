//! Splits the value of a query among its documents.

use llull_core::Grade;

use crate::graded_ranking::{GradedRanking, RaisedRanking, lacks_label};
use crate::measure::Measure;
use crate::parameters::{Parameters, Unjudged};

impl Measure {
    /// The share of each retrieved document in the value of a query, best rank first. The shares add up to the value.
    ///
    /// `retrieved` has the grade of every retrieved document; `labels` has the grades of all labels of the query, in
    /// any order. A share is what the document adds at its rank: gain times discount divided by the ideal DCG for nDCG,
    /// gain times discount for DCG, weight times worth for RBP, and an equal part for each relevant document for P and
    /// R. RR and Success give the whole value to the first relevant document.
    ///
    /// `None` if the value is no sum over documents (AP, Bpref, ERR), and for an upper bound (`unjudged='best'`).
    ///
    /// ```
    /// use llull_metrics::Measure;
    ///
    /// let shares = |name: &str| {
    ///     let retrieved = [Some(0), Some(2), None, Some(1)];
    ///     name.parse::<Measure>().unwrap().document_shares(&retrieved, [2, 1, 1, 0])
    /// };
    /// assert_eq!(shares("P@2"), Some(vec![0.0, 0.5, 0.0, 0.0]));
    /// assert_eq!(shares("RR"), Some(vec![0.0, 0.5, 0.0, 0.0]));
    /// let ideal = 2.0 + 1.0 / 3f64.log2() + 0.5;
    /// assert_eq!(shares("nDCG").unwrap()[1], 2.0 / 3f64.log2() / ideal);
    /// assert_eq!(shares("AP"), None);
    /// ```
    pub fn document_shares(
        &self,
        retrieved: &[Option<Grade>],
        labels: impl IntoIterator<Item = Grade>,
    ) -> Option<Vec<f64>> {
        let is_read: fn(&Option<Grade>) -> bool = match self.unjudged() {
            Unjudged::NotRelevant => |_| true,
            Unjudged::Excluded => |grade| !lacks_label(*grade),
            Unjudged::Best => return None,
        };
        let condensed: Vec<Option<Grade>> = retrieved.iter().copied().filter(is_read).collect();
        let mut ideal: Vec<Grade> = labels.into_iter().filter(|grade| *grade > 0).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let ranking =
            GradedRanking { retrieved, condensed: &condensed, ideal: &ideal, ..GradedRanking::default() };
        let raised = RaisedRanking::above(self.parameters().min_rel, &ranking);
        let mut read = self.shares_of_read(&raised.ranking(), &self.parameters().above_lowest())?.into_iter();
        let share = |grade| if is_read(grade) { read.next().unwrap_or(0.0) } else { 0.0 };
        Some(retrieved.iter().map(share).collect())
    }

    /// The shares of the documents that the measure reads.
    fn shares_of_read(&self, ranking: &GradedRanking<'_>, parameters: &Parameters) -> Option<Vec<f64>> {
        if let Some(shares) = self.definition().shares {
            return Some(shares(ranking, parameters));
        }
        let linear = self.definition().linear.filter(|_| !parameters.relative)?;
        let list = ranking.top(parameters.unjudged, parameters.cutoff);
        let share = |(at, grade): (usize, &Option<Grade>)| {
            let worth = grade.map_or(0.0, |grade| (linear.worth)(grade, parameters));
            (linear.weight)(at + 1, list.len(), parameters) * worth
        };
        Some(list.iter().enumerate().map(share).collect())
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Qrels, Ranking, Run};
    use proptest::prelude::*;

    use crate::{Measure, definitions, evaluate};

    /// Written with parameters that change what is read, or what it is worth.
    const WRITTEN: [&str; 20] = [
        "nDCG",
        "nDCG@3",
        "nDCG(dcg='exp-log2')@5",
        "nDCG(min_rel=1)@5",
        "nDCG(gains={1:5,2:1})@5",
        "nDCG(judged_only=True)@3",
        "DCG@4",
        "DCG(judged_only=True)@4",
        "P(rel=2)@3",
        "P(judged_only=True)@3",
        "R(rel=2)@3",
        "R(judged_only=True)@2",
        "RBP(p=0.8)",
        "RBP(max_rel=3,p=0.5)@4",
        "RR(rel=2)",
        "RR(judged_only=True)@3",
        "Success@2",
        "Success(rel=3)@5",
        "SetP",
        "SetR",
    ];

    fn measure(name: &str) -> Measure {
        name.parse().unwrap()
    }

    #[test]
    fn measures_that_are_sums_over_documents_have_shares() {
        let with: Vec<&str> = definitions()
            .filter(|found| measure(found.example()).document_shares(&[Some(1)], [1]).is_some())
            .map(|found| found.name())
            .collect();
        assert_eq!(with, ["nDCG", "DCG", "RR", "P", "R", "Success", "SetP", "SetR", "RBP"]);
        for name in ["nDCG(unjudged='best')@5", "P(relative=True)@5"] {
            assert_eq!(measure(name).document_shares(&[Some(1)], [1]), None, "{name}");
        }
    }

    /// A run of the documents `d0` to `d9` in this order, without those beyond the length.
    fn run(name: &str, order: &[usize]) -> Run {
        let mut run = Run::new(name);
        let names: Vec<String> = order.iter().map(|n| format!("d{n}")).collect();
        run.insert("q", Ranking::from_ordered(names.iter().map(|name| (name.as_str(), 1.0))));
        run
    }

    fn order() -> impl Strategy<Value = Vec<usize>> {
        (Just((0..10).collect::<Vec<_>>()).prop_shuffle(), 0usize..=10).prop_map(|(mut order, length)| {
            order.truncate(length);
            order
        })
    }

    proptest! {
        /// The figures of `evaluate` are computed without shares.
        #[test]
        fn shares_add_up_to_the_difference_of_two_systems(
            grades in proptest::collection::vec(proptest::option::of(-1i32..4), 10),
            elsewhere in proptest::collection::vec(0i32..4, 0..3),
            orders in [order(), order()],
        ) {
            let mut qrels = Qrels::default();
            // so that the query has a label
            qrels.insert("q", "labelled", 0);
            for (n, grade) in elsewhere.iter().enumerate() {
                qrels.insert("q", &format!("e{n}"), *grade);
            }
            for (n, grade) in grades.iter().enumerate() {
                if let Some(grade) = grade {
                    qrels.insert("q", &format!("d{n}"), *grade);
                }
            }
            let labels: Vec<i32> = grades.iter().flatten().copied().chain(elsewhere).collect();
            for name in WRITTEN {
                let measure = measure(name);
                let value = |order| evaluate(&[measure], &qrels, &run("run", order)).mean(0).unwrap();
                let mut difference = [0.0; 10];
                for (order, sign) in orders.iter().zip([1.0, -1.0]) {
                    let retrieved: Vec<Option<i32>> = order.iter().map(|n| grades[*n]).collect();
                    let shares = measure.document_shares(&retrieved, labels.iter().copied()).unwrap();
                    prop_assert_eq!(shares.len(), order.len());
                    for (n, share) in order.iter().zip(shares) {
                        difference[*n] += sign * share;
                    }
                }
                let sum: f64 = difference.iter().sum();
                let wanted = value(&orders[0]) - value(&orders[1]);
                prop_assert!((sum - wanted).abs() < 1e-12, "{}: {} {}", name, sum, wanted);
            }
        }
    }
}
