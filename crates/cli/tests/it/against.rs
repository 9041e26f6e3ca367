//! `llull compare --against`

use serde_json::Value;

use crate::sample::{fill, study};
use crate::sandbox::{Sandbox, check, run, tiny};

/// The tiny study with a report, number 1.
fn reported() -> Sandbox {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox
}

/// The parts of a figure by its name, of nDCG@3.
fn parts(changes: &Value, of: &str) -> Vec<(String, f64)> {
    let figures = changes["figures"].as_array().unwrap();
    let figure = figures.iter().find(|figure| figure["of"] == of && figure["measure"] == "nDCG@3").unwrap();
    let steps = &figure["steps"];
    let parts: Vec<(String, f64)> = steps["parts"]
        .as_array()
        .unwrap_or_else(|| panic!("{figure}"))
        .iter()
        .map(|part| (part["of"].as_str().unwrap().to_owned(), part["change"].as_f64().unwrap()))
        .collect();
    let sum: f64 = parts.iter().map(|(_, change)| change).sum();
    let (before, now) = (steps["before"].as_f64().unwrap(), steps["now"].as_f64().unwrap());
    assert!((before + sum - now).abs() < 1e-12, "{figure}");
    parts
}

fn changes(sandbox: &Sandbox, report: &str) -> Value {
    sandbox.llull(&["compare", "--against", report, "--json"]).ends(0).json()["changes"].clone()
}

#[test]
fn nothing_changed() {
    let sandbox = reported();
    let none = ["judge", "labels", "pool", "runs"].map(|of| (of.to_owned(), 0.0));
    for of in ["old", "new", "new - old"] {
        assert_eq!(parts(&changes(&sandbox, "1"), of), none);
    }
}

/// Other queries were called another pool.
#[test]
fn a_choice_of_queries_is_a_change_of_the_queries() {
    let sandbox = reported();
    sandbox.write("some.txt", "q1\nq2\n");
    let compared = sandbox.llull(&["compare", "--against", "1", "--queries", "some.txt", "--json"]).ends(0);
    let changes = compared.json()["changes"].clone();
    let of_new = parts(&changes, "new");
    assert_eq!(of_new[0].0, "queries_gone");
    assert!(of_new[0].1 != 0.0 && of_new[1..].iter().all(|(_, change)| *change == 0.0), "{of_new:?}");
}

/// The last column had the judge's figure, and the report the corrected one.
#[test]
fn human_labels_are_a_part_of_the_change() {
    let sandbox = study();
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv"]).ends(0);
    sandbox.write("filled.tsv", &fill(&sandbox, "sheet.tsv", 60));
    sandbox.llull(&["sample", "--read", "filled.tsv", "--annotator", "anna"]).ends(0);
    let compared = sandbox.llull(&["compare", "--against", "1", "--json"]).ends(0).json();
    let figures = compared["changes"]["figures"].as_array().unwrap();
    let of = |name: &str| figures.iter().find(|figure| figure["of"] == name).unwrap()["steps"].clone();
    let corrected = compared["comparisons"][0]["ppi"]["value"].as_f64().unwrap();
    let steps = of("new - old");
    assert!((steps["now"].as_f64().unwrap() - corrected).abs() < 1e-12, "{steps} {corrected}");
    assert_eq!(steps["parts"].as_array().unwrap().last().unwrap()["of"], "human_labels");
    assert!(of("new")["parts"].as_array().unwrap().last().unwrap()["change"].as_f64().unwrap() != 0.0);
}

#[test]
fn another_list_is_a_change_of_the_runs() {
    let sandbox = reported();
    sandbox.write("new.run", &run("new", [["a2", "a1", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.llull(&["run"]).ends(0);
    let changes = changes(&sandbox, "1");
    let l3 = 3f64.log2();
    // Of q1 alone: a1 (3) and a2 (1) change places, the ideal is 3, 2, 1.
    let expected = ((1.0 + 3.0 / l3) - (3.0 + 1.0 / l3)) / (3.0 + 2.0 / l3 + 0.5) / 3.0;
    let of_new = parts(&changes, "new");
    assert_eq!(of_new[..3].iter().map(|(_, change)| *change).collect::<Vec<_>>(), [0.0; 3]);
    assert!((of_new[3].1 - expected).abs() < 1e-12, "{of_new:?}");
    assert_eq!(parts(&changes, "old").iter().map(|(_, change)| *change).collect::<Vec<_>>(), [0.0; 4]);
    assert!((parts(&changes, "new - old")[3].1 - expected).abs() < 1e-12);
}

/// A replayed file is the judge: other labels in it are another judge. A deeper pool has new pairs.
#[test]
fn all_inputs_change_and_each_has_its_part() {
    let sandbox = reported();
    sandbox.edit("known.qrels", "q1 0 a2 1", "q1 0 a2 3");
    sandbox.write("new.run", &run("new", [["a4", "a1", "b4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    let known = sandbox.read("known.qrels");
    sandbox.write("known.qrels", &format!("{known}q1 0 b4 3\n"));
    sandbox.llull(&["run"]).ends(0);
    let text = sandbox.llull(&["compare", "--against", "1", "-m", "nDCG@3"]).ends(0);
    check!(text);
    let changes = changes(&sandbox, "0001");
    let of = |of: &str| parts(&changes, of).into_iter().map(|(_, change)| change != 0.0).collect::<Vec<_>>();
    assert_eq!(of("new"), [true, false, true, true]);
    assert_eq!(of("old"), [true, false, true, false], "only the ideal list has the new document");
    let markdown = ["compare", "--against", "1", "-m", "nDCG@3", "--format", "markdown"];
    sandbox
        .llull(&markdown)
        .ends(0)
        .says(&["| system | measure | then | judge | labels | pool | runs | now |"]);
}

#[test]
fn labels_that_were_missing_are_a_change_of_the_labels() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--max-calls", "6"]).ends(3);
    sandbox.llull(&["run"]).ends(0);
    let of = parts(&changes(&sandbox, "1"), "new");
    let changed: Vec<&str> =
        of.iter().filter(|(_, change)| *change != 0.0).map(|(of, _)| of.as_str()).collect();
    assert_eq!(changed, ["labels"], "{of:?}");
}

#[test]
fn other_queries_have_their_own_parts() {
    let sandbox = reported();
    sandbox.write("topics.tsv", "q1\treset a forgotten password\nq2\texport a report as csv\n");
    sandbox.llull(&["run"]).ends(0);
    let of: Vec<String> = parts(&changes(&sandbox, "1"), "new").into_iter().map(|(of, _)| of).collect();
    assert_eq!(of, ["queries_gone", "judge", "labels", "pool", "runs", "queries_new"]);
}

#[test]
fn a_report_is_found_by_its_file_and_its_folder() {
    let sandbox = reported();
    sandbox.llull(&["report", "-o", "first.json"]).ends(0);
    sandbox.write("new.run", &run("new", [["a2", "a1", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(changes(&sandbox, "first.json")["figures"], changes(&sandbox, "1")["figures"]);
    assert_eq!(changes(&sandbox, ".")["figures"], changes(&sandbox, "2")["figures"]);
}

#[test]
fn what_is_not_saved_is_not_guessed() {
    let sandbox = reported();
    sandbox.llull(&["report", "-o", "first.json"]).ends(0);
    let inputs = sandbox.path(".llull/reports/inputs");
    sandbox.write("new.run", &run("new", [["a2", "a1", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.edit("llull.toml", "name = \"old\"", "name = \"older\"");
    sandbox.llull(&["run"]).ends(0);
    let figures = changes(&sandbox, "1")["figures"].clone();
    assert_eq!(figures[0]["of"], "older");
    assert_eq!(
        (&figures[0]["steps"], &figures[0]["not_separable"]),
        (&Value::Null, &"the system is new".into())
    );
    sandbox
        .llull(&["compare", "--against", "1", "-m", "AP"])
        .ends(0)
        .says(&["its old lists are saved down to rank 3, and AP(rel=2) looks further"]);
    fs_err::remove_file(sandbox.path(".llull/reports/0001.json")).unwrap();
    sandbox.llull(&["compare", "--against", "first.json"]).ends(0).says(&[
        "the labels and lists of that report are not saved here",
        "one input swapped at a time: not separable",
    ]);
    for file in fs_err::read_dir(inputs).unwrap() {
        fs_err::write(file.unwrap().path(), "other").unwrap();
    }
    sandbox
        .llull(&["compare", "--against", "2"])
        .refused(1, &[".json.zst", "restore the file from a copy of the study's folder"]);
}

#[test]
fn wrong_use() {
    let sandbox = reported();
    sandbox.llull(&["compare", "--against", "7"]).refused(1, &["no report has the number 7", "1 to 1"]);
    sandbox.llull(&["compare", "--against", "nothing.json"]).refused(1, &["nothing.json"]);
    sandbox.llull(&["compare", "--against", "known.qrels"]).refused(1, &["it is no report.json of a study"]);
    let files = ["compare", "known.qrels", "old.run", "new.run", "--against", "1"];
    sandbox.llull(&files).refused(2, &["--against is about the reports of a study"]);
}
