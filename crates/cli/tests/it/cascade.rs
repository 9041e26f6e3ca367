//! A stronger judge sees what the others find hard: `escalate` in llull.toml.

use std::fmt::Write as _;

use crate::panel::panel;
use crate::sample::{fill, study};
use crate::sandbox::Sandbox;

fn escalating(rule: &str) -> Sandbox {
    let sandbox = panel();
    sandbox.edit(
        "llull.toml",
        "name = \"tiny\"",
        &format!("name = \"tiny\"\nescalate = {{ to = \"known\", {rule} }}"),
    );
    sandbox
}

fn section(sandbox: &Sandbox) -> String {
    let text = sandbox.read("report.md");
    text.split("\n## ").find(|section| section.starts_with("Escalation")).unwrap().to_owned()
}

/// The two judges give one grade less and one more, so that they are split on every 1 and every 2: 5 of 11 pairs.
#[test]
fn the_stronger_judge_sees_what_is_split_and_its_grade_is_the_label() {
    let sandbox = escalating("when = \"split\"");
    sandbox
        .llull(&["run", "--dry-run"])
        .ends(0)
        .rows(&["strict 11 0 0 0 0 11 0", "known 0 0 0 0 0 0 0"])
        .says(&["known: 0 to 11 requests, by how much the other judges find hard"]);
    sandbox.llull(&["run", "--verbose"]).ends(0).says(&[
        "known judges 5 of 11 pairs, which the other judges find hard (split); its grade is the label of 5",
    ]);
    let labels = sandbox.read("labels.qrels");
    // The other judges' mean stays where they are not split.
    for line in [" a2 1", " a4 2", " b1 2", " b4 1", " c3 1", "q1 mean=2.5 a1 2", "q1 mean=0.5 a3 0"] {
        assert!(labels.contains(line), "{line} in\n{labels}");
    }
    let shown = section(&sandbox);
    for part in [
        "known judges 5 of 11 pairs",
        "It changed 5 labels (5 higher, 0 lower), 2 of them across the cutoff.",
        "That took 5 requests",
        "all 11 pairs would have taken 11 requests",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let found = &report["escalation"];
    assert_eq!((&found["raised"], &found["lowered"], &found["escalated"]), (&5.into(), &0.into(), &5.into()));
    assert_eq!(
        report["coverage"]["judges"].as_array().map(Vec::len),
        Some(3),
        "the stronger judge is counted"
    );
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    let asked: Vec<_> =
        status.as_array().unwrap().iter().map(|judge| judge["totals"]["attempts"].clone()).collect();
    assert_eq!(asked, [11, 11, 5]);
    sandbox
        .llull(&["run", "--dry-run"])
        .ends(0)
        .rows(&["known 5 5 0 0 0 0 5", "known: nothing is left to ask"])
        .says(&["on 6 of 6 pairs the two differ, and by their mean the labels would be 0.5000 higher"]);
}

/// Nobody knows what is hard until the others have answered, and what is asked is asked once.
#[test]
fn a_run_that_was_stopped_goes_on() {
    let sandbox = escalating("when = \"split\"");
    sandbox.llull(&["run", "--max-calls", "24", "--verbose"]).ends(3).says(&["3 are still open"]);
    sandbox.llull(&["run"]).ends(0);
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    let asked: u64 =
        status.as_array().unwrap().iter().map(|judge| judge["totals"]["attempts"].as_u64().unwrap()).sum();
    assert_eq!(asked, 27);
}

#[test]
fn what_cannot_be_escalated_is_refused_before_anything_is_asked() {
    for (rule, says) in [
        ("when = \"hard\"", "\"hard\" says nothing that can be hard: write one or more of split"),
        ("when = \"cycle\"", "grades make no cycle"),
        ("when = \"margin\"", "set how much disagreement is allowed, disagreement = 0.1"),
        ("when = \"split\", disagreement = 0.1", "`when` leaves none to choose"),
        ("when = \"margin\", disagreement = 2.0", "disagreement = 2 is not above 0 and below 1"),
    ] {
        escalating(rule).llull(&["run"]).ends(1).says(&["llull.toml line 3:", says]);
    }
    let sandbox = escalating("when = \"split\"");
    sandbox.llull(&["run", "--paradigm", "pairwise"]).ends(1).says(&[
        "escalate.when = \"split\": where judges compare, which pairs come up depends on every answer",
        "write when = \"cycle\"",
    ]);
    let other = crate::sandbox::tiny_judged_by(
        "[[judges]]\nname = \"strong\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n",
    );
    let config = other.read("llull.toml");
    let cycles = |more: &str| {
        let line =
            format!("paradigm = \"listwise\"\nescalate = {{ to = \"strong\", when = \"cycle\"{more} }}\n");
        other.write("llull.toml", &config.replace("measures = ", &format!("{line}measures = ")));
        other.llull(&["run"]).ends(1).stderr
    };
    assert!(cycles("").contains("name at least one other in [[judges]]"), "{}", cycles(""));
    let said = cycles(", disagreement = 0.1");
    assert!(
        said.contains("escalate.disagreement and escalate.confidence are about the margin of grades"),
        "{said}"
    );
    sandbox.llull(&["run", "--judge", "strict"]).ends(0).says(&["escalate has no effect"]);
    sandbox.edit("llull.toml", "to = \"known\"", "to = \"gpt\"");
    sandbox.llull(&["run"]).ends(1).says(&["escalate.to = \"gpt\" is no judge of [[judges]]"]);
}

/// Two judges who agree are right; the second is moved on every third document, and where they differ the label is as
/// often wrong. People's labels say so.
#[test]
fn people_choose_how_sure_the_others_have_to_be() {
    let sandbox = study();
    let mut other = String::new();
    for (at, line) in sandbox.read("known.qrels").lines().enumerate() {
        let (pair, grade) = line.rsplit_once(' ').unwrap();
        let grade: usize = grade.parse().unwrap();
        writeln!(other, "{pair} {}", if at % 3 == 0 { (grade + 2) % 4 } else { grade }).unwrap();
    }
    sandbox.write("other.qrels", &other);
    let mut config = sandbox.read("llull.toml");
    for (name, file) in [("other", "other"), ("strong", "known")] {
        write!(config, "\n[[judges]]\nname = \"{name}\"\nmodel = \"replay\"\nlabels = \"{file}.qrels\"\n")
            .unwrap();
    }
    // The strong judge is people's word, in a file of its own.
    sandbox.write(
        "llull.toml",
        &config.replace(
            "name = \"strong\"\nmodel = \"replay\"\nlabels = \"known.qrels\"",
            "name = \"strong\"\nmodel = \"replay\"\nlabels = \"strong.qrels\"",
        ),
    );
    sandbox.write("strong.qrels", &sandbox.read("known.qrels").replacen(" 3\n", " 2\n", 1));
    sandbox.edit(
        "llull.toml",
        "measures = ",
        "escalate = { to = \"strong\", when = \"margin\", disagreement = 0.3, confidence = 0.9 }\nmeasures = ",
    );
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .says(&["no sample is drawn yet (llull sample --design uniform); nothing is escalated"]);
    sandbox.llull(&["sample", "--design", "uniform", "-n", "100", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.write("half.tsv", &fill(&sandbox, "sheet.tsv", 50));
    sandbox.llull(&["sample", "--read", "half.tsv", "--annotator", "anna", "-Q"]).ends(3);
    sandbox.llull(&["report", "-Q"]).ends(0);
    assert!(section(&sandbox).contains("50 of the sample's 100 pairs are labelled; nothing is escalated"));
    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", 100));
    sandbox.llull(&["sample", "--read", "whole.tsv", "--annotator", "anna", "-Q"]).ends(0);
    sandbox.llull(&["run", "-Q"]).ends(0);
    let chosen = section(&sandbox);
    for part in [
        "strong judges 77 of 154 pairs",
        "It changed 27 labels (27 higher, 0 lower), 27 of them across the cutoff.",
        "stand from a margin of 1.0000 on: of 66 labelled pairs there 12 are wrong",
        "at most 25.7% with a confidence of 90%",
        "does not read 35 pairs of the pool",
    ] {
        assert!(chosen.contains(part), "{part} in\n{chosen}");
    }
    let config = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &config.replace("disagreement = 0.3", "disagreement = 0.01"));
    sandbox.llull(&["run", "-Q"]).ends(0);
    assert!(section(&sandbox).contains("everything is escalated"), "{}", section(&sandbox));
    assert!(section(&sandbox).contains("strong judges 154 of 154 pairs"), "{}", section(&sandbox));
}
