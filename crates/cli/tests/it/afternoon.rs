//! A first afternoon: what each command says is true, and nothing good is overwritten.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, write_tiny};

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
    let init = [
        "init",
        "study",
        "--topics",
        "data/topics.tsv",
        "--corpus",
        "data/corpus.jsonl",
        "--run",
        "data/old.run",
        "--run",
        "data/new.run",
        "--judge",
        "vllm/m",
    ];
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
        let said = format!("as last run, beside llull.toml: --paradigm {paradigm}\n");
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

/// Judges whose labels go from 0 to 1, 0 to 3 and 0 to 5.
const THREE_SCALES: &str = "\
[[judges]]\nname = \"binary\"\nmodel = \"replay\"\nlabels = \"binary.qrels\"\n
[[judges]]\nname = \"four\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n
[[judges]]\nname = \"six\"\nmodel = \"replay\"\nlabels = \"six.qrels\"\n";

/// A panel of 0-1, 0-3 and 0-5 called a better system worse, and `doctor` said that all was ready.
#[test]
fn a_panel_of_three_scales_a_third_run_a_week_later_and_gates() {
    let sandbox = Sandbox::new();
    write_tiny(&sandbox, "", THREE_SCALES);
    let scaled = |to: [u8; 4]| {
        let known = sandbox.read("known.qrels");
        let lines = known.lines().map(|line| {
            let (pair, grade) = line.rsplit_once(' ').unwrap();
            format!("{pair} {}\n", to[grade.parse::<usize>().unwrap()])
        });
        lines.collect::<String>()
    };
    sandbox.write("binary.qrels", &scaled([0, 0, 1, 1])).write("six.qrels", &scaled([0, 2, 4, 5]));

    let refused = ["judge binary: its labels go from 0 to 1", "write scale = \"0..1 -> 0,3\""];
    sandbox.llull(&["doctor"]).ends(1).says(&refused);
    sandbox.llull(&["run", "--verbose"]).ends(1).says(&refused);
    assert!(!sandbox.path("report.md").exists(), "nothing is written");
    let binary = "labels = \"binary.qrels\"";
    sandbox.edit("llull.toml", binary, &format!("{binary}\nscale = \"0..1 -> 0,3\""));
    let six = "labels = \"six.qrels\"";
    sandbox.edit("llull.toml", six, &format!("{six}\nscale = \"0..5 -> 0,0,1,1,2,3\""));
    sandbox.llull(&["doctor"]).ends(0);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .says(&["labels: 11 of 11 pooled pairs", "they agree on 6, are one grade apart on 5"]);
    let labels = || {
        let text = sandbox.read("labels.qrels");
        text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    let before = labels();

    let third = "q1 Q0 a4 1 3 third\nq1 Q0 a3 2 2 third\nq2 Q0 b4 1 2 third\nq3 Q0 c2 1 2 third\n";
    sandbox.write("third.run", third);
    let system = "[[systems]]\nname = \"third\"\nrun = \"third.run\"\n\n[[judges]]\nname = \"binary\"";
    sandbox.edit("llull.toml", "[[judges]]\nname = \"binary\"", system);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .says(&["judge six: 11 pairs, 11 already in the ledger, 0 to ask"]);
    assert_eq!(labels(), before, "the third run found nothing new");

    let gate = |expression: &str| sandbox.llull(&["compare", "old", "third", "--gate", expression]);
    gate("low(nDCG@3) >= -0.01").ends(100).says(&["low(nDCG@3) >= -0.01 fails for third"]);
    gate("nDCG@3 > 0.2").ends(100).says(&["value(nDCG@3)"]);
    gate("value(nDCG@3) > 0").ends(0).says(&["value(nDCG@3) > 0 holds for third: it is 0."]);
}
