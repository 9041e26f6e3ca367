//! Panels whose judges have scales of their own.

use llull::JudgeError;
use llull::label::GradeMap;
use llull::{Severity, Study, StudyError};

use crate::collection::{TRUTH, judged, known, label_lines, study};
use crate::folder_study::{FolderStudy, REPLAY};

/// A judge of 0 and 1 and one of 0 to 5 beside the one of 0 to 3.
const PANEL: &str = "\n[[judges]]\nname = \"binary\"\nmodel = \"replay\"\nlabels = \"binary.qrels\"\n\n\
                     [[judges]]\nname = \"six\"\nmodel = \"replay\"\nlabels = \"six.qrels\"\n";

fn panel() -> FolderStudy {
    let folder = FolderStudy::new("", &format!("{REPLAY}{PANEL}"));
    let lines = |grade: fn(i32) -> i32| -> String {
        TRUTH
            .iter()
            .map(|(query, document, truth)| format!("{query} 0 {document} {}\n", grade(*truth)))
            .collect()
    };
    folder.write("binary.qrels", &lines(|grade| i32::from(grade >= 2)));
    folder.write("six.qrels", &lines(|grade| [0, 2, 3, 5][grade as usize]));
    folder
}

/// `doctor` said "all is ready", and the panel called a better system worse.
#[test]
fn judges_with_other_scales_are_refused_with_what_to_write() {
    let folder = panel();
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    let error = study.evidence(&inputs).unwrap_err();
    assert!(
        matches!(&error, StudyError::Judges(JudgeError::JudgeScale { judge, .. }) if judge == "binary"),
        "{error}"
    );
    let text = error.to_string();
    assert!(text.contains("scale = \"0..1 -> 0,3\"") && text.contains("scale = \"0..3\" if that"), "{text}");
    let findings = study.examine(&|_| None, false);
    assert!(
        findings
            .iter()
            .any(|finding| finding.severity == Severity::Error && finding.text.contains("0..1 -> 0,3")),
        "{findings:#?}"
    );
}

#[test]
fn mapped_onto_the_rubrics_scale_they_agree() {
    let folder = panel();
    folder.edit("llull.toml", "\"binary.qrels\"", "\"binary.qrels\"\nscale = \"0..1 -> 0,3\"");
    folder.edit("llull.toml", "\"six.qrels\"", "\"six.qrels\"\nscale = \"0..5 -> 0,1,1,2,2,3\"");
    let study = folder.open();
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 3, a2 1, a3 0, a4 2");
    assert!(!outcome.evidence.notes.iter().any(|note| note.text.contains("scale")));
    // Another mapping is another judge: nothing of the ledger is reused for it.
    folder.edit("llull.toml", "0..1 -> 0,3", "0..1 -> 0,2");
    let again = folder.open();
    // A scale whose best grade is not the rubric's is refused as well.
    assert!(matches!(
        again.evidence(&inputs).unwrap_err(),
        StudyError::Judges(JudgeError::JudgeScale { .. })
    ));
}

#[test]
fn answers_under_another_mapping_are_asked_anew() {
    let of = |scale: &str| -> Study {
        let scale: GradeMap = scale.parse().unwrap();
        study().replay_on("known", known(), scale).build().unwrap()
    };
    let labels = |study: &Study| label_lines(&judged(study).1.evidence);
    assert_eq!(labels(&of("0..3"))[0], "q1: a1 3, a2 1, a3 0, a4 2");
    assert_eq!(labels(&of("0..3 -> 0,0,3,3"))[0], "q1: a1 3, a2 0, a3 0, a4 3");
    let off = study().replay_on("known", known(), "0..2 -> 0,1,3".parse().unwrap()).build().unwrap();
    let (_, outcome) = judged(&off);
    assert_eq!(outcome.evidence.labels.get("q1", "a1"), None, "3 is not on its scale: missing");
}

#[test]
fn what_the_lower_middle_does_is_said() {
    let folder = FolderStudy::new(
        "",
        &format!("{REPLAY}\n[[judges]]\nname = \"other\"\nmodel = \"replay\"\nlabels = \"other.qrels\"\n"),
    );
    let lines: String = TRUTH
        .iter()
        .map(|(query, document, grade)| format!("{query} 0 {document} {}\n", 3 - grade))
        .collect();
    folder.write("other.qrels", &lines);
    let (_, outcome) = judged(&folder.open());
    let note = outcome.evidence.notes.iter().find(|note| note.text.contains("in the middle")).unwrap();
    assert!(note.text.contains("on 11 of 11 pairs the two differ"), "{note}");
}
