//! Measures of diversity: the figures of NIST's ndeval, to the last bits, and what holds for every run and every
//! set of labels.
//!
//! `golden/make_diversity.py` says how the figures were made: pyndeval 0.0.8. The cases hold ties, documents of
//! several subtopics, negative grades, topics without a relevant document, topics that the run does not answer,
//! and a list that is better than the greedy one.

use std::collections::BTreeMap;

use llull_core::{Grade, Qrels, Ranking, Run};
use llull_metrics::{DiversityMeasure, DiversityScores, Measure, evaluate, evaluate_diversity};
use proptest::prelude::*;

#[derive(Default)]
struct Case {
    name: String,
    subtopics: Vec<(String, Qrels)>,
    hits: BTreeMap<String, Vec<(String, f64)>>,
    figures: Vec<(String, DiversityMeasure, f64)>,
}

impl Case {
    fn judged(&mut self, topic: &str, subtopic: &str, document: &str, grade: Grade) {
        let place = self.subtopics.iter().position(|(name, _)| name == subtopic).unwrap_or_else(|| {
            self.subtopics.push((subtopic.to_owned(), Qrels::default()));
            self.subtopics.len() - 1
        });
        self.subtopics[place].1.insert(topic, document, grade);
    }

    fn run(&self) -> Run {
        let mut run = Run::new("golden");
        for (topic, hits) in &self.hits {
            run.insert(
                topic,
                Ranking::from_scored(hits.iter().map(|(document, score)| (document.as_str(), *score))),
            );
        }
        run
    }
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("../golden/diversity.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["case", name] = words[..] {
            cases.push(Case { name: name.to_owned(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a case comes first");
        match words[..] {
            ["qrel", topic, subtopic, document, grade] => {
                case.judged(topic, subtopic, document, grade.parse().expect(line));
            }
            ["hit", topic, document, score] => {
                let hit = (document.to_owned(), score.parse().expect(line));
                case.hits.entry(topic.to_owned()).or_default().push(hit);
            }
            ["figure", topic, measure, value] => {
                case.figures.push((
                    topic.to_owned(),
                    measure.parse().expect(line),
                    value.parse().expect(line),
                ));
            }
            _ => panic!("{line}"),
        }
    }
    cases
}

#[test]
fn every_figure_is_ndeval_s() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for case in cases() {
        let run = case.run();
        let measures: Vec<DiversityMeasure> = case.figures.iter().map(|(_, measure, _)| *measure).collect();
        let scores = evaluate_diversity(&measures, case.subtopics.iter().map(|(_, qrels)| qrels), &run);
        for (index, (topic, measure, expected)) in case.figures.iter().enumerate() {
            let scored =
                scores.topics.iter().find(|scored| scored.topic == *topic).expect("every topic is scored");
            let value = scored.cells[index].value;
            if (value - expected).abs() > 1e-12 {
                wrong.push(format!("case {} {topic} {measure}: {value}, not {expected}", case.name));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 1_500, "{compared}");
}

/// Judgments of the topic `t`, and a run that answers it with these documents, best first.
fn measured(names: &[&str], judged: &[Vec<(usize, Grade)>], list: &[usize]) -> DiversityScores {
    let measures: Vec<DiversityMeasure> = names.iter().map(|name| name.parse().expect(name)).collect();
    let subtopics: Vec<Qrels> = judged.iter().map(|labels| qrels(labels)).collect();
    evaluate_diversity(&measures, &subtopics, &answer(list))
}

fn qrels(labels: &[(usize, Grade)]) -> Qrels {
    let mut qrels = Qrels::default();
    qrels.touch("t");
    for (document, grade) in labels {
        qrels.insert("t", &id(*document), *grade);
    }
    qrels
}

fn answer(list: &[usize]) -> Run {
    let mut run = Run::new("run");
    let ids: Vec<String> = list.iter().map(|document| id(*document)).collect();
    run.insert(
        "t",
        Ranking::from_ordered(ids.iter().enumerate().map(|(rank, id)| (id.as_str(), -(rank as f64)))),
    );
    run
}

fn id(document: usize) -> String {
    format!("d{document:02}")
}

fn values(scores: &DiversityScores) -> Vec<f64> {
    scores.topics[0].cells.iter().map(|cell| cell.value).collect()
}

#[test]
fn names_parse_and_print_as_ir_measures_has_them() {
    for name in [
        "alpha_nDCG",
        "alpha_nDCG@20",
        "alpha_nDCG(alpha=0.6)@20",
        "alpha_nDCG(alpha=0,rel=2)@5",
        "ERR_IA@20",
        "ERR_IA(rel=2)@20",
        "StRecall",
        "StRecall(rel=2)@10",
    ] {
        let measure: DiversityMeasure = name.parse().expect(name);
        assert_eq!(measure.to_string(), name);
        assert_eq!(serde_json::to_string(&measure).unwrap(), format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<DiversityMeasure>(&format!("\"{name}\"")).unwrap(), measure);
    }
    for (name, printed) in [
        ("alpha_nDCG(rel=1,alpha=0.5)@20", "alpha_nDCG@20"),
        ("alpha-nDCG@20", "alpha_nDCG@20"),
        ("α_nDCG( alpha = 0.60 , cutoff = 20 )", "alpha_nDCG(alpha=0.6)@20"),
        ("ERR-IA@5", "ERR_IA@5"),
        ("strec@5", "StRecall@5"),
    ] {
        assert_eq!(name.parse::<DiversityMeasure>().expect(name).to_string(), printed);
    }
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let error = |text: &str| text.parse::<DiversityMeasure>().unwrap_err().to_string();
    for (text, reason) in [
        ("nDCG@20", "no measure of diversity is called \"nDCG\". There are alpha_nDCG(alpha=0.5)@20"),
        ("ERR_IA", "\"ERR_IA\" needs a cutoff: write ERR_IA@20"),
        ("ERR_IA(alpha=0.5)@20", "ERR_IA has no parameter \"alpha\""),
        (
            "alpha_nDCG(beta=1)@20",
            "alpha_nDCG has no parameter \"beta\" (in \"alpha_nDCG(beta=1)@20\"); it takes alpha, as in",
        ),
        (
            "alpha_nDCG(alpha=1.5)@20",
            "alpha=1.5 in \"alpha_nDCG(alpha=1.5)@20\" is invalid: alpha is how much less",
        ),
        ("alpha_nDCG(alpha=nan)@20", "alpha=nan in"),
        ("alpha_nDCG(rel=0)@20", "rel=0 in"),
        ("alpha_nDCG@0", "the cutoff \"0\" of"),
        ("alpha_nDCG(cutoff=5)@5", "cutoff is written twice"),
        ("alpha_nDCG(rel=1,rel=2)@5", "rel is written twice"),
        ("alpha_nDCG()@5", "\"alpha_nDCG()@5\" is not written as a measure"),
    ] {
        assert!(error(text).starts_with(reason), "{text}: {}", error(text));
    }
}

#[test]
fn topics_and_documents_are_counted() {
    let (mut first, mut second) = (Qrels::default(), Qrels::default());
    first.insert("q", "a", 1);
    first.insert("q", "b", 0);
    second.insert("r", "a", 2);
    second.insert("q", "a", 1);
    second.insert("q", "c", -1);
    second.insert("s", "a", 0);
    let mut run = Run::new("run");
    run.insert("q", Ranking::from_scored([("x", 4.0), ("a", 3.0), ("b", 2.0), ("c", 1.0)]));
    run.insert("s", Ranking::from_scored([("a", 1.0)]));
    run.insert("other", Ranking::from_scored([("a", 1.0)]));
    let measures =
        ["StRecall", "alpha_nDCG@2", "ERR_IA(rel=2)@4294967295"].map(|name| name.parse().expect(name));
    let scores = evaluate_diversity(&measures, [&first, &second], &run);
    let counts = |topic: usize| {
        (scores.topics[topic].answered, scores.topics[topic].subtopics, scores.topics[topic].relevant)
    };
    assert_eq!(scores.topics.iter().map(|topic| topic.topic.as_str()).collect::<Vec<_>>(), ["q", "r", "s"]);
    assert_eq!([counts(0), counts(1), counts(2)], [(true, 2, 1), (false, 1, 1), (true, 0, 0)]);
    assert_eq!((scores.missing(), scores.unlabelled.as_slice()), (1, &["other".to_owned()][..]));
    // q has both, r is not answered, s has nothing to find
    assert_eq!(scores.mean(0), Some(1.0 / 3.0));
    assert_eq!(scores.mean_of_answered(0), Some(1.0 / 2.0));
    assert_eq!((scores.unjudged(0), scores.unjudged(1)), ((5, 1), (3, 1)));
    assert_eq!(scores.values(2).collect::<Vec<_>>(), [0.0; 3]);
    assert_eq!(evaluate_diversity(&measures, [], &run).mean(0), None);
}

#[test]
fn by_hand() {
    // subtopics {d0, d1}, {d1, d2}; the list d0, d2, d1 gains 1, 1 and 1/2 + 1/2, the greedy one, d1, d2, d0, 2,
    // 1/2 and 1/2
    let judged = [vec![(0, 1), (1, 1)], vec![(1, 1), (2, 1)]];
    let scores = measured(&["alpha_nDCG", "ERR_IA@3", "ERR_IA@1", "StRecall@1"], &judged, &[0, 2, 1]);
    let log = 1.0 / 3f64.log2();
    let expected = [
        (1.0 + log + 0.5) / (2.0 + 0.5 * log + 0.25),
        (1.0 + 1.0 / 2.0 + 1.0 / 3.0) / (2.0 * (1.0 + 0.5 / 2.0 + 0.25 / 3.0)),
        0.5,
        0.5,
    ];
    for (value, expected) in values(&scores).into_iter().zip(expected) {
        assert!((value - expected).abs() < 1e-15, "{value} {expected}");
    }
}

const ALL: [&str; 9] = [
    "alpha_nDCG",
    "alpha_nDCG@3",
    "alpha_nDCG(alpha=0.3)@5",
    "alpha_nDCG(alpha=1)",
    "alpha_nDCG(alpha=0,rel=2)@5",
    "ERR_IA@1",
    "ERR_IA(rel=2)@5",
    "StRecall@3",
    "StRecall(rel=2)",
];
const DOCUMENTS: usize = 9;
/// e / (e - 1): how far a list can be ahead of a greedy one.
const GREEDY: f64 = 1.581_976_706_869_327;

/// One to four subtopics with labels for some documents.
fn judged() -> impl Strategy<Value = Vec<Vec<(usize, Grade)>>> {
    let labels = prop::collection::btree_map(0..DOCUMENTS, -1..3, 0..DOCUMENTS);
    prop::collection::vec(labels.prop_map(|labels| labels.into_iter().collect()), 1..5)
}

/// Some of the documents, and some that nobody judged, in any order.
fn list() -> impl Strategy<Value = Vec<usize>> {
    prop::sample::subsequence((0..DOCUMENTS + 3).collect::<Vec<_>>(), 0..DOCUMENTS + 3).prop_shuffle()
}

/// The greedy list as ndeval.c has it, document by document.
fn greedy(judged: &[Vec<(usize, Grade)>], alpha: f64, rel: Grade) -> Vec<usize> {
    let relevant = |document: usize, labels: &[(usize, Grade)]| {
        labels.iter().any(|(d, grade)| *d == document && *grade >= rel)
    };
    let mut taken: Vec<usize> = Vec::new();
    while taken.len() < DOCUMENTS {
        let gain = |document: usize| -> f64 {
            let subtopics = judged.iter().filter(|labels| relevant(document, labels));
            let seen = subtopics.map(|labels| taken.iter().filter(|taken| relevant(**taken, labels)).count());
            seen.map(|seen| (1.0 - alpha).powi(seen as i32)).sum()
        };
        let left = (0..DOCUMENTS).filter(|document| !taken.contains(document));
        let best = left.max_by(|a, b| gain(*a).total_cmp(&gain(*b)).then(a.cmp(b)));
        taken.push(best.unwrap());
    }
    taken
}

proptest! {
    #[test]
    fn figures_are_within_their_bounds(judged in judged(), list in list()) {
        for (name, value) in ALL.iter().zip(values(&measured(&ALL, &judged, &list))) {
            let most = if name.starts_with("alpha") && judged.len() > 1 { GREEDY } else { 1.0 };
            prop_assert!((0.0..=most + 1e-12).contains(&value), "{name}: {value}");
        }
    }

    #[test]
    fn where_no_document_is_of_two_subtopics_no_list_beats_the_greedy_one(
        labels in prop::collection::btree_map(0..DOCUMENTS, (0..4usize, -1..3), 1..DOCUMENTS), list in list(),
    ) {
        let mut judged = vec![Vec::new(); 4];
        for (document, (subtopic, grade)) in labels {
            judged[subtopic].push((document, grade));
        }
        for (name, value) in ALL.iter().zip(values(&measured(&ALL, &judged, &list))) {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{name}: {value}");
        }
    }

    // alpha = 0.5 and 1, whose gains are exact, so that ties are ties in any sum
    #[test]
    fn the_greedy_list_has_1(judged in judged(), rel in 1..3, half in any::<bool>(), cutoff in 1..=DOCUMENTS) {
        let alpha = if half { 0.5 } else { 1.0 };
        let name = format!("alpha_nDCG(alpha={alpha},rel={rel})@{cutoff}");
        let scores = measured(&[&name], &judged, &greedy(&judged, alpha, rel));
        let some = judged.iter().flatten().any(|(_, grade)| *grade >= rel);
        let value = values(&scores)[0];
        prop_assert!((value - f64::from(u8::from(some))).abs() < 1e-12, "{name}: {value}");
    }

    #[test]
    fn one_subtopic_and_alpha_0_are_binary_ndcg(judged in judged(), list in list()) {
        let run = answer(&list);
        let qrels = qrels(&judged[0]);
        let binary = ["nDCG(gains={1:1,2:1})@4", "nDCG(gains={1:1,2:1})"];
        let binary: Vec<Measure> = binary.map(|name| name.parse().unwrap()).to_vec();
        let expected = evaluate(&binary, &qrels, &run);
        let names = ["alpha_nDCG(alpha=0)@4", "alpha_nDCG(alpha=0)"].map(|name| name.parse().unwrap());
        let scores = evaluate_diversity(&names, [&qrels], &run);
        prop_assert_eq!(scores.topics.len(), expected.topics.len());
        for (topic, expected) in scores.topics.iter().zip(&expected.topics) {
            for (cell, expected) in topic.cells.iter().zip(&expected.cells) {
                prop_assert!((cell.value - expected.value).abs() < 1e-12);
                prop_assert_eq!((cell.seen, cell.unjudged), (expected.seen, expected.unjudged));
            }
        }
    }

    #[test]
    fn a_list_that_nobody_judged_has_0(judged in judged()) {
        let scores = measured(&ALL, &judged, &[DOCUMENTS, DOCUMENTS + 1]);
        for cell in scores.topics.iter().flat_map(|topic| &topic.cells) {
            prop_assert_eq!((cell.value, cell.seen), (0.0, cell.unjudged));
        }
    }

    #[test]
    fn documents_of_the_same_subtopics_can_change_places(
        judged in judged(),
        list in list(),
        a in 0..DOCUMENTS,
        b in 0..DOCUMENTS,
    ) {
        let mut same = judged;
        for labels in &mut same {
            let grade = labels.iter().find(|(document, _)| *document == a).map(|(_, grade)| *grade);
            labels.retain(|(document, _)| *document != b || a == b);
            labels.extend(grade.filter(|_| a != b).map(|grade| (b, grade)));
        }
        let other = |document: usize| match document {
            document if document == a => b,
            document if document == b => a,
            document => document,
        };
        let swapped: Vec<usize> = list.iter().map(|document| other(*document)).collect();
        prop_assert_eq!(measured(&ALL, &same, &list), measured(&ALL, &same, &swapped));
    }

    #[test]
    fn the_order_of_the_subtopics_does_not_matter(judged in judged(), list in list(), alpha in 0.0..=1.0f64) {
        let name = format!("alpha_nDCG(alpha={alpha})");
        let names: Vec<&str> = ALL.iter().copied().chain([name.as_str()]).collect();
        let reversed: Vec<_> = judged.iter().rev().cloned().collect();
        prop_assert_eq!(measured(&names, &judged, &list), measured(&names, &reversed, &list));
    }
}
