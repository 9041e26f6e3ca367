//! `llull doctor`

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{check, tiny, tiny_judged_by, tiny_served};

#[test]
fn a_study_that_is_ready() {
    check!(tiny().llull(&["doctor"]).ends(0));
}

#[test]
fn a_server_that_answers() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let doctor = tiny_served(&server.url()).llull(&["doctor"]).ends(0);
    doctor.says(&[
        "warning judge served: faulty-1 answers, in ",
        "ready, with 1 warning to read first: llull run\n",
    ]);
    assert_eq!(server.served().total(), 1, "one short request");
}

#[test]
fn a_server_without_schemas() {
    let server = FaultyServer::start(FaultPlan { no_schema: true, ..FaultPlan::default() }).unwrap();
    let doctor = tiny_served(&server.url()).llull(&["doctor"]).ends(0);
    doctor.says(&["; its server has no JSON schema, so llull asks in plain words\n"]);
}

#[test]
fn a_model_that_refuses_parameters() {
    let refused_parameters = vec!["temperature"];
    let plan = FaultPlan { refused_parameters, new_limit_name: true, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let doctor = tiny_served(&server.url()).llull(&["doctor"]).ends(0);
    doctor.says(&[
        "warning judge served: its server takes no max_tokens, so it is sent as max_completion_tokens\n",
        "warning judge served: its server takes no temperature, so it is left out and the server's own applies\n",
    ]);
}

#[test]
fn a_server_that_refuses_the_key() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Unauthorized)).unwrap();
    let doctor = tiny_served(&server.url()).llull(&["doctor"]).ends(1);
    doctor.says(&["ERROR   judge served: not authorised: ", "set VLLM_API_KEY in the environment or in .en"]);
}

#[test]
fn nobody_there() {
    // No other test's server can get this port.
    tiny_served("http://127.0.0.1:1/v1")
        .llull(&["doctor"])
        .ends(1)
        .says(&["ERROR   judge served: connection failed: ", "is the serv"]);
}

#[test]
fn offline_contacts_nobody_and_says_where_the_key_would_go() {
    let mut sandbox =
        tiny_judged_by("[[judges]]\nmodel = \"openai/m\"\nbase_url = \"https://stranger.test/v1\"\n");
    sandbox.set("OPENAI_API_KEY", "sk-not-shown");
    sandbox.set("LLULL_TRUST", "OPENAI_API_KEY@https://stranger.test");
    let transcript = sandbox.llull(&["doctor", "--offline"]).ends(0);
    assert!(!transcript.to_string().contains("sk-not-shown"));
    transcript.says(&[
        "ok      reach: OPENAI_API_KEY@https://stranger.test (trusted)\n",
        "warning judge m: requests go to https://stranger.test/v1, with the key in OPENAI_API_KEY",
        "it was not contacted",
        "ready, with 1 warning to read first: llull run",
    ]);
}

#[test]
fn an_address_of_the_environment_is_named_and_a_key_that_would_go_there() {
    let mut sandbox = tiny_judged_by("[[judges]]\nmodel = \"ollama/m\"\n");
    sandbox.set("OLLAMA_HOST", "0.0.0.0");
    let transcript = sandbox.llull(&["doctor", "--offline"]).ends(0);
    let found = "ok      judge m: requests go to http://127.0.0.1:11434/v1, without a key\n";
    assert!(transcript.stdout.contains(found), "{transcript}");

    sandbox.set("OLLAMA_HOST", "http://elsewhere.test:11434");
    sandbox.set("OLLAMA_API_KEY", "sk-not-shown");
    sandbox.set("LLULL_TRUST", "OLLAMA_API_KEY@http://elsewhere.test:11434");
    let transcript = sandbox.llull(&["doctor", "--offline"]).ends(0);
    let found = "warning judge m: requests go to http://elsewhere.test:11434/v1, with the key in OLLAMA_API_KEY; that \
                 is not";
    assert!(transcript.stdout.contains(found), "{transcript}");
}

#[test]
fn an_address_with_a_password_is_refused_by_doctor_and_run_alike() {
    let sandbox =
        tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"http://me:hunter2@h.test/v1\"\n");
    let said = "judge m: address \"http://[key]@h.test/v1\" of model \"vllm/m\": an address holds no user or password";
    let doctor = sandbox.llull(&["doctor"]).ends(1);
    assert!(doctor.stdout.contains(&said.replace("judge m: ", "ERROR   judge m: ")), "{doctor}");
    let run = sandbox.llull(&["run"]).ends(1);
    assert!(run.stderr.contains(&format!("error: {said}")), "{run}");
    assert!(!format!("{doctor}{run}").contains("hunter2"));
}

#[test]
fn a_missing_key_is_named() {
    let doctor = tiny_judged_by("[[judges]]\nmodel = \"openai/m\"\n").llull(&["doctor"]).ends(0);
    let doctor = doctor.says(&[
        "warning judge m: model \"openai/m\" needs a key: set OPENAI_API_KEY in the environment or in .env; until then \
         llull run judges nothing\n",
        "ready except for the key: set OPENAI_API_KEY, then llull run\n",
    ]);
    assert!(!doctor.stderr.contains("to read first"), "{doctor}");
    assert!(!doctor.stdout.contains("without a key"), "no address, since no request goes there: {doctor}");
}

/// It proposed `llull run`, which asks the judge of llull.toml, and called a study without a key ready.
#[test]
fn the_command_has_the_options_that_were_checked() {
    let sandbox = tiny();
    let options = ["--judge", "openai/m", "--key", "m=MY_KEY", "--prompt", "graded"];
    let doctor = sandbox.llull(&[&["doctor", "--offline"], &options[..]].concat()).ends(0);
    let run = "llull run --judge openai/m --key m=MY_KEY --prompt graded";
    doctor.says(&[&format!("ready except for the key: set MY_KEY, then {run}\n")]);
    sandbox.llull(&["doctor", "--judge", "similarity"]).ends(0).says(&["llull run --judge similarity\n"]);
    let findings = sandbox.llull(&["doctor", "--offline", "--json", "--judge", "openai/m"]).ends(0).json();
    let missing = |finding: &serde_json::Value| finding["missing_key"] == "OPENAI_API_KEY";
    assert_eq!(
        findings.as_array().unwrap().iter().filter(|finding| missing(finding)).count(),
        1,
        "{findings}"
    );
}

/// It examined the judges of the last run and proposed `llull run`, which asks those of llull.toml.
#[test]
fn the_command_has_the_flags_of_the_last_run() {
    let sandbox = tiny();
    sandbox.write("my ids.txt", "q1\nq2\n");
    let flags = ["--judge", "similarity", "--depth", "2", "--queries", "my ids.txt"];
    let run = [&["run", "--no-report"], &flags[..]].concat();
    sandbox.command(&run).env("LLULL_SEED", "7").output().unwrap();
    let proposed = |typed: &[&str]| {
        let doctor = sandbox.llull(&[&["doctor", "--offline"], typed].concat()).ends(0);
        doctor.stderr.lines().last().unwrap().split_once(": ").unwrap().1.to_owned()
    };
    let queries = "--depth 2 --queries 'my ids.txt'";
    assert_eq!(proposed(&[]), format!("LLULL_SEED=7 llull run --judge similarity {queries}"));
    let typed = ["--judge", "known"];
    assert_eq!(proposed(&typed), format!("LLULL_SEED=7 llull run --judge known {queries}"));
}

#[test]
fn json() {
    let findings = tiny().llull(&["doctor", "--json"]).ends(0).json();
    let findings = findings.as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["severity"] == "fine"), "{findings:?}");
    assert!(findings.iter().any(|finding| finding["what"] == "judge known"));
}
