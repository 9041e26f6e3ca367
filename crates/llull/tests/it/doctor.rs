//! `Study::examine`: everything that can be known to go wrong before money is spent.

use std::sync::Arc;

use llull::config::Overrides;
use llull::reach::Trust;
use llull::{DoctorFinding, Severity, Study};
use llull_testkit::{FaultPlan, FaultyServer, ScriptedModel, reply};

use crate::collection::{known, study};
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
    assert_eq!(missing, ["topics", "rubric", "system old", "judge known"]);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Error));
}

#[test]
fn online_a_model_is_asked_once() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let url = server.url();
    let judge = format!("[[judges]]\nname = \"served\"\nmodel = \"vllm/m\"\nbase_url = {url:?}\n");
    let folder = FolderStudy::new("", &judge);
    let untrusted = folder.open().examine(&|_| None, true);
    finding(&untrusted, "judge served", "the study is not trusted with its server");
    assert_eq!(server.served().total(), 0);
    let trust = Trust::default().with(&url).unwrap();
    let study = Study::open_trusting(&folder.path(""), &Overrides::default(), &trust).unwrap();
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
    assert_eq!(finding(&absent, "corpus", "document \"a1\"").severity, Severity::Error);
    let study = crate::collection::study().corpus(corpus).replay("known", known()).build().unwrap();
    assert_eq!(worst(&study.examine(&|_| None, false)), Severity::Fine, "a replay judge needs no texts");
}

/// One fault at a time, and the rooms in which something is wrong then.
#[test]
fn each_fault_is_filed_under_what_has_to_be_mended() {
    let wrong = |file: &str, text: &str, judge: &str| {
        let folder = FolderStudy::new("rubric = \"rubric.md\"\nreference = \"human.qrels\"\n", judge);
        folder.write("rubric.md", llull::judge::Rubric::default_text());
        folder.write("human.qrels", "q1 0 a1 1\n").write("mine.j2", "no front matter");
        folder.write(file, text);
        let findings = folder.open().examine(&|_| None, false);
        let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.what).collect::<Vec<String>>()
    };
    assert_eq!(wrong("rubric.md", "+++\nno = toml", REPLAY), ["rubric"]);
    assert_eq!(wrong("topics.tsv", "", REPLAY), ["topics"]);
    assert_eq!(wrong("human.qrels", "q1 0 a1 relevant\n", REPLAY), ["reference"]);
    assert_eq!(wrong("new.run", "x1 Q0 a1 1 1.0 new\n", REPLAY), ["system new"]);
    assert_eq!(wrong("new.run", "q1 Q0\n", REPLAY), ["system new"]);
    assert_eq!(wrong("known.qrels", "q1 0\n", REPLAY), ["judge known"]);
    let template = "[[judges]]\nname = \"own\"\nmodel = \"vllm/m\"\nprompt = \"mine.j2\"\n";
    assert_eq!(wrong("topics.tsv", "q1\tfirst\nq2\tsecond\nq3\tthird\n", template), ["judge own"]);
    let model = template.replace("prompt = \"mine.j2\"\n", "");
    assert_eq!(wrong("corpus.jsonl", "no JSON\n", &model), ["corpus"]);
    let keyless = model.replace("vllm", "openai");
    assert_eq!(wrong("topics.tsv", "", &keyless), ["topics"], "a missing key is a warning");
}

#[test]
fn a_ledger_that_cannot_be_read_is_no_fault_of_the_judges() {
    let folder = FolderStudy::new("", REPLAY);
    fs_err::create_dir_all(folder.path(".llull")).unwrap();
    folder.write(".llull/ledger.sqlite", "not a database, although it is long enough to be mistaken for one");
    let findings = folder.open().examine(&|_| None, false);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!(errors.map(|finding| finding.what.as_str()).collect::<Vec<_>>(), ["ledger"]);
}

#[test]
fn remarks_are_filed_under_what_they_are_about() {
    let folder = FolderStudy::new("reference = \"human.qrels\"\n", REPLAY);
    folder.write("human.qrels", "q1 0 a1 1\nq1 0 a1 1\n");
    folder.write("new.run", &(folder.read("new.run") + "x1 Q0 a1 1 1.0 new\n"));
    folder.edit("llull.toml", "\n[pool]", "\n[tournament]\nwindow = 4\n\n[pool]");
    let findings = folder.open().examine(&|_| None, false);
    let warned =
        |what: &str, text: &str| assert_eq!(finding(&findings, what, text).severity, Severity::Warning);
    warned("system new", "query \"x1\" is not in");
    warned("llull.toml", "[tournament] sets how documents are compared");
}
