//! Samples for people to label: the frame, the draw with its probabilities, the plan, the sheet.

use std::collections::BTreeMap;

use llull::core::{DrawnSample, Label, LabelSet, Ranking, Run, SampleDesign, Seed};
use llull::sampling::{
    PlanRow, SampleError, SampleRequest, SamplingFrame, StratifyBy, sample_id, sheet_order,
};
use proptest::prelude::*;

/// A judge of grades from 0 to 3 on `queries` queries with 12 documents each, and two runs of ten of them: `b` has its
/// list turned by two.
fn collection(queries: usize) -> (LabelSet, Vec<Run>) {
    let mut labels = LabelSet::default();
    let (mut a, mut b) = (Run::new("a"), Run::new("b"));
    for query in 0..queries {
        let topic = format!("q{query}");
        let documents: Vec<String> = (0..12).map(|at| format!("d{at}")).collect();
        for (at, document) in documents.iter().enumerate() {
            let grade = ((query * 5 + at * 7) % 4) as i32;
            let high = (grade + (at % 3) as i32).min(3);
            labels.record(&topic, document, Some(Label { high, judges: 2, ..Label::of_grade(grade) }));
        }
        let ranked = |from: usize| {
            let list = (0..10).map(move |at| (from + at) % 12);
            Ranking::from_ordered(list.map(|at| (documents[at].as_str(), 0.0)).collect::<Vec<_>>())
        };
        a.insert(topic.clone(), ranked(0));
        b.insert(topic.clone(), ranked(if query % 3 == 0 { 2 } else { 1 }));
    }
    (labels, vec![a, b])
}

fn request(measure: &str, design: Option<SampleDesign>, seed: u64) -> SampleRequest {
    SampleRequest {
        measure: measure.parse().unwrap(),
        design,
        compare: Some(("a".to_owned(), "b".to_owned())),
        baseline: "a".to_owned(),
        by: Vec::new(),
        scale: (0, 3),
        confidence: 0.95,
        seed: Seed(seed),
    }
}

fn frame(request: SampleRequest) -> Result<SamplingFrame, SampleError> {
    let (labels, runs) = collection(20);
    SamplingFrame::new(&labels, &runs, request)
}

fn drawn(sample: &DrawnSample) -> usize {
    sample.units.iter().filter(|unit| unit.drawn == Some(true)).count()
}

#[test]
fn only_documents_in_which_two_named_systems_differ_can_be_drawn() {
    let both = frame(request("P@10", None, 1)).unwrap();
    // One document on each side of a query, two where the list is turned by two: 7·4 + 13·2.
    assert_eq!((both.pairs(), both.queries(), both.design()), (54, 20, SampleDesign::Stratified));
    let all = frame(SampleRequest { compare: None, ..request("P@10", None, 1) }).unwrap();
    assert_eq!(all.pairs(), 7 * 12 + 13 * 11);
    // Ranks differ too in DCG.
    assert!(frame(request("DCG@10", None, 1)).unwrap().pairs() > 200);
    let ndcg = frame(request("nDCG@10", None, 1)).unwrap();
    assert_eq!(ndcg.design(), SampleDesign::Unequal);
    assert_eq!(ndcg.pairs(), frame(request("DCG@10", None, 1)).unwrap().pairs());
    // Without two names, too, a document at one rank of both tells nothing of their difference.
    let no_names = frame(SampleRequest { compare: None, ..request("nDCG@10", None, 1) }).unwrap();
    assert_eq!(no_names.pairs(), ndcg.pairs());
    let queries = frame(request("nDCG@10", Some(SampleDesign::Queries), 1)).unwrap();
    assert_eq!((queries.design(), queries.pairs()), (SampleDesign::Queries, 240), "what nDCG is divided by");
    let read = frame(request("RR@10", None, 1)).unwrap();
    assert_eq!(read.pairs(), 7 * 12 + 13 * 11, "the union of both lists");
}

#[test]
fn probabilities_are_those_with_which_pairs_are_drawn() {
    for (measure, design, n) in [
        ("P@10", SampleDesign::Pairs, 20),
        ("P@10", SampleDesign::Stratified, 24),
        ("DCG@10", SampleDesign::Stratified, 60),
        ("nDCG@10", SampleDesign::Unequal, 30),
        ("nDCG@10", SampleDesign::Queries, 6),
    ] {
        let draws = 600;
        let mut times: BTreeMap<(String, String), (u32, f64)> = BTreeMap::new();
        let (labels, runs) = collection(20);
        for seed in 0..draws {
            let request = request(measure, Some(design), seed);
            let sample = SamplingFrame::new(&labels, &runs, request).unwrap().draw(n).unwrap();
            for unit in sample.units {
                let pair = times.entry((unit.topic, unit.document)).or_insert((0, unit.probability));
                assert!((pair.1 - unit.probability).abs() < 1e-12, "it is fixed before the draw");
                pair.0 += u32::from(unit.drawn == Some(true));
            }
        }
        for (pair, (times, probability)) in times {
            let (expected, deviation) =
                (probability * draws as f64, (draws as f64 * probability * (1.0 - probability)).sqrt());
            // 4.9 standard errors: about one false alarm in a thousand lists of a thousand pairs.
            assert!(
                (f64::from(times) - expected).abs() <= 4.9 * deviation,
                "{measure} {pair:?} {times} {expected}"
            );
        }
    }
}

#[test]
fn strata_are_of_label_and_side_and_of_what_else_is_asked_for() {
    let names = |by: Vec<StratifyBy>, compare| {
        let request = SampleRequest { by, compare, ..request("DCG@10", Some(SampleDesign::Stratified), 1) };
        let sample = frame(request).unwrap().draw(150).unwrap();
        let mut names: Vec<String> = sample.units.into_iter().filter_map(|unit| unit.stratum).collect();
        names.sort();
        names.dedup();
        names
    };
    let pair = Some(("a".to_owned(), "b".to_owned()));
    assert_eq!(names(Vec::new(), pair.clone()), ["0+", "0-", "1+", "1-", "2+", "2-", "3+", "3-"]);
    let by_systems = names(vec![StratifyBy::Systems], pair);
    assert_eq!(by_systems, ["+.n1", "+.n2", "-.n1"]);
    let with_disagreement = names(vec![StratifyBy::Label, StratifyBy::Disagreement], None);
    assert!(with_disagreement.contains(&"0+.d2".to_owned()), "{with_disagreement:?}");
}

#[test]
fn what_cannot_be_drawn_says_what_to_do() {
    let refused = |request, n| match frame(request) {
        Err(error) => error.to_string(),
        Ok(frame) => frame.draw(n).unwrap_err().to_string(),
    };
    let pairs = Some(SampleDesign::Stratified);
    for (request, n, said) in [
        (request("AP", pairs, 1), 50, "more queries do not remove"),
        (request("RR", Some(SampleDesign::Unequal), 1), 50, "depends on the labels above it"),
        (request("P@10", None, 1), 5, "5 labels are too few for 8 strata"),
        (request("P@10", None, 1), 54, "are no sample"),
        (request("nDCG@10", None, 1), 11, "draw at least 12"),
        (request("nDCG@10", Some(SampleDesign::Queries), 1), 2, "draw at least 3"),
        (
            SampleRequest { compare: Some(("a".into(), "c".into())), ..request("P@10", None, 1) },
            9,
            "no system \"c\"",
        ),
        (
            SampleRequest { compare: Some(("a".into(), "a".into())), ..request("P@10", None, 1) },
            9,
            "with itself",
        ),
        (request("P@10", Some(SampleDesign::Independent), 1), 9, "not independent"),
    ] {
        let error = refused(request, n);
        assert!(error.contains(said), "{said}: {error}");
    }
    let (labels, runs) = collection(20);
    let alone = SampleRequest { compare: None, ..request("nDCG@10", pairs, 1) };
    let error = SamplingFrame::new(&labels, &runs[..1], alone.clone()).unwrap_err().to_string();
    assert!(error.contains("of one system cannot be estimated from sampled pairs"), "{error}");
    let queries = SampleRequest { design: None, ..alone };
    let frame_of_one = SamplingFrame::new(&labels, &runs[..1], queries).unwrap();
    assert_eq!(frame_of_one.design(), SampleDesign::Queries);
    let (mut labels, runs) = (LabelSet::default(), collection(20).1);
    for query in 0..20 {
        // Only in query 0 do the systems differ by these labels.
        let grade = i32::from(query == 0) * 3;
        labels.record(&format!("q{query}"), "d11", Some(Label::of_grade(grade)));
    }
    let few = SamplingFrame::new(&labels, &runs, request("RR@10", None, 1)).unwrap().draw(6).unwrap_err();
    assert!(few.to_string().contains("rests on 1.0 queries"), "{few}");
    assert!(
        few.to_string().ends_with("sample pairs for P@k, DCG@k or, of two systems, nDCG@k (-m)"),
        "{few}"
    );
    let by_queries = request("nDCG@10", Some(SampleDesign::Queries), 1);
    let few = SamplingFrame::new(&labels, &runs, by_queries).unwrap().draw(6).unwrap_err().to_string();
    assert!(few.contains("or leave out --design queries: single pairs suffice"), "{few}");
    let by = vec![StratifyBy::Disagreement];
    let one =
        SamplingFrame::new(&labels, &runs, SampleRequest { by, ..request("P@10", None, 1) }).unwrap_err();
    assert!(one.to_string().contains("several judges"), "{one}");
}

#[test]
fn a_plan_says_that_more_labels_are_narrower_and_where_that_ends() {
    for (measure, design) in [
        ("P@10", SampleDesign::Pairs),
        ("P@10", SampleDesign::Stratified),
        ("P@10", SampleDesign::Unequal),
        ("nDCG@10", SampleDesign::Unequal),
        ("nDCG@10", SampleDesign::Queries),
    ] {
        let plan = frame(request(measure, Some(design), 1)).unwrap().plan(Some(18), None).unwrap();
        assert!(plan.rows.iter().any(|row| row.n == 18), "{plan:?}");
        assert_eq!(plan.figure, "b - a");
        for two in plan.rows.windows(2) {
            assert!(two[1].width.these_queries < two[0].width.these_queries, "{plan:?}");
            assert!(two[1].width.queries_like_these < two[0].width.queries_like_these, "{plan:?}");
        }
        assert!(plan.rows.iter().all(|row| row.width.queries_like_these > row.width.floor), "{plan:?}");
        let alone = |row: &PlanRow| row.people_alone.unwrap().these_queries;
        assert!(plan.rows.iter().all(|row| alone(row) > row.width.these_queries), "{plan:?}");
    }
}

#[test]
fn a_pair_without_a_label_of_the_judge_can_be_drawn_too() {
    let (labels, mut runs) = collection(20);
    runs[1].insert("q0", Ranking::from_ordered([("new", 2.0), ("d0", 1.0)]));
    let frame = SamplingFrame::new(&labels, &runs, request("P@10", None, 1)).unwrap();
    assert_eq!(frame.unlabelled(), 1);
    let sample = frame.draw(30).unwrap();
    let new = sample.units.iter().find(|unit| unit.document == "new").unwrap();
    assert_eq!((new.stratum.as_deref(), new.probability), (Some("none+"), 1.0));
}

#[test]
fn a_sheet_shows_what_was_drawn_once_in_an_order_of_chance() {
    let sample = frame(request("P@10", None, 7)).unwrap().draw(30).unwrap();
    let rows = sheet_order(&sample);
    assert_eq!((rows.len(), drawn(&sample)), (30, 30));
    let mut numbers: Vec<usize> = rows.iter().map(|(number, _)| *number).collect();
    assert!(numbers.windows(2).any(|two| two[0] > two[1]));
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 30);
    assert!(rows.iter().all(|(number, unit)| sample.units[number - 1] == **unit));
    let queries = frame(request("nDCG@10", Some(SampleDesign::Queries), 7)).unwrap().draw(5).unwrap();
    let rows = sheet_order(&queries);
    let mut order: Vec<&str> = rows.iter().map(|(_, unit)| unit.topic.as_str()).collect();
    order.dedup();
    assert_eq!((rows.len(), order.len()), (60, 5), "each query's documents stand together");
}

/// Systems differ most where the baseline has a document first that the other does not return.
#[test]
fn pairs_whose_label_counts_more_are_likelier() {
    let sample = frame(request("nDCG@10", None, 3)).unwrap().draw(40).unwrap();
    assert_eq!((sample.design, drawn(&sample)), (Some(SampleDesign::Unequal), 40));
    let sum: f64 = sample.units.iter().map(|unit| unit.probability).sum();
    assert!((sum - 40.0).abs() < 1e-9, "{sum}");
    let of = |topic: &str, document: &str| {
        let unit = sample.units.iter().find(|unit| unit.topic == topic && unit.document == document);
        unit.unwrap().probability
    };
    // In q1 the other list is turned by one: d0 leaves the first rank, d9 moves from the tenth to the ninth.
    assert!(of("q1", "d0") > 3.0 * of("q1", "d9"), "{} {}", of("q1", "d0"), of("q1", "d9"));
    let mean = sum / sample.units.len() as f64;
    assert!(sample.units.iter().all(|unit| unit.probability > 0.19 * mean), "a fifth is uniform");
}

proptest! {
    #[test]
    fn a_seed_draws_the_same_and_so_many_as_asked(seed: u64, n in 16usize..50) {
        let sample = frame(request("P@10", None, seed)).unwrap().draw(n).unwrap();
        prop_assert_eq!(drawn(&sample), n);
        let expected: f64 = sample.units.iter().map(|unit| unit.probability).sum();
        prop_assert!((expected - n as f64).abs() < 1e-9);
        let again = frame(request("P@10", None, seed)).unwrap().draw(n).unwrap();
        prop_assert_eq!(sample_id(&sample).unwrap(), sample_id(&again).unwrap());
    }
}

/// A pair's number is on the sheet, and its place in the frame followed the baseline's ranking: 140 of 140 pairs could
/// be read back.
#[test]
fn a_sample_of_rankings_turned_round_is_the_same() {
    let (labels, runs) = collection(20);
    let turned: Vec<Run> = runs
        .iter()
        .map(|run| {
            let mut turned = Run::new(&run.name);
            for query in 0..20 {
                let topic = format!("q{query}");
                let documents: Vec<&str> =
                    run.ranking(&topic).unwrap().iter().map(|hit| hit.document).collect();
                let from_last = documents.into_iter().rev().map(|document| (document, 0.0));
                turned.insert(topic.clone(), Ranking::from_ordered(from_last.collect::<Vec<_>>()));
            }
            turned
        })
        .collect();
    for (measure, design, n) in [("P@10", SampleDesign::Pairs, 40), ("RR@10", SampleDesign::Queries, 6)] {
        let sheet = |runs: &[Run]| {
            let request = SampleRequest { compare: None, ..request(measure, Some(design), 7) };
            let sample = SamplingFrame::new(&labels, runs, request).unwrap().draw(n).unwrap();
            let order = sheet_order(&sample).into_iter().map(|(number, unit)| (number, unit.clone()));
            (sample_id(&sample).unwrap(), order.collect::<Vec<_>>())
        };
        assert_eq!(sheet(&runs), sheet(&turned), "{measure}");
    }
}
