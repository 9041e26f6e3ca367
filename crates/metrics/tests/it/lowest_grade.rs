//! Gains that count from the lowest grade of a scale.

use llull_core::{Qrels, Ranking, Run};
use llull_metrics::{Measure, evaluate};
use proptest::prelude::*;

const DOCUMENTS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn value(measure: &str, labels: &Qrels, run: &Run) -> f64 {
    let measure: Measure = measure.parse().unwrap();
    evaluate(&[measure], labels, run).mean(0).unwrap()
}

proptest! {
    /// A scale from 2 to 5 is the scale from 0 to 3, and a table of gains says the same.
    #[test]
    fn a_scale_is_worth_the_same_wherever_it_starts(
        grades in proptest::collection::vec(0i32..4, 1..7),
        order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
        kept in 1usize..7,
    ) {
        let (mut from_0, mut from_2) = (Qrels::default(), Qrels::default());
        for (document, grade) in DOCUMENTS.iter().zip(&grades) {
            from_0.insert("q", document, *grade);
            from_2.insert("q", document, grade + 2);
        }
        let mut run = Run::new("run");
        let hits = order.iter().take(kept).enumerate().map(|(rank, place)| (DOCUMENTS[*place], -(rank as f64)));
        run.insert("q", Ranking::from_ordered(hits));
        for (here, there) in [
            ("nDCG@3", "nDCG(min_rel=2)@3"),
            ("nDCG", "nDCG(gains={2:0,3:1,4:2,5:3})"),
            ("nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2',min_rel=2)"),
            ("nDCG(unjudged='best')@4", "nDCG(min_rel=2,unjudged='best')@4"),
            ("nDCG(judged_only=True)@4", "nDCG(min_rel=2,judged_only=True)@4"),
            ("DCG@5", "DCG(min_rel=2)@5"),
            ("ERR(max_rel=3)@5", "ERR(max_rel=5,min_rel=2)@5"),
            ("nERR(max_rel=3)@5", "nERR(max_rel=5,min_rel=2)@5"),
            ("RBP(p=0.8,max_rel=3)", "RBP(p=0.8,max_rel=5,min_rel=2)"),
            ("INSQ(max_rel=3)", "INSQ(max_rel=5,min_rel=2)"),
            ("INST(max_rel=3)", "INST(max_rel=5,min_rel=2)"),
            ("G", "G(min_rel=2)"),
            ("ndcg_rel", "ndcg_rel(min_rel=2)"),
            ("Rndcg", "Rndcg(min_rel=2)"),
        ] {
            let (here, there) = (value(here, &from_0, &run), value(there, &from_2, &run));
            prop_assert!((here - there).abs() < 1e-12, "{} {}", here, there);
        }
    }
}

#[test]
fn a_query_without_a_document_worth_anything_is_counted() {
    let mut labels = Qrels::default();
    labels.insert("q1", "a", 1);
    labels.insert("q2", "a", 2);
    labels.insert("q3", "a", 0);
    let measures: Vec<Measure> = [
        "AP",
        "AP(rel=2)",
        "nDCG@10",
        "nDCG(min_rel=1)@10",
        "nDCG(gains={1:0,2:0})",
        "Compat(p=0.9)",
        "Judged@10",
    ]
    .map(|name| name.parse().unwrap())
    .into();
    let scores = evaluate(&measures, &labels, &Run::new("run"));
    let counts: Vec<usize> = (0..measures.len()).map(|at| scores.nothing_relevant(at)).collect();
    assert_eq!(counts, [1, 2, 1, 2, 3, 1, 0]);
}
