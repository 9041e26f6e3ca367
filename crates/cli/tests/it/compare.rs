//! `llull compare`

use crate::sandbox::{Sandbox, check, tiny};

/// Twelve queries. The good run has the relevant document first, the bad run second, the same run is the bad one again.
fn twelve() -> Sandbox {
    let sandbox = Sandbox::new();
    let all = |line: &dyn Fn(usize) -> String| (1..=12).map(line).collect::<String>();
    sandbox.write("human.qrels", &all(&|n| format!("q{n} 0 yes{n} 1\nq{n} 0 no{n} 0\n")));
    sandbox.write("good.run", &all(&|n| format!("q{n} Q0 yes{n} 1 2 t\nq{n} Q0 no{n} 2 1 t\n")));
    let bad = all(&|n| format!("q{n} Q0 no{n} 1 2 t\nq{n} Q0 yes{n} 2 1 t\n"));
    sandbox.write("bad.run", &bad).write("same.run", &bad);
    // better at half of the queries, worse at none
    sandbox.write(
        "half.run",
        &all(&|n| match n % 2 {
            0 => format!("q{n} Q0 yes{n} 1 2 t\nq{n} Q0 no{n} 2 1 t\n"),
            _ => format!("q{n} Q0 no{n} 1 2 t\nq{n} Q0 yes{n} 2 1 t\n"),
        }),
    );
    sandbox
}

#[test]
fn better_worse_and_no_telling() {
    let sandbox = twelve();
    check!(
        sandbox
            .llull(&["compare", "human.qrels", "bad.run", "good.run", "half.run", "same.run", "-m", "RR@10"])
            .ends(0)
    );
    sandbox.llull(&["compare", "human.qrels", "good.run", "bad.run", "-m", "RR@10"]).ends(0).says(&[
        "bad is worse than good: RR@10 -0.5000 [-0.5000, -0.5000] (95% paired bootstrap, 12 queries: 0",
    ]);
}

/// The verdict of two of the pairs is incomplete; their letters said "significantly better" beside it.
#[test]
fn a_pair_that_missing_labels_could_reverse_has_no_letter() {
    let sandbox = twelve();
    let unknown = (1..=12).map(|n| format!("q{n} Q0 new{n} 1 2 t\nq{n} Q0 yes{n} 2 1 t\n"));
    sandbox.write("unknown.run", &unknown.collect::<String>());
    let args = ["compare", "human.qrels", "good.run", "bad.run", "unknown.run", "-m", "RR@10"];
    let output = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    let table = &output["measures"][0];
    assert_eq!(table["systems"][0]["better_than"], serde_json::json!(["bad"]), "{table}");
    assert_eq!(table["letters_withheld"], "missing_labels");
    assert_eq!(output["comparisons"][1]["decision"], "incomplete");
    sandbox
        .llull(&args)
        .ends(0)
        .says(&["1.0000ᵇ ", "A pair that missing labels could reverse has no letter."]);
}

#[test]
fn a_baseline_is_named_by_its_system_or_its_file() {
    let sandbox = twelve();
    let baseline = |args: &[&str]| {
        let output = sandbox.llull(&[&["compare", "human.qrels"], args, &["--json"]].concat()).ends(0).json();
        let systems = output["comparisons"].as_array().unwrap().iter();
        let systems: Vec<_> = systems.map(|each| each["system"].as_str().unwrap().to_owned()).collect();
        (output["baseline"].as_str().unwrap().to_owned(), systems.join(" "))
    };
    let expected = ("good".to_owned(), "bad half".to_owned());
    assert_eq!(baseline(&["bad.run", "good.run", "half.run", "--baseline", "good"]), expected);
    assert_eq!(baseline(&["bad.run", "good.run", "half.run", "--baseline", "good.run"]), expected);
    assert_eq!(baseline(&["bad.run", "half.run", "--baseline", "good.run"]), expected);
    assert_eq!(baseline(&["bad.run", "--baseline", "good.run"]), ("good".into(), "bad".into()));
    let wrong = |name: &str| sandbox.llull(&["compare", "human.qrels", "bad.run", "--baseline", name]);
    wrong("best")
        .refused(1, &["--baseline best: neither a run's file nor one of the systems, which are bad"]);
    wrong("bad").refused(2, &["nothing to compare bad with: name another"]);
}

/// Each table in each format, with both gates; crates/report tests what is escaped in them.
#[test]
fn formats() {
    let sandbox = twelve();
    let compare = |format: &str| {
        let runs = ["compare", "human.qrels", "bad.run", "good.run", "half.run", "-m", "RR@10", "-m", "P@1"];
        sandbox.llull(&[&runs[..], &["--gate", "RR@10 >= 0.1", "--format", format]].concat()).ends(0)
    };
    compare("table")
        .rows(&[
            "b good 1.0000ᵃ [0.7354, 1.0000] 1.0000ᵃ [0.7354, 1.0000]",
            "half vs bad P@1 +0.5000 [+0.1667, +0.8333] +0.96 [+0.25, +1.63] 12 6/6/0 0.0312 0.0625 better",
        ])
        .says(&[
            "for the 3 pairs of one measure; nothing is corrected across measures",
            "RR@10 >= 0.1 holds for good: the difference from bad is +0.5000",
            "RR@10 >= 0.1 holds for half",
            "only the mean is tested, and low(RR@10) >= 0.1 would fail",
        ]);
    compare("markdown").rows(&[
        "| # | system | RR@10 | 95% interval | P@1 | 95% interval |",
        "| b | good | 1.0000<sup>a</sup> | [0.7354, 1.0000] | 1.0000<sup>a</sup> | [0.7354, 1.0000] |",
        "| half vs bad | P@1 | +0.5000 | [+0.1667, +0.8333] | +0.96 [+0.25, +1.63] | 12 | 6/6/0 | 0.0312 | 0.0625 \
         | better |",
        "- RR@10 &gt;= 0.1 holds for good: the difference from bad is +0.5000 [+0.5000, +0.5000] over 12 queries.",
    ]);
    compare("latex").rows(&[
        "% \\usepackage{booktabs}",
        r"b & good & 1.0000$^{a}$ & [0.7354, 1.0000] & 1.0000$^{a}$ & [0.7354, 1.0000] \\",
        "half vs bad & P@1 & $+$0.5000 & [$+$0.1667, $+$0.8333] & $+$0.96 [$+$0.25, $+$1.63] & 12 & 6/6/0 \
         & 0.0312 & 0.0625 & better \\\\",
    ]);
    let json = sandbox.llull(&["compare", "human.qrels", "bad.run", "half.run", "--json", "-m", "RR@10"]);
    let json = json.ends(0).json();
    let expected = serde_json::json!([
        {"/system": "half", "/baseline": "bad", "/measure": "RR@10", "/mean_difference": 0.25, "/n": 12},
        {"/low": 1.0 / 12.0, "/high": 0.4166666666666667, "/confidence": 0.95, "/resamples": 10000},
        {"/wins": 6, "/ties": 6, "/losses": 0, "/decision": "better", "/undecidable": null},
        {"/test/name": "permutation", "/test/p": 0.03125, "/test/p_adjusted": 0.03125, "/test/exact": true},
        {"/test/significant": true, "/test/direction": "better", "/test/correction": "holm"},
        {"/effect/dz/value": 0.9574271077563381, "/effect/dz/low": 0.2528949487159819},
        {"/effect/d/value": 1.35400640077266, "/effect/g/value": 1.3072263716327, "/effect/cliff_delta/value": 0.5},
        {"/power/topics_needed": 11, "/power/detectable": 0.23204227718598402},
    ]);
    for (path, value) in expected.as_array().unwrap().iter().flat_map(|some| some.as_object().unwrap()) {
        assert_eq!(json["comparisons"][0].pointer(path), Some(value), "{path}");
    }
    let measure = &json["measures"][0];
    assert_eq!((&json["gates"], &measure["notes"]), (&serde_json::json!([]), &serde_json::json!([])));
    let tests = ["/family", "/pairs", "/tested", "/exact", "/least_p", "/most_differing"];
    assert_eq!(
        tests.map(|path| measure["tests"].pointer(path).unwrap().clone()),
        ["all_pairs".into(), 1.into(), 1.into(), 1.into(), 0.03125.into(), serde_json::Value::from(6)]
    );
    assert_eq!(
        (&measure["systems"][1]["better_than"], &measure["systems"][1]["letters"]),
        (&serde_json::json!(["bad"]), &"a".into())
    );
    assert_eq!(measure["systems"][0]["letters"], "");
}

#[test]
fn other_tests() {
    let sandbox = twelve();
    let by = |more: &[&str]| {
        let args = ["compare", "human.qrels", "bad.run", "good.run", "half.run", "same.run", "-m", "RR@10"];
        sandbox.llull(&[&args, more].concat())
    };
    by(&["--test", "t", "--correct", "bh", "--baseline", "bad"]).ends(0).says(&[
        "Paired t test, Benjamini and Hochberg's correction for the 3 comparisons with bad that have a p.",
        "no p, since there is no spread to compare the difference with.",
    ]);
    by(&["--test", "wilcoxon", "--correct", "none"])
        .ends(0)
        .says(&["at 0.05. Wilcoxon signed-rank test (exact), not corrected for there being 6 pairs."]);
    by(&["--test", "tukey", "--equivalent", "0.4"]).ends(0).says(&[
        "Randomised Tukey HSD test (10,000 draws, seed 42), p hold for all systems together.",
        "within ±0.4  decision\n",
    ]);
    by(&["--test", "tukey", "--correct", "holm"])
        .refused(2, &["--correct holm: --test tukey", "leave out --correct"]);
    by(&["--test", "tukey", "--correct", "none"]).ends(0);
    by(&["--test", "anova"]).refused(2, &["'anova'", "permutation, t, wilcoxon, sign, bootstrap, tukey"]);
    sandbox.write("llull.toml", "seed = 1\n");
    by(&["--test", "bootstrap"])
        .ends(0)
        .says(&["Bootstrap test (10,000 draws, seed 1), Holm's correction for the 6 pairs that have a p."]);
}

#[test]
fn measures_that_are_no_means() {
    let sandbox = twelve();
    let compare =
        |more: &[&str]| sandbox.llull(&[&["compare", "human.qrels", "bad.run", "good.run"], more].concat());
    compare(&["-m", "GMAP"]).refused(2, &["GMAP cannot decide", "geometric mean", "such as nDCG@10"]);
    compare(&["-m", "RR@10", "--gate", "NumRet >= 0"])
        .refused(2, &["NumRet cannot decide", "a count over all"]);
    let tiny = tiny();
    tiny.llull(&["run", "--no-report"]).ends(0);
    tiny.edit("llull.toml", "measures = [", "measures = [\"RR@3\", \"NumRet\", ");
    let shown = tiny.llull(&["compare", "old", "new"]).ends(0);
    assert!(shown.stderr.contains("left out, since systems cannot be compared by it: NumRet"), "{shown}");
    assert!(shown.stdout.contains("RR(rel=2)@3") && !shown.stdout.contains("NumRet"), "{shown}");
}

/// Half a grade is in order below a whole one, and Compat reads only their order, as `llull measure` does.
#[test]
fn grades_with_a_fraction() {
    let sandbox = twelve();
    let halves = sandbox.read("human.qrels").replace(" 1\n", " 0.5\n");
    sandbox.write("halves.qrels", &halves);
    let compare =
        |measure: &str| sandbox.llull(&["compare", "halves.qrels", "bad.run", "good.run", "-m", measure]);
    compare("Compat").ends(0).says(&["a  bad     0.6829 ", "b  good    1.0000ᵃ"]);
    let refused = compare("nDCG@10").ends(1);
    assert!(refused.stderr.contains("nDCG@10 needs them"), "{refused}");
}

#[test]
fn gates() {
    let sandbox = twelve();
    let compare = |candidate: &str, gate: &str| {
        sandbox.llull(&["compare", "human.qrels", "bad.run", candidate, "--gate", gate])
    };
    compare("good.run", "RR@10 >= 0.5").ends(0).says(&[
        "RR@10 >= 0.5 holds for good: the difference from bad is +0.5000 [+0.5000, +0.5000] over 12 queries\
             .\n",
    ]);
    compare("good.run", "RR@10 >= 0.51")
        .ends(100)
        .says(&["RR@10 >= 0.51 fails for good: the difference from bad is +0.5000 [+0.5000, +0.5000] over 12 queries; \
             for RR@10 itself, which is 1.0000, write value(RR@10) >= 0.51.\n"]);
    compare("same.run", "RR@10 >= 0").ends(0);
    compare("same.run", "RR@10 > 0").ends(100);
    compare("half.run", "RR@10 >= 0.2")
        .ends(0)
        .says(&["over 12 queries; only the mean is tested, and low(RR@10) >= 0.2 would fail.\n"]);
    // the mean passes where the lower end of the interval does not
    compare("half.run", "low(RR@10) >= 0.2").ends(100);
}

#[test]
fn a_gate_on_the_figure_itself_names_it() {
    let sandbox = twelve();
    let compare = |gate: &str, code: i32| {
        sandbox.llull(&["compare", "human.qrels", "good.run", "bad.run", "--gate", gate]).ends(code)
    };
    compare("value(RR@10) >= 0.5", 0)
        .says(&["value(RR@10) >= 0.5 holds for bad: it is 0.5000 [0.5000, 0.5000] over 12 queries.\n"]);
    compare("low(value(RR@10)) > 0.7", 100).says(&["low(value(RR@10)) > 0.7 fails for bad: it is 0.5000 "]);
    // What is missing cannot be compared, but be held below a share.
    compare("value(unj@2) <= 0.1", 0).says(&["value(unj@2) <= 0.1 holds for bad: it is 0.0000 "]);
    compare("unj@2 <= 0.1", 2);
}

/// One `p` stood beside another, of two tests, and neither key said of which.
#[test]
fn every_p_in_json_is_named_by_its_test() {
    let sandbox = twelve();
    let args =
        ["compare", "human.qrels", "bad.run", "good.run", "half.run", "-m", "RR@10", "--test", "t", "--json"];
    let output = sandbox.llull(&args).ends(0).json();
    let comparison = &output["comparisons"][1];
    assert!(comparison.get("p").is_none(), "{comparison}");
    let named: Vec<_> =
        comparison["p_by_test"].as_array().unwrap().iter().map(|p| p["test"].clone()).collect();
    assert_eq!(named, ["t", "bootstrap_interval"]);
    assert_eq!(comparison["p_by_test"][0]["p"], comparison["test"]["p"]);
    assert_eq!(comparison["p_by_test"][0]["p_adjusted"], comparison["test"]["p_adjusted"]);
    assert!(comparison["p_by_test"][1]["p"].is_f64());
    assert_eq!(output["measures"][0]["pairs"][0]["test"], "t");
}

/// Without a label every figure is 0 by convention, and equal figures of nothing show "no clear difference".
#[test]
fn systems_without_a_label_are_not_compared() {
    let tiny = tiny();
    let shown = tiny.llull(&["compare", "old", "new", "-m", "nDCG@3"]);
    assert!(
        shown.stdout.contains("new and old are not compared by nDCG@3: no query has a label.\n"),
        "{shown}"
    );
    assert!(shown.stdout.contains("not measured") && !shown.stdout.contains("o clear difference"), "{shown}");
    let sandbox = twelve();
    let elsewhere: String = (1..=12).map(|n| format!("q{n} 0 elsewhere{n} 1\n")).collect();
    sandbox.write("elsewhere.qrels", &elsewhere);
    let args = ["compare", "elsewhere.qrels", "bad.run", "good.run", "-m", "RR@10", "--json"];
    sandbox.llull(&args).ends(1).says(&["bad.run has \"no1\", elsewhere.qrels has \"elsewhere1\""]);
}

/// Two wins in two queries are two tosses of a coin: before, the interval of two values let this gate pass.
#[test]
fn a_gate_on_an_interval_that_so_few_queries_have_not_fails() {
    let sandbox = crate::measure::plain();
    let args = ["compare", "human.qrels", "one.run", "two.run", "-m", "RR", "--gate", "low(RR) > -1"];
    let shown = sandbox.llull(&args).ends(100);
    let why = "low(RR) > -1 fails for two: it has no bound, as an interval of 95% takes at least 6 queries (n = 3).";
    assert!(shown.stdout.contains(why), "{shown}");
}

#[test]
fn systems_of_a_study() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox
        .llull(&["compare", "old", "new"])
        .ends(0)
        .rows(&[
            "a old 0.6770 [n/a, n/a] 0.3333 [n/a, n/a]",
            "new vs old nDCG@3 +0.2760 [n/a, n/a] +3.11 [+0.16, +6.15] 3 3/0/0 0.2500 no clear difference",
        ])
        .says(&[
            "No clear difference between new and old: P(rel=2)@1 +0.6667 (3 queries: 2 better, 1 equal, 0 worse)",
            "warning: nDCG@3: the one pair cannot be significant at 0.05",
            "3 queries are too few for the permutation test. It takes at least 6",
            "no two systems differ on more than 2 queries of 3",
        ]);
    let of = |args: &[&str]| sandbox.llull(args).ends(0).json()["baseline"].clone();
    assert_eq!(of(&["compare", "new", "--baseline", "old", "--json"]), "old");
    assert_eq!(of(&["compare", "new", "old", "--baseline", "old", "--json"]), "old");
    let gated = sandbox.llull(&["compare", "old", "new", "--gate", "nDCG@3 >= -0.01"]).ends(0);
    assert!(!gated.stdout.contains("P(rel=2)@1"), "a gate asks for its own measure: {gated}");
}

#[test]
fn llull_toml_sets_the_intervals_of_a_study_and_of_plain_files() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.edit("llull.toml", "[pool]", "[compare]\nconfidence = 0.8\nresamples = 500\n\n[pool]");
    let of = |args: &[&str]| {
        let all = [&["compare", "--json"], args].concat();
        let comparison = sandbox.llull(&all).ends(0).json()["comparisons"][0].clone();
        (comparison["confidence"].as_f64().unwrap(), comparison["resamples"].as_u64().unwrap())
    };
    assert_eq!(of(&["old", "new"]), (0.8, 500));
    assert_eq!(of(&["known.qrels", "old.run", "new.run"]), (0.8, 500));
    let elsewhere = ["known.qrels", "old.run", "new.run", "-C", "without"];
    assert_eq!(of(&elsewhere), (0.95, 10_000));
}

#[test]
fn a_baseline_or_candidate_that_is_not_there() {
    tiny().llull(&["compare", "old", "newer"]).refused(1, &["\"newer\" is not a system", "old, new"]);
    let plain = ["compare", "good.run", "bad.run"];
    twelve()
        .llull(&plain)
        .refused(1, &[". holds no study (llull.toml)", "llull compare QRELS BASELINE.run CANDIDATE.run"]);
    let absent = ["compare", "human.qrels", "good.run", "wrong.run"];
    twelve().llull(&absent).refused(1, &["wrong.run", "there is no such file"]);
}

#[test]
fn a_margin_out_of_range() {
    let sandbox = twelve();
    let args = ["compare", "human.qrels", "bad.run", "good.run", "--equivalent", "0"];
    sandbox.llull(&args).refused(2, &["'0' for '--equivalent", "a number above 0"]);
}

/// Wins over what was never answered are told, and so is a run that belongs to other labels.
#[test]
fn topics_that_a_system_leaves_out_are_said() {
    let sandbox = crate::measure::plain();
    sandbox.write("other.run", "zz Q0 a 1 1 t\nq1 Q0 c 1 1 t\n");
    sandbox.llull(&["compare", "human.qrels", "one.run", "other.run", "-m", "RR"]).ends(0).says(&[
        "2 systems do not answer some queries, which count as 0 (the first: one: 1 of 3 queries are not answered",
        "warning: other: 1 of its queries has no label",
        "no two systems differ on more than 2 queries of 3, too few for the permutation test.",
    ]);
}

#[test]
fn a_run_is_one_system_however_its_path_is_written() {
    let sandbox = crate::measure::plain();
    let args = ["compare", "human.qrels", "one.run", "two.run", "-m", "RR", "--baseline"];
    let usual = sandbox.llull(&[&args[..], &["two.run"]].concat()).ends(0).stdout;
    assert_eq!(sandbox.llull(&[&args[..], &["./two.run"]].concat()).ends(0).stdout, usual);
    sandbox.llull(&["compare", "human.qrels", "one.run", "./one.run"]).ends(2);
}

/// Two equal systems differ by 0, which lies within any margin; a t test of it is 0 / 0.
#[test]
fn equal_systems_are_within_any_margin_but_have_no_p_of_it() {
    let sandbox = twelve();
    let args =
        ["compare", "human.qrels", "bad.run", "same.run", "good.run", "-m", "RR@10", "--equivalent", "0.02"];
    let shown = sandbox.llull(&args).ends(0);
    let rest = "without any spread there is no t test, and no p, of whether it is so on other queries";
    assert!(
        shown.stdout.contains(&format!("Their difference is 0.0000 on every query, within ±0.02; {rest}")),
        "{shown}"
    );
    assert!(
        shown
            .stdout
            .contains(&format!("Their difference is +0.5000 on every query, not within ±0.02; {rest}")),
        "{shown}"
    );
    let json = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    let equivalence = &json["comparisons"][0]["equivalence"];
    assert_eq!(
        (&equivalence["p"], &equivalence["equivalent"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
}
