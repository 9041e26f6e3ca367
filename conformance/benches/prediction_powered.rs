//! Measures 1,000 corrections by human labels on TREC 2019 Deep Learning.
//!
//! Each draw is corrected as `llull compare` corrects it: P@10 and DCG@10 of two systems, from a tenth of all pairs.
//! They take less than ten seconds on one core. `cargo bench -p llull-conformance --bench prediction_powered`

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::time::Instant;

use llull::core::{Qrels, SplitMix64};
use llull::files::{read_labels, read_systems};
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::metrics::Measure;
use llull_conformance::{data, dl19_runs, places};

const DRAWS: usize = 1_000;

fn main() {
    let measures: Vec<Measure> = vec!["P@10".parse().unwrap(), "DCG@10".parse().unwrap()];
    let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let judge = read_labels(&data("dl19/labels/umbrela.gpt-4o.qrels.gz")).unwrap().value;
    // A system of the track and the BM25 baseline: most of their documents differ.
    let paths = [dl19_runs()[4].clone(), dl19_runs()[17].clone()];
    let runs = read_systems(&paths, &measures, Default::default(), []).unwrap().value;
    let pairs: Vec<(&str, &str, i32)> = human
        .iter()
        .flat_map(|(topic, labels)| labels.iter().map(move |(document, grade)| (topic, document, *grade)))
        .collect();
    let mut stream = SplitMix64::new(1);
    let start = Instant::now();
    let mut width = 0.0;
    for _ in 0..DRAWS {
        let mut drawn = Qrels::default();
        for place in places(pairs.len(), pairs.len() / 10, &mut stream) {
            let (topic, document, grade) = pairs[place];
            drawn.insert(topic, document, grade);
        }
        let corrector =
            Corrector::new(&judge, &runs, &drawn, SampledHow::Pairs, CorrectionOptions::default()).unwrap();
        for measure in &measures {
            let figure = corrector.difference(measure, 0, 1).unwrap();
            width += figure.high - figure.low;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{DRAWS} draws: {seconds:.2} s, mean width {:.3}", width / (2 * DRAWS) as f64);
    assert!(seconds < 10.0, "{DRAWS} draws took {seconds:.1} s, and may take 10");
}
