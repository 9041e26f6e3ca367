//! How a study's panel becomes a label: `method` in llull.toml, `--method`.

use std::fmt::Write as _;

use crate::panel::panel;
use crate::sample::{fill, study};
use crate::sandbox::Sandbox;

/// Beside the judge that people mostly agree with, one that says the contrary and one that says what comes.
fn three() -> Sandbox {
    let sandbox = study();
    let others = [("contrary", 0), ("random", 1)];
    let mut config = sandbox.read("llull.toml");
    for (name, which) in others {
        let mut labels = String::new();
        for (at, line) in sandbox.read("known.qrels").lines().enumerate() {
            let (pair, grade) = line.rsplit_once(' ').unwrap();
            let grade: usize = grade.parse().unwrap();
            writeln!(labels, "{pair} {}", if which == 0 { 3 - grade } else { at * 7 % 11 % 4 }).unwrap();
        }
        sandbox.write(&format!("{name}.qrels"), &labels);
        write!(config, "\n[[judges]]\nname = \"{name}\"\nmodel = \"replay\"\nlabels = \"{name}.qrels\"\n")
            .unwrap();
    }
    sandbox.write("llull.toml", &config);
    sandbox
}

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// One judge gives one grade less, one more: of three grades that differ the majority is the lowest.
#[test]
fn a_study_says_how_its_panel_becomes_a_label() {
    let sandbox = panel();
    sandbox.edit("llull.toml", "name = \"tiny\"", "name = \"tiny\"\nmethod = \"majority\"");
    sandbox.llull(&["run", "-Q"]).ends(0);
    assert!(sandbox.read("labels.qrels").contains("q1 0 a2 0\n"), "{}", sandbox.read("labels.qrels"));
    let meaning = "the grade that most of 3 judges gave, the lowest of equals (majority)";
    assert!(sandbox.read("report.json").contains(meaning));
    sandbox.edit("llull.toml", "method = \"majority\"", "method = \"dawid-skene\"");
    let skene = sandbox.llull(&["report"]).ends(0);
    skene.says(&["dawid-skene takes judges as independent, and models share their mistakes"]);
    assert!(sandbox.read("report.md").contains("takes judges as independent"));
}

#[test]
fn people_choose_the_method_once_they_have_labelled_and_until_then_that_is_said() {
    let sandbox = three();
    sandbox
        .edit("llull.toml", "measures = ", "method = \"choose\"\nmeasures = ")
        .llull(&["run"])
        .ends(0)
        .says(&["method = \"choose\" learns from human labels of the study's sample: none is drawn yet"]);
    let waiting = sandbox.read("labels.qrels");
    sandbox.llull(&["label", "--method", "median", "-Q"]).ends(0);
    assert_eq!(sandbox.read("labels.qrels"), waiting, "the median until then");
    sandbox.llull(&["sample", "-n", "100", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.llull(&["report", "-Q"]).ends(0);
    assert!(sandbox.read("report.md").contains("none of it is labelled yet"));
    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", 100));
    sandbox.llull(&["sample", "--read", "whole.tsv", "--annotator", "anna", "-Q"]).ends(0);
    let labelled = sandbox.llull(&["label"]).ends(0).says(&[
        "labels are by dawid-skene: of 11 methods and judges",
        "choosing so gives 0.7711 on queries that neither fit nor choice has seen.",
        "4 of the others show no clear difference from it",
        "dawid-skene takes judges as independent",
        "known     0..3      154         0              0              1.0000         1.0000\n",
        "contrary  0..3      154         0              0              0.0000        -0.3327\n",
        "154 of 154 pairs labelled, in labels.qrels",
    ]);
    assert_eq!(labelled.stdout, "");
    let (chosen, known) = (sandbox.read("labels.qrels"), sandbox.read("known.qrels"));
    let pooled = lines(&known).into_iter().filter(|line| chosen.contains(line.as_str())).count();
    assert_eq!(pooled, chosen.lines().count(), "people side with one judge in every part of the queries");
    sandbox.llull(&["report", "-Q"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let method = &report["panel"]["method"];
    assert_eq!((&method["configured"], &method["people"]), (&"choose".into(), &100.into()), "{method}");
    let best =
        method["tried"].as_array().unwrap().iter().find(|one| one["method"] == method["method"]).unwrap();
    assert!(best["kappa"].as_f64().unwrap() > 0.5 && best["kappa_low"].is_null(), "{method}");
    assert_eq!(report["study"]["aggregation"], method["meaning"]);
    let text = sandbox.read("report.md");
    let section = text.split("\n## ").find(|section| section.starts_with("Panel")).unwrap();
    for part in [
        "| majority | 0.2497 | [-0.6577, -0.3281] | -0.0954 |",
        "| dawid-skene | 0.7397 | chosen | 0.9268 |",
        "| judge known | 0.7397 | [0.0000, 0.0000] | 0.9679 |",
        "alpha of the judges over 154 pairs is -0.3338 [-0.3435, -0.3249] (95%), for ordered grades",
        "| known | random | 154 | 26.0% | 0.0138 | 0.0424 |",
        "- Without judge known findings change: new against old: worse, and not better (P(rel=2)@5 -0.15, ",
        "- Without judge contrary every finding is the same.",
        "On 81 pairs the judges are split",
        "| q1: question number 1 | q1d5: some, \"quoted\" words 5 | 0 | known 0 - contrary 3 - random 2 |",
    ] {
        assert!(section.contains(part), "{part} in\n{section}");
    }
    // Every command that reads labels reads these.
    let measured = sandbox.llull(&["measure", "--json", "-Q"]).ends(0).stdout;
    sandbox.edit("llull.toml", "method = \"choose\"", "method = \"mean\"");
    assert_ne!(measured, sandbox.llull(&["measure", "--json", "-Q"]).ends(0).stdout);
    sandbox.edit("llull.toml", "method = \"mean\"", "method = \"choose\"");
    let compared = sandbox.llull(&["compare", "old", "new", "--json", "-Q"]).ends(0).json();
    assert_eq!(
        compared["comparisons"][0]["mean_difference"],
        report["decision"]["comparisons"][0]["mean_difference"]
    );
    // Human labels correct figures of the judges' means, too.
    sandbox.edit("llull.toml", "method = \"choose\"", "method = \"fractional\"");
    let report = sandbox.llull(&["report", "--json", "-Q"]).ends(0).json();
    let found = &report["decision"]["comparisons"][0];
    assert!(found["ppi"]["value"].is_f64(), "{found}");
    assert_eq!(found["ppi"]["judge_only"]["value"], found["mean_difference"], "{found}");
}

#[test]
fn what_cannot_be_put_together_is_refused_where_it_stands() {
    let sandbox = panel();
    let written = |method: &str| {
        let config = sandbox
            .read("llull.toml")
            .replace("name = \"tiny\"", &format!("name = \"tiny\"\nmethod = \"{method}\""));
        sandbox.write("wrong/llull.toml", &config);
        sandbox.llull(&["--study", "wrong", "report"]).ends(1).stderr
    };
    assert!(
        written("best:4").contains("method: best:4 takes 4 judges, and the study has 3"),
        "{}",
        written("best:4")
    );
    assert!(written("mode").contains("there is no method \"mode\""), "{}", written("mode"));
    sandbox.llull(&["report", "--method", "mean", "--paradigm", "listwise"]).ends(1).says(&[
        "--method: mean puts grades together, and here judges compare: their votes count by majority or",
    ]);
    sandbox.llull(&["run", "--judge", "strict"]).ends(0);
    sandbox.llull(&["report", "--judge", "strict", "--method", "mean"]).ends(0).says(&[
        "method = \"mean\" puts the grades of several judges together, and here is one: it has no effect",
    ]);
    sandbox.llull(&["report", "--method", "judge-aware"]).ends(1).says(&[
        "--method: judge-aware counts votes, and here judges grade; set paradigm = \"pairwise\" or \"listwise\"",
    ]);
    assert!(written("judge-aware").contains("method: judge-aware counts votes, and here judges grade"));
    sandbox.llull(&["label", "a.qrels", "b.qrels", "--method", "judge-aware"]).ends(2);
}

/// Of grades 0, 0 and 1 the median is 0, and nDCG reads a third.
#[test]
fn measures_may_read_the_mean_that_is_not_rounded() {
    let sandbox = panel();
    sandbox.edit("llull.toml", "name = \"tiny\"", "name = \"tiny\"\nmethod = \"median\"");
    let by_median = sandbox.llull(&["run", "--json"]).ends(0).json();
    let shown = sandbox.read("labels.qrels");
    let by_mean = sandbox.llull(&["report", "--method", "fractional", "--json"]).ends(0).json();
    assert_eq!(sandbox.read("labels.qrels"), shown, "grades are shown as the median");
    assert!(by_mean.to_string().contains("for measures the mean of 3 judges' grades"));
    let value = |report: &serde_json::Value, measure: &str| {
        let figures = report["systems"][0]["figures"].as_array().unwrap().clone();
        figures.into_iter().find(|found| found["measure"] == measure).unwrap()["mean"].clone()
    };
    assert_ne!(value(&by_median, "nDCG@3"), value(&by_mean, "nDCG@3"));
    sandbox.edit("llull.toml", "method = \"median\"", "method = \"fractional\"");
    let labels = sandbox.llull(&["label", "--json"]).ends(0).json();
    let a2 = labels.as_array().unwrap().iter().find(|label| label["document"] == "a2").unwrap();
    assert!(a2["mean"].is_f64() && a2["grade"].is_i64(), "{a2}");
    sandbox.edit("llull.toml", "\"nDCG@3\"", "\"ERR@10\"");
    sandbox.llull(&["report"]).refused(1, &["ERR@10 has a gain for whole grades only", "method = \"mean\""]);
}
