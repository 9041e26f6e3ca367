//! How a study's panel becomes a label: `method` in llull.toml, `--method`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

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
    sandbox.llull(&["label", "--method", "fractional", "-Q"]).ends(0);
    assert_eq!(sandbox.read("labels.qrels"), waiting, "the default until then");
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
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
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
    let [judged, measured] =
        [&found["ppi"]["judge_only"]["value"], &found["mean_difference"]].map(Value::as_f64);
    assert!((judged.unwrap() - measured.unwrap()).abs() < 1e-12, "{found}");
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

/// Of grades 0, 0 and 1 the median is 0, and nDCG reads a third; P, AP and ERR read the median. So do trec_eval's
/// measures, and llull's of labels.qrels are the report's.
#[test]
fn ndcg_reads_the_mean_of_a_panel_and_one_grade_is_the_median() {
    let sandbox = panel();
    sandbox.edit("llull.toml", "measures = [", "measures = [\"ERR@10\", ");
    sandbox.edit("llull.toml", "name = \"tiny\"", "name = \"tiny\"\nmethod = \"median\"");
    let by_median = sandbox.llull(&["run", "--json"]).ends(0).json();
    let of_median = sandbox.read("labels.qrels");
    sandbox.edit("llull.toml", "method = \"median\"\n", "");
    let by_mean = sandbox.llull(&["report", "--json"]).ends(0).json();
    assert!(by_mean.to_string().contains("nDCG with the grade as gain and Compat read their mean"));
    let figures = |report: &Value| -> Vec<(String, Value)> {
        let figures = report["systems"][0]["figures"].as_array().unwrap();
        figures
            .iter()
            .map(|found| (found["measure"].as_str().unwrap().to_owned(), found["mean"].clone()))
            .collect()
    };
    for ((measure, median), (_, mean)) in figures(&by_median).into_iter().zip(figures(&by_mean)) {
        assert_eq!(median == mean, !measure.starts_with("nDCG"), "{measure}: {median} {mean}");
    }
    let of_mean = sandbox.read("labels.qrels");
    assert!(of_mean.contains("q1 mean=2.666667 a1 3\n"), "{of_mean}");
    let trec = |labels: &str| -> Vec<String> {
        let columns = labels.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        columns.map(|columns| [columns[0], columns[2], columns[3]].join(" ")).collect()
    };
    assert_eq!(trec(&of_mean), trec(&of_median), "grades are shown as the median");
    let labels = sandbox.llull(&["label", "--json"]).ends(0).json();
    let a1 = labels.as_array().unwrap().iter().find(|label| label["document"] == "a1").unwrap();
    assert!(a1["mean"].as_f64().unwrap() < 3.0 && a1["grade"] == 3, "{a1}");
    let files = ["strict.qrels", "lenient.qrels", "known.qrels"];
    sandbox.llull(&[&["label", "--scale", "0..3", "-o", "panel.qrels"], &files[..]].concat()).ends(0);
    assert_eq!(lines(&sandbox.read("panel.qrels")), lines(&of_mean));
    let runs = by_mean["systems"].as_array().unwrap().iter();
    for (system, of_system) in runs.map(|system| (system["system"].as_str().unwrap(), figures_of(system))) {
        let run = format!("{system}.run");
        let found = sandbox.llull(&["measure", "panel.qrels", &run, "-m", "nDCG@3", "--json"]).ends(0).json();
        let mean = found["systems"][0]["figures"][0]["mean"].clone();
        assert_eq!(Some(&mean), of_system.get("nDCG@3"), "{system}");
    }
}

fn figures_of(system: &Value) -> BTreeMap<String, Value> {
    let figures = system["figures"].as_array().unwrap().iter();
    figures.map(|found| (found["measure"].as_str().unwrap().to_owned(), found["mean"].clone())).collect()
}
