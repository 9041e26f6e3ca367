//! The files that commands write with `-o`.

use crate::sandbox::tiny;

#[test]
fn no_output_replaces_what_the_study_reads_or_llull_keeps() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    for file in ["llull.toml", "topics.tsv", "corpus.jsonl", "old.run", "known.qrels", "./old.run"] {
        let before = sandbox.read(file);
        let runs = &["export", "runs", "--system", "old"];
        for command in [&["export", "labels"][..], runs, &["report"], &["ledger", "export"]] {
            // `ledger export FILE` has no -o.
            let output: &[&str] = if command[0] == "ledger" { &[file] } else { &["-o", file] };
            let refused = sandbox.llull(&[command, output].concat());
            refused.refused(2, &[&format!("nothing is written to {file}: "), "Name another file"]);
        }
        assert_eq!(sandbox.read(file), before);
    }
    let topics = sandbox.llull(&["export", "labels", "-o", "topics.tsv"]);
    topics.refused(2, &["the study reads it: topics in llull.toml"]);
    let ledger = fs_err::read(sandbox.path(".llull/ledger.sqlite")).unwrap();
    let own = sandbox.llull(&["export", "labels", "-o", ".llull/ledger.sqlite"]);
    own.refused(2, &["nothing is written to .llull/ledger.sqlite: llull's own files are in its folder"]);
    assert_eq!(fs_err::read(sandbox.path(".llull/ledger.sqlite")).unwrap(), ledger);
    sandbox.llull(&["export", "labels", "-o", "new.csv"]).ends(0);
    sandbox.llull(&["export", "labels", "-o", "new.csv"]).ends(0);
}

#[test]
fn a_missing_folder_is_named() {
    let sandbox = tiny();
    let missing = sandbox.llull(&["export", "runs", "-o", "x/y/runs.csv"]);
    assert!(!missing.stderr.contains(".tmp"), "{missing}");
    missing
        .refused(1, &["cannot write x/y/runs.csv: there is no folder x/y. Create it, or name another file"]);
}

#[test]
fn workbooks_of_labels_and_runs_are_read_as_they_are_written() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["export", "runs", "--system", "old", "-o", "old.xlsx"]).ends(0);
    sandbox.llull(&["export", "labels", "-o", "labels.xlsx"]).ends(0);
    let of_text = sandbox.llull(&["measure", "labels.qrels", "old.run"]).ends(0);
    let of_workbooks = sandbox.llull(&["measure", "labels.xlsx", "old.xlsx"]).ends(0);
    let figures = |text: &str| -> Vec<String> {
        text.split_whitespace().filter(|word| !word.starts_with("old")).map(str::to_owned).collect()
    };
    assert_eq!(figures(&of_workbooks.stdout), figures(&of_text.stdout));
}
