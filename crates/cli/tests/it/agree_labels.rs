//! `llull agree` on graded labels: pair by pair, as a panel, and about systems.

use serde_json::Value;

use crate::panel::panel;
use crate::sandbox::{Sandbox, check, run, tiny};

/// 16 pairs that both have labelled; one that only the people have, two that only the judge has.
/// Of three queries there are intervals up to here.
const SURE: &str = "[compare]\nconfidence = 0.75\n";

pub(crate) fn two_files() -> Sandbox {
    let sandbox = Sandbox::new();
    let labels = |topics: [(&str, &str); 3]| -> String {
        let of = |(query, grades): (&str, &str)| -> String {
            let line = |pair: &str| format!("{query} 0 {} {}\n", &pair[..1], &pair[1..]);
            grades.split(' ').map(line).collect()
        };
        topics.into_iter().map(of).collect()
    };
    let human = [("q1", "a3 b2 c1 d0 e0 f1"), ("q2", "a2 b0 c0 d3 e1"), ("q3", "a1 b1 c0 d2 e0 x1")];
    let judge = [("q1", "a3 b3 c1 d1 e0 f2 y0"), ("q2", "a2 b1 c0 d2 e1 z2"), ("q3", "a2 b1 c0 d3 e0")];
    let strict = [("q1", "a2 b1 c0 d0 e0 f0"), ("q2", "a1 b0 c0 d2 e0"), ("q3", "a0 b0 c0 d1 e0 x0")];
    sandbox.write("human.qrels", &labels(human));
    sandbox.write("judge.qrels", &labels(judge));
    sandbox.write("strict.qrels", &labels(strict));
    sandbox
}

/// The same, with four systems.
pub(crate) fn with_runs() -> Sandbox {
    let sandbox = two_files();
    for (name, rankings) in [
        ("alpha", ["abcde", "daebc", "dabce"]),
        ("beta", ["bafcd", "adecb", "adxbc"]),
        ("gamma", ["cfbae", "ebdac", "bacde"]),
        ("delta", ["edcba", "cbeda", "ecabd"]),
    ] {
        let of = |(query, ranking): (&str, &str)| -> String {
            let line = |(at, id): (usize, char)| format!("{query} Q0 {id} {} {} {name}\n", at + 1, 9 - at);
            ranking.chars().enumerate().map(line).collect()
        };
        let text: String = ["q1", "q2", "q3"].into_iter().zip(rankings).map(of).collect();
        sandbox.write(&format!("{name}.run"), &text);
    }
    sandbox
}

pub(crate) const RUNS: [&str; 5] = ["--runs", "alpha.run", "beta.run", "gamma.run", "delta.run"];

pub(crate) fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}

/// The number at a path of keys.
#[track_caller]
fn close(json: &Value, path: &str, expected: f64) {
    let found = json.pointer(path).and_then(Value::as_f64);
    assert!(
        found.is_some_and(|found| (found - expected).abs() < 1e-9),
        "{path}: {found:?} is not {expected}"
    );
}

/// Without runs a document has no rank; of three queries there is no interval of 95%.
#[test]
fn one_judge_beside_the_truth() {
    two_files()
        .llull(&["agree", "human.qrels", "judge.qrels"])
        .ends(0)
        .rows(&[
            "judge.qrels against human.qrels: 16 pairs of 3 queries in common; 1 only in the truth, \
             2 only in the other",
            "kappa 0.4074 [n/a, n/a] 16",
            "bias, other less truth +0.3125 [n/a, n/a] 16",
            "2 5 7 0.7377 0.7143 1.0000 0.8333",
            "query document truth other",
            "q1 f 1 2",
        ])
        .says(&["warning: An interval of 95% takes at least 6", "by +0.3125; how sure that is is not known"]);
}

/// scikit-learn 1.9.1: `cohen_kappa_score`, `confusion_matrix`, `precision_score`, `recall_score`, `f1_score`;
/// krippendorff 0.9.0: `alpha`.
#[test]
fn the_figures_are_those_of_other_tools() {
    let json = two_files()
        .write("llull.toml", SURE)
        .llull(&["agree", "human.qrels", "judge.qrels", "--json"])
        .ends(0)
        .json();
    for (path, expected) in [
        ("/n", 16.0),
        ("/only_truth", 1.0),
        ("/only_other", 2.0),
        ("/kappa/plain", 0.40740740740740744),
        ("/kappa/linear", 0.6291390728476821),
        ("/kappa/quadratic", 0.806896551724138),
        ("/kappa_at/1", 0.7142857142857143),
        ("/kappa_at/2", 0.7377049180327868),
        ("/kappa_at/3", 0.2941176470588235),
        ("/alpha/nominal", 0.42133333333333334),
        ("/alpha/ordinal", 0.8263923267326733),
        ("/alpha/interval", 0.8088105726872247),
        ("/precision_at/2", 0.7142857142857143),
        ("/recall_at/3", 0.5),
        ("/f1_at/1", 0.9090909090909091),
        ("/exact", 0.5625),
        ("/within_one", 1.0),
        ("/bias", 0.3125),
    ] {
        close(&json, path, expected);
    }
    assert_eq!(
        json["confusion"],
        serde_json::json!([[4, 2, 0, 0], [0, 3, 2, 0], [0, 0, 1, 2], [0, 0, 1, 1]])
    );
    let disagreements = &json["disagreements"];
    let counted = ["both", "differ", "higher", "lower"].map(|key| disagreements[key].as_u64().unwrap());
    assert_eq!((counted, disagreements["listed"].as_array().map(Vec::len)), ([16, 7, 6, 1], Some(5)));
    assert_eq!(
        disagreements["listed"][0],
        serde_json::json!({"query": "q1", "document": "b", "truth": {"grade": 2}, "other": {"grade": 3}})
    );
    // of the cut at 3 some resamples have no label
    assert!(json["ci"]["precision_at"]["3"].is_null() && json["ci"]["recall_at"]["3"].is_null(), "{json}");
    assert_eq!([&json["confidence"], &json["seed"], &json["resamples"]], [0.75, 42.0, 10_000.0]);
    let ends = |path: &str| json.pointer(path).and_then(Value::as_array).map(Vec::len);
    for path in ["/ci/kappa/plain", "/ci/kappa_at/1", "/ci/alpha/ordinal", "/ci/exact", "/ci/bias"] {
        assert_eq!(ends(path), Some(2), "{path}");
    }
    assert!(
        json.get("systems").is_none() && json.get("by_measure").is_none(),
        "no run, nothing about systems"
    );
}

#[test]
fn systems_under_both() {
    let args = with(&["agree", "human.qrels", "judge.qrels", "--power"], &RUNS);
    check!(with_runs().write("llull.toml", SURE).llull(&args).ends(0));
}

/// scipy 1.17.1: `kendalltau`, `spearmanr`, `pearsonr` of the means of nDCG@10; the effects from numpy's variances
/// with `ddof=1`.
#[test]
fn correlations_and_effects_are_those_of_other_tools() {
    let args = with(&["agree", "human.qrels", "judge.qrels", "--power", "--json"], &RUNS);
    let json = with_runs().write("llull.toml", SURE).llull(&args).ends(0).json();
    for (path, expected) in [
        ("/systems/n", 4.0),
        ("/systems/tau", 0.6666666666666669),
        ("/systems/spearman", 0.8),
        ("/systems/pearson", 0.9983544813006145),
        ("/by_measure/0/tau", 0.6666666666666669),
        ("/by_measure/0/tau_by_query/2", 0.6666666666666669),
        ("/by_measure/0/mean_tau_by_query", 8.0 / 9.0),
        ("/by_measure/0/changes/0/truth", 0.9320455110723215),
        ("/by_measure/0/changes/0/other", 0.8977463744936403),
        ("/by_measure/0/changes/0/drop", 1.0),
        ("/by_measure/0/power/truth/median_d", 7.39316986639382),
        ("/by_measure/0/power/truth/median_dz", 6.6586898508742625),
        ("/by_measure/0/power/other/median_d", 4.052136525313122),
        ("/by_measure/0/power/other/median_dz", 3.3699819444034023),
    ] {
        close(&json, path, expected);
    }
    let systems = &json["by_measure"][0];
    assert_eq!((&systems["measure"], &systems["queries"]), (&"nDCG@10".into(), &3.into()));
    assert_eq!(systems["query_ids"], serde_json::json!(["q1", "q2", "q3"]));
    assert_eq!(systems["power"]["pairs"].as_array().map(Vec::len), Some(6));
    // x of q3 has a label of the people alone: one of 60 documents
    assert_eq!(systems["unjudged"]["truth"], serde_json::json!({"seen": 60, "unjudged": 0}));
    assert_eq!(systems["unjudged"]["other"], serde_json::json!({"seen": 60, "unjudged": 1}));
    assert_eq!(json["ci"]["systems"]["tau"].as_array().map(Vec::len), Some(2));
}

#[test]
fn every_measure_and_another_one_under_the_other_labels() {
    let sandbox = with_runs();
    let measures = ["-m", "AP", "-m", "nDCG@10", "--other-measure", "Compat(p=0.9)", "--json"];
    let of =
        |more: &[&str]| sandbox.llull(&with(&with(&["agree", "human.qrels", "judge.qrels"], &RUNS), more));
    let json = of(&measures).ends(0).json();
    let names = |key: &str| {
        json["by_measure"].as_array().unwrap().iter().map(|one| one[key].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("measure"), ["AP", "nDCG@10"]);
    assert_eq!(names("other_measure"), ["Compat(p=0.9)", "Compat(p=0.9)"]);
    assert_eq!(json["systems"]["tau"], json["by_measure"][0]["tau"], "the summary is the first measure's");
    of(&["-m", "AP", "-m", "nDCG@10", "-m", "P@5", "--other-measure", "AP", "--other-measure", "P@5"])
        .ends(2)
        .says(&[
            "error: 3 measures and 2 --other-measure: give --other-measure once for all, or once for each",
        ]);
}

/// The test can be chosen; few topics cannot show anything after Holm's correction, and that is said.
#[test]
fn pairs_of_systems_are_tested_as_asked() {
    let sandbox = with_runs();
    let of =
        |more: &[&str]| sandbox.llull(&with(&with(&["agree", "human.qrels", "judge.qrels"], &RUNS), more));
    let json = of(&["--test", "t", "--correct", "bh", "--json"]).ends(0).json();
    let conclusions = &json["by_measure"][0]["conclusions"];
    assert_eq!((&conclusions["test"], &conclusions["correction"]), (&"t".into(), &"bh".into()));
    // scipy 1.17.1 `ttest_rel` and `false_discovery_control`: five of six pairs, and three
    assert_eq!(
        (&conclusions["significant_truth"], &conclusions["significant_other"]),
        (&5.into(), &3.into())
    );
    let few = of(&["--test", "bootstrap"]).ends(0);
    assert!(
        few.stderr.contains("3 queries are too few for the bootstrap test. It takes at least 5"),
        "{few}"
    );
    of(&["--correct", "bh"])
        .ends(2)
        .says(&["error: --correct bh: --test tukey corrects p for all systems by itself; leave"]);
}

#[test]
fn several_judges_and_the_panel_that_they_make() {
    let args = with(&["agree", "human.qrels", "judge.qrels", "strict.qrels"], &RUNS);
    with_runs()
        .write("llull.toml", SURE)
        .llull(&args)
        .ends(0)
        .rows(&[
            "side by side pairs kappa quadratic alpha, ordinal exact bias tau of systems",
            "judge.qrels 16 0.4074 0.8069 0.8264 0.5625 +0.3125 0.6667",
            "strict.qrels 17 0.0311 0.6581 0.5482 0.3529 -0.6471 1.0000",
            "panel truth and others, 3 label sets 75% interval others alone, 2 label sets 75% interval",
            "alpha, ordinal 0.5727 [0.4089, 0.7202] 0.3182 [0.2437, 0.5594]",
            "pairs with two labels or more 17 of 19 16 of 19",
            // each by itself
            "judge.qrels against human.qrels: 16 pairs of 3 queries in common; 1 only in the truth, \
             2 only in the other",
            "strict.qrels against human.qrels: 17 pairs of 3 queries in common; 0 only in the truth, \
             0 only in the other",
            "3 2 0 0.0000 n/a 0.0000 0.0000",
            "It grades lower on average: -0.6471 [-0.6667, -0.6000].",
        ])
        .says(&["go from 0 to 3, and strict.qrels gives none but 0 to 2"]);
}

/// Raters of a panel need not all have graded what the truth has: the second has nothing in common with it, and one
/// pair with the first.
#[test]
fn a_rater_without_pairs_of_the_truth_is_one_of_the_panel() {
    let sandbox = Sandbox::new();
    sandbox.write("truth.qrels", "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n");
    sandbox
        .write("first.qrels", "q1 0 a 1\nq1 0 b 1\nq2 0 b 0\n")
        .write("second.qrels", "q2 0 b 0\nq2 0 c 1\n");
    sandbox.llull(&["agree", "truth.qrels", "first.qrels", "second.qrels"]).ends(0).says(&[
        "second.qrels against truth.qrels: 0 pairs of 0 queries in common; 3 only in the truth, 2 only",
        "pairs with two labels or more                          3 of 5                                    1 of 4\n",
        "truth.qrels and second.qrels have no document of their queries in common",
    ]);
}

#[test]
fn stray_grades_are_noted_and_clamped() {
    let sandbox = two_files();
    sandbox.edit("judge.qrels", "q1 0 a 3", "q1 0 a 7");
    sandbox.llull(&["agree", "human.qrels", "judge.qrels"]).ends(0).says(&[
        "7                     0         1  0.0000     0.0000     n/a  0.0000\n",
        // Of 16 pairs a single label is no rare one, and may be the other's scale.
        "the grades of human.qrels go from 0 to 3, those of judge.qrels from 0 to 7",
    ]);
    let args = ["agree", "human.qrels", "judge.qrels", "--clamp", "0..3", "--json"];
    let clamped = sandbox.write("llull.toml", SURE).llull(&args).ends(0);
    assert_eq!(clamped.stderr, "");
    let json = clamped.json();
    assert_eq!(
        (&json["clamped_truth"], &json["clamped_other"], &json["clamp"]),
        (&0.into(), &1.into(), &"0..3".into())
    );
    close(&json, "/kappa/plain", 0.40740740740740744);
}

/// Runs are measured under the clamped labels, too: of two grades a binary measure sees the same, nDCG does not.
#[test]
fn the_clamp_counts_for_systems() {
    let sandbox = with_runs();
    let of = |more: &[&str]| {
        let args = with(&with(&["agree", "human.qrels", "human.qrels", "--json"], &RUNS), more);
        sandbox.llull(&args).ends(0).json()["by_measure"][0]["changes"].clone()
    };
    assert_eq!(of(&["-m", "AP"]), of(&["-m", "AP", "--clamp", "0..1"]));
    assert_ne!(of(&[]), of(&["--clamp", "0..1"]));
}

#[test]
fn grades_of_many_kinds_are_not_a_table() {
    let sandbox = Sandbox::new();
    let labels = |by: i32| (0..40).map(|at| format!("q{} 0 d{at} {}\n", at % 4, at * by)).collect::<String>();
    sandbox.write("a.qrels", &labels(1)).write("b.qrels", &labels(2));
    sandbox
        .llull(&["agree", "a.qrels", "b.qrels"])
        .ends(0)
        .says(&["60 different grades: the figures of each cut and each pair of grades are in --json\n"]);
    sandbox.write("scores.qrels", &(0..300).map(|at| format!("q 0 d{at} {at}\n")).collect::<String>());
    sandbox.llull(&["agree", "scores.qrels", "scores.qrels"]).ends(0).says(&[
        "scores.qrels and scores.qrels hold 300 different grades: figures are those of their order",
        "Kendall's tau-b       1.0000",
    ]);
}

/// One query has no like, so nothing has an interval; one grade has no kappa.
#[test]
fn what_is_undefined_is_not_a_number() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 0 d1 1\nq1 0 d2 1\n").write("b.qrels", "q1 0 d1 1\nq1 0 d2 1\n");
    let shown = sandbox.llull(&["agree", "a.qrels", "b.qrels"]).ends(0);
    shown.says(&[
        "kappa                         n/a    [n/a, n/a]      2\n",
        "b.qrels and a.qrels give the same grade to every one of 2 pairs.\n",
        "undefined: all 2 common pairs have grade 1 on both sides",
    ]);
    let json = sandbox.llull(&["agree", "a.qrels", "b.qrels", "--json"]).ends(0).json();
    assert!(json["kappa"]["plain"].is_null() && json["ci"]["exact"].is_null(), "{json}");
    assert!(
        json["kappa_undefined"].as_str().unwrap().ends_with("so chance alone would agree completely"),
        "{json}"
    );
    assert_eq!((&json["exact"], &json["bias"]), (&1.0.into(), &0.0.into()));
}

#[test]
fn standard_input_stands_for_one_file() {
    let sandbox = two_files();
    let judge = sandbox.read("judge.qrels");
    let piped = sandbox.llull_with_input(&["agree", "human.qrels", "-", "--json"], &judge).ends(0).json();
    let named = sandbox.llull(&["agree", "human.qrels", "judge.qrels", "--json"]).ends(0).json();
    assert_eq!(piped["ci"], named["ci"]);
    sandbox
        .llull_with_input(&["agree", "-", "-"], &judge)
        .ends(2)
        .says(&["error: - is standard input, and stands for one file only; name the others"]);
}

/// Queries that one side alone has count nowhere, and the answers that a system lacks count as 0; both are said.
#[test]
fn what_is_missing_is_told() {
    let sandbox = with_runs();
    let lines = |file: &str, without: &str| -> String {
        let text = sandbox.read(file);
        text.lines().filter(|line| !line.starts_with(without)).map(|line| format!("{line}\n")).collect()
    };
    sandbox.write("judge.qrels", &format!("{}q9 0 a 1\n", lines("judge.qrels", "q3")));
    sandbox.write("alpha.run", &lines("alpha.run", "q1"));
    let args = with(&["agree", "human.qrels", "judge.qrels", "--json"], &RUNS);
    let transcript = sandbox.llull(&args).ends(0);
    for part in [
        "judge.qrels: systems are compared over the 2 queries that it shares with the truth; 1 of the truth and 1 of",
        "1 of 8 answers of a system to a query are missing; they count as 0 under both",
    ] {
        assert!(transcript.stderr.contains(part), "{transcript}");
    }
    let systems = &transcript.json()["by_measure"][0];
    let figure = |key: &str| systems[key].as_u64().unwrap();
    assert_eq!(
        ["queries", "queries_only_truth", "queries_only_other", "unanswered"].map(figure),
        [2, 1, 1, 1]
    );
}

#[test]
fn files_that_cannot_be_compared() {
    let sandbox = two_files();
    sandbox.write("elsewhere.qrels", "101 0 D1 2\n");
    sandbox.write("other-documents.qrels", "q1 0 D1 2\nq2 0 D2 0\n");
    sandbox.write("twice.qrels", "q1 0 a 2\nq1 0 a 3\n");
    sandbox.write("empty.qrels", "");
    let elsewhere =
        ["human.qrels and elsewhere.qrels have no query in common", "\"q1\", elsewhere.qrels has \"101\""];
    for (args, code, parts) in [
        (&[][..], 1, ["human.qrels is alone", "llull agree TRUTH OTHER..."]),
        (&["elsewhere.qrels"], 1, elsewhere),
        (&["elsewhere.qrels", "other-documents.qrels"], 1, elsewhere),
        (&["twice.qrels"], 1, ["twice.qrels lines 1 and 2: document a of query q1", "--repeats first"]),
        (&["empty.qrels"], 1, ["empty.qrels: no label in it", "query 0 document grade"]),
        (&["absent.qrels"], 1, ["absent.qrels", "there is no such file"]),
        (&["judge.qrels", "--judge", "small"], 2, ["--judge small: ", "--preferences"]),
    ] {
        sandbox.llull(&with(&["agree", "human.qrels"], args)).refused(code, &parts);
    }
    sandbox.write("llull.toml", "[compare]\nresamples = 10\n");
    sandbox
        .llull(&["agree", "human.qrels", "judge.qrels"])
        .refused(1, &["llull.toml line 2: 10 resamples are too few", "at least 40"]);
}

#[test]
fn systems_that_cannot_be_compared() {
    let sandbox = with_runs();
    let agree = |args: &[&str]| sandbox.llull(&with(&["agree", "human.qrels", "judge.qrels"], args));
    for (args, parts) in [
        (&["--power"][..], ["--power need runs", "--runs RUN..."]),
        (&["--runs", "alpha.run"], ["alpha.run is the only run", "name two at least"]),
        (&["--runs", "alpha.run", "beta.run", "alpha.run"], ["alpha.run: this run is named twice", "once"]),
        (&["-m", "GMAP", "--runs", "alpha.run", "beta.run"], ["GMAP cannot decide", "such as nDCG@10"]),
        (&["-m", "nDGC@10", "--runs", "alpha.run", "beta.run"], ["\"nDGC\"", "did you mean nDCG@10?"]),
    ] {
        agree(args).refused(2, &parts);
    }
    let two =
        sandbox.llull(&["agree", "human.qrels", "judge.qrels", "--runs", "alpha.run", "beta.run"]).ends(0);
    assert!(two.stderr.contains("correlations need three"), "{two}");
    assert!(!two.stdout.contains("tau"), "{two}");
}

#[test]
fn options_that_cannot_be() {
    let sandbox = two_files();
    for (args, parts) in [
        (&["human.qrels", "judge.qrels", "--clamp", "3"][..], ["'--clamp <LO..HI>'", "such as 0..3"]),
        (&["human.qrels", "judge.qrels", "--clamp", "3..0"], ["'--clamp <LO..HI>'", "3..0 is empty"]),
        (&["human.qrels", "judge.qrels", "--preferences", "--power"], ["'--preferences'", "'--power'"]),
        (
            &["human.qrels", "judge.qrels", "--test", "anova"],
            ["\"anova\" is not a test", "bootstrap or tukey"],
        ),
        (
            &["--preferences", "human.qrels", "judge.qrels", "strict.qrels"],
            ["strict.qrels: ", "one file of answers"],
        ),
    ] {
        sandbox.llull(&with(&["agree"], args)).refused(2, &parts);
    }
}

/// Every judge against the truth, and their panel, which is no rater of itself.
#[test]
fn a_study_s_judges_and_their_panel() {
    let sandbox = panel();
    sandbox.llull(&["agree", "known.qrels"]).refused(
        1,
        &[
            "judge lenient: 11 of 11 pairs are not judged yet; llull run",
            "strict: there is no label yet to compare",
        ],
    );
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let json = sandbox.llull(&["agree", "known.qrels", "--json"]).ends(0).json();
    let others = json["others"].as_array().unwrap();
    let figures = |key: &str| others.iter().map(|other| other[key].clone()).collect::<Vec<_>>();
    assert_eq!(figures("other"), ["strict", "lenient", "known", "panel of 3 judges"]);
    assert_eq!(figures("exact")[2..], [1.0, 1.0]);
    // of 11 pairs three are 0, which the strict judge cannot lower, and three are 3
    assert_eq!(figures("bias")[..2], [Value::from(-8.0 / 11.0), Value::from(8.0 / 11.0)]);
    assert_eq!(
        (&json["panel"]["others_alone"]["raters"], &json["panel"]["with_truth"]["raters"]),
        (&3.into(), &4.into())
    );
    let measures: Vec<_> =
        others[0]["by_measure"].as_array().unwrap().iter().map(|one| one["measure"].clone()).collect();
    assert_eq!(measures, ["nDCG@3", "P(rel=2)@1"], "the study's own");
    assert_eq!(others[0]["systems"]["n"], 2);
    sandbox.llull(&["agree", "known.qrels", "--judge", "strict"]).ends(0).says(&[
        "strict against known.qrels: 11 pairs of 3 queries in common; 0 only in the truth, 0 only in the",
        "kappa                       0.0330    [n/a, n/a]     11\n",
    ]);
    sandbox
        .llull(&["agree", "known.qrels", "--judge", "nobody"])
        .refused(1, &["\"nobody\" is no judge of this study", "strict, lenient, known"]);
}

#[test]
fn a_study_s_labels_with_other_systems_and_measures() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.write("third.run", &run("third", [["a3", "a4", "a1"], ["b3", "b1", "b4"], ["c2", "c3", "c1"]]));
    let args = ["agree", "known.qrels", "--runs", "old.run", "new.run", "third.run"];
    let json = sandbox.llull(&[&args[..], &["-m", "RR@3", "--json"]].concat()).ends(0).json();
    assert_eq!(
        (&json["other"], &json["systems"]["n"], &json["systems"]["tau"]),
        (&"known".into(), &3.into(), &1.0.into())
    );
    assert_eq!(json["by_measure"].as_array().map(Vec::len), Some(1));
    // Runs are read as far down as the deeper of the two measures looks.
    let args = ["agree", "known.qrels", "-m", "P@1", "--other-measure", "R@100", "--json"];
    let json = sandbox.llull(&args).ends(0).json();
    assert_eq!(json["by_measure"][0]["unjudged"]["other"]["seen"], 18);
}

/// Tiers are made of all judges' votes together: one label set.
#[test]
fn judges_that_compare_have_labels_together() {
    let sandbox = panel();
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"listwise\"\n");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let json = sandbox.llull(&["agree", "known.qrels", "--json"]).ends(0).json();
    assert_eq!((&json["other"], &json["n"]), (&"this study".into(), &11.into()));
    sandbox.llull(&["agree", "known.qrels", "--judge", "strict"]).ends(1).says(&[
        "P(rel=2)@1 counts documents as relevant from the grade in its name on, by default 7 (a rating of 7 or more): \
         rating labels have no grade that means \"relevant\"",
        "error: judges of this study compare, so its labels are those of all judges together: leave",
    ]);
}

/// A single 10, a judge without a 3, a judge of 0 and 1, and one with 300 different values, side by side: the table of
/// all comes first, the best first.
#[test]
fn judges_whose_scale_is_odd_are_told_apart() {
    let sandbox = Sandbox::new();
    let lines = |grade: &dyn Fn(usize) -> String| -> String {
        (0..300).map(|at| format!("q{} 0 d{at} {}\n", at % 10, grade(at))).collect()
    };
    let truth = |at: usize| at * 7 % 4;
    sandbox.write("human.qrels", &lines(&|at| truth(at).to_string()));
    let stray = |at: usize| if at == 5 { "10".into() } else { truth(at + at % 2).to_string() };
    sandbox.write("stray.qrels", &lines(&stray));
    sandbox.write("low.qrels", &lines(&|at| truth(at).min(2).to_string()));
    sandbox.write("binary.qrels", &lines(&|at| usize::from(truth(at) > 1).to_string()));
    sandbox.write("scores.qrels", &lines(&|at| (1000 * truth(at) + at).to_string()));
    sandbox.write("llull.toml", "[compare]\nresamples = 200\n");
    let all = ["agree", "human.qrels", "stray.qrels", "low.qrels", "binary.qrels"];
    let all = sandbox.llull(&all).ends(0);
    assert!(all.stdout.starts_with("side by side"), "{all}");
    assert!(!all.stderr.contains("--clamp 0..2") && all.stderr.contains("gives none but 0 to 2"), "{all}");
    let first = all.stdout.lines().nth(1).unwrap();
    assert!(first.starts_with("low.qrels"), "{all}");
    let agree = |other: &str| sandbox.llull(&["agree", "human.qrels", other]).ends(0);
    agree("stray.qrels")
        .rows(&[
            "AC2, quadratic 0.9814 [0.9588, 0.9955] 300 1 label is above 3; 0.8363 with --clamp 0..3",
            "10 0 1 0.0000 0.0000 n/a 0.0000",
            "q5 d5 3 10",
        ])
        .says(&["warning: 1 label is above 3 (of stray.qrels)", "--clamp 0..3"]);
    agree("binary.qrels")
        .rows(&[
            "human.qrels from, against 1 of binary.qrels in truth of grade 1 kappa precision recall F1",
            "2 150 150 1.0000 [1.00, 1.00] 1.0000 [1.00, 1.00] 1.0000 [1.00, 1.00] 1.0000 [1.00, 1.00]",
        ])
        .says(&["binary.qrels has two grades, 0 and 1, and those of human.qrels go from 0 to 3"]);
    let scores = agree("scores.qrels");
    assert!(!scores.stdout.contains("kappa"), "{scores}");
    scores
        .rows(&["Kendall's tau-b 0.8675 [n/a, n/a] 300", "Spearman's rho 0.9683 [n/a, n/a] 300"])
        .says(&["human.qrels and scores.qrels hold 303 different grades: figures are those of their order"]);
}
