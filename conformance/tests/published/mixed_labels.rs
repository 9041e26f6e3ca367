//! Human labels, completed by a language model's, on TREC Deep Learning 2019.
//!
//! They show how the ranking of the 37 systems by nDCG@10 changes as more of the labels are human, with the model's
//! grades unchanged and on the human scale.
//!
//! The work order's figures (`possible_tau.py`, 10 draws): the model alone .916, with human labels for 10% of the
//! pairs .904, for 50% .940. These are of a mix whose grades are calibrated, to means of human grades, which are
//! fractions; labels are whole grades. Over 100 draws numpy gives .911 and .934 for such means, .898 and .929 for
//! means rounded to whole grades, and .908 and .924 for the model's grades unchanged.

use llull::core::{Label, Qrels, Run, Seed, SplitMix64};
use llull::data::{ReadQrelsOptions, RepeatedGrades, read_qrels_jg, write_sourced_qrels};
use llull::files::{read_labels, read_labels_with, read_systems};
use llull::label::CalibrationMethod;
use llull::metrics::{Measure, evaluate_all};
use llull::stats::kendall_tau_b;
use llull::{BaseCalibration, MixNames, MixedLabels};
use llull_conformance::{data, dl19_runs};

const DRAWS: u64 = 25;

struct Track {
    measures: [Measure; 1],
    human: Qrels,
    /// The pairs that people have labelled.
    pairs: Vec<(String, String)>,
    runs: Vec<Run>,
    by_annotators: Vec<f64>,
}

impl Track {
    fn read() -> Self {
        let measures = ["nDCG@10".parse().unwrap()];
        let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
        let runs = read_systems(&dl19_runs(), &measures, Default::default(), []).unwrap().value;
        let pairs = human.iter().flat_map(|(query, documents)| {
            documents.keys().map(move |document| (query.to_owned(), document.to_string()))
        });
        let pairs = pairs.collect();
        let by_annotators = means(&measures, &human, &runs);
        Self { measures, human, pairs, runs, by_annotators }
    }

    fn tau(&self, labels: &Qrels) -> f64 {
        let means = means(&self.measures, labels, &self.runs);
        let pairs: Vec<(f64, f64)> = self.by_annotators.iter().copied().zip(means).collect();
        kendall_tau_b(&pairs).unwrap()
    }

    /// The judge's label of every pair that people have labelled, 0 where it has none.
    fn judged(&self, name: &str) -> Qrels {
        let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
        let file = data(&format!("dl19/labels/{name}.qrels.gz"));
        let all = read_labels_with(&file, options).unwrap().value;
        let mut judged = Qrels::default();
        for (query, document) in &self.pairs {
            judged.insert(query, document, all.grade(query, document).unwrap_or(0));
        }
        judged
    }

    /// This share of human labels, drawn at random; the judge's labels of the other pairs.
    fn mixed(&self, judged: &Qrels, share: f64, draw: u64, by: BaseCalibration) -> MixedLabels {
        let mut places: Vec<usize> = (0..self.pairs.len()).collect();
        let mut stream = SplitMix64::new(Seed(draw).stream("pairs with people's labels"));
        for at in (1..places.len()).rev() {
            places.swap(at, (stream.next_u64() % (at as u64 + 1)) as usize);
        }
        let mut base = Qrels::default();
        for place in &places[..(share * places.len() as f64) as usize] {
            let (query, document) = &self.pairs[*place];
            base.insert(query, document, self.human.grade(query, document).unwrap());
        }
        let asked = judged.iter().flat_map(|(query, documents)| {
            documents.iter().map(move |(document, grade)| {
                let label = Label::of_grade(*grade);
                (query, document, Some(label))
            })
        });
        MixedLabels::new(base, asked, MixNames::distinct("human", "judge"), by).unwrap()
    }

    /// The mean tau over all draws.
    fn mean_tau(&self, judged: &Qrels, share: f64, by: BaseCalibration) -> f64 {
        let of = |draw| {
            let found = self.mixed(judged, share, draw, by);
            assert_eq!(found.refused, None);
            self.tau(found.labels.qrels())
        };
        (0..DRAWS).map(of).sum::<f64>() / DRAWS as f64
    }
}

fn means(measures: &[Measure], labels: &Qrels, runs: &[Run]) -> Vec<f64> {
    evaluate_all(measures, labels, runs).iter().map(|scores| scores.mean(0).unwrap()).collect()
}

/// How the ranking changes: each line has a share of human labels, the model's grades unchanged, then each fit.
#[test]
fn the_ranking_under_mixed_labels() {
    let track = Track::read();
    let (raw, kappa) = (BaseCalibration::None, BaseCalibration::default());
    let isotonic = BaseCalibration::Fitted(CalibrationMethod::Isotonic);
    println!("{:>18} {:>6} {:>7} {:>7} {:>9}", "judge", "people", "as is", "kappa", "isotonic");
    let row = |name: &str, judged: &Qrels, share: f64| {
        let found = [raw, kappa, isotonic].map(|by| track.mean_tau(judged, share, by));
        println!("{name:>18} {share:>6} {:>7.4} {:>7.4} {:>9.4}", found[0], found[1], found[2]);
        found
    };
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 0.009, "{found}, not {expected}");

    let strong = track.judged("umbrela.gpt-4o");
    near(track.tau(&strong), 0.9159);
    let [tenth, half] = [0.1, 0.5].map(|share| row("umbrela.gpt-4o", &strong, share));
    // numpy, 100 draws of its own: unchanged and by rounded means.
    near(tenth[0], 0.9079);
    near(tenth[2], 0.9010);
    near(half[0], 0.9244);
    near(half[2], 0.9288);
    // A judge on the human scale stays unchanged; the work order's .904 and .940 are within the noise of draws.
    assert!(tenth[1] > 0.904 - 0.003 && half[1] >= half[0] - 0.002, "{tenth:?} {half:?}");

    // A judge of 0 and 1 is on another scale: with its grades unchanged human labels make the ranking worse.
    let binary = track.judged("binary.gpt-4o");
    let tenth = row("binary.gpt-4o", &binary, 0.1);
    assert!(tenth[1] > tenth[0] + 0.002, "{tenth:?}");

    let weak = track.judged("umbrela.llama3.2");
    let [tenth, half] = [0.1, 0.5].map(|share| row("umbrela.llama3.2", &weak, share));
    assert!(tenth[1] > tenth[2] + 0.01, "rounded means leave a weak judge two grades: {tenth:?}");
    assert!(half[1] > half[0] + 0.002, "{half:?}");
}

/// A scale from 0 to 100, of another rubric: unchanged it dominates human labels (tau .837 and .927).
#[test]
fn a_judge_of_another_scale_is_brought_onto_that_of_people() {
    let track = Track::read();
    let strong = track.judged("umbrela.gpt-4o");
    let mut percent = Qrels::default();
    for (query, documents) in strong.iter() {
        for (document, grade) in documents {
            percent.insert(query, document, [0, 20, 70, 100][*grade as usize]);
        }
    }
    let raw = track.mean_tau(&percent, 0.5, BaseCalibration::None);
    let kappa = track.mean_tau(&percent, 0.5, BaseCalibration::default());
    println!("0 to 100, half of people's labels: as is {raw:.4}, kappa {kappa:.4}");
    assert!(kappa > raw + 0.08, "{raw} as it is, {kappa} on people's scale");
}

/// The sources are in the second column: readers of judges find them there, and readers of qrels ignore them.
#[test]
fn sources_are_read_back() {
    let track = Track::read();
    let found = track.mixed(&track.judged("umbrela.gpt-4o"), 0.1, 1, BaseCalibration::default());
    let mut file = tempfile::NamedTempFile::with_suffix(".qrels").unwrap();
    let qrels = found.labels.qrels();
    write_sourced_qrels(qrels, |query, document| found.source(query, document), &mut file).unwrap();
    assert_eq!(read_labels(file.path()).unwrap().value.pairs(), qrels.pairs());
    let judges = read_qrels_jg(file.path()).unwrap().judges;
    for (query, documents) in judges["human"].iter() {
        for (document, grade) in documents {
            assert_eq!(track.human.grade(query, document), Some(*grade));
        }
    }
    let sources: Vec<_> = found.mix.sources.iter().map(|source| source.pairs).collect();
    assert_eq!(sources, [judges["human"].pairs(), judges["judge"].pairs()]);
}
