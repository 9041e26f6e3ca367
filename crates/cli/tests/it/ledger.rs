//! `llull ledger`

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{TINY_PAIRS, check, tiny, tiny_served};

#[test]
fn status() {
    let sandbox = tiny();
    let none = sandbox.llull(&["ledger", "status"]).ends(1);
    none.says(&["error: .llull/ledger.sqlite: there is no ledger yet; llull run makes one\n"]);
    sandbox.edit("known.qrels", "q1 0 a4 2\n", "");
    sandbox.llull(&["run"]).ends(3);
    check!(sandbox.llull(&["ledger", "status"]).ends(0));
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    let totals = &status[0]["totals"];
    assert_eq!((&totals["attempts"], &totals["judged"]), (&11.into(), &10.into()));
    assert_eq!(totals["unusable"], serde_json::json!({"not_in_file": 1}));
}

#[test]
fn show_has_each_attempt_word_for_word() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run"]).ends(0);
    let shown = sandbox.llull(&["ledger", "show", "q1", "a1"]).ends(0);
    shown.says(&["=== entry ", "query q1, a1", "--- sent: system ---", "--- came back ---", "--- grade "]);
    let all = sandbox.llull(&["ledger", "show", "q1", "--json"]).ends(0).json();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 4);
    let first = all.iter().find(|shown| shown["document"] == "a1").unwrap();
    assert_eq!((first["number"].as_u64().is_some(), &first["topic"]), (true, &"q1".into()));
    assert!(first["messages"][0]["content"].as_str().unwrap().len() > 100, "{first}");
    assert!(first["reply"].is_string(), "{first}");
    // What would be sent now is not what was sent.
    sandbox.edit("topics.tsv", "q1\t", "q1\tanother ");
    sandbox.llull(&["ledger", "show", "q1", "a1"]).ends(0).says(&["--- what was sent is not shown: "]);
    sandbox
        .llull(&["ledger", "show", "q1", "zzz"])
        .refused(1, &["no attempt at query \"q1\" and document \"zzz\"", "llull pool"]);
    sandbox
        .llull(&["ledger", "show", "q1", "--judge", "nobody"])
        .refused(1, &["no judge \"nobody\"; it has "]);
}

/// The label that a flipped bit made used to go into the report, with exit 0.
#[test]
fn a_damaged_row_is_named_and_the_rest_goes_on() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox
        .llull(&["ledger", "check"])
        .ends(0)
        .says(&[".llull/ledger.sqlite: 11 attempts, all as they were written"]);
    let path = sandbox.path(".llull/ledger.sqlite");
    let mut bytes = fs_err::read(&path).unwrap();
    let row = bytes.windows(4).position(|window| window == b"q1a4").unwrap();
    bytes[row + 3] ^= 1;
    fs_err::write(&path, bytes).unwrap();

    let row =
        "(judge \"known\", query \"q1\", document \"a5\"): it is not what was written: its checksum differs";
    for command in [&["run"][..], &["report"], &["label"], &["ledger", "status"], &["ledger", "export"]] {
        sandbox.llull(command).ends(1).says(&[row, "`llull ledger check`"]);
    }
    let check = sandbox.llull(&["ledger", "check"]).ends(1);
    check.says(&[
        row,
        "1 row damaged, 10 attempts intact",
        "llull ledger export --skip-damaged intact.jsonl.gz",
    ]);
    let json = sandbox.llull(&["ledger", "check", "--json"]).ends(1).json();
    assert_eq!((&json["intact"], &json["bad"][0]["query"]), (&10.into(), &"q1".into()));

    let export = sandbox.llull(&["ledger", "export", "--skip-damaged", "intact.jsonl.gz"]).ends(0);
    export.says(&["1 damaged row passed over"]);
    fs_err::rename(&path, path.with_extension("damaged")).unwrap();
    sandbox.llull(&["ledger", "import", "intact.jsonl.gz"]).ends(0);
    sandbox.llull(&["run"]).ends(0).says(&["10 already in the ledger, 1 to ask"]);
}

#[test]
fn an_export_as_parquet_is_a_table_of_attempts() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["ledger", "export", "attempts.parquet"]).ends(0).says(&["wrote attempts.parquet"]);
    let labels = |words: &[&str]| {
        let printed = sandbox.llull(words).ends(0).stdout;
        let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let of_study = labels(&["label", "-o", "-"]);
    assert_eq!(of_study.len() as u64, TINY_PAIRS);
    assert_eq!(labels(&["label", "attempts.parquet", "-o", "-"]), of_study);
}

#[test]
fn an_export_taken_to_another_machine_is_worth_as_much() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (old, new) = (tiny_served(&server.url()), tiny_served(&server.url()));
    old.llull(&["run"]).ends(0);
    let export = old.llull(&["ledger", "export"]).ends(0).stdout;
    assert_eq!(export.lines().count() as u64, 1 + 1 + TINY_PAIRS, "a header, a judge, its attempts");

    let imported = new.llull_with_input(&["ledger", "import", "-", "--json"], &export).ends(0).json();
    assert_eq!(imported, serde_json::json!({"judges": 1, "added": TINY_PAIRS, "already_there": 0}));
    let run = new.llull(&["run"]).ends(0);
    assert!(run.stderr.contains("11 already in the ledger, 0 to ask"), "{run}");
    assert_eq!(server.served().total(), TINY_PAIRS, "nothing is asked again");
    assert_eq!(new.read("report.json"), old.read("report.json"));
    assert_eq!(new.read("labels.qrels"), old.read("labels.qrels"));
    assert_eq!(new.llull(&["ledger", "export"]).stdout, export);
}

#[test]
fn a_copy_is_the_ledger_itself() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (old, new) = (tiny_served(&server.url()), tiny_served(&server.url()));
    old.llull(&["run"]).ends(0);
    let from = old.path(".llull/ledger.sqlite").display().to_string();
    new.llull(&["ledger", "copy", &from]).ends(0).says(&["11 attempts added, 0 were in the ledger already"]);
    let json = new.llull(&["ledger", "copy", &from, "--json"]).ends(0).json();
    assert_eq!(json, serde_json::json!({"judges": 1, "added": 0, "already_there": TINY_PAIRS}));
    assert_eq!(new.llull(&["ledger", "export"]).stdout, old.llull(&["ledger", "export"]).stdout);
    new.llull(&["run"]).ends(0).says(&["11 already in the ledger, 0 to ask"]);

    new.edit("topics.tsv", "q1\t", "q1\tanother ");
    new.llull(&["run"]).ends(0);
    new.llull(&["ledger", "copy", &from]).refused(
        1,
        &[
            ".llull/ledger.sqlite: ",
            "attempts of the target are not in the ledger to copy; nothing was copied",
            "llull ledger import",
        ],
    );
    new.llull(&["ledger", "copy", "nowhere.sqlite"]).refused(1, &["nowhere.sqlite: there is no ledger yet"]);
    new.llull(&["ledger", "copy", "NO_SUCH_LEDGER"]).refused(1, &["export NO_SUCH_LEDGER=postgresql://"]);
}

#[test]
fn what_is_no_export_is_refused_whole() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    let export = sandbox.llull(&["ledger", "export"]).stdout;
    sandbox.write("cut.jsonl", &export[..export.len() - 20]);
    for (file, parts) in [
        ("cut.jsonl", ["cut.jsonl: line 13: expected a judge or an attempt", "nothing was imported"]),
        ("known.qrels", ["known.qrels: line 1: this is not a ledger export", "{\"llull_ledger\":4}"]),
        ("nowhere.jsonl", ["nowhere.jsonl", "there is no such file"]),
    ] {
        sandbox.llull(&["ledger", "import", file]).refused(1, &parts);
    }
    assert_eq!(sandbox.llull(&["ledger", "export"]).stdout, export);
}

#[test]
fn an_export_to_a_file_says_as_json_what_it_wrote() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let written = sandbox.llull(&["ledger", "export", "out.jsonl", "--json"]).ends(0).json();
    assert_eq!(written, serde_json::json!({"written": "out.jsonl"}));
}

/// An answer that only quotes its object counted by the rules of before.
#[test]
fn answers_that_count_otherwise_now_are_said_and_asked_again() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (old, new) = (tiny_served(&server.url()), tiny_served(&server.url()));
    old.llull(&["run"]).ends(0);
    let mut quoted = false;
    let earlier = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        let reply =
            line.pointer("/attempt/fact/reply").and_then(serde_json::Value::as_str).map(str::to_owned);
        if let (Some(reply), false) = (reply, quoted) {
            quoted = true;
            let fact = &mut line["attempt"]["fact"];
            fact["reply"] = format!("The document says {}", reply.replace('\n', " ")).into();
            fact.as_object_mut().unwrap().remove("reader");
        }
        format!("{line}\n")
    };
    let export: String = old.llull(&["ledger", "export"]).ends(0).stdout.lines().map(earlier).collect();
    assert!(export.contains("The document says"), "{export}");
    new.llull_with_input(&["ledger", "import", "-"], &export).ends(0);
    let said = "judge served: 1 answer in the ledger changed when their replies were read again";
    let report = new.llull(&["report"]).ends(3);
    report.says(&[said, "The next run repeats requests whose answers are unusable now"]);
    let asked = server.served().total();
    new.llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), asked + 1);
    assert_eq!(new.read("labels.qrels"), old.read("labels.qrels"));
}
