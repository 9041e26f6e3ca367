//! `llull batch`: waves of requests as files, and their results.

use std::io::{BufRead as _, BufReader};

use llull::data::{Columns, read_topics_file};
use llull_testkit::{AWS_SECRET, FaultPlan, FaultyServer, Taste};
use serde_json::{Value, json};

use crate::comparing::compared_at;
use crate::sandbox::{Sandbox, Transcript, check, files_with, tiny_judged_by, tiny_served};

/// Replies that are unusable in each way that depends on the prompt alone.
pub(crate) fn faulty() -> FaultPlan {
    FaultPlan { malformed: 0.2, cut_off: 0.1, refusal: 0.1, taste: Taste::Merit, ..FaultPlan::default() }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn written(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Exports the next wave and has its requests answered.
fn results(sandbox: &Sandbox, server: &FaultyServer) -> Vec<Value> {
    let exported = sandbox.llull(&["batch", "export"]).ends(0);
    server.run_batch(&lines(&exported.stdout)).unwrap()
}

fn import(sandbox: &Sandbox, results: &[Value]) -> Transcript {
    sandbox.write("results.jsonl", &written(results));
    sandbox.llull(&["batch", "import", "results.jsonl"])
}

/// Exports and imports until nothing is left; `disturb` changes the results of a wave. Returns the number of waves.
fn to_the_end(sandbox: &Sandbox, server: &FaultyServer, disturb: impl Fn(usize, &mut Vec<Value>)) -> usize {
    for wave in 0..100 {
        let mut results = results(sandbox, server);
        if results.is_empty() {
            return wave;
        }
        disturb(wave, &mut results);
        assert!(matches!(import(sandbox, &results).code, 0 | 3));
    }
    panic!("the study does not end");
}

/// The attempts in the ledger, without what depends on the time or on the request.
fn attempts(sandbox: &Sandbox) -> Vec<String> {
    let exported = lines(&sandbox.llull(&["ledger", "export"]).ends(0).stdout);
    let attempts = exported.iter().filter_map(|line| {
        let mut fact = line.pointer("/attempt/fact")?.as_object()?.clone();
        ["at_ms", "latency_ms", "request_id"].iter().for_each(|time| drop(fact.remove(*time)));
        Some(Value::Object(fact).to_string())
    });
    let mut attempts: Vec<String> = attempts.collect();
    attempts.sort();
    attempts
}

pub(crate) fn labels(sandbox: &Sandbox) -> String {
    sandbox.llull(&["label", "-o", "-"]).stdout
}

fn same_as_live(sandbox: &Sandbox, live: &Sandbox) {
    assert_eq!(labels(sandbox), labels(live));
    assert!(!labels(live).is_empty());
    assert_eq!(attempts(sandbox), attempts(live));
}

#[test]
fn a_wave_is_a_file_of_requests() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_judged_by("[[judges]]\nname = \"served\"\nmodel = \"openai/gpt-x\"\n");
    check!(sandbox.llull(&["batch", "export", "wave.jsonl"]).ends(0));
    let requests = lines(&sandbox.read("wave.jsonl"));
    assert_eq!(requests.len(), 11);
    let first = &requests[0];
    assert_eq!((&first["method"], &first["url"]), (&json!("POST"), &json!("/v1/chat/completions")));
    assert_eq!((&first["body"]["model"], first["body"]["messages"].is_array()), (&json!("gpt-x"), true));
    let id = first["custom_id"].as_str().unwrap();
    assert!(id.len() <= 64 && id.ends_with("-0"), "Anthropic takes 64 characters at most: {id}");
    sandbox.llull(&["batch", "export", "wave.parquet"]).ends(0);
    let columns: Columns = "id=custom_id,query=body".parse().unwrap();
    let rows = read_topics_file(sandbox.path("wave.parquet"), &columns).unwrap().topics;
    let of_rows: Vec<(&str, Value)> =
        rows.iter().map(|row| (row.id.as_str(), serde_json::from_str(&row.text).unwrap())).collect();
    let of_lines: Vec<(&str, Value)> =
        requests.iter().map(|line| (line["custom_id"].as_str().unwrap(), line["body"].clone())).collect();
    assert_eq!(of_rows, of_lines);
    let results = server.run_batch(&requests).unwrap();
    sandbox.write("results.jsonl", &written(&results));
    check!(sandbox.llull(&["batch", "import", "results.jsonl"]).ends(0));
    let again = sandbox.llull(&["batch", "import", "results.jsonl", "--json"]).ends(0).json();
    assert_eq!(again, json!({"recorded": 0, "already_there": 11, "duplicates": 0, "open": {}}));
    sandbox.llull(&["batch", "export"]).ends(0).says(&["no request is open"]);
    sandbox.llull(&["report"]).ends(0);
}

#[test]
fn grades_of_a_batch_are_those_of_a_run() {
    let server = FaultyServer::start(faulty()).unwrap();
    let (live, batch) = (tiny_served(&server.url()), tiny_served(&server.url()));
    live.llull(&["run", "--no-report", "--keep-going"]);
    let waves = to_the_end(&batch, &server, |_, results| results.reverse());
    assert_eq!(waves, 2, "unparsable replies are asked once more");
    same_as_live(&batch, &live);
}

#[test]
fn comparisons_in_batches_are_those_of_a_run_whatever_comes_back_first() {
    let plan = FaultPlan { taste: Taste::Merit, malformed: 0.1, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let study = || compared_at(&server, "pairwise", "");
    let (live, batch) = (study(), study());
    live.llull(&["run", "--no-report", "--keep-going"]);
    let waves = to_the_end(&batch, &server, |wave, results| {
        results.reverse();
        let repeated = results[0].clone();
        results.push(repeated);
        if wave % 2 == 0 && results.len() > 2 {
            // It has no result, and is exported again.
            results.remove(1);
        }
    });
    assert!(waves > 3, "{waves}");
    same_as_live(&batch, &live);
}

#[test]
fn a_study_may_be_half_live_and_half_batch() {
    let server = FaultyServer::start(faulty()).unwrap();
    let (live, half) = (tiny_served(&server.url()), tiny_served(&server.url()));
    live.llull(&["run", "--no-report", "--keep-going"]);
    let results = results(&half, &server);
    half.llull(&["run", "--no-report", "--keep-going", "--max-calls", "4"]).ends(3);
    let imported = import(&half, &results);
    assert!(imported.stdout.contains("recorded before"), "{imported}");
    half.llull(&["run", "--no-report", "--keep-going"]);
    same_as_live(&half, &live);
}

#[test]
fn a_budget_limits_the_export_and_not_what_was_paid_for() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    let exported = sandbox.llull(&["batch", "export", "--max-calls", "3"]).ends(0);
    assert_eq!(exported.stdout.lines().count(), 3);
    let all = results(&sandbox, &server);
    sandbox.edit("llull.toml", "[[judges]]", "[budget]\ncalls = 2\n[[judges]]");
    import(&sandbox, &all).ends(0).says(&["11 results recorded"]);
}

#[test]
fn a_line_that_failed_is_a_failed_attempt() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    let mut results = results(&sandbox, &server);
    let body = |message: &str| json!({"error": {"message": message, "type": "invalid_request_error"}});
    results[0]["response"] = json!({"status_code": 400, "body": body("the request is wrong")});
    results[1]["response"] = json!({"status_code": 500, "body": null});
    results[1]["error"] = json!({"message": "engine down", "code": 500});
    results[2]["response"] = Value::Null;
    results[2]["error"] = json!({"code": "batch_expired", "message": "it was not served in time"});
    let ids: Vec<String> = (1..3).map(|at| results[at]["custom_id"].as_str().unwrap().to_owned()).collect();
    import(&sandbox, &results).ends(3).says(&["11 results recorded", "2 requests open"]);
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    assert_eq!(status[0]["totals"]["failed"], json!({"rejected": 1, "server": 1, "timeout": 1}));
    let exported = sandbox.llull(&["batch", "export"]).ends(0);
    let next = lines(&exported.stdout);
    let next: Vec<&str> = next.iter().map(|line| line["custom_id"].as_str().unwrap()).collect();
    let expected: Vec<String> = ids.iter().map(|id| id.replace("-0", "-1")).collect();
    assert_eq!(next, expected, "a rejected request is not sent again; the others are new attempts");
}

#[test]
fn results_of_another_study_are_refused_with_their_line() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    let mut results = results(&sandbox, &server);
    results[4]["custom_id"] = json!("somebody-elses");
    import(&sandbox, &results)
        .refused(1, &["results.jsonl, line 5", "\"somebody-elses\" does not belong to this study"]);
    sandbox.llull(&["batch", "import", "nothing.jsonl"]).refused(1, &["nothing.jsonl"]);
    for (line, reason) in [
        ("{", "EOF while parsing"),
        ("[]", "it has no custom_id"),
        ("{\"custom_id\": \"a\"}", "it has neither a response nor an error"),
    ] {
        sandbox.write("results.jsonl", &format!("\n{line}\n"));
        let refused = sandbox.llull(&["batch", "import", "results.jsonl"]);
        refused.refused(1, &["results.jsonl, line 2: ", reason, "vllm run-batch"]);
    }
    assert_eq!(attempts(&sandbox).len(), 0, "nothing is recorded");
}

#[test]
fn each_judge_has_a_file_of_its_own() {
    let mut sandbox = tiny_judged_by(
        "[[judges]]\nname = \"one/a\"\nmodel = \"openai/a\"\n[[judges]]\nname = \"two\"\nmodel = \"anthropic/b\"\n",
    );
    let key = "sk-test-0123456789abcdefghijKLMNOP";
    sandbox.set("OPENAI_API_KEY", key);
    sandbox.llull(&["batch", "export"]).refused(2, &["several judges have requests, one/a, two", "--of"]);
    sandbox.llull(&["batch", "export", "--of", "three"]).refused(2, &["\"three\"", "there are one/a, two"]);
    sandbox
        .llull(&["batch", "export", "wave.jsonl.gz"])
        .ends(0)
        .says(&["wave.one-a.jsonl.gz: 11 requests to one/a"]);
    let of_two = sandbox.llull(&["batch", "export", "--of", "two"]).ends(0).stdout;
    let first = &lines(&of_two)[0];
    assert_eq!((&first["url"], &first["body"]["model"]), (&json!("/v1/messages"), &json!("b")));
    assert!(sandbox.path("wave.two.jsonl.gz").is_file());
    sandbox.llull(&["batch", "export", "wave.jsonl"]).ends(0);
    assert!(files_with(&sandbox.path(""), key).is_empty());
    sandbox.llull(&["batch", "export", "corpus.jsonl", "--of", "two"]).refused(2, &["corpus.jsonl"]);
}

/// A study whose judge compares, at a server of OpenAI's form.
pub(crate) fn at_openai(server: &FaultyServer, key: &str) -> Sandbox {
    let mut sandbox = compared_at(server, "pairwise", "");
    sandbox.edit("llull.toml", "vllm/faulty-1", "openai/faulty-1");
    sandbox.set("OPENAI_API_KEY", key);
    sandbox
}

/// The keys with which requests to Bedrock are signed.
pub(crate) const AWS: [(&str, &str); 4] = [
    ("AWS_ACCESS_KEY_ID", "AKIDTEST0123456789"),
    ("AWS_SECRET_ACCESS_KEY", AWS_SECRET),
    ("AWS_SESSION_TOKEN", "session/token+0123456789=="),
    ("AWS_REGION", "eu-central-1"),
];

/// A study whose judge compares, at a server of Bedrock's form with batches in a bucket.
pub(crate) fn at_bedrock(server: &FaultyServer) -> Sandbox {
    let mut sandbox = compared_at(server, "pairwise", "");
    let aws =
        "{ batches = \"s3://llull-bucket/one\", role = \"arn:aws:iam::123456789012:role/r\", least = 2 }";
    sandbox.edit("llull.toml", "vllm/faulty-1\"", &format!("bedrock/faulty-1\"\naws = {aws}"));
    sandbox.set("LLULL_BASE_URL", &server.bedrock_url());
    sandbox.set("LLULL_TRUST", "AWS_ACCESS_KEY_ID@s3://llull-bucket");
    AWS.iter().for_each(|(name, value)| sandbox.set(name, value));
    sandbox
}

#[test]
fn a_request_that_another_secret_signs_is_refused() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let mut sandbox = at_bedrock(&server);
    sandbox.set("AWS_SECRET_ACCESS_KEY", &AWS_SECRET.to_lowercase());
    let said = ["The request signature we calculated does not match"];
    sandbox.llull(&["run", "--no-report"]).ends(1).says(&said);
}

/// Begins a run in batches, and kills it while it waits for the first.
fn killed(sandbox: &Sandbox, server: &FaultyServer) {
    server.hold_after(usize::MAX);
    let mut run = sandbox.command(&["run", "--batch", "--no-report", "--keep-going"]).spawn().unwrap();
    let mut lines = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("requests are in batch ")));
    run.kill().unwrap();
    run.wait().unwrap();
    server.release();
}

#[test]
fn a_run_that_is_killed_while_it_waits_continues_on_another_machine() {
    let plan = FaultPlan { batch_looks: 1, record: true, ..faulty() };
    let server = FaultyServer::start(plan).unwrap();
    let study = || at_openai(&server, "sk-test-0123456789abcdefghijKLMNOP");
    let (live, here, there) = (study(), study(), study());
    live.llull(&["run", "--no-report", "--keep-going"]);
    let once = server.requests().len();
    killed(&here, &server);
    fs_err::create_dir(there.path(".llull")).unwrap();
    let files = fs_err::read_dir(here.path(".llull")).unwrap().map(Result::unwrap);
    for file in files.filter(|file| file.path().is_file()) {
        let name = format!(".llull/{}", file.file_name().to_string_lossy());
        fs_err::copy(file.path(), there.path(&name)).unwrap();
    }
    there.llull(&["run", "--batch", "--no-report", "--keep-going"]);
    same_as_live(&there, &live);
    assert_eq!(server.requests().len(), 2 * once, "each once");
}

#[test]
fn batches_are_listed_and_ended() {
    let plan = FaultPlan { batch_looks: 1, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let study = || at_openai(&server, "sk-test-0123456789abcdefghijKLMNOP");
    let (live, batch) = (study(), study());
    live.llull(&["run", "--no-report"]);
    batch.llull(&["batch", "status"]).ends(0).says(&["no batch was sent; llull run --batch sends some"]);
    killed(&batch, &server);
    batch
        .llull(&["batch", "status"])
        .ends(0)
        .rows(&["batch judge state requests", "batch_0 served submitted 4"]);
    check!(batch.llull(&["batch", "cancel"]).ends(0));
    batch.llull(&["run", "--batch", "--no-report"]).ends(0);
    assert_eq!(labels(&batch), labels(&live));
    let states = batch.llull(&["batch", "status", "--json"]).ends(0).json();
    assert!(states.as_array().unwrap().iter().all(|batch| batch["state"] == "ended"), "{states}");
    batch.llull(&["batch", "cancel"]).ends(0).says(&["no batch is at a provider"]);
}

#[test]
fn waves_sent_as_batches_are_those_of_a_run() {
    let key = "sk-test-0123456789abcdefghijKLMNOP";
    let plan = FaultPlan { batch_looks: 1, key: Some(key.into()), record: true, ..faulty() };
    let server = FaultyServer::start(plan).unwrap();
    let (live, batch) = (at_openai(&server, key), at_openai(&server, key));
    live.llull(&["run", "--no-report", "--keep-going"]);
    let before = server.requests().len();
    let run = batch.llull(&["run", "--batch", "--no-report", "--keep-going"]);
    assert!(run.stderr.contains("requests are in batch batch_0"), "{run}");
    same_as_live(&batch, &live);
    assert_eq!(server.requests().len(), 2 * before, "each request once");
    assert!(files_with(&batch.path(""), key).is_empty(), "no key in the table, the ledger or a report");
    let again = batch.llull(&["run", "--batch", "--no-report", "--keep-going"]);
    assert_eq!(server.requests().len(), 2 * before, "{again}");
}

#[test]
fn a_dry_run_has_the_price_of_batches_and_the_waves() {
    let price = "price = { input = 0.15, output = 0.60 }\n";
    let openai = format!("[[judges]]\nname = \"a\"\nmodel = \"openai/gpt-4o-mini\"\n{price}");
    let elsewhere = "model = \"openai/m\"\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    let mut sandbox = tiny_judged_by(&format!("{openai}[[judges]]\nname = \"b\"\n{elsewhere}{price}"));
    check!(sandbox.llull(&["run", "--dry-run", "--batch"]).ends(0));
    let usd = |arguments: &[&str]| {
        let rows = sandbox.llull(arguments).ends(0).json();
        let estimate = |at: usize| rows[at]["estimate"].clone();
        assert_eq!((&estimate(0)["waves"], &estimate(1)["waves"]), (&json!(1), &json!(1)));
        [0, 1].map(|at| estimate(at)["usd_at_most"].as_f64().unwrap())
    };
    let key = "sk-test-0123456789abcdefghijKLMNOP";
    let compared = at_openai(&FaultyServer::start(FaultPlan::default()).unwrap(), key);
    let rows = compared.llull(&["run", "--dry-run", "--batch", "--json"]).ends(0).json();
    assert!(rows[0]["estimate"]["waves"].as_u64().unwrap() > 1, "{rows}");
    let [half, whole] = usd(&["run", "--dry-run", "--batch", "--json"]);
    let usual = usd(&["run", "--dry-run", "--json"]);
    assert!(
        (half * 2.0 - usual[0]).abs() < 1e-12 && (whole - usual[1]).abs() < 1e-12,
        "{half} {whole} {usual:?}"
    );
    sandbox.set("OPENAI_API_KEY", "sk-test-0123456789abcdefghijKLMNOP");
    for provider in ["vllm/m", "bedrock/m"] {
        sandbox.write("llull.toml", &sandbox.read("llull.toml").replace("openai/m", provider));
        sandbox.llull(&["run", "--batch", "--dry-run"]).refused(1, &["judge b cannot be sent batches"]);
        sandbox.write("llull.toml", &sandbox.read("llull.toml").replace(provider, "vllm/m"));
    }
    sandbox.llull(&["run", "--batch"]).refused(1, &["judge b cannot be sent batches", "llull batch export"]);
}

#[test]
fn a_dry_run_has_the_terms_of_bedrock_s_batches() {
    let aws = "aws = { batches = \"s3://llull-bucket\", role = \"arn:aws:iam::123456789012:role/r\", hours = 72 }\n";
    let judge = "[[judges]]\nname = \"a\"\nmodel = \"bedrock/m\"\nprice = { input = 0.15, output = 0.60 }\n";
    let mut sandbox = tiny_judged_by(&format!("{judge}{aws}"));
    sandbox.set("AWS_REGION", "eu-central-1");
    sandbox.set("LLULL_TRUST", "s3://llull-bucket");
    let dry = sandbox.llull(&["run", "--dry-run", "--batch"]).ends(0);
    dry.says(&["each promised within 72 hours", "fewer than 100 requests are sent by themselves"]);
    // There are 11 of them.
    let usd =
        |arguments: &[&str]| sandbox.llull(arguments).ends(0).json()[0]["estimate"]["usd_at_most"].clone();
    assert_eq!(usd(&["run", "--dry-run", "--batch", "--json"]), usd(&["run", "--dry-run", "--json"]));
    sandbox.edit("llull.toml", "hours = 72", "least = 2");
    let half = usd(&["run", "--dry-run", "--batch", "--json"]).as_f64().unwrap();
    let whole = usd(&["run", "--dry-run", "--json"]).as_f64().unwrap();
    assert!((half / whole - (0.5 + 0.5 / 11.0)).abs() < 1e-9, "one may be left over: {half} {whole}");
    for (from, to, said) in [
        ("least = 2", "hours = 12", "hours = 12 is not from 24 to 168"),
        ("least = 2", "least = 30000", "least = 30000 is not from 1 to 25000"),
        ("s3://llull-bucket", "llull-bucket", "write s3://BUCKET/FOLDER"),
        ("bedrock/m", "openai/m", "aws: only requests to bedrock/ models are signed"),
    ] {
        sandbox.edit("llull.toml", from, to);
        sandbox.llull(&["run", "--dry-run"]).says(&[said]);
        sandbox.edit("llull.toml", to, from);
    }
}

/// The first job expires before it begins, the second ends in the middle. Results come in reverse, one of them twice.
#[test]
fn waves_sent_as_batches_of_bedrock_are_those_of_a_run() {
    let plan = FaultPlan {
        batch_looks: 2,
        batch_ends: vec!["Expired", "PartiallyCompleted"],
        key: Some(AWS[0].1.into()),
        record: true,
        ..faulty()
    };
    let server = FaultyServer::start(plan).unwrap();
    let (live, batch) = (at_bedrock(&server), at_bedrock(&server));
    live.llull(&["run", "--no-report", "--keep-going"]);
    let before = server.requests().len();
    let run = batch.llull(&["run", "--batch", "--no-report", "--keep-going"]);
    assert!(run.stderr.contains("requests are in batch job0"), "{run}");
    assert_eq!(labels(&batch), labels(&live));
    assert!(!labels(&live).is_empty());
    assert_eq!(
        server.requests().len(),
        2 * before,
        "requests without a reply are repeated, and all others are sent once: {run}"
    );
    let again = batch.llull(&["run", "--batch", "--no-report", "--keep-going"]);
    assert_eq!(server.requests().len(), 2 * before, "{again}");
    for key in AWS.iter().take(3).map(|(_, value)| *value) {
        assert!(files_with(&batch.path(""), key).is_empty(), "no key in the table, the ledger or a report");
        assert!(![&run, &again].iter().any(|run| format!("{run}").contains(key)));
    }
}

#[test]
fn a_batch_of_bedrock_that_fails_as_a_whole_or_is_stopped_is_sent_again() {
    let plan = FaultPlan { batch_looks: 1, batch_ends: vec!["Failed"], record: true, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let (live, batch) = (at_bedrock(&server), at_bedrock(&server));
    live.llull(&["run", "--no-report"]).ends(0);
    let run = batch.llull(&["run", "--batch", "--no-report"]);
    run.ends(3).says(&["the batch was refused: the role cannot read the bucket", "the next run sends"]);
    killed(&batch, &server);
    batch.llull(&["batch", "cancel"]).ends(0).says(&["job1"]);
    batch.llull(&["run", "--batch", "--no-report"]).ends(0);
    assert_eq!(labels(&batch), labels(&live));
}

/// The limit held only once the batches had come back, and were paid for.
#[test]
fn batches_are_sent_only_if_a_limit_of_money_or_tokens_holds_whatever_comes_back() {
    let key = "sk-test-0123456789abcdefghijKLMNOP";
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let mut sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "vllm/faulty-1", "openai/faulty-1");
    sandbox.edit("llull.toml", "timeout = 60", "price = { input = 0.15, output = 0.60 }");
    sandbox.set("OPENAI_API_KEY", key);
    let refused =
        ["a batch is paid for before its costs are known", "$0.0088", "--max-calls", "without --batch"];
    sandbox.llull(&["run", "--batch", "--max-usd", "0.001"]).refused(1, &refused);
    sandbox.edit("llull.toml", "[[judges]]", "[budget]\ntokens = 1000\n[[judges]]");
    sandbox.llull(&["run", "--batch"]).refused(1, &["raise tokens", "the limit leaves 1000 tokens"]);
    assert_eq!(server.requests().len(), 0, "nothing is bought");
    sandbox.edit("llull.toml", "tokens = 1000", "tokens = 100000");
    sandbox.llull(&["run", "--batch", "--max-usd", "1", "--no-report"]).ends(0);
}

#[test]
fn a_run_without_batches_stops_before_it_pays_again() {
    let plan = FaultPlan { batch_looks: 1, record: true, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let sandbox = at_openai(&server, "sk-test-0123456789abcdefghijKLMNOP");
    killed(&sandbox, &server);
    let before = server.requests().len();
    let told = ["are in batches at a provider", "llull run --batch", "--accept-loss"];
    sandbox.llull(&["run", "--no-report"]).ends(3).says(&told);
    assert_eq!(server.requests().len(), before);
    let exported = sandbox.llull(&["batch", "export"]).ends(0).says(&["in batches at a provider"]);
    assert_eq!(exported.stdout, "", "they would be paid for again");
    sandbox.llull(&["run", "--batch", "--no-report"]).ends(0);
    sandbox.llull(&["run", "--no-report"]).ends(0);
}

/// It was dropped as recorded before, and its request was exported to be bought again.
#[test]
fn a_reply_answers_a_question_whose_earlier_attempt_failed() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    let good = results(&sandbox, &server);
    let mut first = good.clone();
    first[0] =
        json!({"custom_id": good[0]["custom_id"], "error": {"code": "batch_expired", "message": "late"}});
    import(&sandbox, &first).ends(3).says(&["11 results recorded", "1 request open"]);
    import(&sandbox, &first).says(&["1 request open", "recorded before"]);
    import(&sandbox, &good).ends(0).says(&["1 result recorded"]);
    sandbox.llull(&["batch", "export"]).ends(0).says(&["no request is open"]);
}

#[test]
fn an_export_without_requests_says_why() {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"openai/m\"\n");
    let none = sandbox.llull(&["batch", "export", "--max-calls", "0"]).ends(0);
    none.says(&["no request is written: --max-calls 0 allows no request; raise it or leave it out\n"]);
    let computed = sandbox.llull(&["batch", "export", "--judge", "similarity"]).ends(0);
    computed.says(&["no judge of this study is a language model, so there are no requests"]);
}
