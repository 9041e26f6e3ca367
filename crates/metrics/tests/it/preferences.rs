//! Measures of preferences. That they are trec_eval's is shown by its own tests
//! (`conformance/tests/published/trec_eval.rs`).

use llull_core::{Preferences, Ranking, Run};
use llull_metrics::{PreferenceError, PreferenceMeasure, PreferenceScores, evaluate_preferences};
use proptest::prelude::*;

fn run(hits: &[(&str, f64)]) -> Run {
    let mut run = Run::new("run");
    run.insert("q", Ranking::from_scored(hits.iter().copied()));
    run
}

fn measured(preferences: &Preferences, run: &Run) -> PreferenceScores {
    evaluate_preferences(PreferenceMeasure::ALL, preferences, run).unwrap_or_else(|error| panic!("{error}"))
}

fn value(scores: &PreferenceScores, name: &str) -> f64 {
    scores.topics[0].values[scores.measures.iter().position(|measure| measure.name() == name).unwrap()]
}

#[test]
fn names_parse_and_print_as_themselves() {
    for measure in PreferenceMeasure::ALL {
        assert_eq!(measure.to_string().parse(), Ok(*measure));
        assert_eq!(serde_json::to_string(measure).unwrap(), format!("\"{measure}\""));
    }
    assert_eq!("PREFS_SIMP".parse(), Ok(PreferenceMeasure::Simp));
    let error = "prefs".parse::<PreferenceMeasure>().unwrap_err().to_string();
    assert!(
        error.starts_with("no measure of preferences is called \"prefs\". There are prefs_num_prefs_poss, "),
        "{error}"
    );
}

#[test]
fn what_follows_counts_within_a_group_alone() {
    let mut preferences = Preferences::default();
    for (group, subgroup, document, level) in [
        ("g", "1", "a", 2.0),
        ("g", "1", "b", 1.0),
        ("g", "2", "b", 2.0),
        ("g", "2", "c", 1.0),
        ("h", "1", "c", 5.0),
        ("h", "1", "a", 1.0),
    ] {
        preferences.insert("q", group, subgroup, document, level);
    }
    let scores = measured(&preferences, &run(&[("a", 3.0), ("b", 2.0), ("c", 1.0)]));
    // a > b, b > c and so a > c; another judge has c > a, which the run does not fulfil
    assert_eq!(value(&scores, "prefs_num_prefs_poss"), 4.0);
    assert_eq!(value(&scores, "prefs_simp"), 3.0 / 4.0);
    assert_eq!(value(&scores, "prefs_pair"), (1.0 + 1.0 + 0.5) / 3.0);
    assert_eq!(value(&scores, "prefs_avgjg"), (1.0 + 0.0) / 2.0);
    assert_eq!((scores.topics[0].groups, scores.topics[0].judged, scores.topics[0].possible), (2, 3, 4));
}

#[test]
fn what_is_not_retrieved_comes_last() {
    let mut preferences = Preferences::default();
    preferences.insert_tiers("q", "g", "0", &[vec!["a"], vec!["b"], vec!["c"], vec!["d"]]);
    let scores = measured(&preferences, &run(&[("x", 9.0), ("b", 3.0), ("a", 2.0)]));
    // both: a > b fails; one: a > c, a > d, b > c, b > d hold; none: c > d
    assert_eq!(value(&scores, "prefs_num_prefs_ful"), 4.0);
    assert_eq!(value(&scores, "prefs_num_prefs_ful_ret"), 0.0);
    assert_eq!(value(&scores, "prefs_simp_ret"), 0.0);
    assert_eq!(value(&scores, "prefs_simp_imp"), 4.0 / 5.0);
    assert_eq!(value(&scores, "prefs_simp"), 4.0 / 6.0);
    assert_eq!(scores.topics[0].retrieved, 2);
    // tied scores: the lesser identifier first, as trec_eval has it here alone
    let tied = measured(&preferences, &run(&[("a", 1.0), ("b", 1.0)]));
    assert_eq!(value(&tied, "prefs_simp_ret"), 1.0);
}

#[test]
fn topics_are_counted() {
    let mut preferences = Preferences::default();
    preferences.insert_tiers("q", "g", "0", &[vec!["a"], vec!["b"]]);
    preferences.insert_tiers("r", "g", "0", &[vec!["a"], vec!["b"]]);
    let mut run = run(&[("a", 1.0)]);
    run.insert("other", Ranking::from_scored([("a", 1.0)]));
    let scores = measured(&preferences, &run);
    let simp = scores.measures.iter().position(|measure| *measure == PreferenceMeasure::Simp).unwrap();
    assert_eq!((scores.missing(), scores.unlabelled.as_slice()), (1, &["other".to_owned()][..]));
    assert_eq!((scores.mean(simp), scores.mean_of_answered(simp)), (Some(0.5), Some(1.0)));
    assert_eq!((scores.mean(0), scores.mean_of_answered(0)), (Some(2.0), Some(1.0)), "counts are summed");
    assert_eq!(measured(&Preferences::default(), &run).mean(simp), None);
}

#[test]
fn a_group_does_not_contradict_itself() {
    let of = |lines: &[(&str, &str, f64)]| {
        let mut preferences = Preferences::default();
        for (subgroup, document, level) in lines {
            preferences.insert("q", "g", subgroup, document, *level);
        }
        evaluate_preferences(&PreferenceMeasure::MAIN, &preferences, &run(&[])).unwrap_err()
    };
    let cycle = of(&[
        ("1", "a", 2.0),
        ("1", "b", 1.0),
        ("2", "b", 2.0),
        ("2", "c", 1.0),
        ("3", "c", 2.0),
        ("3", "a", 1.0),
    ]);
    assert!(matches!(cycle, PreferenceError::Cycle { .. }));
    assert!(
        cycle
            .to_string()
            .starts_with("judgment group \"g\" of query \"q\" prefers \"a\" to \"b\" and \"b\" to \"a\""),
        "{cycle}"
    );
    assert!(matches!(of(&[("1", "a", 0.0), ("2", "a", 1.0)]), PreferenceError::Zero { .. }));
    assert!(matches!(of(&[("1", "a", f64::NAN)]), PreferenceError::Level { .. }));
    assert!(matches!(of(&[("1", "a", -1.0)]), PreferenceError::Level { .. }));
}

/// By the definitions: pairs of documents, one by one.
fn by_definition(preferences: &Preferences, run: &Run) -> (f64, f64, f64) {
    let ranking: Vec<&str> = run.ranking("q").unwrap().iter().map(|hit| hit.document).collect();
    let place = |document: &str| ranking.iter().position(|other| *other == document);
    let (mut fulfilled, mut possible, mut both, mut both_fulfilled, mut one, mut one_fulfilled) =
        (0, 0, 0, 0, 0, 0);
    for levels in preferences.get("q").unwrap().values().map(|group| &group["0"]) {
        for (better, high) in levels {
            for (worse, _) in levels.iter().filter(|(_, low)| *low < high) {
                possible += 1;
                match (place(better), place(worse)) {
                    (Some(a), Some(b)) => {
                        both += 1;
                        both_fulfilled += usize::from(a < b);
                        fulfilled += usize::from(a < b);
                    }
                    (Some(_), None) => {
                        one += 1;
                        one_fulfilled += 1;
                        fulfilled += 1;
                    }
                    (None, Some(_)) => one += 1,
                    (None, None) => {}
                }
            }
        }
    }
    let share = |a: usize, b: usize| if b == 0 { 0.0 } else { a as f64 / b as f64 };
    (
        share(fulfilled, possible),
        share(both_fulfilled, both),
        share(both_fulfilled + one_fulfilled, both + one),
    )
}

/// The most memory that this process held so far, in bytes.
#[cfg(target_os = "linux")]
#[allow(
    clippy::disallowed_methods,
    reason = "fs_err is no dependency of this crate, which does no I/O but here"
)]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn the_preferences_of_one_group_are_not_held() {
    let documents: Vec<String> = (0..8_000).map(|number| format!("d{number}")).collect();
    let mut preferences = Preferences::default();
    for (at, document) in documents.iter().enumerate() {
        preferences.insert("q", "g", "0", document, (at % 2) as f64);
    }
    let hits: Vec<(&str, f64)> = documents.iter().map(|document| (&**document, 1.0)).collect();
    let run = run(&hits[1..2]);
    let before = peak();
    let scores =
        evaluate_preferences(&[PreferenceMeasure::Pair, PreferenceMeasure::PairImp], &preferences, &run);
    let held = peak() - before;
    // the one document retrieved is of the better level: its 4,000 preferences hold, those between documents not
    // retrieved do not
    assert_eq!(scores.unwrap().topics[0].values, [4e3 / 16e6, 1.0]);
    assert!(held < 40 << 20, "{held} bytes for 16 million preferences");
}

proptest! {
    #[test]
    fn shares_are_those_of_the_definition(
        judged in proptest::collection::vec(("[gh]", "[a-j]", 0..4u8), 1..30),
        retrieved in proptest::sample::subsequence(vec!["a", "b", "c", "d", "e", "f", "g", "h"], 0..=8)
            .prop_shuffle(),
    ) {
        let mut preferences = Preferences::default();
        for (group, document, level) in &judged {
            preferences.insert("q", group, "0", document, f64::from(*level));
        }
        let rising = retrieved.iter().rev().enumerate();
        let hits: Vec<(&str, f64)> = rising.map(|(at, document)| (*document, at as f64)).collect();
        let run = run(&hits);
        let scores = measured(&preferences, &run);
        let (all, ret, imp) = by_definition(&preferences, &run);
        prop_assert_eq!(value(&scores, "prefs_simp"), all);
        prop_assert_eq!(value(&scores, "prefs_simp_ret"), ret);
        prop_assert_eq!(value(&scores, "prefs_simp_imp"), imp);
        if preferences.get("q").unwrap().len() == 1 {
            let same = [
                ("pair", "simp"),
                ("pair_ret", "simp_ret"),
                ("pair_imp", "simp_imp"),
                ("avgjg", "simp"),
                ("avgjg_ret", "simp_ret"),
            ];
            for (one, other) in same {
                let [one, other] = [one, other].map(|name| value(&scores, &format!("prefs_{name}")));
                prop_assert!((one - other).abs() < 1e-12);
            }
        }
        for value in &scores.topics[0].values[3..] {
            prop_assert!((0.0..=1.0).contains(value), "{:?}", scores.topics[0].values);
        }
    }

    /// One subgroup whose preferences are said by two, all pairs in both: the same preferences, so the same
    /// figures, but for the two measures in which trec_eval treats the forms differently.
    #[test]
    fn the_two_forms_agree(
        levels in proptest::collection::btree_map("[a-j]", 0..4u8, 1..10),
        order in Just(["a", "c", "e", "b", "i"]).prop_shuffle(),
    ) {
        let (mut classes, mut closure) = (Preferences::default(), Preferences::default());
        for (document, level) in &levels {
            classes.insert("q", "g", "0", document, f64::from(*level));
            for subgroup in ["0", "1"] {
                closure.insert("q", "g", subgroup, document, f64::from(*level));
            }
        }
        let rising = order.iter().rev().enumerate();
        let hits: Vec<(&str, f64)> = rising.map(|(at, document)| (*document, at as f64)).collect();
        let (classes, closure) = (measured(&classes, &run(&hits)), measured(&closure, &run(&hits)));
        for (at, measure) in PreferenceMeasure::ALL.iter().enumerate() {
            if !matches!(measure, PreferenceMeasure::AvgJgRnonrel | PreferenceMeasure::AvgJgRnonrelRet) {
                prop_assert_eq!(classes.topics[0].values[at], closure.topics[0].values[at], "{}", measure);
            }
        }
    }
}
