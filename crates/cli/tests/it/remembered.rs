//! A study is read as it was last run, by every command that asks nothing.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{tiny, tiny_served};

const APPLIED: &str = "settings of the last run: --paradigm listwise\n";

#[test]
fn every_command_that_asks_nothing_goes_by_the_last_run_and_says_so() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--paradigm", "listwise", "--max-calls", "1000"]).ends(0);
    let report = sandbox.read("report.md");
    let commands: [&[&str]; 7] = [
        &["report"],
        &["measure"],
        &["compare", "old", "new"],
        &["agree", "known.qrels"],
        &["label", "-o", "-"],
        &["rank", "--method", "tiers"],
        &["doctor", "--offline"],
    ];
    for command in commands {
        let transcript = sandbox.llull(command).ends(0);
        assert_eq!(transcript.stderr.matches(APPLIED).count(), 1, "{command:?}: {transcript}");
        assert!(!transcript.to_string().contains("not judged yet"), "{command:?}: {transcript}");
    }
    assert_eq!(sandbox.read("report.md"), report);
    let graded = sandbox.llull(&["report", "--paradigm", "graded"]).ends(3);
    assert!(!graded.stderr.contains("of the last run"), "{graded}");
}

/// A run without a key asked nobody, and from then on `measure` printed n/a although the ledger had every label.
#[test]
fn a_run_that_produced_nothing_is_not_the_last_run() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--paradigm", "listwise"]).ends(0);
    let measured = sandbox.llull(&["measure"]).ends(0).stdout;
    let dead = FaultyServer::start(FaultPlan::always(llull_testkit::Fault::Unauthorized)).unwrap();
    for failed in [
        &["run", "--judge", "openai/gpt-5-mini"][..],
        &["run", "--no-report", "--judge", "openai/gpt-5-mini"],
        &["run", "--judge", "vllm/m", "--base-url", &dead.url(), "--trust", &dead.url()],
        &["run", "--no-report", "--depth", "2", "--judge", "replay:missing.qrels"],
    ] {
        sandbox.llull(failed).ends(1);
        let again = sandbox.llull(&["measure"]).ends(0).says(&[APPLIED]);
        assert_eq!(again.stdout, measured, "{failed:?}");
    }
    // A run that was stopped, and one whose answers were all there, are the last run.
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let url = server.url();
    let served = ["--judge", "vllm/m", "--base-url", &url, "--trust", &url];
    sandbox.llull(&[&["run", "--max-calls", "2"][..], &served].concat()).ends(3);
    sandbox.llull(&["measure"]).says(&["settings of the last run: --judge vllm/m"]);
    sandbox.llull(&["run", "--paradigm", "listwise"]).ends(0);
    assert_eq!(sandbox.llull(&["measure"]).ends(0).stdout, measured);
}

#[test]
fn run_starts_from_llull_toml_and_an_edit_of_it_wins() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--paradigm", "listwise"]).ends(0);
    sandbox.edit("llull.toml", "depth = 3", "depth = 2");
    let transcript = sandbox.llull(&["report", "--verbose"]).ends(3);
    transcript.says(&[
        "warning: llull.toml was edited since the last run, so its flags are not applied: --paradigm listwise\n",
        "warning: report.md and labels.qrels hold labels, and this report has none, so they are unchanged",
        "\nReport: report.undecided.html ",
    ]);
    for file in
        ["report.undecided.html", "report.undecided.md", "report.undecided.json", "labels.undecided.qrels"]
    {
        assert!(sandbox.path(file).is_file(), "{file}");
    }
    let transcript = sandbox.llull(&["label"]).ends(3);
    transcript.says(&[
        "warning: labels.qrels is unchanged, since there is no label to write now",
        "labels.undecided.qrels",
    ]);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .says(&["changed since the report that was here:\n", "  because a label is now "]);
    let transcript = sandbox.llull(&["report", "--verbose"]).ends(0);
    assert!(!transcript.stderr.contains("last run"), "{transcript}");
}

#[test]
fn flags_of_a_study_are_refused_beside_files() {
    let sandbox = tiny();
    for command in [
        &["measure", "known.qrels", "old.run", "--judge", "known"][..],
        &["label", "known.qrels", "--paradigm", "graded"],
        &["compare", "known.qrels", "old.run", "new.run", "--judge", "known"],
    ] {
        sandbox.llull(command).ends(2).says(&["is about the judges of a study, and files are given"]);
    }
}

#[test]
fn a_rubric_that_was_edited_is_said_and_the_good_report_stays() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "topics =", "rubric = \"rubric.md\"\ntopics =");
    let rubric = llull::judge::Rubric::default_text();
    sandbox.write("rubric.md", rubric);
    sandbox.llull(&["run"]).ends(0);
    let (report, labels) = (sandbox.read("report.md"), sandbox.read("labels.qrels"));
    sandbox.write("rubric.md", &format!("{rubric}\nA page that only names the topic is not relevant.\n"));
    let transcript = sandbox.llull(&["report", "--verbose"]).ends(3).says(&[
        "warning: judge served: changed since 11 answers in the ledger were given, which are not used here: ",
        ": the rubric (",
        "to judge anew, served: 11 requests, about ",
        "\nReport: report.undecided.html ",
    ]);
    assert!(sandbox.path("report.undecided.md").is_file());
    assert_eq!(sandbox.read("report.md"), report);
    let shown = transcript.stderr.split("--rubric-hash ").nth(1).and_then(|rest| rest.split(' ').next());
    sandbox.llull(&["report", "--rubric-hash", shown.unwrap()]).ends(0);
    assert_eq!(sandbox.read("labels.qrels"), labels, "the same answers under the same rubric");
    sandbox
        .llull(&["report", "--rubric-hash", "none", "--verbose"])
        .ends(1)
        .says(&["it has to begin the hash of one rubric"]);
}

/// `rank` let every judge that ever compared vote, whatever the last run was.
#[test]
fn rank_reads_the_judges_of_the_last_run() {
    let (both, alone) = (tiny(), tiny());
    both.llull(&["run", "--paradigm", "listwise"]).ends(0);
    for sandbox in [&both, &alone] {
        sandbox.llull(&["run", "--paradigm", "pairwise"]).ends(0);
    }
    let rank = ["rank", "--method", "tiers", "--json"];
    let found = both.llull(&rank).ends(0);
    assert_eq!(found.stdout, alone.llull(&rank).ends(0).stdout);
    found.says(&[
        "settings of the last run: --paradigm pairwise\n",
        "1 judge left out, since the study does not ask them as it is read now: known; --judge NAME reads them\n",
    ]);
    let lists = both.llull(&[&rank[..], &["--paradigm", "listwise"]].concat()).ends(0);
    lists.says(&["1 judge left out"]);
    let all = both.llull(&[&rank[..], &["--judge", "known"]].concat()).ends(0);
    all.says(&["several judges are called \"known\""]);
    both.write("games.csv", "left,right,winner\na,b,a\n");
    both.llull(&["rank", "games.csv", "--paradigm", "listwise"]).ends(2).says(&["and files are given"]);
}
