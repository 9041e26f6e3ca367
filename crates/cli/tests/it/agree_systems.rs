//! `llull agree --runs`: how pairs of systems were tested under both label sets, and what could not be.

use serde_json::{Value, json};

use crate::agree_labels::{RUNS, with, with_runs};
use crate::sandbox::{Sandbox, Transcript};

/// 40 queries, each with one relevant document, `a` to the people and `b` to the judge from query 21 on. The first
/// run has `a` first, the second `b`, the third is the first again.
fn forty() -> Sandbox {
    let sandbox = Sandbox::new();
    let all = |line: &dyn Fn(usize) -> String| (1..=40).map(line).collect::<String>();
    sandbox.write("human.qrels", &all(&|n| format!("q{n:02} 0 a 1\nq{n:02} 0 b 0\n")));
    let judge = all(&|n| {
        let (a, b) = if n <= 20 { (1, 0) } else { (0, 1) };
        format!("q{n:02} 0 a {a}\nq{n:02} 0 b {b}\n")
    });
    sandbox.write("judge.qrels", &judge);
    let run = |first: &str, second: &str| {
        all(&|n| format!("q{n:02} Q0 {first} 1 2 t\nq{n:02} Q0 {second} 2 1 t\n"))
    };
    sandbox
        .write("one.run", &run("a", "b"))
        .write("two.run", &run("b", "a"))
        .write("three.run", &run("a", "b"));
    // the second run's order on the first five queries, else the first's
    let few = all(&|n| {
        let (first, second) = if n <= 5 { ("b", "a") } else { ("a", "b") };
        format!("q{n:02} Q0 {first} 1 2 t\nq{n:02} Q0 {second} 2 1 t\n")
    });
    sandbox.write("few.run", &few);
    sandbox
}

fn conclusions(of: &Transcript) -> Value {
    of.json()["by_measure"][0]["conclusions"].clone()
}

/// Three queries have 2^3 ways to flip signs: nothing is drawn. Before, the 10,000 draws asked for were told.
#[test]
fn p_of_all_sign_flips_are_said_to_be_exact() {
    let sandbox = with_runs();
    let of = |more: &[&str]| {
        let args = with(&["agree", "human.qrels", "judge.qrels", "--test", "permutation"], &RUNS);
        sandbox.llull(&with(&args, more)).ends(0)
    };
    let shown = of(&[]);
    assert!(shown.stdout.contains("by the permutation test (exact: all sign flips)"), "{shown}");
    assert!(!shown.stdout.contains("10,000"), "{shown}");
    let found = conclusions(&of(&["--json"]));
    assert_eq!(found["draws"], Value::Null);
    for side in ["truth", "other"] {
        let tests = &found["tests"][side];
        assert_eq!(
            (&tests["exact"], &tests["draws"], &tests["seed"]),
            (&json!(6), &Value::Null, &Value::Null)
        );
    }
}

/// Nor is anything drawn for a t, sign or signed-rank test.
#[test]
fn tests_that_never_draw_have_no_draws() {
    let sandbox = with_runs();
    for (test, how) in [
        ("t", "by the paired t test, Holm's"),
        ("sign", "by the sign test (exact), Holm's"),
        ("wilcoxon", "by the Wilcoxon signed-rank test (exact), Holm's"),
    ] {
        let args = with(&["agree", "human.qrels", "judge.qrels", "--test", test], &RUNS);
        let shown = sandbox.llull(&args).ends(0);
        assert!(shown.stdout.contains(how), "{shown}");
        assert_eq!(conclusions(&sandbox.llull(&with(&args, &["--json"])).ends(0))["draws"], Value::Null);
    }
    let args = with(&["agree", "human.qrels", "judge.qrels"], &RUNS);
    assert_eq!(conclusions(&sandbox.llull(&with(&args, &["--json"])).ends(0))["draws"], 10_000);
    let shown = sandbox.llull(&args).ends(0);
    assert!(shown.stdout.contains("(10,000 draws, seed 42), p hold for all systems together"), "{shown}");
}

/// The first and the second run differ on 40 queries, which are drawn; the first and the few on 5, which are not.
#[test]
fn some_p_are_exact_and_others_drawn() {
    let sandbox = forty();
    let args = ["agree", "human.qrels", "judge.qrels", "--test", "permutation"];
    let runs = ["--runs", "one.run", "two.run", "few.run"];
    let shown = sandbox.llull(&with(&args, &runs)).ends(0);
    assert!(
        shown.stdout.contains("exact on few differing queries, else 10,000 random sign flips, seed 42"),
        "{shown}"
    );
    let found = conclusions(&sandbox.llull(&with(&with(&args, &runs), &["--json"])).ends(0));
    let tests = &found["tests"]["truth"];
    assert_eq!(
        (&tests["exact"], &tests["draws"], &found["draws"]),
        (&json!(1), &json!(10_000), &json!(10_000))
    );
}

/// Where one side is exact and the other is drawn, both are told.
#[test]
fn each_label_set_may_have_its_own_way() {
    let sandbox = forty();
    let lines: String = sandbox.read("judge.qrels").replace("b 1", "b 0").replace("a 1", "a 0");
    // only the first ten queries have a relevant document
    let of_ten = lines.replace("q01 0 a 0", "q01 0 a 1").replace("q02 0 a 0", "q02 0 a 1");
    sandbox.write("judge.qrels", &of_ten);
    let args =
        ["agree", "human.qrels", "judge.qrels", "--test", "permutation", "--runs", "one.run", "two.run"];
    let shown = sandbox.llull(&args).ends(0);
    assert!(
        shown
            .stdout
            .contains("under human.qrels by the permutation test (10,000 random sign flips, seed 42)"),
        "{shown}"
    );
    assert!(
        shown.stdout.contains("under judge.qrels by the permutation test (exact: all sign flips)"),
        "{shown}"
    );
}

/// Three queries have a least p of 2 / 2^3, by which no pair can be significant, whatever the figures.
#[test]
fn too_few_differing_queries_are_told() {
    let sandbox = with_runs();
    let args = with(&["agree", "human.qrels", "judge.qrels", "--test", "sign"], &RUNS);
    sandbox.llull(&args).ends(0).rows(&["under neither 5 1"]).says(&[
        "by the sign test (exact), Holm's correction for the 6 pairs",
        "3 queries are too few for the sign test. It takes at least 8",
        "human.qrels tells no pair of systems apart, nor does judge.qrels",
    ]);
    let found = conclusions(&sandbox.llull(&with(&args, &["--json"])).ends(0));
    let tests = &found["tests"]["truth"];
    // 6 * 2^(1 - k) <= 0.05
    assert_eq!((&tests["topics_needed"], &tests["most_differing"]), (&json!(8), &json!(3)));
}

/// A t test of equal systems is 0 / 0, and has no p: such a pair is no finding.
#[test]
fn pairs_without_a_p_are_counted_with_their_reason() {
    let sandbox = forty();
    let args =
        ["agree", "human.qrels", "judge.qrels", "--test", "t", "--runs", "one.run", "two.run", "three.run"];
    sandbox.llull(&args).ends(0).rows(&["under neither 3 0", "Kendall's tau-b n/a [n/a, n/a] 3"]).says(&[
        "under human.qrels by the paired t test, Holm's correction for the 0 of 3 pairs that have a p",
        "under judge.qrels by the paired t test, Holm's correction for the 2 of 3 pairs that have a p",
        "warning: under human.qrels, 3 of 3 pairs of systems have no p and count as not significant (2: there is no",
        "warning: under judge.qrels, 1 of 3 pairs of systems has no p",
    ]);
    let found = conclusions(&sandbox.llull(&with(&args, &["--json"])).ends(0));
    assert_eq!(
        found["tests"]["other"]["untested"],
        json!([{"reason": "the two have the same value on every query", "pairs": 1}])
    );
    // nor has what differs by the same on every query: under the truth the second run always has half of the first's
    let counts = |side: &str| ["pairs", "tested"].map(|key| found["tests"][side][key].as_u64().unwrap());
    assert_eq!((counts("truth"), counts("other")), ([3, 0], [3, 2]));
}
