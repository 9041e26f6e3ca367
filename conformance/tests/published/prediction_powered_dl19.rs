//! Figures corrected by samples of human labels, on TREC DL 2019.
//!
//! The labels of a strong and of a weak language model, the human labels of a part, and the 37 submitted runs are
//! real. The figures by complete human labels are known.

use llull::core::{Qrels, Run, SplitMix64};
use llull::data::RepeatedGrades;
use llull::files::{read_labels, read_labels_with, read_systems};
use llull::metrics::{Measure, evaluate_all};
use llull::stats::{
    Estimand, Looks, PairOfFrame, PairsOptions, QueriesOptions, correct_sampled_pairs,
    correct_sampled_queries, correct_unequal_queries, effective_queries,
};
use llull_conformance::{Beside, Coverage, data, dl19_runs, draw, frame, places};

const DRAWS: usize = 1_000;
const JUDGES: [&str; 2] = ["umbrela.gpt-4o", "umbrela.llama3.2"];
const MEASURES: [&str; 3] = ["P@10", "P(rel=2)@10", "DCG@10"];

struct Track {
    human: Qrels,
    /// In the order of nDCG@10 by human labels, the best first.
    runs: Vec<Run>,
}

fn measure(name: &str) -> Measure {
    name.parse().unwrap()
}

fn track() -> Track {
    let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let ndcg = [measure("nDCG@10")];
    let runs = read_systems(&dl19_runs(), &ndcg, Default::default(), []).unwrap().value;
    let scores = evaluate_all(&ndcg, &human, &runs);
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|a, b| scores[*b].mean(0).unwrap().total_cmp(&scores[*a].mean(0).unwrap()));
    Track { human, runs: order.into_iter().map(|place| runs[place].clone()).collect() }
}

/// The labels of a language model; a pair with two answers has the last grade.
fn judge(name: &str) -> Qrels {
    let options = llull::data::ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
    read_labels_with(&data(&format!("dl19/labels/{name}.qrels.gz")), options).unwrap().value
}

/// Five pairs of neighbouring systems, from near the best to near the worst, that differ in at least 200 documents.
fn neighbours(track: &Track, judge: &Qrels) -> Vec<[usize; 2]> {
    let differ = |place: &usize| {
        let systems = [(&track.runs[*place], 1.0), (&track.runs[place + 1], -1.0)];
        frame(&measure("P@10"), &systems, judge, &track.human).0.len() >= 200
    };
    let all: Vec<usize> = (0..track.runs.len() - 1).filter(differ).collect();
    (0..5).map(|at| all[at * (all.len() - 1) / 4]).map(|place| [place, place + 1]).collect()
}

fn options(queries: usize, largest_label: f64, estimand: Estimand) -> PairsOptions {
    PairsOptions { queries, largest_label, estimand, confidence: 0.95, looks: Looks::Once }
}

fn truth(frame: &[PairOfFrame]) -> f64 {
    frame.iter().map(|pair| pair.weight * pair.human.unwrap()).sum()
}

fn judged(frame: &[PairOfFrame]) -> f64 {
    frame.iter().map(|pair| pair.weight * pair.judged).sum()
}

/// Redraws a share of the pairs of a frame, and corrects. Draws with too few labels of one sign give no interval; they
/// are counted.
fn redraw(frame: &[PairOfFrame], share: f64, options: &PairsOptions, seed: u64) -> (Beside, usize, usize) {
    let labels = (share * frame.len() as f64).round() as usize;
    let mut stream = SplitMix64::new(seed);
    let (mut beside, mut refused) = (Beside::default(), 0);
    for _ in 0..DRAWS {
        match correct_sampled_pairs(&draw(frame, labels, &mut stream), options) {
            Ok(figure) => beside.add(&figure, truth(frame)),
            Err(_) => refused += 1,
        }
    }
    (beside, labels, refused)
}

/// The statement on sampled pairs: 95% intervals hold at least 93% of the time, less two Monte Carlo errors, and more
/// than 97% only below 50 labels.
fn check(what: &str, coverage: &Coverage, labels: usize) {
    let share = coverage.share();
    assert!(share >= 0.93 - 2.0 * coverage.error(0.93), "{what}: {share} with {labels} labels");
    assert!(
        labels < 50 || share <= 0.97 + 2.0 * coverage.error(0.97),
        "{what}: {share} with {labels} labels"
    );
}

#[test]
fn sampled_pairs_of_neighbouring_systems() {
    let track = track();
    println!("judge | measure | share | labels | judge only errs | people only | corrected");
    for name in JUDGES {
        let judge = judge(name);
        let pairs = neighbours(&track, &judge);
        for measure_name in MEASURES {
            for share in [0.05, 0.1, 0.2] {
                let (mut all, mut fewest, mut most, mut refused, mut wrong) =
                    (Beside::default(), usize::MAX, 0, 0, 0.0);
                for (seed, [a, b]) in pairs.iter().enumerate() {
                    let systems = [(&track.runs[*a], 1.0), (&track.runs[*b], -1.0)];
                    let (frame, largest) = frame(&measure(measure_name), &systems, &judge, &track.human);
                    let options = options(track.human.len(), largest, Estimand::TheseQueries);
                    let (beside, labels, none) = redraw(&frame, share, &options, seed as u64);
                    (fewest, most) = (fewest.min(labels), most.max(labels));
                    refused += none;
                    wrong += (judged(&frame) - truth(&frame)).abs() / pairs.len() as f64;
                    all.join(&beside);
                }
                let Beside { corrected, human_only } = all;
                println!(
                    "{name} | {measure_name} | {share} | {fewest}-{most} | {wrong:.3} | {:.3} / {:.3} | {:.3} / {:.3} \
                     ({refused})",
                    human_only.share(),
                    human_only.width(),
                    corrected.share(),
                    corrected.width(),
                );
                check(&format!("{name} {measure_name} {share}"), &corrected, fewest);
                // Centred at their mean, human labels alone are as good as with a weak judge.
                let most = if name == JUDGES[0] { 1.0 } else { 1.1 };
                let widths = (corrected.width(), human_only.width());
                assert!(widths.0 < most * widths.1, "{name} {measure_name} {share}: {widths:?}");
                check(&format!("human labels alone, {measure_name} {share}"), &human_only, fewest);
            }
        }
    }
}

#[test]
fn sampled_pairs_of_one_system() {
    let track = track();
    for name in JUDGES {
        let judge = judge(name);
        for measure_name in MEASURES {
            for share in [0.05, 0.1, 0.2] {
                let (mut all, mut fewest) = (Beside::default(), usize::MAX);
                for place in [2, 18, 34] {
                    let systems = [(&track.runs[place], 1.0)];
                    let (frame, largest) = frame(&measure(measure_name), &systems, &judge, &track.human);
                    let options = options(track.human.len(), largest, Estimand::TheseQueries);
                    let (beside, labels, _) = redraw(&frame, share, &options, place as u64);
                    fewest = fewest.min(labels);
                    all.join(&beside);
                }
                let Beside { corrected, human_only } = all;
                println!(
                    "{name} | {measure_name} | {share} | {fewest} | {:.3} / {:.3} | {:.3} / {:.3}",
                    human_only.share(),
                    human_only.width(),
                    corrected.share(),
                    corrected.width(),
                );
                check(&format!("{name} {measure_name} {share}"), &corrected, fewest);
                // Never wider: with 21 labels there is one stratum, which for P equals human labels alone but for the
                // rounding. With 43 the weak judge's two strata gain as much as none.
                let most = if fewest < 50 { 1.005 } else { 1.0 };
                assert!(
                    corrected.width() <= most * human_only.width(),
                    "{name} {measure_name} {share}: {} and {}",
                    corrected.width(),
                    human_only.width()
                );
            }
        }
    }
}

/// Queries are drawn with replacement from the 43, as from all queries like these, and pairs of them: the truth is the
/// mean over the 43.
#[test]
fn sampled_pairs_speak_of_queries_like_these() {
    let track = track();
    let count = track.human.len();
    for name in JUDGES {
        let judge = judge(name);
        let mut all = Beside::default();
        for (seed, [a, b]) in neighbours(&track, &judge).into_iter().enumerate() {
            let systems = [(&track.runs[a], 1.0), (&track.runs[b], -1.0)];
            for measure_name in ["P@10", "DCG@10"] {
                let (frame, largest) = frame(&measure(measure_name), &systems, &judge, &track.human);
                let of_query: Vec<Vec<&PairOfFrame>> = (0..count)
                    .map(|query| frame.iter().filter(|pair| pair.query == query).collect())
                    .collect();
                let options = options(count, largest, Estimand::QueriesLikeThese);
                let mut stream = SplitMix64::new(seed as u64);
                for _ in 0..DRAWS / 2 {
                    let queries: Vec<usize> =
                        (0..count).map(|_| (stream.next_u64() % count as u64) as usize).collect();
                    let drawn: Vec<PairOfFrame> = queries
                        .iter()
                        .enumerate()
                        .flat_map(|(place, query)| {
                            of_query[*query].iter().map(move |pair| PairOfFrame { query: place, ..**pair })
                        })
                        .collect();
                    let labels = drawn.len() / 10;
                    if let Ok(figure) = correct_sampled_pairs(&draw(&drawn, labels, &mut stream), &options) {
                        all.add(&figure, truth(&frame));
                    }
                }
            }
        }
        let Beside { corrected, human_only } = all;
        println!(
            "{name}: {:.3} / {:.3}, people only {:.3} / {:.3}",
            corrected.share(),
            corrected.width(),
            human_only.share(),
            human_only.width()
        );
        check(name, &corrected, 50);
    }
}

/// nDCG@10 of each run and query by the judge's labels and by human labels.
fn by_query(track: &Track, judge: &Qrels) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let ndcg = [measure("nDCG@10")];
    let values = |labels: &Qrels| -> Vec<Vec<f64>> {
        evaluate_all(&ndcg, labels, &track.runs).iter().map(|scores| scores.values(0).collect()).collect()
    };
    // In the order of the queries of human labels.
    let mut aligned = Qrels::default();
    for (topic, labels) in track.human.iter() {
        aligned.touch(topic);
        for (document, grade) in judge.topic(topic).into_iter().flatten() {
            if labels.contains_key(document) {
                aligned.insert(topic, document, *grade);
            }
        }
    }
    (values(&aligned), values(&track.human))
}

/// The difference of a run and the next one for each query.
fn difference(of: &[Vec<f64>], place: usize) -> Vec<f64> {
    of[place].iter().zip(&of[place + 1]).map(|(a, b)| a - b).collect()
}

fn queries_options(estimand: Estimand) -> QueriesOptions {
    QueriesOptions { estimand, confidence: 0.95, looks: Looks::Once }
}

/// nDCG@10 of neighbouring systems from 9 and 17 of the 43 queries. Intervals hold at least as often as those of human
/// labels alone with Student's t, over all 36 comparisons (.924 and .927) and over the same ones, and are narrower.
/// Comparisons that few queries carry are refused.
#[test]
fn sampled_queries_of_neighbouring_systems() {
    let track = track();
    for name in JUDGES {
        let (judged, human) = by_query(&track, &judge(name));
        for (sampled, human_t) in [(9, 0.924), (17, 0.927)] {
            let (mut all, mut refused) = (Beside::default(), 0);
            for place in 0..track.runs.len() - 1 {
                let (f, y) = (difference(&judged, place), difference(&human, place));
                if effective_queries(&f).is_none_or(|effective| effective < 4.0) {
                    refused += 1;
                    continue;
                }
                let truth = y.iter().sum::<f64>() / y.len() as f64;
                let mut stream = SplitMix64::new(place as u64);
                for _ in 0..DRAWS {
                    let mut labelled = vec![None; y.len()];
                    places(y.len(), sampled, &mut stream)
                        .into_iter()
                        .for_each(|at| labelled[at] = Some(y[at]));
                    let options = queries_options(Estimand::TheseQueries);
                    all.add(&correct_sampled_queries(&f, &labelled, &options).unwrap(), truth);
                }
            }
            let Beside { corrected, human_only } = all;
            println!(
                "{name} | nDCG@10 | {sampled} queries | people only {:.3} / {:.3} | {:.3} / {:.3} | {refused} refused",
                human_only.share(),
                human_only.width(),
                corrected.share(),
                corrected.width(),
            );
            assert!(corrected.share() >= human_t, "{name} {sampled}: {}", corrected.share());
            assert!(corrected.share() >= human_only.share(), "{name} {sampled}: {}", corrected.share());
            assert!(corrected.width() < human_only.width(), "{name} {sampled}");
        }
    }
}

/// nDCG@10 from queries of which people label the first: 43 are drawn with replacement from the 43, as from all queries
/// like these, so that the truth is the mean over the 43.
#[test]
fn sampled_queries_speak_of_queries_like_these() {
    let track = track();
    for name in JUDGES {
        let (judged, human) = by_query(&track, &judge(name));
        for sampled in [9, 17] {
            let mut all = Beside::default();
            for place in 0..track.runs.len() - 1 {
                let (f, y) = (difference(&judged, place), difference(&human, place));
                if effective_queries(&f).is_none_or(|effective| effective < 4.0) {
                    continue;
                }
                let truth = y.iter().sum::<f64>() / y.len() as f64;
                let mut stream = SplitMix64::new(place as u64);
                for _ in 0..DRAWS / 2 {
                    let drawn: Vec<usize> =
                        y.iter().map(|_| (stream.next_u64() % y.len() as u64) as usize).collect();
                    let judged: Vec<f64> = drawn.iter().map(|query| f[*query]).collect();
                    let labelled: Vec<Option<f64>> = drawn
                        .iter()
                        .enumerate()
                        .map(|(at, query)| (at < sampled).then_some(y[*query]))
                        .collect();
                    let options = queries_options(Estimand::QueriesLikeThese);
                    all.add(&correct_sampled_queries(&judged, &labelled, &options).unwrap(), truth);
                }
            }
            let Beside { corrected, human_only } = all;
            println!(
                "{name} | {sampled} queries like these | people only {:.3} / {:.3} | {:.3} / {:.3}",
                human_only.share(),
                human_only.width(),
                corrected.share(),
                corrected.width(),
            );
            assert!(corrected.share() >= human_only.share(), "{name} {sampled}: {}", corrected.share());
            assert!(corrected.width() < human_only.width(), "{name} {sampled}");
        }
    }
}

/// Eight looks at growing samples, and a decision at the first interval that does not hold the truth: fixed intervals
/// err far more often than 5%, the sequence does not.
#[test]
fn eight_looks_need_the_interval_for_any_time() {
    let track = track();
    let judge = judge(JUDGES[0]);
    let [a, b] = neighbours(&track, &judge)[2];
    let systems = [(&track.runs[a], 1.0), (&track.runs[b], -1.0)];
    let (frame, largest) = frame(&measure("P@10"), &systems, &judge, &track.human);
    let errs = |looks: Looks| {
        let options = PairsOptions { looks, ..options(track.human.len(), largest, Estimand::TheseQueries) };
        let mut stream = SplitMix64::new(8);
        let erred = (0..DRAWS).filter(|_| {
            let order = places(frame.len(), frame.len(), &mut stream);
            (1..=8).any(|look| {
                let mut drawn: Vec<PairOfFrame> =
                    frame.iter().map(|pair| PairOfFrame { human: None, ..*pair }).collect();
                order[..frame.len() * look / 12].iter().for_each(|at| drawn[*at].human = frame[*at].human);
                correct_sampled_pairs(&drawn, &options)
                    .is_ok_and(|figure| truth(&frame) < figure.low || figure.high < truth(&frame))
            })
        });
        erred.count() as f64 / DRAWS as f64
    };
    let (once, any) = (errs(Looks::Once), errs(Looks::AnyTime { narrowest_at: frame.len() / 3 }));
    println!("eight looks: fixed intervals err {once:.3}, the sequence {any:.3}");
    assert!(any <= 0.05 && once > 0.08, "{once} {any}");
}

/// nDCG@10 from queries that are drawn with unequal probabilities: by the spread that the judge's figures predict, or
/// by another property of queries, such as their frequency. They are drawn independently, or so many one after the
/// other.
#[test]
fn queries_drawn_with_unequal_probabilities() {
    let track = track();
    for name in JUDGES {
        let (judged, human) = by_query(&track, &judge(name));
        for (by, estimand) in [
            ("judge", Estimand::TheseQueries),
            ("other", Estimand::TheseQueries),
            ("judge", Estimand::QueriesLikeThese),
            ("other", Estimand::QueriesLikeThese),
        ] {
            for expected in [9.0, 17.0] {
                let (mut all, mut none, mut refused) = (Beside::default(), 0, 0);
                for place in (0..track.runs.len() - 1).step_by(6) {
                    let (f, y) = (difference(&judged, place), difference(&human, place));
                    if effective_queries(&f).is_none_or(|effective| effective < 4.0) {
                        refused += 1;
                        continue;
                    }
                    let truth = y.iter().sum::<f64>() / y.len() as f64;
                    let mut stream = SplitMix64::new(place as u64);
                    let typical = f.iter().map(|f| f.abs()).sum::<f64>() / f.len() as f64;
                    let size = |at: usize| match by {
                        "judge" => f[at].abs() + typical,
                        _ => 1.0 + (at * 7 % 43) as f64 / 14.0,
                    };
                    for _ in 0..DRAWS / 4 {
                        let queries: Vec<usize> = match estimand {
                            Estimand::TheseQueries => (0..y.len()).collect(),
                            Estimand::QueriesLikeThese => {
                                y.iter().map(|_| (stream.next_u64() % y.len() as u64) as usize).collect()
                            }
                        };
                        let sizes: f64 = queries.iter().map(|at| size(*at)).sum();
                        let likely: Vec<f64> =
                            queries.iter().map(|at| (expected * size(*at) / sizes).min(1.0)).collect();
                        let labelled: Vec<Option<f64>> = queries
                            .iter()
                            .zip(&likely)
                            .map(|(at, likely)| {
                                let coin = (stream.next_u64() >> 11) as f64 / 2f64.powi(53);
                                (coin < *likely).then_some(y[*at])
                            })
                            .collect();
                        let judged: Vec<f64> = queries.iter().map(|at| f[*at]).collect();
                        let options = queries_options(estimand);
                        match correct_unequal_queries(&judged, &labelled, &likely, &options) {
                            Ok(figure) => all.add(&figure, truth),
                            Err(_) => none += 1,
                        }
                    }
                }
                let Beside { corrected, human_only } = all;
                println!(
                    "{name} | by {by} | {estimand:?} | {expected} | people only {:.3} / {:.3} | {:.3} / {:.3} | \
                     {refused} refused, {none} without",
                    human_only.share(),
                    human_only.width(),
                    corrected.share(),
                    corrected.width(),
                );
                // Less two Monte Carlo errors of a few comparisons.
                assert!(corrected.share() >= 0.93, "{name} {by} {expected}: {}", corrected.share());
            }
        }
    }
}
