//! A first afternoon: what each command says is true, and nothing good is overwritten.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, command_line, write_tiny};

/// The files that a report consists of.
fn report(sandbox: &Sandbox) -> [String; 3] {
    ["report.md", "report.json", "labels.qrels"].map(|file| sandbox.read(&format!("study/{file}")))
}

/// The report as it is after a run, which `llull report` writes again without a change.
#[track_caller]
fn written_again(sandbox: &Sandbox) -> [String; 3] {
    let before = report(sandbox);
    sandbox.llull(&["-C", "study", "report"]).ends(0);
    assert_eq!(report(sandbox), before);
    before
}

#[test]
fn a_first_afternoon() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = Sandbox::new();
    write_tiny(&sandbox, "data/", "");
    let run = sandbox.read("data/new.run");
    sandbox.write("data/new.run", &run.replacen(" 3 new", "", 1));
    let init = command_line(
        "init study --topics data/topics.tsv --corpus data/corpus.jsonl --run data/old.run --run \
         data/new.run --judge vllm/m",
    );
    sandbox.llull(&init).ends(1).says(&["data/new.run line 1"]);
    assert!(!sandbox.path("study").exists(), "nothing is written");
    sandbox.write("data/new.run", &run);
    sandbox.llull(&init).ends(0).says(&["wrote study/llull.toml\n"]);
    let url = format!("base_url = {:?}", server.url());
    sandbox.edit("study/llull.toml", "# base_url = \"http://localhost:11434/v1\"", &url);
    sandbox.llull(&["-C", "study", "doctor"]).ends(0);

    sandbox.llull(&["-C", "study", "run", "--verbose"]).ends(0).says(&["labels: 11 of 11 pooled pairs"]);
    let graded = written_again(&sandbox);
    for paradigm in ["listwise", "pairwise"] {
        let run = sandbox.llull(&["-C", "study", "run", "--paradigm", paradigm, "--verbose"]).ends(0);
        // The stand-in orders documents alike in both, so no figure moves the second time.
        assert_eq!(run.stderr.contains("because a label is now tiers"), paradigm == "listwise", "{run}");
        assert_ne!(written_again(&sandbox), graded);
        let said = format!("settings of the last run: --paradigm {paradigm}\n");
        sandbox.llull(&["-C", "study", "measure"]).ends(0).says(&[&said]);
    }
    let asked = server.served().total();
    sandbox
        .llull(&["-C", "study", "run", "--verbose"])
        .ends(0)
        .says(&["because a label is now the judge's grade"]);
    assert_eq!(server.served().total(), asked, "every answer was in the ledger");
    assert_eq!(written_again(&sandbox), graded);

    let rubric = sandbox.read("study/rubric.md");
    sandbox
        .write("study/rubric.md", &format!("{rubric}\nA page that only names the topic is not relevant.\n"));
    sandbox.llull(&["-C", "study", "report", "--verbose"]).ends(3).says(&[
        "changed since 11 answers in the ledger were given, which are not used here: ",
        "to judge anew, m: 11 requests",
        "so they are unchanged and this one is beside them",
    ]);
    assert_eq!(report(&sandbox), graded);
    sandbox
        .llull(&["-C", "study", "run", "--verbose"])
        .ends(0)
        .says(&["because the rubric of judge m changed"]);
    assert_eq!(server.served().total(), asked + 11);
    written_again(&sandbox);
}
