//! A sample of llull's own, from the plan to the corrected figure.
//!
//! Intervals hold as often as their confidence, and are as wide as the plan predicted before a label was bought.

use llull::core::{DrawnSample, Label, LabelSet, Qrels, Run, SampleDesign, Seed};
use llull::data::{ReadQrelsOptions, RepeatedGrades};
use llull::files::{read_labels, read_labels_with, read_systems};
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::metrics::{Measure, evaluate_all};
use llull::sampling::{SampleRequest, SamplingFrame};
use llull::stats::Estimand;
use llull_conformance::{Coverage, data, dl19_runs};

const DRAWS: u64 = 300;

/// The judge's labels as a study has them.
fn as_labels(judge: &Qrels) -> LabelSet {
    let mut labels = LabelSet::default();
    for (topic, grades) in judge.iter() {
        for (document, grade) in grades {
            let label = Label::of_grade(*grade);
            labels.record(topic, document, Some(label));
        }
    }
    labels
}

/// The human labels of the drawn pairs.
fn labelled(sample: &DrawnSample, human: &Qrels) -> Qrels {
    let mut labels = Qrels::default();
    for unit in sample.units.iter().filter(|unit| unit.drawn == Some(true)) {
        if let Some(grade) = human.grade(&unit.topic, &unit.document) {
            labels.insert(&unit.topic, &unit.document, grade);
        }
    }
    labels
}

struct Redrawn {
    coverage: Coverage,
    planned: f64,
}

/// Draws `n` repeatedly for the difference of two systems, and corrects it towards the result of complete human labels
/// of these queries.
fn redraw(
    measure: &Measure,
    design: SampleDesign,
    n: usize,
    judge: &Qrels,
    human: &Qrels,
    runs: &[Run],
) -> Redrawn {
    let labels = as_labels(judge);
    let request = |seed| SampleRequest {
        measure: *measure,
        design: Some(design),
        compare: Some((runs[0].name.clone(), runs[1].name.clone())),
        baseline: runs[0].name.clone(),
        by: Vec::new(),
        scale: (0, 3),
        confidence: 0.95,
        seed: Seed(seed),
    };
    let scores = evaluate_all(std::slice::from_ref(measure), human, runs);
    let truth = scores[1].mean(0).unwrap() - scores[0].mean(0).unwrap();
    let options = CorrectionOptions { estimand: Estimand::TheseQueries, ..CorrectionOptions::default() };
    let mut coverage = Coverage::default();
    for seed in 0..DRAWS {
        let sample = SamplingFrame::new(&labels, runs, request(seed)).unwrap().draw(n).unwrap();
        let people = labelled(&sample, human);
        let corrector = Corrector::new(judge, runs, &people, SampledHow::Drawn(&sample), options).unwrap();
        let corrected = corrector.difference(measure, 0, 1).unwrap();
        coverage.add(corrected.low, corrected.high, truth);
    }
    let plan = SamplingFrame::new(&labels, runs, request(0)).unwrap().plan(Some(n), None).unwrap();
    let planned = plan.rows.iter().find(|row| row.n == n).unwrap().width.these_queries;
    Redrawn { coverage, planned }
}

#[test]
fn a_sample_that_was_planned_keeps_what_the_plan_said() {
    let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
    let measures: [(Measure, SampleDesign, usize); 5] = [
        ("P(rel=2)@10".parse().unwrap(), SampleDesign::Stratified, 60),
        ("P(rel=2)@10".parse().unwrap(), SampleDesign::Stratified, 120),
        ("P(rel=2)@10".parse().unwrap(), SampleDesign::Pairs, 60),
        ("DCG@10".parse().unwrap(), SampleDesign::Stratified, 120),
        ("nDCG@10".parse().unwrap(), SampleDesign::Queries, 17),
    ];
    let mut runs = read_systems(&dl19_runs(), &[measures[4].0], Default::default(), []).unwrap().value;
    runs.retain(|run| ["idst_bert_p1", "bm25tuned_prf_p"].contains(&run.name.as_str()));
    assert_eq!(runs.len(), 2);
    for name in ["umbrela.gpt-4o", "umbrela.llama3.2"] {
        let judge =
            read_labels_with(&data(&format!("dl19/labels/{name}.qrels.gz")), options.clone()).unwrap().value;
        for (measure, design, n) in &measures {
            let found = redraw(measure, *design, *n, &judge, &human, &runs);
            let (share, width) = (found.coverage.share(), found.coverage.width());
            println!(
                "{name} {measure} {} {n}: {share:.3} / {width:.3}, planned {:.3}",
                design.name(),
                found.planned
            );
            // A plan knows the judge's figures alone, and is made for a strong judge.
            if name == "umbrela.gpt-4o" {
                assert!((width / found.planned - 1.0).abs() < 0.15, "{measure}: {width}, {}", found.planned);
            }
            let least = if *design == SampleDesign::Queries { 0.924 } else { 0.93 };
            assert!(share >= least - 2.0 * found.coverage.error(least), "{name} {measure}: {share}");
        }
    }
}
