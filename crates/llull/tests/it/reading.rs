//! Reading is not asking: what the ledger knows is read without a key, a model or a change to any file.

use llull::LedgerError;
use std::sync::Arc;

use llull::core::Paradigm;
use llull::{Study, StudyError};

use crate::collection::{PAIRS, judged, label_lines, study, tournament, untimed_report};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::shared_ledger::shared_ledger;
use crate::simulated_judge::SimulatedJudge;

const MODEL: &str = "[[judges]]\nname = \"model\"\nmodel = \"openai/m\"\n";

#[test]
fn evidence_of_a_folder_without_a_ledger_writes_nothing() {
    for lines in ["", "paradigm = \"pairwise\"\n", "paradigm = \"listwise\"\n"] {
        let folder = FolderStudy::new(lines, MODEL);
        let before = folder.files();
        let study = folder.open();
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        assert_eq!(evidence.labels.labelled(), 0);
        assert!(!evidence.is_complete());
        assert!(evidence.judges.judges()[0].open() > 0);
        study.report(&inputs, &evidence).unwrap();
        study.estimates().open(&inputs, &evidence).unwrap();
        study.examine(&|_| None, false);
        assert_eq!(folder.files(), before, "{lines}");
        assert!(matches!(
            study.ledger().file(),
            Err(StudyError::Ledger(LedgerError::NoLedger(path))) if path == study.ledger().name()
        ));
    }
}

#[test]
fn evidence_of_a_ledger_leaves_it_as_it_is() {
    let folder = FolderStudy::new("", REPLAY);
    let (inputs, outcome) = judged(&folder.open());
    let ledger = || fs_err::read(folder.path(".llull/ledger.sqlite")).unwrap();
    let before = ledger();
    folder.edit("llull.toml", "name = \"known\"", "name = \"renamed\"");
    let evidence = folder.open().evidence(&inputs).unwrap();
    assert_eq!(evidence.labels, outcome.evidence.labels);
    assert_eq!(evidence.judges.judges()[0].name(), "renamed");
    assert!(ledger() == before, "not a byte of it changes");
}

#[test]
fn no_judge_is_registered_and_none_is_asked() {
    let (ledger, used) = shared_ledger();
    let judge = SimulatedJudge::grading("fair", 0.0);
    let log = judge.log();
    let study = study().judge(judge).shared_ledger(Arc::clone(&ledger)).build().unwrap();
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    assert_eq!((used.writes(), log.calls()), (0, 0));
    assert_eq!((evidence.judges.judges()[0].open(), evidence.labels.labelled()), (PAIRS, 0));
    assert!(ledger.lock().unwrap().judges().unwrap().is_empty());
}

/// What was read says what the run has said, whatever kind of study it is.
#[test]
fn evidence_that_is_read_is_that_of_the_run() {
    let compared = |paradigm| {
        study()
            .tournament(tournament(paradigm))
            .judge(SimulatedJudge::comparing("fair", paradigm))
            .build()
            .unwrap()
    };
    let graded = study().judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    for study in [graded, compared(Paradigm::Pairwise), compared(Paradigm::Listwise)] {
        let (inputs, outcome) = judged(&study);
        let read = study.evidence(&inputs).unwrap();
        assert_eq!(read.labels, outcome.evidence.labels);
        assert_eq!(label_lines(&read), label_lines(&outcome.evidence));
        assert!(read.judges.questions().eq(outcome.evidence.judges.questions()));
        for (read, run) in read.panel().zip(outcome.evidence.panel()) {
            assert!(read.tasks().eq(run.tasks()));
            assert_eq!(read.counts(), run.counts());
            assert_eq!(read.totals().attempts, run.totals().attempts);
        }
        assert_eq!(
            untimed_report(&study, &inputs, &read),
            untimed_report(&study, &inputs, &outcome.evidence)
        );
    }
}

#[test]
fn measures_are_a_function_of_labels() {
    let study: Study = study().judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let scores = study.measure(&inputs, &outcome.evidence.labels);
    assert_eq!(scores.len(), 2);
    assert_eq!(scores[0].topics.len(), 3);
    let by_hand = (1.0 + 3.0 / 3f64.log2()) / (3.0 + 2.0 / 3f64.log2() + 0.5);
    assert!((scores[0].topics[0].cells[0].value - by_hand).abs() < 1e-12, "{:?}", scores[0].topics[0]);
}
