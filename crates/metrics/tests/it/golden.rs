//! The figures of trec_eval and, for what it has not, of other tools, to the last bits: `golden/make.py` says how
//! they were made.
//!
//! Source: pytrec_eval-terrier 0.5.11; ir_measures 0.4.3 for `Judged`, with cwl-eval 1.0.12 for RBP, INSQ and INST
//! and gdeval.pl for ERR; evret 0.0.3 for ERR with another highest grade and nERR; ranx 0.3.21 for DCG. The cases
//! hold ties, negative grades, documents without a label, topics without a relevant document and topics that the
//! run does not answer.

use llull_core::{Qrels, Ranking, Run};
use llull_metrics::{MaxGrade, Measure, evaluate};

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
    for line in include_str!("../golden/trec_eval.txt").lines() {
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

/// How far a figure may be off: not at all, but where the source prints five decimals.
fn tolerance(measure: &Measure) -> f64 {
    let gdeval = measure.family() == "ERR" && measure.parameters().max_rel == Some(MaxGrade::GDEVAL);
    if gdeval { 0.000_005 + 1e-9 } else { 1e-12 }
}

#[test]
fn every_figure_is_that_of_its_source() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for case in cases() {
        let run = case.run();
        let measures: Vec<Measure> = case.figures.iter().map(|(_, measure, _)| *measure).collect();
        let scores = evaluate(&measures, &case.qrels, &run);
        for (index, (topic, measure, expected)) in case.figures.iter().enumerate() {
            let scored =
                scores.topics.iter().find(|scored| scored.topic == *topic).expect("every topic is scored");
            let value = scored.cells[index].value;
            if (value - expected).abs() > tolerance(measure) * expected.abs().max(1.0) {
                wrong.push(format!("case {} {topic} {measure}: {value}, not {expected}", case.name));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 2800, "{compared} figures");
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
