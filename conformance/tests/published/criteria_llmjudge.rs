//! LLMJudge (SIGIR 2024): grades of four criteria, summed to one grade.
//!
//! The judge is llama3-8b.

use std::io::Read as _;
use std::path::PathBuf;

use llull::core::Qrels;
use llull::files::read_labels;
use llull::report::agreement::NamedLabels;
use llull::{JudgePanel, PanelMember, SummedLabels};
use llull_conformance::data;

const NAMES: [&str; 4] = ["exactness", "topicality", "coverage", "contextual_fit"];

/// The labels by each criterion; `None` in the file is no grade.
fn criteria(path: &str) -> Vec<Qrels> {
    let mut text = String::new();
    llull::data::open(data(path)).unwrap().read_to_string(&mut text).unwrap();
    let mut found = vec![Qrels::default(); 4];
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        for (labels, cell) in found.iter_mut().zip(&cells[2..]) {
            if *cell != "None" {
                labels.insert(cells[0], cells[1], cell.parse().unwrap());
            }
        }
    }
    found
}

fn labels(path: &str) -> Qrels {
    let path: PathBuf = data(path);
    read_labels(&path).unwrap().value
}

/// A sum of 10 is a 3, of 7 a 2, of 6 a 1. The submission gives 0 to a pair that lacks a criterion: 11 lack all, 5
/// some.
#[test]
fn the_sum_is_trema_sumdecompose() {
    let members: JudgePanel = NAMES
        .iter()
        .zip(criteria("llmjudge/criteria/test.llama3-8b.tsv.gz"))
        .map(|(name, qrels)| PanelMember { labels: NamedLabels::new(*name, qrels), scale: None })
        .collect();
    let summed = SummedLabels::of(&members, &"6,7,10".parse().unwrap()).unwrap().labels;
    let summed = summed.qrels();
    let published = labels("llmjudge/submissions/TREMA-sumdecompose.qrels.gz");
    let (mut pairs, mut missing) = (0, 0);
    for (query, documents) in published.iter() {
        for (document, grade) in documents {
            let own = summed.grade(query, document);
            assert_eq!(own.unwrap_or(0), *grade, "{query} {document}");
            missing += usize::from(own.is_none());
            pairs += 1;
        }
    }
    assert_eq!((pairs, missing, summed.pairs()), (4423, 16, 4407));
}
