//! `llull history`

use crate::sandbox::{Sandbox, run, tiny};

fn files(sandbox: &Sandbox) -> Vec<String> {
    let folder = fs_err::read_dir(sandbox.path(".llull/reports")).unwrap();
    let mut names: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_distinct_report_is_saved_once() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["report"]).ends(0);
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(files(&sandbox), ["0001.json", "inputs"]);
    let first = sandbox.read(".llull/reports/0001.json");
    assert!(!first.contains("password"), "it has no text: {first}");
    sandbox.write("new.run", &run("new", [["a4", "a1", "a2"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["report", "-o", "elsewhere.json"]).ends(0);
    assert_eq!(files(&sandbox), ["0001.json", "0002.json", "inputs"]);
    assert_eq!(sandbox.read(".llull/reports/0001.json"), first, "a saved report is never written again");
    let again = tiny();
    again.llull(&["run"]).ends(0);
    assert_eq!(again.read(".llull/reports/0001.json"), first, "it has no clock in it");
}

/// The figures of the first report are those of `run.rs`, worked out by hand.
#[test]
fn figures_and_changes_are_listed() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox.write("new.run", &run("new", [["a4", "a1", "a2"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.edit("known.qrels", "q3 0 c2 0", "q3 0 c2 2");
    sandbox.write(
        "topics.tsv",
        "q1\treset a forgotten password\nq2\texport a report as csv\nq3\tdelete an account\n",
    );
    sandbox.llull(&["run"]).ends(0);
    let listed = sandbox.llull(&["history"]).ends(0);
    let text = listed.to_string();
    assert!(text.lines().any(|line| line.starts_with("0001  ") && line.contains("old      0.677")), "{text}");
    listed.rows(&["new 0.953 [n/a, n/a] 3 no clear difference"]).says(&[
        "Changed before report 0002:",
        "the prompt of judge known changed, or the file it answers from",
        "of the labels, 1 changed",
        "topics changed (topics.tsv)",
        "run new changed (new.run)",
    ]);
    let json = sandbox.llull(&["history", "--json", "--measure", "P(rel=2)@1"]).ends(0).json();
    assert_eq!((json[0]["number"].as_u64(), json[1]["number"].as_u64()), (Some(1), Some(2)));
    assert_eq!(json[0]["measure"], "P(rel=2)@1");
    assert_eq!(json[0]["systems"][1]["mean"].as_f64(), Some(1.0));
    assert_eq!(json[0]["systems"][1]["decision"], "inconclusive");
    assert_eq!(json[0]["changed"].as_array().unwrap().len(), 0);
    assert_eq!(json[0]["date"].as_str().unwrap().len(), "27 Nov 2026".len());
    // The rubric has the relevant grades of a measure that names none.
    sandbox
        .llull(&["history", "--measure", "P@1"])
        .ends(0)
        .rows(&["new 1.000 [n/a, n/a] 3 no clear difference"]);
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_remedy() {
    let sandbox = tiny();
    sandbox.llull(&["history"]).refused(1, &["no report is saved in", "llull run and llull report save one"]);
    sandbox.llull(&["run"]).ends(0);
    sandbox
        .llull(&["history", "--measure", "AP"])
        .refused(1, &["no saved report has AP", "nDCG@3, P(rel=2)@1"]);
    sandbox.llull(&["history", "--measure", "nDCQ"]).refused(2, &["nDCQ"]);
    let saved = sandbox.read(".llull/reports/0001.json");
    sandbox.write(
        ".llull/reports/0002.json",
        &saved.replace("\"llull_saved_report\": 1", "\"llull_saved_report\": 9"),
    );
    // The other reports are shown all the same.
    let warns = |phrases: &[&str]| {
        let shown = sandbox.llull(&["history"]).ends(0);
        let shown = shown.rows(&["new 0.953 [n/a, n/a] 3 no clear difference"]);
        phrases.iter().for_each(|phrase| assert!(shown.stderr.contains(phrase), "{}", shown.stderr));
    };
    warns(&["0002.json", "its version is 9, and this llull reads 1"]);
    sandbox.write(".llull/reports/0002.json", "{}");
    warns(&["0002.json", "it has no version", "restore the file, or delete it"]);
    sandbox.write(".llull/reports/0002.json", &saved[..saved.len() / 2]);
    warns(&["0002.json", "EOF while parsing"]);
    sandbox.write(".llull/reports/0001.json", "{}");
    sandbox.llull(&["history"]).refused(1, &["0002.json"]);
    sandbox.write(".llull/reports/0001.json", &saved);
    // A broken file stops no report; the next one gets the next number.
    sandbox.llull(&["report"]).ends(0);
    assert_eq!(files(&sandbox), ["0001.json", "0002.json", "0003.json", "inputs"]);
    fs_err::remove_file(sandbox.path(".llull/reports/0002.json")).unwrap();
    sandbox.llull(&["history"]).ends(0);
    Sandbox::new().llull(&["history"]).refused(1, &["holds no study"]);
}
