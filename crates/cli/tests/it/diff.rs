//! `llull diff` on files: which labels change, and what that does to systems.

use crate::sandbox::{Sandbox, check, command_line, run};

/// Labels of eight queries, and the same with some that changed; two systems that differ where they did.
fn two_label_files() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut old, mut new) = (String::new(), String::new());
    for query in 1..=8 {
        for (document, before, after) in [("a", 3, 0), ("b", 0, 3), ("c", 1, 1), ("d", 2, 1)] {
            // The last two queries do not change.
            let after = if query > 6 { before } else { after };
            old.push_str(&format!("q{query} 0 {document} {before}\n"));
            new.push_str(&format!("q{query} 0 {document} {after}\n"));
        }
    }
    old.push_str("q8 0 e 1\n");
    sandbox.write("old.qrels", &old).write("new.qrels", &new);
    for (name, order) in [("lexical", ["a", "c", "b"]), ("dense", ["b", "d", "a"])] {
        let lines = (1..=8).flat_map(|query| {
            order
                .iter()
                .enumerate()
                .map(move |(at, document)| format!("q{query} Q0 {document} {} {} {name}\n", at + 1, 3 - at))
        });
        sandbox.write(&format!("{name}.run"), &lines.collect::<String>());
    }
    sandbox
}

#[test]
fn labels_that_change_and_what_that_does_to_systems() {
    let sandbox = two_label_files();
    let arguments = ["diff", "old.qrels", "new.qrels", "--limit", "4", "--runs", "lexical.run", "dense.run"];
    check!(sandbox.llull(&[&arguments[..], &["-m", "nDCG@3", "-m", "P(rel=2)@1"]].concat()));
}

/// Six queries of eight change three labels each; by hand: lexical has a first, dense b, so that P@1 of them is 1 and 0
/// before, and 2/8 and 6/8 after.
#[test]
fn as_json_every_figure_has_its_name() {
    let sandbox = two_label_files();
    let all = command_line("diff old.qrels new.qrels --runs lexical.run dense.run -m P(rel=2)@1 --json");
    let json = sandbox.llull(&all).ends(0).json();
    let pairs = &json["pairs"];
    assert_eq!((pairs["both"].as_u64(), pairs["differ"].as_u64()), (Some(32), Some(18)));
    assert_eq!((pairs["higher"].as_u64(), pairs["lower"].as_u64()), (Some(6), Some(12)));
    assert_eq!(json["a"]["alone"], 1);
    let first = &pairs["listed"][0];
    assert_eq!((first["a"]["grade"].as_i64(), first["b"]["grade"].as_i64()), (Some(3), Some(0)));
    assert_eq!((first["document"].as_str(), first["best_rank"].as_u64()), (Some("a"), Some(1)));
    assert_eq!(json["agreement"]["exact"], 14.0 / 32.0);
    let systems = &json["systems"][0]["systems"];
    let means = |at: usize| (systems[at]["a"].as_f64().unwrap(), systems[at]["b"].as_f64().unwrap());
    assert_eq!((means(0), means(1)), ((1.0, 0.25), (0.0, 0.75)));
    assert_eq!((systems[1]["a_rank"].as_u64(), systems[1]["b_rank"].as_u64()), (Some(2), Some(1)));
    let verdict = &json["systems"][0]["verdicts"][0];
    assert_eq!(verdict["changed"], true);
    assert_eq!((verdict["a"]["decision"].as_str(), verdict["b"]["wins"].as_u64()), (Some("worse"), Some(6)));
}

#[test]
fn what_cannot_be_compared_is_refused_with_what_to_do() {
    let sandbox = two_label_files();
    sandbox.write("other.qrels", "p1 0 a 1\n");
    sandbox.llull(&["diff", "old.qrels", "other.qrels"]).ends(1).says(&["no query in common"]);
    sandbox.llull(&["diff", "old.qrels", "new.qrels", "-m", "AP"]).ends(2).says(&["behind --runs"]);
    let unknown = ["diff", "old.qrels", "new.qrels", "--runs", "lexical.run", "--baseline", "bm25"];
    sandbox.llull(&unknown).ends(2).says(&["neither a run's file nor one of the systems, which are lexical"]);
}

/// Escapes of a terminal in an identifier are shown, not acted upon.
#[test]
fn identifiers_are_data() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q 0 \u{1b}[2Jd 0\n").write("b.qrels", "q 0 \u{1b}[2Jd 3\n");
    let said = sandbox.llull(&["diff", "a.qrels", "b.qrels"]).ends(0);
    assert!(!said.stdout.contains('\u{1b}'), "{said}");
}

/// A file of runs in which nobody returned what changed.
#[test]
fn a_document_that_no_system_returned_has_no_rank() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 0 z 0\nq1 0 a1 1\n").write("b.qrels", "q1 0 z 3\nq1 0 a1 1\n");
    sandbox.write("r.run", &run("r", [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]));
    let json = sandbox.llull(&["diff", "a.qrels", "b.qrels", "--runs", "r.run", "--json"]).ends(0).json();
    assert_eq!(json["pairs"]["listed"][0].get("best_rank"), None);
}
