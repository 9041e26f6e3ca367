//! The score that moved: what a report says of the one that it replaces.

use llull::core::Grade;

use crate::collection::judged;
use crate::folder_study::{FolderStudy, REPLAY};

/// Judges what is open, writes the report, and returns what moved.
fn moved(folder: &FolderStudy) -> Vec<String> {
    let study = folder.open();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    study.reports().write(&inputs, &report).unwrap().moved
}

#[test]
fn figures_that_moved_are_said_with_the_reason() {
    let folder = FolderStudy::new("", REPLAY);
    assert_eq!(moved(&folder), Vec::<String>::new(), "there was no report");
    assert_eq!(moved(&folder), Vec::<String>::new(), "nothing moved");

    folder.edit("known.qrels", "q1 0 a1 3", "q1 0 a1 0");
    let lines = moved(&folder);
    assert!(lines[0].starts_with("old: nDCG@3 ") && lines[1].starts_with("new: nDCG@3 "), "{lines:?}");
    assert!(lines.iter().any(|line| line == "because of the labels, 1 changed"), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("because the prompt of judge known changed")),
        "{lines:?}"
    );

    let run = folder.read("new.run");
    folder.write("new.run", &run.replace(" a1 ", " x ").replace(" a2 ", " a1 ").replace(" x ", " a2 "));
    let lines = moved(&folder);
    assert!(lines.iter().any(|line| line == "because run new changed (new.run)"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("labels") || line.starts_with("old")), "{lines:?}");
}

#[test]
fn a_pool_that_grew_and_a_missing_label_are_said() {
    let folder = FolderStudy::new("", REPLAY);
    let known = folder.read("known.qrels");
    folder.write("known.qrels", &known.replace("q3 0 c1 3\n", ""));
    moved(&folder);
    folder.write("known.qrels", &known);
    let lines = moved(&folder);
    assert!(lines.iter().any(|line| line == "because of the labels, 1 new"), "{lines:?}");
    folder.edit("llull.toml", "depth = 3", "depth = 1");
    let lines = moved(&folder);
    assert!(lines.iter().any(|line| line.starts_with("because the pool shrank from 11 to ")), "{lines:?}");
    assert!(lines.iter().any(|line| line == "because the pool's depth is 1 instead of 3"), "{lines:?}");
}

#[test]
fn an_earlier_report_that_cannot_be_read_is_replaced() {
    let folder = FolderStudy::new("", REPLAY);
    let grade: Grade = 3;
    folder.write("report.json", &format!("{{\"version\": {grade}, \"systems\": "));
    assert_eq!(moved(&folder), Vec::<String>::new());
    assert!(folder.read("report.json").contains("\"systems\""));
}
