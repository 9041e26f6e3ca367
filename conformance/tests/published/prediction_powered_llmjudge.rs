//! Figures corrected by a sample of human labels, redrawn on LLMJudge.
//!
//! It tests on another collection the priors of the spread of labels, which were chosen on TREC 2019 Deep Learning. It
//! has no runs: two systems are two submitted sets of labels, each ranking the documents of a query by its grades; a
//! third set is the judge.

use std::path::PathBuf;

use llull::core::{Qrels, Ranking, Run, SplitMix64};
use llull::data::{ReadQrelsOptions, RepeatedGrades};
use llull::files::{read_labels, read_labels_with};
use llull::metrics::Measure;
use llull::stats::{Estimand, Looks, PairsOptions, correct_sampled_pairs};
use llull_conformance::{Beside, data, draw, frame};

const DRAWS: usize = 250;

fn submissions() -> Vec<Qrels> {
    let mut files: Vec<PathBuf> =
        data("llmjudge/submissions").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".qrels.gz"));
    files.sort();
    let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
    files.iter().map(|file| clamped(&read_labels_with(file, options.clone()).unwrap().value)).collect()
}

/// One set holds two stray fives.
fn clamped(labels: &Qrels) -> Qrels {
    let mut clamped = Qrels::default();
    for (topic, documents) in labels.iter() {
        for (document, grade) in documents {
            clamped.insert(topic, document, (*grade).clamp(0, 3));
        }
    }
    clamped
}

/// Ranks the documents of each query by grade; equal ones in an order that depends on the system.
fn ranked(labels: &Qrels, human: &Qrels, name: u64) -> Run {
    let mut run = Run::new(name.to_string());
    for (topic, documents) in human.iter() {
        let score = |document: &str| {
            let seed = document.bytes().fold(name, |seed, byte| SplitMix64::mix(seed ^ u64::from(byte)));
            let noise = (SplitMix64::mix(seed) >> 11) as f64 / 2f64.powi(53);
            f64::from(labels.grade(topic, document).unwrap_or(0)) + noise
        };
        run.insert(topic, Ranking::from_scored(documents.keys().map(|id| (id, score(id)))));
    }
    run
}

#[test]
fn the_priors_hold_on_another_collection() {
    let human = read_labels(&data("llmjudge/llmjudge_test_qrel_idx.txt")).unwrap().value;
    let submissions = submissions();
    assert_eq!(submissions.len(), 20);
    let runs: Vec<Run> =
        submissions.iter().enumerate().map(|(n, labels)| ranked(labels, &human, n as u64)).collect();
    for name in ["P@10", "P(rel=2)@10", "DCG@10"] {
        let measure: Measure = name.parse().unwrap();
        for share in [0.05, 0.1, 0.2] {
            let (mut all, mut fewest) = (Beside::default(), usize::MAX);
            for at in 0..10 {
                let systems = [(&runs[at], 1.0), (&runs[at + 10], -1.0)];
                let (frame, largest) = frame(&measure, &systems, &submissions[(at + 5) % 20], &human);
                let labels = (share * frame.len() as f64).round() as usize;
                fewest = fewest.min(labels);
                let options = PairsOptions {
                    queries: human.len(),
                    largest_label: largest,
                    estimand: Estimand::TheseQueries,
                    confidence: 0.95,
                    looks: Looks::Once,
                };
                let truth: f64 = frame.iter().map(|pair| pair.weight * pair.human.unwrap()).sum();
                let mut stream = SplitMix64::new(at as u64);
                for _ in 0..DRAWS {
                    if let Ok(figure) = correct_sampled_pairs(&draw(&frame, labels, &mut stream), &options) {
                        all.add(&figure, truth);
                    }
                }
            }
            let Beside { corrected, human_only } = all;
            println!(
                "{name} | {share} | {fewest} | {:.3} / {:.3} | {:.3} / {:.3}",
                human_only.share(),
                human_only.width(),
                corrected.share(),
                corrected.width()
            );
            let what = format!("{name} {share}: {}", corrected.share());
            assert!(corrected.share() >= 0.93 - 2.0 * corrected.error(0.93), "{what}");
            assert!(fewest < 50 || corrected.share() <= 0.97 + 2.0 * corrected.error(0.97), "{what}");
            // Human labels alone are centred, and these judges are of all qualities.
            assert!(corrected.width() < 1.1 * human_only.width(), "{what}");
        }
    }
}
