//! `llull agree --preferences`; labels are in agree_labels.rs

use crate::sandbox::{Sandbox, check};

/// Four documents in a strict order and two that are tied, under labels; and a judge who was asked about some of the
/// pairs.
fn two_sides() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("human.qrels", "q1 0 a 3\nq1 0 b 2\nq1 0 c 1\nq1 0 d 0\nq1 0 e 0\n");
    sandbox.write(
        "judge.csv",
        "query,left,right,winner\nq1,a,b,left\nq1,b,c,right\nq1,c,d,tie\nq1,a,d,a\nq1,d,e,left\nq1,a,x,left\n",
    );
    sandbox
}

#[test]
fn coverage_precision_recall_and_calls() {
    check!(two_sides().llull(&["agree", "--preferences", "human.qrels", "judge.csv"]).ends(0));
}

/// Of four pairs that the labels decide, three are decided and two of these rightly.
#[test]
fn the_figures_are_those_worked_out_by_hand() {
    let sandbox = two_sides();
    let output =
        sandbox.llull(&["agree", "--preferences", "human.qrels", "judge.csv", "--json"]).ends(0).json();
    assert_eq!(output["truth"]["pairs"], 9);
    let judge = &output["judges"][0];
    assert_eq!(
        (&judge["tied"], &judge["tied_decided"], &judge["unknown"]),
        (&1.into(), &1.into(), &1.into())
    );
    let mode = &judge["modes"][0];
    for (key, value) in
        [("coverage", 0.75), ("precision", 2.0 / 3.0), ("recall", 0.5), ("calls_per_pair", 1.0), ("n", 4.0)]
    {
        assert_eq!(mode[key].as_f64(), Some(value), "{key}: {mode}");
    }
    // statsmodels 0.15.0: proportion_confint(2, 3, method="wilson")
    for (end, value) in [(0, 0.2076596008020477), (1, 0.9385080552796037)] {
        let found = mode["precision_interval"][end].as_f64().unwrap();
        assert!((found - value).abs() < 1e-12, "{mode}");
    }
}

#[test]
fn comparisons_are_a_reference_too_and_judges_stand_apart() {
    let sandbox = Sandbox::new();
    sandbox.write("human.pref", "q1 a b\nq1 a b\nq1 b a\nq1 b c\n");
    sandbox.write(
        "panel.jsonl",
        r#"{"query":"q1","left":"a","right":"b","winner":"left","judge":"small"}
{"query":"q1","left":"a","right":"b","winner":"right","judge":"large"}
{"query":"q1","left":"b","right":"c","winner":"left","judge":"large"}
"#,
    );
    sandbox.llull(&["agree", "--preferences", "human.pref", "panel.jsonl"]).ends(0).rows(&[
        "small as first shown 1 100.0% 100.0% [20.7%, 100.0%] 100.0% 0 0 1.00",
        "large as first shown 2 100.0% 50.0% [9.5%, 90.5%] 50.0% 0 0 1.00",
    ]);
    let args = ["agree", "--preferences", "human.pref", "panel.jsonl", "--judge", "large", "--json"];
    let judges = sandbox.llull(&args).ends(0).json()["judges"].clone();
    assert_eq!(judges.as_array().map(Vec::len), Some(1), "{judges}");
    assert_eq!(judges[0]["modes"][0]["precision"], 0.5);
    sandbox
        .llull(&["agree", "--preferences", "human.pref", "panel.jsonl", "--judge", "huge"])
        .refused(1, &["panel.jsonl: no judge \"huge\"", "small, large"]);
}

#[test]
fn what_cannot_be_compared() {
    let sandbox = two_sides();
    sandbox.write("other.csv", "query,left,right,winner\nq9,a,b,left\n");
    sandbox.write("unnamed.csv", "left,right,winner\na,b,left\n");
    sandbox.write("lists.jsonl", "{\"query\":\"q1\",\"ranking\":[\"a\",\"b\",\"c\"]}\n");
    for (file, parts) in [
        ("other.csv", ["other.csv: ", "\"a\" and \"b\" of query \"q9\""]),
        ("unnamed.csv", ["unnamed.csv: ", "The reference names queries and the answers do not"]),
        ("lists.jsonl", ["lists.jsonl: a ranking of 3 items of query \"q1\"", "two items each"]),
        ("absent.csv", ["absent.csv", "there is no such file"]),
        // labels are no answers; before, the advice was an option that agree does not have
        ("human.qrels", ["this is the truth itself", "human.qrels line 1: found what looks like qrels"]),
    ] {
        sandbox.llull(&["agree", "--preferences", "human.qrels", file]).refused(1, &parts);
    }
}

#[test]
fn a_ledger_needs_a_study_that_compared_pairs() {
    let agree = |sandbox: &Sandbox, truth: &str| sandbox.llull(&["agree", "--preferences", truth]);
    let remedy = "llull agree --preferences TRUTH ANSWERS";
    agree(&two_sides(), "human.qrels").refused(1, &[". holds no study (llull.toml)", remedy]);
    let sandbox = crate::sandbox::tiny();
    agree(&sandbox, "known.qrels").refused(1, &[".llull/ledger.sqlite: there is no ledger yet", "llull run"]);
    sandbox.llull(&["run", "--no-report"]).ends(0);
    agree(&sandbox, "known.qrels").refused(1, &["no judge has compared documents in this ledger", remedy]);
}

/// The judge knows the grades, so it is always right, in both orders.
#[test]
fn a_study_s_judges_are_compared_from_its_ledger() {
    let sandbox = crate::sandbox::tiny();
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"pairwise\"\n");
    sandbox.edit("llull.toml", "[pool]", "[tournament]\ndouble_check = true\n\n[pool]");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let output = sandbox.llull(&["agree", "--preferences", "known.qrels", "--json"]).ends(0).json();
    // six pairs each of q1 and q2, three of q3
    assert_eq!(output["truth"]["pairs"], 15);
    let judge = &output["judges"][0];
    assert_eq!((&judge["judge"], &judge["unknown"], &judge["tied"]), (&"known".into(), &0.into(), &0.into()));
    let modes = judge["modes"].as_array().unwrap();
    let names: Vec<_> = modes.iter().map(|mode| mode["mode"].clone()).collect();
    assert_eq!(names, ["shown", "swapped", "double_check"]);
    for (mode, calls) in modes.iter().zip([1.0, 1.0, 2.0]) {
        assert!(
            mode["n"].as_u64().unwrap() >= 8,
            "every query needs at least as many pairs as documents less one: {mode}"
        );
        assert_eq!((mode["coverage"].as_f64(), mode["precision"].as_f64()), (Some(1.0), Some(1.0)), "{mode}");
        assert_eq!(mode["calls_per_pair"].as_f64(), Some(calls), "{mode}");
    }
    assert_eq!(judge["swap"]["swap_consistency"], 1.0);
    assert_eq!(judge["swap"]["opposed"], 0);
    sandbox
        .llull(&["agree", "--preferences", "known.qrels", "--judge", "nobody"])
        .ends(1)
        .says(&["error: no judge \"nobody\" compares documents in this ledger; there are known"]);
}

/// In CSV and in `query a b winner` the sides are those on which the two were shown.
#[test]
fn both_orders_of_a_pair_are_a_double_check() {
    let sandbox = two_sides();
    // steady and right; the left one twice; the right one twice; steady and wrong; asked about once
    sandbox.write(
        "both.csv",
        "query,left,right,winner\nq1,a,b,left\nq1,b,a,right\nq1,a,c,left\nq1,c,a,left\nq1,b,c,right\nq1,c,b,right\n\
         q1,d,c,left\nq1,c,d,right\nq1,a,d,left\n",
    );
    sandbox
        .llull(&["agree", "--preferences", "human.qrels", "both.csv"])
        .ends(0)
        .rows(&[
            "both.csv as first shown 5 100.0% 60.0% [23.1%, 88.2%] 60.0% 0 0 1.00",
            "both.csv swapped 4 100.0% 50.0% [15.0%, 85.0%] 50.0% 0 0 1.00",
            "both.csv double-check 4 50.0% 50.0% [9.5%, 90.5%] 25.0% 2 0 2.00",
        ])
        .says(&[
            "in both orders for 50.0% [15.0%, 85.0%] of 4 pairs; kappa -0.3333",
            "50.0% [9.5%, 90.5%] of 2 pairs",
        ]);
    let judge = sandbox
        .llull(&["agree", "--preferences", "human.qrels", "both.csv", "--json"])
        .ends(0)
        .json()["judges"][0]
        .clone();
    let figures = |mode: usize, key: &str| judge["modes"][mode][key].as_f64().unwrap();
    assert_eq!([0, 1, 2].map(|mode| figures(mode, "n")), [5.0, 4.0, 4.0]);
    assert_eq!([0, 1, 2].map(|mode| figures(mode, "precision")), [0.6, 0.5, 0.5]);
    assert_eq!([0, 1, 2].map(|mode| figures(mode, "coverage")), [1.0, 1.0, 0.5]);
    let swap = &judge["swap"];
    assert_eq!((swap["swap_consistency"].as_f64(), swap["first_position"].as_f64()), (Some(0.5), Some(0.5)));
    sandbox.write("outcomes.pref", "q1 a b\nq1 b a\n");
    let outcomes =
        sandbox.llull(&["agree", "--preferences", "human.qrels", "outcomes.pref", "--json"]).ends(0).json();
    assert!(outcomes["judges"][0]["swap"].is_null(), "winner and loser have no sides: {outcomes}");
}

/// A list is an answer about each pair of its documents.
#[test]
fn lists_have_precision_and_coverage_pair_by_pair() {
    let sandbox = crate::sandbox::tiny();
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"listwise\"\n");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let output = sandbox.llull(&["agree", "--preferences", "known.qrels", "--json"]).ends(0).json();
    let judge = &output["judges"][0];
    let shown = &judge["modes"][0];
    assert_eq!(
        (&judge["judge"], &output["truth"]["pairs"], &shown["n"]),
        (&"known".into(), &15.into(), &15.into())
    );
    assert_eq!((shown["coverage"].as_f64(), shown["precision"].as_f64()), (Some(1.0), Some(1.0)), "{shown}");
    assert!(shown["calls"].is_null() && shown["calls_per_pair"].is_null(), "{shown}");
}
