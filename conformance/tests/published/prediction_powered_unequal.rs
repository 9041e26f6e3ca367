//! Pairs of TREC Deep Learning 2019 drawn with unequal probabilities.
//!
//! Each is drawn independently, in proportion to the weight times the spread of labels that its grade predicts.

use llull::core::SplitMix64;
use llull::files::{read_labels, read_systems};
use llull::metrics::Measure;
use llull::stats::{DrawnPair, Estimand, Looks, PairOfFrame, PairsOptions, correct_unequal_pairs};
use llull_conformance::{Beside, data, dl19_runs, frame};

const DRAWS: usize = 1_000;

#[test]
fn pairs_drawn_with_unequal_probabilities() {
    let human = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let judge = read_labels(&data("dl19/labels/umbrela.gpt-4o.qrels.gz")).unwrap().value;
    for name in ["P@10", "P(rel=2)@10", "DCG@10"] {
        let measure: Measure = name.parse().unwrap();
        for share in [0.05, 0.1, 0.2] {
            let mut all = Beside::default();
            for [a, b] in [[4, 17], [20, 10], [31, 7]] {
                let paths = [dl19_runs()[a].clone(), dl19_runs()[b].clone()];
                let runs = read_systems(&paths, &[measure], Default::default(), []).unwrap().value;
                let (pairs, largest) = frame(&measure, &[(&runs[0], 1.0), (&runs[1], -1.0)], &judge, &human);
                let truth: f64 = pairs.iter().map(|pair| pair.weight * pair.human.unwrap()).sum();
                let size = |pair: &PairOfFrame| {
                    let p: f64 = [0.1, 0.3, 0.55, 0.85][pair.grade.clamp(0, 3) as usize];
                    pair.weight.abs() * (p * (1.0 - p)).sqrt()
                };
                let sizes: f64 = pairs.iter().map(size).sum();
                let expected = share * pairs.len() as f64;
                let options = PairsOptions {
                    queries: human.len(),
                    largest_label: largest,
                    estimand: Estimand::TheseQueries,
                    confidence: 0.95,
                    looks: Looks::Once,
                };
                let mut stream = SplitMix64::new(a as u64);
                for _ in 0..DRAWS {
                    let draw = |pair: &PairOfFrame| {
                        let probability = (expected * size(pair) / sizes).min(1.0);
                        let coin = (stream.next_u64() >> 11) as f64 / 2f64.powi(53);
                        let human = pair.human.filter(|_| coin < probability);
                        DrawnPair { pair: PairOfFrame { human, ..*pair }, probability, stratum: 0 }
                    };
                    let drawn: Vec<DrawnPair> = pairs.iter().map(draw).collect();
                    if let Ok(figure) = correct_unequal_pairs(&drawn, &options) {
                        all.add(&figure, truth);
                    }
                }
            }
            let Beside { corrected, human_only } = all;
            println!(
                "{name} | {share} | {} | {:.3} / {:.3} | {:.3} / {:.3}",
                corrected.draws,
                human_only.share(),
                human_only.width(),
                corrected.share(),
                corrected.width()
            );
            assert!(
                corrected.share() >= 0.93 - 2.0 * corrected.error(0.93),
                "{name} {share}: {}",
                corrected.share()
            );
            assert!(corrected.width() < human_only.width(), "{name} {share}");
        }
    }
}
