//! Studies whose judges compare: from pool to verdict, and every way on which that can go wrong.

use llull_testkit::{Fault, FaultPlan, FaultyServer, Taste};
use serde_json::Value;

use crate::sandbox::{REPLAY, Sandbox, check, tiny_judged_by};

/// The tiny study, compared; `tournament` are lines of `[tournament]`. It has so few questions that each would be asked
/// again; tests of that [say so](asking_again).
pub(crate) fn compared_by(judges: &str, paradigm: &str, tournament: &str) -> Sandbox {
    let sandbox = tiny_judged_by(judges);
    let lines = format!("paradigm = {paradigm:?}\n{NO_RECHECKS}\n[tournament]\n{tournament}\n");
    sandbox.edit("llull.toml", "measures = [\"nDCG@3\", \"P(rel=2)@1\"]\n", &lines);
    sandbox
}

/// The same, by a model behind a server. Its address is not in the file, so that the file is the same every time.
pub(crate) fn compared_at(server: &FaultyServer, paradigm: &str, tournament: &str) -> Sandbox {
    at(server, compared_by(SERVED, paradigm, tournament))
}

const NO_RECHECKS: &str = "recheck = 0\n";

/// The same study as one that says nothing of rechecks.
fn asking_again(sandbox: Sandbox) -> Sandbox {
    sandbox.edit("llull.toml", NO_RECHECKS, "");
    sandbox
}

const SERVED: &str = "[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\ntimeout = 60\n";

fn at(server: &FaultyServer, mut sandbox: Sandbox) -> Sandbox {
    sandbox.set("LLULL_BASE_URL", &server.url());
    sandbox
}

fn server(taste: Taste) -> FaultyServer {
    FaultyServer::start(FaultPlan { taste, record: true, delay_ms: 2..=3, ..FaultPlan::default() }).unwrap()
}

#[test]
fn listwise() {
    let sandbox = compared_by(REPLAY, "listwise", "window = 3");
    check!(sandbox.llull(&["run", "--verbose"]).ends(0));
    let report = sandbox.read("report.md");
    for part in [
        "| Compat(p=0.9) | new | +0.3149 | [n/a, n/a] (95%, 10,000 resamples) | 3 | 3 | 0 | 0 | no clear difference |",
        "balanced schedule: 6 calls in 3 waves, 0 without a usable answer. All documents are settled for 3 queries",
        "0 of 7 triangles, which are three documents compared pair by pair, are cyclic (0.0%)",
        "Tiers final: 3 calls in 3 waves, 0 without a usable answer; 0 of 4 triangles cyclic.",
        "| 3 | 3 | final | 1.0000 | b4 | Scheduled reports | n/a | 3 |",
        "llull 0.1.0, report version 2, seed 42, pool depth 3.",
    ] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
}

/// Pairs that people compared are judged without a tournament; a document outside the pool is counted.
#[test]
fn a_given_list_of_pairs() {
    let sandbox = compared_by(REPLAY, "pairwise", "");
    sandbox.write("human.pref", "q1 a1 a2\nq1 a2 a4\nq2 b1 b2\nq2 b1 b2\nq3 c1 elsewhere\n");
    sandbox.llull(&["run", "--pairs", "human.pref"]).ends(3).says(&[
        "human.pref: 1 of 4 pairs are not judged, because a document is not in the pool",
        "known: 3 of 3 pairs judged",
        "llull agree --preferences human.pref",
    ]);
    let again = sandbox.llull(&["run", "--pairs", "human.pref", "--json"]).ends(3).json();
    assert_eq!(again["judges"][0]["reused"], 3, "{again}");
    let agreement = sandbox.llull(&["agree", "--preferences", "human.pref", "--json"]).ends(0).json();
    assert_eq!(agreement["judges"][0]["modes"][0]["n"], 3, "{agreement}");
    sandbox.write("inside.pref", "q1 a1 a2\n");
    let run = sandbox.llull(&["run", "--pairs", "inside.pref", "--progress", "json"]).ends(0);
    let is_progress =
        |line: &str| serde_json::from_str::<Value>(line).is_ok_and(|object| object["event"] == "progress");
    assert!(run.stderr.lines().any(is_progress), "{run}");
    sandbox.write("other.pref", "qx a1 a2\n");
    sandbox.llull(&["run", "--pairs", "other.pref"]).refused(1, &["none of its 1 pair is in the pool"]);
    sandbox.llull(&["run", "--pairs", "known.qrels"]).refused(2, &["these are labels"]);
    let graded = tiny_judged_by(REPLAY);
    graded.write("human.pref", "q1 a1 a2\n");
    graded.llull(&["run", "--pairs", "human.pref"]).refused(1, &["judges grade: set paradigm"]);
}

/// A judge that cannot answer about given pairs says why, as in any run.
#[test]
fn a_given_list_of_pairs_and_a_judge_that_cannot_answer() {
    let pairs = "q1 a1 a2\nq1 a1 a3\nq1 a1 a4\nq1 a2 a3\nq2 b1 b2\nq2 b1 b3\nq2 b1 b4\nq2 b2 b3\n\
                 q3 c1 c2\nq3 c1 c3\nq3 c2 c3\n";
    let run = |fault| {
        let server = FaultyServer::start(FaultPlan::always(fault)).unwrap();
        let sandbox = compared_at(&server, "pairwise", "");
        sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nconcurrency = 1");
        sandbox.write("human.pref", pairs);
        sandbox.llull(&["run", "--pairs", "human.pref"])
    };
    run(Fault::Malformed).ends(3).says(&[
        "warning: judge served was stopped: 20 unparsable replies in a row, about 3 queries",
        "likely cause: ",
        "served: 0 of 11 pairs judged; missing: 10 unusable, 1 not asked",
    ]);
    let cause = "error: nothing was judged: judge served: not authorised: ";
    run(Fault::Unauthorized).ends(1).says(&[cause, "check the key and what it may do"]);
}

#[test]
fn what_is_judged_can_be_looked_at_without_asking() {
    let sandbox = compared_by(REPLAY, "pairwise", "");
    let doctor = || sandbox.llull(&["doctor", "--offline"]).ends(0);
    doctor()
        .says(&["judge known: 5 questions to ask, 0 in the ledger already; others follow from the answers"]);
    let open = "warning: the tiers of 3 of 3 queries are not final; llull run continues them";
    sandbox.llull(&["measure"]).ends(3).says(&[open, "2 runs answer queries that have no label"]);
    sandbox.llull(&["label"]).ends(3).says(&[open, "0 of 11 pairs labelled, in labels.qrels"]);
    sandbox.llull(&["run"]).ends(0);
    let (labels, report) = (sandbox.read("labels.qrels"), sandbox.read("report.json"));
    doctor().says(&["judge known: no question to ask, 13 in the ledger already"]);
    sandbox.llull(&["measure"]).ends(0).says(&["Compat(p=0.9)  0.5562"]);
    assert_eq!(sandbox.llull(&["label", "--json"]).ends(0).json()[0]["grade"], 10);
    sandbox.llull(&["label"]).ends(0).says(&["11 of 11 pairs labelled, in labels.qrels"]);
    assert_eq!(sandbox.read("labels.qrels"), labels);
    sandbox.llull(&["report"]).ends(0);
    assert_eq!(sandbox.read("report.json"), report);
}

#[test]
fn a_dry_run_counts_and_asks_nothing() {
    let server = server(Taste::Merit);
    let sandbox = compared_at(&server, "listwise", "window = 3");
    let dry = || sandbox.llull(&["run", "--dry-run"]).ends(0);
    dry().says(&["price unknown; set price in llull.toml to see it"]);
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nprice = { input = 0.15, output = 0.6 }");
    dry()
        .rows(&[
            "judge questions judged unusable given up no text to ask from the ledger",
            "served 3 0 0 0 0 3 0",
        ])
        .says(&[
            "settled for 0 of 3 queries",
            "served: about 7 requests (95 in 100 simulated studies need 5 to 9, in up to 4 waves)",
            "about 7,908 tokens of prompts (3,954 to 12,709), at most 9,216 of replies; at most $0.0074",
            "the pool is 3 deep and nDCG@10 looks further down",
        ]);
    let estimate = sandbox.llull(&["run", "--dry-run", "--json"]).ends(0).json()[0]["estimate"].clone();
    assert_eq!((&estimate["calls"], &estimate["reply_tokens"]), (&7.into(), &Value::Null), "{estimate}");
    assert_eq!(server.served().total(), 0);
    sandbox.llull(&["run", "--no-report", "--max-calls", "2"]).ends(3);
    dry().says(&[
        "served: about 4 requests (95 in 100 simulated studies need ",
        "about 160 of replies; about $0.0008, at most $",
    ]);
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let asked = server.served().total();
    dry().says(&["the best documents are settled for 3 of 3 queries", "served: nothing is left to ask"]);
    assert_eq!(server.served().total(), asked);
}

/// What a study does with these answers is tested in `llull`.
#[test]
fn what_a_judge_is_asked_again_is_priced_and_counted() {
    let server = server(Taste::FirstShown);
    let sandbox = asking_again(compared_at(&server, "pairwise", ""));
    sandbox.llull(&["run", "--dry-run"]).ends(0).rows(&["served 5 0 0 0 0 5 0"]).says(&[
        "served: about 35 requests (95 in 100 simulated studies need ",
        "to 38 if 30.0% of the answers are Neither",
        "whatever it answers 20 to 38",
        "21 of them repeated to check its answers, about 35,084 tokens",
    ]);
    sandbox.llull(&["run", "--no-report"]).ends(0).rows(&["served 11 11 0 0 0 0 0"]).says(&[
        "which are no votes: 11 in reverse order, 6 as they were",
        "17 questions repeated to check its answers, 0 already in the ledger, 17 to ask",
    ]);
    let counted = serde_json::json!([{
        "judge": "served", "questions": 11, "judged": 11, "unusable": 0, "refused": 0, "gave_up": 0,
        "without_text": 0, "not_asked": 0, "reused": 11,
        "rechecks": {"reversed": 11, "rotated": 0, "repeated": 6, "judged": 17, "unusable": 0, "not_asked": 0},
    }]);
    assert_eq!(sandbox.llull(&["run", "--no-report", "--json"]).ends(0).json(), counted);
}

#[test]
fn anchored() {
    let server = server(Taste::Merit);
    let graders =
        "[[graders]]\nname = \"grader\"\nmodel = \"vllm/faulty-1\"\nprice = { input = 1.0, output = 4.0 }\n";
    let judges = format!("{REPLAY}{graders}");
    let sandbox = at(&server, compared_by(&judges, "listwise", "labels = \"anchored\"\nanchors = 1"));
    let dry = || sandbox.llull(&["run", "--dry-run"]).ends(0);
    dry().says(&["grader: its requests depend on the tiers and are not in this estimate"]);
    let doctor = sandbox.llull(&["doctor", "--offline"]).ends(0);
    doctor.says(&[
        "judge grader: grades documents of each tier: 0 pairs to ask so far, 0 in the ledger already",
    ]);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .rows(&[
            "old 0.8423 0.8333 0.4000 0.9167 1.0000 0 of 9 3 0",
            "labels: 11 of 11 pooled pairs, anchored",
        ])
        .says(&[
            "settled for 3 of 3 queries, after 3 sets of documents in 1 wave",
            "11 graded documents contradict the tiers on 8 of 15 pairs",
            "grader: 11 attempts, 2,200 + 440 tokens, $0.0040",
            "language model grader (vllm/faulty-1)",
            "judge grader: 11 pairs, 0 already in the ledger, 11 to ask",
        ]);
    let report = sandbox.read("report.md");
    let phrase = "11 documents of the tiers were graded one by one. Of 15 pairs";
    assert!(report.contains(phrase), "{report}");
    dry().says(&["known: nothing is left to ask\ngrader: nothing is left to ask\n"]);
    let asked = server.served().total();
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), asked, "what was graded is in the ledger");
}

#[test]
fn where_the_key_of_a_grader_goes_is_said_before_it_is_sent() {
    // Connects to nothing, and is no address of this machine's.
    let grader = "[[graders]]\nname = \"grader\"\nmodel = \"openai/m\"\nbase_url = \"http://0.0.0.0:1\"\n";
    let mut sandbox =
        compared_by(&format!("{REPLAY}{grader}"), "listwise", "labels = \"anchored\"\nanchors = 1");
    sandbox.set("OPENAI_API_KEY", "sk-not-shown");
    let doctor = sandbox.llull(&["doctor"]).ends(1);
    let warning =
        "judge grader: openai/m at http://0.0.0.0:1/v1, with the key in OPENAI_API_KEY; that is not";
    assert!(doctor.stderr.contains(warning), "{doctor}");
}

/// The demo's pairs, answered by grades of which many are equal.
#[test]
fn an_estimate_says_how_often_the_judge_has_said_neither() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo", "."]).ends(0);
    sandbox.edit("llull.toml", "seed = 42\n", "seed = 42\nparadigm = \"pairwise\"\n").edit(
        "llull.toml",
        "model = \"recorded:claude.jsonl\"\n",
        "model = \"replay\"\nlabels = \"authors.qrels\"\n",
    );
    sandbox.llull(&["run", "--no-report", "--max-calls", "300"]).ends(3);
    sandbox
        .llull(&["run", "--dry-run"])
        .ends(0)
        .says(&[" of the answers are Neither, as of the 300 so far, in up to "]);
}

#[test]
fn a_changed_paradigm_is_not_called_a_changed_prompt() {
    let server = FaultyServer::start(FaultPlan { taste: Taste::Merit, ..FaultPlan::default() }).unwrap();
    let sandbox = compared_at(&server, "listwise", "");
    sandbox.llull(&["run"]).ends(0);
    sandbox.write("before.json", &sandbox.read("report.json"));
    sandbox.llull(&["run", "--paradigm", "pairwise"]).ends(0);
    sandbox.llull(&["report", "--paradigm", "pairwise", "--since", "before.json"]).ends(0);
    let report = sandbox.read("report.md");
    assert!(report.contains("changed from listwise to pairwise"), "{report}");
    assert!(!report.contains("the prompt of judge"), "{report}");
}
