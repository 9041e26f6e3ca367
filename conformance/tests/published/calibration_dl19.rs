//! Calibration of judges' grades on TREC 2019 Deep Learning.
//!
//! It uses a few hundred human labels. Cross-validation over queries estimates agreement before and after, which is
//! compared with that on all 9,260 pairs; and there is a recommended cut for binary relevance.
//!
//! Over 25 draws of 500 pairs, quadratic kappa (all pairs: `cohen_kappa_score` of scikit-learn 1.9.1 is .5951 for
//! GPT-4o and .2339 for Llama 3.2, uncalibrated): `cargo nextest run -p llull-conformance calibration --no-capture`
//! prints the table.

use llull::core::{DrawnSample, Qrels, SamplingUnit, Seed, SplitMix64};
use llull::data::{ReadQrelsOptions, RepeatedGrades};
use llull::files::{read_labels, read_labels_with};
use llull::human_labels::SampledHow;
use llull::label::CalibrationMethod;
use llull::stats::{Agreement, AgreementOptions, BootstrapOptions, label_agreement};
use llull::{CalibratedLabels, CalibrationOptions};
use llull_conformance::{data, places};

const DRAWS: u64 = 25;
const LABELS: usize = 500;

struct Track {
    human: Qrels,
    judge: Qrels,
    pairs: Vec<(String, String)>,
}

impl Track {
    fn read(judge: &str) -> Self {
        let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
        let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
        let file = data(&format!("dl19/labels/{judge}.qrels.gz"));
        let all = read_labels_with(&file, options).unwrap().value;
        let mut judge = Qrels::default();
        let mut pairs = Vec::new();
        for (query, documents) in human.iter() {
            for document in documents.keys() {
                if let Some(grade) = all.grade(query, document) {
                    judge.insert(query, document, grade);
                    pairs.push((query.to_owned(), document.to_string()));
                }
            }
        }
        Self { human, judge, pairs }
    }

    fn grade(&self, at: usize) -> i32 {
        let (query, document) = &self.pairs[at];
        self.human.grade(query, document).unwrap()
    }

    fn labelled(&self, drawn: &[usize]) -> Qrels {
        let mut labels = Qrels::default();
        for at in drawn {
            let (query, document) = &self.pairs[*at];
            labels.insert(query, document, self.grade(*at));
        }
        labels
    }

    /// Quadratic kappa with people over all pairs.
    fn truth(&self, labels: &Qrels) -> f64 {
        let found = label_agreement(&self.human, labels, &AgreementOptions::default()).unwrap();
        found.figures.kappa.quadratic.unwrap()
    }
}

fn options(method: CalibrationMethod) -> CalibrationOptions {
    let bootstrap = BootstrapOptions { resamples: 100, ..BootstrapOptions::new(Seed(42)) };
    CalibrationOptions { method, relevant: 2, bootstrap }
}

fn quadratic(agreement: &Option<Agreement>) -> f64 {
    agreement.as_ref().unwrap().figures.kappa.quadratic.unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The estimates of a sample by cross-validation hold for all pairs, and the recommended cut is the right one.
#[test]
fn a_sample_says_what_a_calibration_is_worth() {
    println!(
        "judge                 method     before: sample  all   after: sample  all   best cut, covered, width"
    );
    for (name, as_it_is) in [("umbrela.gpt-4o", 0.5951), ("umbrela.llama3.2", 0.2339)] {
        let track = Track::read(name);
        let before = track.truth(&track.judge);
        assert!((before - as_it_is).abs() < 5e-4, "{name}: {before}");
        for method in CalibrationMethod::ALL {
            let whole =
                CalibratedLabels::new(&track.judge, &track.human, SampledHow::Pairs, &options(method));
            let best = whole.unwrap().cut.unwrap().cut;
            let mut said = [Vec::new(), Vec::new(), Vec::new()];
            let (mut covered, mut widths) = (0, Vec::new());
            for draw in 0..DRAWS {
                let mut stream = SplitMix64::new(Seed(draw).stream("labels of a calibration"));
                let sample = track.labelled(&places(track.pairs.len(), LABELS, &mut stream));
                let found = CalibratedLabels::new(&track.judge, &sample, SampledHow::Pairs, &options(method))
                    .unwrap();
                let cut = found.cut.unwrap();
                covered += usize::from((cut.low..=cut.high).contains(&best));
                widths.push(f64::from(cut.high - cut.low));
                said[0].push(quadratic(&found.cross_validated.before));
                said[1].push(quadratic(&found.cross_validated.after));
                said[2].push(track.truth(&found.labels));
            }
            let [said_before, said_after, after] = said.map(|values| mean(&values));
            let name_of = method.name();
            let share = covered as f64 / DRAWS as f64;
            println!(
                "{name:<21} {name_of:<10} {said_before:.3} {before:.3}  {said_after:.3} {after:.3}  {best} {share:.2} \
                 {:.2}",
                mean(&widths)
            );
            assert!((said_before - before).abs() < 0.02, "{name} {name_of}: {said_before}, not {before}");
            assert!((said_after - after).abs() < 0.03, "{name} {name_of}: {said_after}, not {after}");
            assert!(share >= 0.9, "{name}: the best cut is in the interval in {share} of draws");
        }
    }
}

/// If a sample prefers pairs that the judge calls relevant, its labels weighed by their probabilities estimate the
/// figure of all pairs well (.584 for .595). Unweighed they are three times as far from it (.561).
#[test]
fn probabilities_make_a_sample_by_grade_say_what_is_true_of_all() {
    let track = Track::read("umbrela.gpt-4o");
    let before = track.truth(&track.judge);
    let chance = |at: usize| {
        let (query, document) = &track.pairs[at];
        [0.02, 0.04, 0.15, 0.25][track.judge.grade(query, document).unwrap() as usize]
    };
    let (mut weighed, mut as_they_stand) = (Vec::new(), Vec::new());
    for draw in 0..DRAWS {
        let mut stream = SplitMix64::new(Seed(draw).stream("labels by grade"));
        let is_drawn = |at: usize, stream: &mut SplitMix64| {
            (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64 <= chance(at)
        };
        let drawn: Vec<usize> = (0..track.pairs.len()).filter(|at| is_drawn(*at, &mut stream)).collect();
        let units = track.pairs.iter().enumerate().map(|(at, (topic, document))| SamplingUnit {
            topic: topic.clone(),
            document: document.clone(),
            probability: chance(at),
            drawn: Some(drawn.binary_search(&at).is_ok()),
            stratum: None,
        });
        let sample = DrawnSample { units: units.collect(), ..DrawnSample::default() };
        let human = track.labelled(&drawn);
        let options = options(CalibrationMethod::Kappa);
        let by = |how| CalibratedLabels::new(&track.judge, &human, how, &options).unwrap();
        weighed.push(quadratic(&by(SampledHow::Drawn(&sample)).cross_validated.before));
        as_they_stand.push(quadratic(&by(SampledHow::Pairs).cross_validated.before));
    }
    let (weighed, as_they_stand) = (mean(&weighed), mean(&as_they_stand));
    println!("all {before:.3}, weighed {weighed:.3}, as they stand {as_they_stand:.3}");
    assert!((weighed - before).abs() < 0.02, "{weighed}, not {before}");
    assert!((as_they_stand - before).abs() > 0.03, "{as_they_stand}");
}
