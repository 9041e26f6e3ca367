//! `llull run --changed`

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, check, run, tiny, tiny_served};

/// The tiny study with a report, number 1; its judge knows a pair that no system has returned yet.
fn reported() -> Sandbox {
    let sandbox = tiny();
    let known = sandbox.read("known.qrels");
    sandbox.write("known.qrels", &format!("{known}q1 0 b4 3\n"));
    sandbox.llull(&["run"]).ends(0);
    sandbox
}

/// A system returns a document that it did not, and a document has another text.
fn change(sandbox: &Sandbox) {
    sandbox.write("new.run", &run("new", [["a1", "b4", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.edit("corpus.jsonl", "at least twelve characters", "at least ten characters");
}

fn lose_ledger(sandbox: &Sandbox) {
    for file in fs_err::read_dir(sandbox.path(".llull")).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            fs_err::remove_file(file).unwrap();
        }
    }
}

/// Query, document and grade of every label; the second column is its source.
fn labels(sandbox: &Sandbox) -> Vec<[String; 3]> {
    let text = sandbox.read("labels.qrels");
    let mut rows: Vec<[String; 3]> = text
        .lines()
        .map(|line| {
            let columns: Vec<&str> = line.split_whitespace().collect();
            [columns[0], columns[2], columns[3]].map(str::to_owned)
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn without_the_ledger_only_what_changed_is_judged() {
    let sandbox = reported();
    change(&sandbox);
    sandbox.write("human.qrels", "q1 0 a1 3\nq1 0 b4 0\nq2 0 b2 3\nq3 0 c1 3\n");
    sandbox.edit("llull.toml", "topics =", "reference = \"human.qrels\"\ntopics =");
    sandbox.llull(&["run"]).ends(0);
    let all = labels(&sandbox);
    lose_ledger(&sandbox);
    let since = "since report 0001: 2 pairs to judge, 1 of them because its text changed; 10 labels of the \
                 report kept";
    sandbox
        .llull(&["run", "--changed", "1", "--dry-run"])
        .ends(0)
        .rows(&["known 2 0 0 0 0 2 0"])
        .says(&[since]);
    sandbox.llull(&["run", "--changed", "1", "--max-calls", "1"]).ends(3);
    lose_ledger(&sandbox);
    check!(sandbox.llull(&["run", "--changed", "1", "--verbose"]).ends(0).says(&[since]));
    assert_eq!(labels(&sandbox), all);
    let sources = sandbox.read("labels.qrels");
    assert_eq!(sources.lines().filter(|line| line.contains(" report_1 ")).count(), 10, "{sources}");
    let report = sandbox.read("report.json");
    // Later commands use the labels of this run.
    sandbox.llull(&["report"]).ends(0).says(&["settings of the last run: --changed 1"]);
    assert_eq!(sandbox.read("report.json"), report);
    sandbox
        .llull(&["sample", "-n", "5", "-o", "sheet.tsv"])
        .refused(1, &["kept labels of an earlier report (--changed)", "llull run without --changed"]);
    // The next report keeps the labels of this one, kept or judged.
    lose_ledger(&sandbox);
    fs_err::remove_file(sandbox.path(".llull/last-run.toml")).unwrap_or_default();
    let again = sandbox.llull(&["run", "--changed"]).ends(0);
    again.says(&["since report 0004: 0 pairs to judge; 12 labels of the report kept"]);
    assert_eq!(labels(&sandbox), all);
    sandbox.llull(&["report"]).ends(0).says(&["--changed 4"]);
    assert_eq!(labels(&sandbox), all);
}

/// The answers of the ledger count before the labels of a report, and judge checks read them.
#[test]
fn with_the_ledger_it_is_the_usual_run() {
    let [usual, changed] = [&["run"][..], &["run", "--changed"]].map(|arguments| {
        let sandbox = reported();
        change(&sandbox);
        sandbox.llull(arguments).ends(0);
        sandbox.read("report.json")
    });
    assert_eq!(usual, changed);
}

/// What a job of CI gets from an earlier one: a folder with the report and the saved reports.
#[test]
fn a_folder_of_results_has_the_labels() {
    let earlier = reported();
    let sandbox = tiny();
    sandbox.write("known.qrels", &earlier.read("known.qrels"));
    change(&sandbox);
    let results = sandbox.path("results");
    fs_err::create_dir_all(results.join(".llull/reports/inputs")).unwrap();
    for folder in ["", ".llull/reports", ".llull/reports/inputs"] {
        for file in fs_err::read_dir(earlier.path(folder)).unwrap().map(|file| file.unwrap().path()) {
            let name = file.file_name().unwrap().to_owned();
            if file.is_file() && (!folder.is_empty() || name == "report.json") {
                fs_err::copy(&file, results.join(folder).join(name)).unwrap();
            }
        }
    }
    let judged = sandbox.llull(&["run", "--changed", "results"]).ends(0);
    judged.says(&["since results: 2 pairs to judge, 1 of them", "10 labels of the report kept"]);
    fs_err::remove_dir_all(results.join(".llull")).unwrap();
    lose_ledger(&sandbox);
    fs_err::remove_dir_all(sandbox.path(".llull/reports")).unwrap();
    sandbox
        .llull(&["run", "--changed", "results"])
        .refused(1, &["its labels are not saved", ".llull/reports next to report.json"]);
}

#[test]
fn labels_that_are_not_these_judges_own_are_refused() {
    let sandbox = reported();
    let config = sandbox.read("llull.toml");
    tiny().llull(&["run", "--changed"]).refused(1, &["no report is saved in"]);
    sandbox.llull(&["run", "--changed", "7"]).refused(1, &["no report has the number 7"]);
    sandbox.edit("known.qrels", "q1 0 a2 1", "q1 0 a2 3");
    sandbox
        .llull(&["run", "--changed"])
        .refused(1, &["--changed 1:", "the prompt of judge known changed", "leave out --changed"]);
    sandbox.edit("known.qrels", "q1 0 a2 3", "q1 0 a2 1");
    let mine = "base = { file = \"known.qrels\", calibrate = \"none\" }\ntopics =";
    sandbox.write("llull.toml", &config.replacen("topics =", mine, 1));
    sandbox.llull(&["run", "--changed"]).refused(1, &["existing labels (base)", "Leave out --changed"]);
    sandbox.write("llull.toml", &config.replacen("topics =", "paradigm = \"pairwise\"\ntopics =", 1));
    sandbox
        .llull(&["run", "--changed", "--judge", "similarity"])
        .refused(1, &["depends on other pairs too", "llull ledger import"]);
    let saved = sandbox.read(".llull/reports/0001.json");
    let old = saved.lines().filter(|line| !line.contains("\"texts\": \"")).collect::<Vec<_>>().join("\n");
    sandbox.write("llull.toml", &config);
    sandbox.write(".llull/reports/0001.json", &old);
    sandbox.llull(&["run", "--changed"]).refused(1, &["without what its labels depend on"]);
}

/// Names and contents of all files.
fn files(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for path in fs_err::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push((path.clone(), fs_err::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = reported();
    change(&sandbox);
    lose_ledger(&sandbox);
    let before = files(&sandbox.path("."));
    sandbox.llull(&["run", "--changed", "--dry-run"]).ends(0).says(&["10 labels of the report kept"]);
    assert_eq!(files(&sandbox.path(".")), before);
}

#[test]
fn later_commands_refuse_kept_labels_of_what_changed_since() {
    let sandbox = reported();
    change(&sandbox);
    lose_ledger(&sandbox);
    sandbox.llull(&["run", "--changed"]).ends(0);
    sandbox.llull(&["report"]).ends(0);
    let again = "llull run --changed again";
    let judges = &["judge similarity is new", "judge known is no longer a judge", again];
    sandbox.llull(&["report", "--judge", "similarity"]).refused(1, judges);
    for (file, from, to, change) in [
        ("topics.tsv", "reset a forgotten", "set a forgotten", "the text of query q1 changed"),
        ("known.qrels", "q1 0 a2 1", "q1 0 a2 3", "the prompt of judge known changed"),
        ("corpus.jsonl", "on the sign-in page", "on a page", "the text of document a1 changed"),
    ] {
        let before = sandbox.read(file);
        sandbox.edit(file, from, to);
        sandbox.llull(&["report"]).refused(1, &["--changed 1", change, again]);
        sandbox.write(file, &before);
    }
    sandbox.llull(&["report"]).ends(0);
}

#[test]
fn lost_labels_are_an_error_with_the_ways_out() {
    let sandbox = reported();
    change(&sandbox);
    lose_ledger(&sandbox);
    sandbox.llull(&["run", "--changed"]).ends(0);
    let inputs = sandbox.path(".llull/reports/inputs");
    let lose = || {
        for file in fs_err::read_dir(&inputs).unwrap() {
            fs_err::remove_file(file.unwrap().path()).unwrap();
        }
    };
    lose();
    let lost = "it is not there. So labels, texts or lists of a saved report are lost: restore the file";
    let later = "the last run kept labels of an earlier report (--changed 1)";
    sandbox.llull(&["report"]).refused(1, &[later, lost, "or judge these pairs anew: llull run"]);
    let named = ["--changed 1: ", lost, "name another report of llull history, or leave out --changed"];
    sandbox.llull(&["run", "--changed", "1"]).refused(1, &named);
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["report"]).ends(0);
}

#[test]
fn incomplete_labels_of_a_panel_and_other_settings_are_refused() {
    let sandbox = reported();
    sandbox.write("second.qrels", &sandbox.read("known.qrels").replacen("3\n", "2\n", 1));
    let config = sandbox.read("llull.toml");
    let second = "\n[[judges]]\nname = \"second\"\nmodel = \"replay\"\nlabels = \"second.qrels\"\n";
    sandbox.write("llull.toml", &format!("{config}{second}"));
    sandbox.llull(&["run", "--max-calls", "5"]).ends(3);
    sandbox
        .llull(&["run", "--changed"])
        .refused(1, &["--changed 2: it is incomplete, so some of its labels lack a judge's answer"]);
    sandbox.llull(&["run"]).ends(0);
    lose_ledger(&sandbox);
    sandbox.llull(&["run", "--changed"]).ends(0).says(&["11 labels of the report kept"]);
    sandbox.llull(&["report", "--method", "majority"]).refused(1, &["a label is now ", "; it was "]);
}

/// No fingerprint has it, since the cut text is in the question; a kept label has no question.
#[test]
fn labels_of_texts_that_were_cut_elsewhere_are_refused() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\ndocument_tokens = 200");
    sandbox.llull(&["run"]).ends(0);
    sandbox.edit("llull.toml", "document_tokens = 200", "document_tokens = 4000");
    let change = "document_tokens of judge served is now 4000; it was 200";
    sandbox.llull(&["run", "--changed"]).refused(1, &[change, "leave out --changed"]);
}

#[test]
fn labels_that_depend_on_human_labels_are_refused() {
    let sandbox = reported();
    let config = sandbox.read("llull.toml");
    let judge = |name: &str, grade: &str| {
        let labels = sandbox.read("known.qrels").replacen(" 3\n", &format!(" {grade}\n"), 1);
        sandbox.write(&format!("{name}.qrels"), &labels);
        format!("\n[[judges]]\nname = \"{name}\"\nmodel = \"replay\"\nlabels = \"{name}.qrels\"\n")
    };
    let learnt = "escalate = { to = \"strong\", when = \"margin\", disagreement = 0.1 }\ntopics =";
    let learnt = config.replacen("topics =", learnt, 1);
    sandbox.write("llull.toml", &format!("{learnt}{}{}", judge("second", "2"), judge("strong", "1")));
    sandbox.llull(&["run", "--changed"]).refused(1, &["escalate.disagreement", "margin < 0.2"]);
    sandbox.write("llull.toml", &config);
    sandbox.llull(&["sample", "-n", "10", "--design", "uniform", "-o", "sheet.tsv"]).ends(0);
    sandbox
        .llull(&["run", "--changed"])
        .refused(1, &["human labels of the study's sample", "Leave out --changed"]);
}
