//! `Study::examine`: everything that can be known to go wrong before money is spent.

use std::sync::Arc;

use llull::{DoctorFinding, Severity};
use llull_testkit::{FaultPlan, FaultyServer, ScriptedModel, reply};

use crate::collection::{known, run, study};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::simulated_judge::{SharedModel, SimulatedJudge};

#[track_caller]
fn finding<'a>(findings: &'a [DoctorFinding], what: &str, text: &str) -> &'a DoctorFinding {
    let found = findings.iter().find(|finding| finding.what == what && finding.text.contains(text));
    found.unwrap_or_else(|| panic!("{what}: {text} in {findings:#?}"))
}

fn worst(findings: &[DoctorFinding]) -> Severity {
    let has = |severity| findings.iter().any(|finding| finding.severity == severity);
    match (has(Severity::Error), has(Severity::Warning)) {
        (true, _) => Severity::Error,
        (false, true) => Severity::Warning,
        (false, false) => Severity::Fine,
    }
}

#[test]
fn a_study_that_is_as_it_should_be() {
    let folder = FolderStudy::new("reference = \"known.qrels\"\n", REPLAY);
    let findings = folder.open().examine(&|_| None, true);
    assert_eq!(worst(&findings), Severity::Fine, "{findings:#?}");
    finding(&findings, "topics", "3 queries");
    finding(&findings, "pool", "11 pairs at depth 3");
    finding(&findings, "reference", "11 labels");
    finding(&findings, "judge known", "11 pairs to ask, 0 in the ledger already");
    crate::collection::judged(&folder.open());
    let findings = folder.open().examine(&|_| None, true);
    finding(&findings, "judge known", "0 pairs to ask, 11 in the ledger already");
}

#[test]
fn every_missing_file_is_found_at_once() {
    let folder = FolderStudy::new("rubric = \"rubric.md\"\n", REPLAY);
    for file in ["topics.tsv", "old.run", "known.qrels"] {
        fs_err::remove_file(folder.path(file)).unwrap();
    }
    let findings = folder.open().examine(&|_| None, false);
    let missing: Vec<&str> = findings.iter().map(|finding| finding.what.as_str()).collect();
    assert_eq!(missing, ["topics", "rubric", "run", "labels"]);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Error));
}

#[test]
fn queries_that_a_system_does_not_answer_are_said() {
    let study = study().run(run("half", [&["a1"], &[], &[]])).judge(SimulatedJudge::grading("fair", 0.0));
    let findings = study.build().unwrap().examine(&|_| None, false);
    let found = finding(&findings, "system half", "2 queries are not answered and count as 0");
    assert_eq!(found.severity, Severity::Warning);
}

#[test]
fn a_model_without_its_key_is_an_error_and_with_it_is_not() {
    let folder = FolderStudy::new("", "[[judges]]\nname = \"model\"\nmodel = \"openai/m\"\n");
    let findings = folder.open().examine(&|_| None, false);
    assert_eq!(finding(&findings, "judge model", "OPENAI_API_KEY").severity, Severity::Error);
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-not-shown".to_owned());
    let findings = folder.open().examine(&key, false);
    assert_eq!(worst(&findings), Severity::Fine, "{findings:#?}");
    finding(&findings, "judge model", "it was not contacted");
    assert!(!format!("{findings:?}").contains("sk-not-shown"));
}

#[test]
fn a_key_that_goes_to_another_server_is_a_warning() {
    let judge = "[[judges]]\nname = \"model\"\nmodel = \"openai/m\"\nbase_url = \"http://192.0.2.1:1\"\n";
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-not-shown".to_owned());
    let findings = FolderStudy::new("", judge).open().examine(&key, false);
    assert_eq!(
        finding(&findings, "judge model", "with the key in OPENAI_API_KEY").severity,
        Severity::Warning
    );
}

#[test]
fn online_a_model_is_asked_once() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let url = server.url();
    let judge = format!("[[judges]]\nname = \"served\"\nmodel = \"vllm/m\"\nbase_url = {url:?}\n");
    let folder = FolderStudy::new("", &judge);
    let study = folder.open();
    study.examine(&|_| None, false);
    assert_eq!(server.served().total(), 0);
    let findings = study.examine(&|_| None, true);
    assert_ne!(worst(&findings), Severity::Error, "{findings:#?}");
    finding(&findings, "judge served", "answers, in ");
    assert_eq!(server.served().total(), 1);
}

#[test]
fn a_model_that_ignores_the_schema_is_a_warning() {
    let model = Arc::new(ScriptedModel::answering("mine/m", |_| Ok(reply("I am well, thank you."))));
    let study = study().model("mine", SharedModel(Arc::clone(&model)), "graded").build().unwrap();
    let findings = study.examine(&|_| None, true);
    assert_eq!(finding(&findings, "judge mine", "ignores the JSON schema").severity, Severity::Warning);
    assert_eq!(model.calls(), 1);
}

#[test]
fn a_missing_judge_and_missing_texts_are_errors() {
    let nobody = study().build().unwrap().examine(&|_| None, false);
    assert_eq!(finding(&nobody, "judges", "no judge").severity, Severity::Error);
    let mut corpus = crate::collection::corpus();
    corpus.retain(|document| document.id != "a1");
    let study = study().corpus(corpus.clone()).judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let absent = study.examine(&|_| None, false);
    assert_eq!(finding(&absent, "judges", "document \"a1\"").severity, Severity::Error);
    let study = crate::collection::study().corpus(corpus).replay("known", known()).build().unwrap();
    assert_eq!(worst(&study.examine(&|_| None, false)), Severity::Fine, "a replay judge needs no texts");
}
