//! `llull run`

use crate::sandbox::{check, tiny};

#[test]
fn the_whole_study() {
    let sandbox = tiny();
    check!(sandbox.llull(&["run", "--verbose"]).ends(0));
    check!(sandbox.read(".llull/resolved.toml"));
}

#[test]
fn quiet_says_the_results_and_nothing_else() {
    let loud = tiny().llull(&["run"]).ends(0);
    let quiet = tiny().llull(&["run", "--quiet"]).ends(0);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (loud.stdout, ""));
    // what went wrong is said all the same
    assert!(tiny().llull(&["-Q", "measure"]).ends(3).stderr.contains("not judged yet"));
}

#[test]
fn the_command_line_stands_above_the_environment_and_that_above_the_file() {
    let mut sandbox = tiny();
    sandbox.write("other.qrels", "q1 0 a1 0\n");
    let judge =
        |report: &serde_json::Value| report["study"]["judges"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(judge(&sandbox.llull(&["run", "--json"]).json()), "known");
    sandbox.set("LLULL_JUDGE", "similarity");
    assert_eq!(judge(&sandbox.llull(&["run", "--json"]).json()), "similarity");
    sandbox.set("LLULL_SEED", "7");
    let said = sandbox.llull(&["run", "--json", "--judge", "replay:other.qrels"]).json();
    assert_eq!((judge(&said).as_str(), &said["study"]["seed"]), ("other.qrels", &7.into()));
}

#[test]
fn measures_and_baseline_can_be_said() {
    let sandbox = tiny();
    let report =
        sandbox.llull(&["run", "--json", "-m", "RR@3", "--baseline", "new", "--depth", "2"]).ends(0).json();
    assert_eq!(report["decision"]["primary"], "RR(rel=2)@3");
    assert_eq!(report["decision"]["baseline"], "new");
    assert_eq!(report["coverage"]["pairs"], 8, "two of each system, less what both found");
}

#[test]
fn replay_of_a_file_of_the_current_folder_into_a_study_elsewhere() {
    let sandbox = tiny();
    sandbox.write("sub/here.qrels", &sandbox.read("known.qrels"));
    let mut command = sandbox.command(&["-C", "..", "run", "--judge", "replay:here.qrels", "--json"]);
    let output = command.current_dir(sandbox.path("sub")).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["coverage"]["labelled"], 11);
}

#[test]
fn judgments_that_are_missing_are_counted_and_end_with_3() {
    let sandbox = tiny();
    // one pair that nobody graded, one grade off the rubric's scale
    sandbox.edit("known.qrels", "q1 0 a4 2\n", "").edit("known.qrels", "q3 0 c2 0", "q3 0 c2 9");
    sandbox.llull(&["run", "--verbose"]).ends(3).says(&[
        "2 of 11 pooled pairs (18.2%) have no label and count as not relevant wherever a measure meets them.\n",
        "labels: 9 of 11 pooled pairs: ",
        "known: 9 judged; missing: 1 out of range, 1 not in file",
    ]);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!((&report["coverage"]["labelled"], &report["coverage"]["missing"]), (&9.into(), &2.into()));
}

/// An address for a judge that asks no server was swallowed in silence.
#[test]
fn an_address_that_no_judge_asks_is_said() {
    let sandbox = tiny();
    let args = ["run", "--no-report", "--judge", "similarity", "--base-url", "http://127.0.0.1:9/v1"];
    let shown = sandbox.llull(&args).ends(0);
    let warning = "warning: --base-url http://127.0.0.1:9/v1 has no effect: no judge here asks a server\n";
    assert!(shown.stderr.contains(warning), "{shown}");
}
