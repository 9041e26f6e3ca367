//! What holds for every ranking and every set of labels.

use llull_core::{Grade, Qrels, Ranking, Run};
use llull_metrics::{Evaluator, Measure, Scores, best_order, evaluate, evaluate_all};
use proptest::prelude::*;

use crate::lists::{grades, measures, topic, values};

const NAMES: [&str; 17] = [
    "nDCG",
    "nDCG@5",
    "nDCG(dcg='exp-log2')",
    "nDCG(dcg='exp-log2')@5",
    "AP",
    "AP(rel=2)@5",
    "RR",
    "RR(rel=2)@5",
    "P@5",
    "P(rel=2)@5",
    "R@5",
    "R(rel=2)@5",
    "Success@5",
    "Compat",
    "Compat(p=0.8)",
    "Compat(p=0.8,normalize=False)",
    "Judged@5",
];

/// Those that see no difference between a missing label and a grade of 0, and never fall when a better document
/// moves up.
const RISING: [&str; 18] = [
    "DCG",
    "DCG(dcg='exp-log2')@5",
    "nDCG(gains={2:5,3:6})@5",
    "GMAP",
    "Rprec",
    "Rprec(rel=2,mult=0.5)",
    "IPrec@0",
    "IPrec@0.4",
    "11pt_avg",
    "P(relative=True)@5",
    "SetP",
    "SetR",
    "SetF(beta=2)",
    "SetAP",
    "ERR(max_rel=3)@5",
    "nERR(max_rel=3)@5",
    "RBP(p=0.8,max_rel=3)",
    "INSQ(max_rel=3)",
];

/// The others that are shares.
const OTHERS: [&str; 8] = [
    "Bpref",
    "gm_bpref",
    "infAP",
    "unj@5",
    "SetP(relative=True)",
    "RBPResidual(p=0.8)",
    "RBP(rel=2,p=0.5)@5",
    "INST(T=2,max_rel=3)",
];

/// Visits every order.
fn permutations(order: &mut Vec<usize>, from: usize, visit: &mut impl FnMut(&[usize])) {
    if from + 1 >= order.len() {
        return visit(order);
    }
    for at in from..order.len() {
        order.swap(from, at);
        permutations(order, from + 1, visit);
        order.swap(from, at);
    }
}

proptest! {
    /// What a measure that reads only the order yields does not change with the grades as long as their order
    /// stays, and with it what is above 0.
    #[test]
    fn whoever_reads_only_the_order_does_not_see_the_grades(
        grades in grades(),
        elsewhere in proptest::collection::vec(-1..4i32, 0..9),
        steps in proptest::collection::vec(1..5i32, 4),
    ) {
        let other = |grade: Grade| if grade > 0 { steps.iter().take(grade as usize).sum() } else { grade };
        let names: Vec<&str> = NAMES
            .into_iter()
            .chain(["Compat(p=0.9,normalize=False)", "NumRet", "NumQ"])
            .filter(|name| name.parse::<Measure>().expect(name).reads_only_order())
            .collect();
        prop_assert!(names.len() >= 3);
        let others: Vec<Option<Grade>> = grades.iter().map(|grade| grade.map(other)).collect();
        let others_elsewhere: Vec<Grade> = elsewhere.iter().copied().map(other).collect();
        prop_assert_eq!(values(&names, &grades, &elsewhere), values(&names, &others, &others_elsewhere));
    }

    /// The best order is at least as good as each order of the same results.
    #[test]
    fn no_order_of_the_same_results_is_better_than_the_best_one(
        grades in proptest::collection::vec(proptest::option::weighted(0.8, 0..4i32), 0..6),
        elsewhere in proptest::collection::vec(0..4i32, 0..4),
    ) {
        let names: Vec<&str> = NAMES.iter().filter(|name| **name != "Judged@5").chain(&RISING).copied()
            .chain(["nDCG(judged_only=True)@5", "P(unjudged='best')@5"]).collect();
        let (qrels, run) = topic(&grades, &elsewhere);
        let best = best_order(&measures(&names), &qrels, &run, None);
        let mut order: Vec<usize> = (0..grades.len()).collect();
        let mut reached = vec![f64::NEG_INFINITY; names.len()];
        let mut visit = |order: &[usize]| {
            let (qrels, _) = topic(&grades, &elsewhere);
            let ids: Vec<String> = order.iter().map(|at| format!("d{at}")).collect();
            let hits = ids.iter().enumerate().map(|(place, id)| (id.as_str(), -(place as f64)));
            let mut run = Run::new("run");
            run.insert("t", Ranking::from_ordered(hits));
            let scores = evaluate(&measures(&names), &qrels, &run);
            for (at, reached) in reached.iter_mut().enumerate() {
                *reached = reached.max(scores.mean(at).unwrap());
            }
        };
        permutations(&mut order, 0, &mut visit);
        for ((name, best), reached) in names.iter().zip(best).zip(reached) {
            prop_assert!((best.unwrap() - reached).abs() < 1e-9, "{} {:?} {}", name, best, reached);
        }
    }

    #[test]
    fn every_value_is_a_share(grades in grades(), elsewhere in proptest::collection::vec(-1..4i32, 0..9)) {
        for (name, value) in NAMES.iter().zip(values(&NAMES, &grades, &elsewhere)) {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{} {}", name, value);
        }
    }

    #[test]
    fn the_other_values_are_shares_too(grades in grades(), elsewhere in proptest::collection::vec(-1..4i32, 0..9)) {
        let names: Vec<&str> = RISING.iter().filter(|name| !name.starts_with("DCG")).chain(&OTHERS).copied().collect();
        for (name, value) in names.iter().zip(values(&names, &grades, &elsewhere)) {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{} {}", name, value);
        }
    }

    #[test]
    fn a_better_exchange_never_hurts_the_others_either(
        mut grades in proptest::collection::vec(proptest::option::weighted(0.8, 0..4i32), 2..25),
        elsewhere in proptest::collection::vec(0..4i32, 0..9),
        (first, second) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let (a, b) = (first.index(grades.len()), second.index(grades.len()));
        let (upper, lower) = (a.min(b), a.max(b));
        if grades[lower].unwrap_or(0) < grades[upper].unwrap_or(0) {
            grades.swap(upper, lower);
        }
        let before = values(&RISING, &grades, &elsewhere);
        let equal = grades[lower].unwrap_or(0) == grades[upper].unwrap_or(0);
        grades.swap(upper, lower);
        for ((name, before), after) in RISING.iter().zip(before).zip(values(&RISING, &grades, &elsewhere)) {
            prop_assert!(after >= before - 1e-12, "{} {} {}", name, before, after);
            prop_assert!(!equal || after == before, "{} {} {}", name, before, after);
        }
    }

    #[test]
    fn the_best_order_has_ndcg_one(mut grades in proptest::collection::vec(-1..4i32, 1..25)) {
        grades.sort_unstable_by(|a, b| b.cmp(a));
        let best = f64::from(u8::from(grades[0] > 0));
        let ranked: Vec<_> = grades.into_iter().map(Some).collect();
        for value in values(&NAMES[..4], &ranked, &[]) {
            prop_assert!((value - best).abs() < 1e-12, "{}", value);
        }
    }

    #[test]
    fn the_best_order_is_wholly_compatible_and_no_other_is(
        mut grades in proptest::collection::vec(-1..4i32, 1..25),
        (first, second) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        grades.sort_unstable_by(|a, b| b.cmp(a));
        let best = f64::from(u8::from(grades[0] > 0));
        let (a, b) = (first.index(grades.len()), second.index(grades.len()));
        let compat = |grades: &[Grade]| {
            let ranked: Vec<_> = grades.iter().copied().map(Some).collect();
            values(&NAMES[13..15], &ranked, &[])
        };
        prop_assert_eq!(compat(&grades), [best, best]);
        let same = grades[a].max(0) == grades[b].max(0);
        grades.swap(a, b);
        for value in compat(&grades) {
            prop_assert!(if same { value == best } else { value < best }, "{} {:?}", value, grades);
        }
    }

    /// Only the order of the grades counts, so that tiers may be numbered in any way.
    #[test]
    fn compatibility_sees_no_distance_between_grades(
        grades in grades(),
        elsewhere in proptest::collection::vec(-1..4i32, 0..9),
    ) {
        let stretch = |grade: Grade| if grade > 0 { grade * grade * 7 } else { grade };
        let stretched: Vec<_> = grades.iter().map(|grade| grade.map(stretch)).collect();
        let others: Vec<_> = elsewhere.iter().map(|grade| stretch(*grade)).collect();
        let names = &NAMES[13..16];
        prop_assert_eq!(values(names, &grades, &elsewhere), values(names, &stretched, &others));
    }

    #[test]
    fn exchanging_equal_grades_changes_nothing_and_a_better_exchange_never_hurts(
        mut grades in proptest::collection::vec(proptest::option::weighted(0.8, -1..4i32), 2..25),
        elsewhere in proptest::collection::vec(-1..4i32, 0..9),
        (first, second) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let (a, b) = (first.index(grades.len()), second.index(grades.len()));
        let (upper, lower) = (a.min(b), a.max(b));
        // Without a label a document counts as grade 0, except that Judged rightly sees the difference.
        let gain = |grade: Option<Grade>| grade.unwrap_or(0).max(0);
        let names = &NAMES[..16];
        let before = values(names, &grades, &elsewhere);
        let order = gain(grades[lower]).cmp(&gain(grades[upper]));
        grades.swap(upper, lower);
        for ((name, before), after) in names.iter().zip(before).zip(values(names, &grades, &elsewhere)) {
            match order {
                std::cmp::Ordering::Equal => prop_assert_eq!(before, after, "{}", name),
                std::cmp::Ordering::Greater => prop_assert!(after >= before - 1e-12, "{} {} {}", name, before, after),
                std::cmp::Ordering::Less => prop_assert!(after <= before + 1e-12, "{} {} {}", name, before, after),
            }
        }
    }

    #[test]
    fn what_was_seen_is_counted(grades in grades()) {
        let (qrels, run) = topic(&grades, &[]);
        let scores = evaluate(&measures(&["nDCG", "nDCG@5"]), &qrels, &run);
        let none = |grades: &[Option<Grade>]| grades.iter().filter(|grade| grade.is_none()).count() as u64;
        prop_assert_eq!(scores.unjudged(0), (grades.len() as u64, none(&grades)));
        let top = &grades[..grades.len().min(5)];
        prop_assert_eq!(scores.unjudged(1), (top.len() as u64, none(top)));
        let relevant = grades.iter().filter(|grade| grade.is_some_and(|grade| grade >= 1)).count();
        prop_assert_eq!(scores.topics[0].relevant as usize, relevant);
    }
}

/// Forty topics and five runs, the fifth of which answers every second topic.
fn collection() -> (Qrels, Vec<Run>) {
    let mut qrels = Qrels::default();
    let mut runs: Vec<Run> = (0..5).map(|run| Run::new(format!("run{run}"))).collect();
    for topic in 0..40u32 {
        for document in 0..30u32 {
            qrels.insert(
                &topic.to_string(),
                &document.to_string(),
                ((topic * 7 + document * 11) % 5) as i32 - 1,
            );
        }
        for (number, run) in runs.iter_mut().enumerate() {
            let ids: Vec<String> =
                (0..50).map(|rank| ((rank * 13 + topic * 3 + number as u32) % 50).to_string()).collect();
            if number < 4 || topic % 2 == 0 {
                run.insert(topic.to_string(), Ranking::from_ordered(ids.iter().map(|id| (id.as_str(), 0.0))));
            }
        }
    }
    (qrels, runs)
}

#[test]
fn neither_company_nor_cores_change_a_figure() {
    let (qrels, runs) = collection();
    let measures = measures(&NAMES);
    let alone: Vec<Scores> = runs.iter().map(|run| evaluate(&measures, &qrels, run)).collect();
    let evaluator = Evaluator::new(&measures, &qrels);
    assert_eq!(runs.iter().map(|run| evaluator.evaluate_alone(run)).collect::<Vec<_>>(), alone);
    assert_eq!(evaluate_all(&measures, &qrels, &runs), alone);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| evaluate_all(&measures, &qrels, &runs)), alone);
    }
    assert_eq!(alone[4].missing(), 20);
    let order: Vec<&str> = alone[4].topics.iter().map(|topic| topic.topic.as_str()).collect();
    assert_eq!(order, qrels.iter().map(|(topic, _)| topic).collect::<Vec<_>>());
}

/// compatibility.py and ir_measures sort by identifier first and by score then, so of two documents with one score
/// the lesser identifier is ahead; every other measure has trec_eval's order.
#[test]
fn compatibility_has_its_own_order_of_ties() {
    let mut qrels = Qrels::default();
    qrels.insert("t", "a", 2);
    qrels.insert("t", "c", 1);
    let mut run = Run::new("run");
    run.insert("t", Ranking::from_scored([("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 2.0)]));
    let scores = evaluate(&measures(&["RR(rel=2)", "Compat(p=0.5,normalize=False)"]), &qrels, &run);
    // d c b a, or d a b c: two shared documents from the fourth rank on, one from the second on
    let rest: f64 = (4..40).map(|rank| 0.5f64.powi(rank - 1) * 2.0 / f64::from(rank)).sum();
    let expected = (0.5 / 2.0 + 0.25 / 3.0 + rest) / 2.0;
    assert_eq!(scores.mean(0), Some(0.25));
    assert!((scores.mean(1).unwrap() - expected).abs() < 1e-10, "{:?}", scores.mean(1));
}

#[test]
fn a_topic_without_any_document_is_not_answered() {
    // A run's file cannot say that a topic was asked and nothing found, so a run in memory must not either.
    let (qrels, _) = topic(&[Some(1)], &[]);
    let mut run = Run::new("run");
    run.insert("t", Ranking::default());
    let scores = evaluate(&measures(&["P@1"]), &qrels, &run);
    assert_eq!((scores.missing(), scores.mean(0)), (1, Some(0.0)));
    assert_eq!(scores, evaluate(&measures(&["P@1"]), &qrels, &Run::new("run")));
}

/// Two topics, one of them not answered; the other has AP 1/2 and four documents.
#[test]
fn a_run_has_a_mean_or_a_geometric_mean_or_a_sum() {
    let (mut qrels, mut run) = (Qrels::default(), Run::new("run"));
    qrels.insert("a", "relevant", 1);
    qrels.insert("b", "relevant", 2);
    run.insert(
        "a",
        Ranking::from_ordered([("other", 4.0), ("relevant", 3.0), ("third", 2.0), ("fourth", 1.0)]),
    );
    let names =
        ["AP", "GMAP", "NumQ", "NumRet", "NumRel", "NumRet(rel=1)", "NumRel(rel=2)", "RBPResidual(p=0.8)"];
    let scores = evaluate(&measures(&names), &qrels, &run);
    let means: Vec<f64> = (0..names.len()).map(|index| scores.mean(index).unwrap()).collect();
    assert_eq!([means[0], means[2], means[3], means[4], means[5], means[6]], [0.25, 2.0, 4.0, 2.0, 1.0, 1.0]);
    assert!((means[1] - (0.5 * 0.00001f64).sqrt()).abs() < 1e-15, "{}", means[1]);
    let answered: Vec<f64> = (0..5).map(|index| scores.mean_of_answered(index).unwrap()).collect();
    assert_eq!(answered, [0.5, 0.5, 1.0, 4.0, 1.0]);
    assert_eq!(scores.topics[1].cells[7].value, 0.0);
    assert_eq!(evaluate(&measures(&names), &qrels, &Run::new("empty")).mean_of_answered(0), None);
}

#[test]
fn a_measure_says_how_deep_a_run_must_be_read() {
    let reads = |name: &str| name.parse::<Measure>().unwrap().reads();
    assert_eq!([reads("nDCG@10"), reads("INST(max_rel=3)")], [Some(10), Some(1000)]);
    for name in ["nDCG", "nDCG(judged_only=True)@10", "Compat", "Rprec", "IPrec@0.1", "NumRet"] {
        assert_eq!(reads(name), None, "{name}");
    }
}

#[test]
fn topics_without_labels_are_listed_and_left_out() {
    let (qrels, mut run) = topic(&[Some(1)], &[]);
    run.insert("other", Ranking::from_ordered([("d1", 1.0)]));
    let scores = evaluate(&measures(&["P@1"]), &qrels, &run);
    assert_eq!(scores.unlabelled, ["other"]);
    assert_eq!((scores.topics.len(), scores.mean(0)), (1, Some(1.0)));
    assert_eq!(evaluate(&measures(&["P@1"]), &Qrels::default(), &run).mean(0), None);
}
