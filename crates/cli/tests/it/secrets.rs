//! A key is sent to the server and is nowhere else, whatever the server does with it.

use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::json;

use crate::batch::{AWS, at_bedrock};
use crate::sandbox::{Sandbox, files_with, tiny_judged_by};

const KEY: &str = "sk-test-0123456789abcdefghijKLMNOP";

fn study(server: &FaultyServer) -> Sandbox {
    let url = server.url();
    let sandbox = tiny_judged_by(&format!(
        "[[judges]]\nmodel = \"openai/m\"\nbase_url = \"{url}\"\ntimeout = 60\nconcurrency = 1\n"
    ));
    sandbox.write(".env", &format!("# mine\nexport OPENAI_API_KEY='{KEY}'\n"));
    sandbox
}

/// Runs everything that could show keys.
fn no_output_has(keys: &[&str], sandbox: &Sandbox) {
    for command in [
        vec!["doctor"],
        vec!["run"],
        vec!["run", "--json"],
        vec!["report", "--json"],
        vec!["ledger", "export"],
        vec!["ledger", "export", "export.jsonl"],
        vec!["ledger", "status", "--json"],
        vec!["prompt", "--json"],
        vec!["measure", "--json"],
        vec!["run", "--no-report", "--json"],
        vec!["batch", "status", "--json"],
    ] {
        let said = sandbox.llull(&command).to_string();
        assert!(!keys.iter().any(|key| said.contains(key)), "{command:?}: {said}");
    }
}

/// It is in `.env` and in no other file, and in no output.
fn the_key_is_nowhere(sandbox: &Sandbox, server: &FaultyServer) {
    no_output_has(&[KEY], sandbox);
    let sent: Vec<_> = server.requests().into_iter().filter_map(|request| request.authorization).collect();
    assert!(
        sent.iter().all(|sent| sent == &format!("Bearer {KEY}")) && !sent.is_empty(),
        "the key of .env is used"
    );
    assert_eq!(files_with(&sandbox.path(""), KEY), [sandbox.path(".env")]);
}

#[test]
fn when_all_is_well() {
    let server =
        FaultyServer::start(FaultPlan { record: true, key: Some(KEY.into()), ..FaultPlan::default() })
            .unwrap();
    let sandbox = study(&server);
    let run = sandbox.llull(&["run"]).ends(0);
    assert!(run.stderr.contains("with the key in OPENAI_API_KEY"), "{run}");
    the_key_is_nowhere(&sandbox, &server);
}

#[test]
fn when_the_server_quotes_it_in_a_failure() {
    for status in [400, 404, 500] {
        let body = format!(r#"{{"error": {{"message": "bad Authorization: Bearer {KEY}"}}}}"#);
        let server =
            FaultyServer::start(FaultPlan::always(Fault::Raw { status, headers: Vec::new(), body })).unwrap();
        let sandbox = study(&server);
        // one question is enough here: a 500 is tried again for a while
        sandbox.llull(&["run", "--max-calls", "2"]).ends(1).says(&["nothing was judged: judge m: "]);
        assert!(server.served().total() > 0);
        let said = sandbox.llull(&["ledger", "export"]).to_string();
        assert!(!said.contains(KEY), "{said}");
        assert_eq!(files_with(&sandbox.path(""), KEY), [sandbox.path(".env")], "{status}");
    }
}

#[test]
fn when_the_server_quotes_it_in_an_answer() {
    let message = json!({"content": format!("Your key is {KEY}"), "reasoning": KEY});
    let choice = json!({"message": message, "finish_reason": "stop"});
    let body = json!({"model": format!("m of {KEY}"), "choices": [choice]}).to_string();
    let server =
        FaultyServer::start(FaultPlan::always(Fault::Raw { status: 200, headers: Vec::new(), body }))
            .unwrap();
    the_key_is_nowhere(&study(&server), &server);
}

/// A refusal quotes the identifier, as those of S3 do.
#[test]
fn when_it_signs_requests_and_batches() {
    let keys = [AWS[0].1, AWS[1].1, AWS[2].1];
    for (accepted, code) in [(AWS[0].1, 0), ("another", 1)] {
        let plan = FaultPlan { key: Some(accepted.into()), ..FaultPlan::default() };
        let server = FaultyServer::start(plan).unwrap();
        let sandbox = at_bedrock(&server);
        let run = sandbox.llull(&["run", "--batch"]).ends(code);
        assert_eq!(run.stderr.contains("Incorrect API key provided: [key]"), code == 1, "{run}");
        assert!(
            run.stderr.contains("AWS_ACCESS_KEY_ID") && !keys.iter().any(|key| run.to_string().contains(key))
        );
        no_output_has(&keys, &sandbox);
        for key in keys {
            assert!(files_with(&sandbox.path(""), key).is_empty(), "{key}");
        }
    }
}

#[test]
fn an_environment_file_that_is_none_does_not_show_its_line() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = study(&server);
    sandbox.write(".env", &format!("OPENAI_API_KEY {KEY}\n"));
    let said = sandbox.llull(&["run"]).ends(1);
    assert_eq!(said.stderr, "error: ./.env line 1: expected NAME=value\n");
}
