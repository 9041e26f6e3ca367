//! The figures of trec_eval, to the last bits: `golden/make.py` says how they were made.
//!
//! Source: pytrec_eval-terrier 0.5.11 and, for `Judged`, ir_measures 0.4.3. The cases hold ties, negative grades, documents
//! without a label, topics without a relevant document and topics that the run does not answer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

use llull_core::{Qrels, Ranking, Run};
use llull_metrics::{Measure, evaluate};

#[derive(Default)]
struct Case {
    name: String,
    qrels: Qrels,
    hits: Vec<(String, String, f64)>,
    figures: Vec<(String, Measure, f64)>,
}

impl Case {
    fn run(&self) -> Run {
        let mut run = Run::new("golden");
        for (topic, _, _) in &self.hits {
            let scored = self.hits.iter().filter(|hit| hit.0 == *topic).map(|hit| (hit.1.as_str(), hit.2));
            run.insert(topic, Ranking::from_scored(scored));
        }
        run
    }
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("golden/trec_eval.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["case", name] = words[..] {
            cases.push(Case { name: name.to_owned(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a case comes first");
        match words[..] {
            ["qrel", topic, document, grade] => {
                case.qrels.insert(topic, document, grade.parse().expect(line));
            }
            ["hit", topic, document, score] => {
                case.hits.push((topic.to_owned(), document.to_owned(), score.parse().expect(line)));
            }
            ["figure", topic, measure, value] => {
                let figure = (topic.to_owned(), measure.parse().expect(line), value.parse().expect(line));
                case.figures.push(figure);
            }
            _ => panic!("{line}"),
        }
    }
    cases
}

#[test]
fn every_figure_is_trec_evals() {
    let mut compared = 0;
    for case in cases() {
        let run = case.run();
        for (topic, measure, expected) in &case.figures {
            let scores = evaluate(&[*measure], &case.qrels, &run);
            let scored =
                scores.topics.iter().find(|scored| scored.topic == *topic).expect("every topic is scored");
            let value = scored.cells[0].value;
            assert!(
                (value - expected).abs() < 1e-12,
                "case {} {topic} {measure}: {value}, not {expected}",
                case.name
            );
            compared += 1;
        }
    }
    assert!(compared > 900, "{compared} figures");
}

#[test]
fn a_topic_that_is_not_answered_counts_as_zero() {
    let case = cases().into_iter().find(|case| case.name == "0").expect("case 0 lacks a topic in its run");
    let run = case.run();
    let scores = evaluate(&["AP".parse().unwrap()], &case.qrels, &run);
    assert_eq!(scores.missing(), case.qrels.len() - run.len());
    assert!(scores.missing() > 0);
    let sum: f64 =
        scores.topics.iter().filter(|topic| topic.answered).map(|topic| topic.cells[0].value).sum();
    assert_eq!(scores.mean(0), Some(sum / case.qrels.len() as f64));
}
