//! `[gates]` of llull.toml, in every command that tests them.

use serde_json::Value;

use crate::sandbox::{Sandbox, check, run, tiny};

/// The tiny study with these gates.
fn gated(gates: &str) -> Sandbox {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "[pool]", &format!("[gates]\n{gates}\n\n[pool]"));
    sandbox
}

/// The difference of nDCG@3 is +0.2760, and that of P(rel=2)@1 +0.6667; three queries have no interval.
#[test]
fn run_report_and_compare_test_the_same_gates() {
    let sandbox = gated("\"nDCG@3\" = \">= 0.2\"\n\"value(P(rel=2)@1)\" = \"> 0.9\"\nRR = \"< 0\"");
    let rows = [
        "nDCG@3 >= 0.2 new +0.276 passed",
        "RR(rel=2) < 0 new +0.389 FAILED",
        "value(P(rel=2)@1) > 0.9 new 1.000 passed",
    ];
    let reason = "RR(rel=2) < 0 fails for new: the difference from old is +0.3889 over 3 queries.";
    sandbox.llull(&["run"]).ends(100).rows(&rows).says(&[reason]);
    sandbox.llull(&["report"]).ends(100).rows(&rows);
    sandbox.llull(&["compare"]).ends(100).says(&[reason, "nDCG@3 >= 0.2 holds for new"]);
    let of = |args: &[&str]| sandbox.llull(args).ends(100).json();
    let compared = of(&["compare", "--json"]);
    let reported = of(&["report", "--json"]);
    assert_eq!(compared["gates"], reported["decision"]["system_gates"]);
    assert_eq!(compared["gates"].as_array().unwrap().len(), 3);
    let written: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(written["decision"]["system_gates"], compared["gates"]);
    let markdown = sandbox.read("report.md");
    assert!(markdown.contains("| nDCG@3 &gt;= 0.2 | new | +0.276 | passed |"), "{markdown}");
    assert!(markdown.contains("**Gate failed: RR(rel=2) &lt; 0 fails for new"), "{markdown}");
    let html = sandbox.read("report.html");
    assert!(html.contains("<td class=\"n\">+0.276</td><td>passed</td>"), "{html}");
    sandbox.edit("llull.toml", "RR = \"< 0\"\n", "");
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["compare", "--gate", "RR < 0"]).ends(100).says(&["nDCG@3 >= 0.2 holds for new", reason]);
}

#[test]
fn a_gate_on_documents_that_no_judge_sees_is_refused() {
    let sandbox = gated("\"nDCG@3\" = \">= -0.01\"");
    sandbox.edit("llull.toml", "depth = 3", "depth = 1");
    let said =
        ["the gate nDCG@3 >= -0.01", "first 1 of each system", "at rank ", "Set depth = 3 under [pool]"];
    sandbox.llull(&["run"]).refused(1, &said);
    sandbox.edit("llull.toml", "\"nDCG@3\" =", "\"nDCG@1\" =");
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["compare", "--gate", "P@2 >= 0"]).refused(1, &["the gate P(rel=2)@2", "Set depth = 2"]);
}

#[test]
fn an_unfinished_study_ends_with_3_and_a_gate_that_no_label_can_save_with_100() {
    let sandbox = gated("nDCG@3 = \">= -0.01\"".replace("nDCG@3", "\"nDCG@3\"").as_str());
    sandbox
        .llull(&["run", "--max-calls", "6"])
        .ends(3)
        .rows(&["nDCG@3 >= -0.01 new +0.229 INCOMPLETE"])
        .says(&["nDCG@3 >= -0.01 fails as incomplete for new"]);
    sandbox.llull(&["report"]).ends(3);
    sandbox.llull(&["compare"]).ends(3);
    sandbox.edit("llull.toml", ">= -0.01", ">= 1.5");
    sandbox.llull(&["compare"]).ends(100);
    sandbox.llull(&["report"]).ends(100);
    let nothing = gated("\"nDCG@3\" = \">= -0.01\"");
    nothing.llull(&["run", "--max-calls", "0"]).ends(3);
    nothing.llull(&["report"]).ends(3).rows(&["nDCG@3 >= -0.01 new n/a INCOMPLETE"]);
}

#[test]
fn an_unreliable_judge_fails_every_gate() {
    let sandbox = gated("\"nDCG@3\" = \">= -0.9\"");
    let queries = (1..=40).map(|n| format!("q{n}\tquery {n}\n")).collect::<String>();
    let documents = (1..=40).map(|n| {
        format!("{{\"id\":\"a{n}\",\"text\":\"on query {n}\"}}\n{{\"id\":\"b{n}\",\"text\":\"on {n}\"}}\n")
    });
    sandbox.write("topics.tsv", &queries).write("corpus.jsonl", &documents.collect::<String>());
    for (name, [first, second]) in [("old", ["a", "b"]), ("new", ["b", "a"])] {
        let lines = (1..=40).map(|n| format!("q{n} Q0 {first}{n} 1 2 t\nq{n} Q0 {second}{n} 2 1 t\n"));
        sandbox.write(&format!("{name}.run"), &lines.collect::<String>());
    }
    let labels = (1..=40).map(|n| format!("q{n} 0 a{n} 3\nq{n} 0 b{n} 3\n")).collect::<String>();
    sandbox.write("known.qrels", &labels);
    let ran = sandbox.llull(&["run"]).ends(100);
    assert!(ran.stdout.contains("UNRELIABLE JUDGE") || ran.stdout.contains("known failed a check"), "{ran}");
    sandbox.llull(&["compare"]).ends(100).says(&["nDCG@3 >= -0.9 fails for new: known failed a check."]);
    sandbox.llull(&["compare", "--ignore-checks"]).ends(0);
    // Its labels count for no other run, either, even if checks were ignored.
    for more in [None, Some("--ignore-checks")] {
        fs_err::remove_dir_all(sandbox.path(".llull/reports")).unwrap();
        sandbox.llull(&["run"].into_iter().chain(more).collect::<Vec<_>>());
        sandbox
            .llull(&["run", "--changed"])
            .refused(1, &["--changed 1: known failed a check there", "passed, or"]);
    }
}

#[test]
fn the_only_system_has_gates_on_its_own_figure() {
    let sandbox = gated("\"value(nDCG@3)\" = [\">= 0.6\", \"<= 0.6\"]");
    sandbox.edit("llull.toml", "[[systems]]\nname = \"new\"\nrun = \"new.run\"\n", "");
    sandbox
        .llull(&["run"])
        .ends(100)
        .rows(&["value(nDCG@3) >= 0.6 old 0.769 passed", "value(nDCG@3) <= 0.6 old 0.769 FAILED"]);
    sandbox.edit("llull.toml", "value(nDCG@3)", "nDCG@3");
    sandbox.llull(&["run"]).refused(1, &["no second system to compare with", "value(nDCG@3)"]);
}

#[test]
fn a_wrong_gate_is_an_error_of_llull_toml() {
    let sandbox = gated("\"low(nDCQ@3)\" = \">= 0\"");
    sandbox.llull(&["run"]).refused(1, &["llull.toml", "line 8", "[gates] \"low(nDCQ@3)\""]);
    sandbox.llull(&["doctor"]).ends(1).says(&["[gates] \"low(nDCQ@3)\""]);
}

#[test]
fn compare_takes_all_systems_of_the_study_the_baseline_first() {
    let sandbox = tiny();
    sandbox.write("third.run", &run("third", [["a1", "a2", "a3"], ["b2", "b1", "b3"], ["c1", "c2", "c3"]]));
    let systems = "[compare]\nbaseline = \"new\"\n\n[[systems]]\nname = \"third\"\nrun = \"third.run\"\n\n";
    sandbox.edit("llull.toml", "[[judges]]", &format!("{systems}[[judges]]"));
    sandbox.llull(&["run", "--no-report"]).ends(0);
    check!(sandbox.llull(&["compare"]).ends(0));
    let all = sandbox.llull(&["compare", "--json"]).ends(0);
    let named = sandbox.llull(&["compare", "new", "old", "third", "--json"]).ends(0);
    assert_eq!(all.stdout, named.stdout);
    let other = sandbox.llull(&["compare", "--baseline", "third", "--json"]).ends(0).json();
    assert_eq!(other["baseline"], "third");
    assert_eq!(other["comparisons"].as_array().unwrap().len(), 4, "two systems by two measures");
    Sandbox::new().llull(&["compare"]).refused(1, &["whose systems could be compared", "QRELS BASELINE.run"]);
}

/// Runs are read as deep as measures need, and a gate's measure may need more.
#[test]
fn a_gate_looks_deeper_than_the_measures() {
    let sandbox = gated("\"value(SetR(rel=1))\" = \">= 0.7\"");
    sandbox.edit("llull.toml", "measures = [\"nDCG@3\", \"P(rel=2)@1\"]", "measures = [\"P(rel=2)@1\"]");
    sandbox.edit("llull.toml", "depth = 3", "depth = 1");
    let report = sandbox.llull(&["run", "--json"]).json();
    let gate = &report["decision"]["system_gates"][0];
    // The pool is what each system has first: a1 and a2, b1, c1 and c3. The new system has them all among its three.
    assert_eq!(gate["mean"].as_f64(), Some(1.0), "{gate}");
}
