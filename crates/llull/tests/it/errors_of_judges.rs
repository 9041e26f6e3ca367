//! What is wrong with a study's judges, as variants that a caller can match.

use llull::JudgeError;
use llull::LedgerError;
use llull::config::ConfigError;
use llull::core::Paradigm;
use llull::runner::{EvidenceError, RunError};
use llull::{Study, StudyBuilder, StudyError};
use llull_testkit::ScriptedModel;

use crate::collection::{known, study, tournament};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::simulated_judge::SimulatedJudge;

fn model() -> ScriptedModel {
    ScriptedModel::answering("mine/m", |_| panic!("nothing is asked"))
}

/// Returns the error of judging; reading finds the same.
#[track_caller]
fn error(builder: StudyBuilder) -> StudyError {
    let study: Study = builder.build().unwrap();
    let inputs = study.inputs().unwrap();
    let read = study.evidence(&inputs).unwrap_err();
    let run = study.judge(&inputs).run().unwrap_err();
    assert_eq!(read.to_string(), run.to_string());
    run
}

#[test]
fn no_judge() {
    assert!(matches!(error(study()), StudyError::Judges(JudgeError::NoJudge(_))));
}

#[test]
fn two_baselines() {
    assert!(matches!(error(study().similarity().similarity()), StudyError::Judges(JudgeError::TwoBaselines)));
}

#[test]
fn a_prompt_that_is_not_there() {
    let found = error(study().model("mine", model(), "unheard-of"));
    assert!(matches!(found, StudyError::Judges(JudgeError::Prompt(_))), "{found}");
    let found = error(study().model("mine", model(), "prompts/none.j2"));
    assert!(
        matches!(&found, StudyError::Config(ConfigError::NoSuchFile { key, .. }) if key == "prompt"),
        "{found}"
    );
}

#[test]
fn a_judge_of_another_paradigm() {
    let found = error(study().judge(SimulatedJudge::comparing("fair", Paradigm::Pairwise)));
    assert!(
        matches!(
            &found,
            StudyError::Judges(JudgeError::JudgeParadigm { asks: "pairwise", wanted: "graded", .. })
        ),
        "{found}"
    );
    let found =
        error(study().tournament(tournament(Paradigm::Listwise)).judge(SimulatedJudge::grading("fair", 0.0)));
    assert!(
        matches!(
            &found,
            StudyError::Judges(JudgeError::JudgeParadigm { asks: "graded", wanted: "listwise", .. })
        ),
        "{found}"
    );
}

#[test]
fn two_judges_that_are_the_same() {
    let study = study().replay("one", known()).replay("two", known()).build().unwrap();
    let inputs = study.inputs().unwrap();
    let read = study.evidence(&inputs).unwrap_err();
    let StudyError::Evidence(EvidenceError::SameJudge { first, second }) = read else { panic!("{read}") };
    assert_eq!((first.as_str(), second.as_str()), ("one", "two"));
    let run = study.judge(&inputs).run().unwrap_err();
    assert!(matches!(&run, StudyError::Run(RunError::Evidence(EvidenceError::SameJudge { .. }))), "{run:?}");
}

#[test]
fn a_model_that_cannot_be_connected_is_found_before_anything_is_asked() {
    let judges = format!("{REPLAY}\n[[judges]]\nname = \"model\"\nmodel = \"openai/m\"\n");
    let folder = FolderStudy::new("", &judges);
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    let found = study.judge(&inputs).run().unwrap_err();
    assert!(
        matches!(&found, StudyError::Judges(JudgeError::Model { judge, .. }) if judge == "model"),
        "{found}"
    );
    assert!(!folder.path(".llull").exists());
    study.evidence(&inputs).unwrap();
}

#[test]
fn a_ledger_that_is_in_use() {
    let folder = FolderStudy::new("", REPLAY);
    fs_err::create_dir_all(folder.path(".llull")).unwrap();
    let _lock = llull::store::LedgerLock::acquire(&folder.path(".llull/ledger.sqlite")).unwrap();
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    assert!(matches!(study.judge(&inputs).run(), Err(StudyError::Store(_))));
    study.evidence(&inputs).unwrap();
}

#[test]
fn no_ballots_without_a_ledger() {
    let folder = FolderStudy::new("paradigm = \"pairwise\"\n", REPLAY);
    assert!(matches!(
        folder.open().attempts().ballots(&[]),
        Err(StudyError::Ledger(LedgerError::NoLedger(_)))
    ));
}

#[test]
fn a_judge_that_never_compared() {
    let study = study().judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    crate::collection::judged(&study);
    let found = study.attempts().ballots(&["fair".to_owned()]).unwrap_err();
    assert!(matches!(
        &found,
        StudyError::Ledger(LedgerError::NotComparing { judge, known }) if judge == "fair" && known.is_empty()
    ));
}
