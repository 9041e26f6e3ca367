//! What a server can do wrong for good, and what llull makes of it: a clear stop, and nothing lost.

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, TINY_PAIRS, tiny_judged_by, tiny_served};

/// A server that answers four times and then does this for good. One question at a time, so that four are judged.
fn after_four(fault: Fault) -> (FaultyServer, Sandbox) {
    let script = vec![Fault::None; 4];
    let server =
        FaultyServer::start(FaultPlan { script, otherwise: Some(fault), ..FaultPlan::default() }).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nconcurrency = 1");
    (server, sandbox)
}

fn judged(sandbox: &Sandbox) -> u64 {
    sandbox.llull(&["ledger", "status", "--json"]).ends(0).json()[0]["totals"]["judged"].as_u64().unwrap()
}

/// The rest is judged by another server, and the first four answers still count.
#[track_caller]
fn goes_on_elsewhere(sandbox: &Sandbox) {
    assert_eq!(judged(sandbox), 4, "what was judged is kept");
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    sandbox.llull(&["run", "--base-url", &server.url()]).ends(0);
    assert_eq!(server.served().total(), TINY_PAIRS - 4);
}

#[test]
fn the_key_is_refused() {
    let (server, sandbox) = after_four(Fault::Unauthorized);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(3)
        .rows(&["old 0.8821 0.0000 0 of 3 1 0", "served: 4 judged; missing: 1 unauthorized, 6 not asked"])
        .says(&[
            "Without any label, hence in no figure: 2 of 3 queries.",
            "7 of 11 pooled pairs (63.6%) have no label",
            "served: 5 attempts, 800 + 160 tokens, price unknown",
            "served: gave up on query q2, document b1: not authorised: http://",
            "answered 401: Incorrect API key provided: none.; set VLLM_API_KEY in the environment or in .env\n",
            "warning: stopped before the end: judge served: not authorised",
        ]);
    assert_eq!(server.served().total(), 5, "one refusal is enough");
    goes_on_elsewhere(&sandbox);
}

/// 400 content_filter: the run gave these documents up, and the next one asked the same again.
#[test]
fn a_content_filter_refuses_documents_and_not_the_judge() {
    let message =
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
    let body = format!(r#"{{"error": {{"message": "{message}", "code": "content_filter", "status": 400}}}}"#);
    let (server, sandbox) = after_four(Fault::Raw { status: 400, headers: Vec::new(), body });
    let refused = TINY_PAIRS - 4;
    let run = sandbox.llull(&["run", "--verbose"]).ends(3);
    run.says(&[
        &format!("missing: {refused} refused"),
        &format!("judge served: its server refused {refused} of {TINY_PAIRS} pairs because of their text"),
        "content management policy",
    ]);
    assert_eq!(server.served().total(), TINY_PAIRS, "each once");
    assert!(sandbox.read("report.md").contains(&format!("no verdict because: refused {refused}")));
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["coverage"]["judges"][0]["refused"][0]["count"], refused);
    sandbox.llull(&["ledger", "status"]).ends(0).says(&[&format!("{refused} refused")]);

    let healthy = FaultyServer::start(FaultPlan::default()).unwrap();
    sandbox.llull(&["run", "--base-url", &healthy.url()]).ends(3);
    assert_eq!(healthy.served().total(), 0, "the next run skips them");
    let retry = ["run", "--no-report", "--base-url", &healthy.url(), "--retry", "refused"];
    let dry = sandbox.llull(&[&retry[..], &["--dry-run", "--json"]].concat()).ends(0).json();
    assert_eq!(dry[0]["estimate"]["calls"], refused);
    sandbox.llull(&retry).ends(0);
    assert_eq!(healthy.served().total(), refused);
}

#[test]
fn a_key_that_was_never_taken_is_an_error() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Unauthorized)).unwrap();
    let sandbox = tiny_served(&server.url());
    let cause = "error: nothing was judged: judge served: not authorised: ";
    sandbox.llull(&["run"]).ends(1).says(&[cause, "check the key and what it may do"]);
    sandbox.llull(&["run", "--no-report"]).ends(1).says(&[cause]);
    // A first try with few calls is refused as well, and its limit is not the reason.
    let few = sandbox.llull(&["run", "--max-calls", "1"]).ends(1);
    few.says(&["error: nothing was judged: judge served: ", "not authorised: "]);
    assert!(!sandbox.path("report.md").exists(), "there is nothing to report");
}

#[test]
fn a_server_that_was_never_reached_is_an_error() {
    // No other test's server can get this port.
    let sandbox = tiny_judged_by(
        "[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
         concurrency = 64\n",
    );
    sandbox.llull(&["run", "--no-report"]).ends(1).says(&[
        "error: nothing was judged: judge served: no request was answered, the last because of this: connection fail",
        "is the server running",
    ]);
}

#[test]
fn a_judge_that_cannot_answer_stops_and_shows_why() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Malformed)).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nconcurrency = 1");
    sandbox.llull(&["run", "--verbose"]).ends(3).says(&[
        "warning: judge served was stopped: 20 unparsable replies in a row, about 3 queries. Its answers are in",
        "its reply: {\"rationale\": \"says 3 things\", \"grade\": 2,, }\n",
        "likely cause: the model does not write valid JSON",
        "missing: 10 malformed, 1 not asked",
    ]);
    assert_eq!(server.served().total(), 20);
    sandbox.llull(&["run", "--verbose"]).ends(3).says(&["21 unparsable replies in a row, about 3 queries"]);
    assert_eq!(server.served().total(), 22, "the next question, twice");
}
