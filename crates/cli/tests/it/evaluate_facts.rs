//! `llull evaluate --facts`, and `--facts-by`.

use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::Value;

use crate::evaluate::yes_or_no;
use crate::sandbox::{Sandbox, Transcript};

/// Judges are asked about facts, and a share of them is an answer.
#[test]
fn facts_of_an_answer() {
    let sandbox = Sandbox::new();
    sandbox.write("q.csv", "query,expected_answers\nwhich city,Bern on the Aare\n");
    sandbox.write(
        "r.jsonl",
        "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"a\",\"text\":\"the capital is Bern\"}]}\n",
    );
    sandbox.write(
        "f.jsonl",
        "{\"answer\":\"Bern on the Aare\",\"facts\":[\"Bern\",\"the Aare\",\"capital\"]}\n",
    );
    let args = ["evaluate", "q.csv", "--results", "r.jsonl", "-m", "R@4", "--json", "--facts", "f.jsonl"];
    let mean = |more: &[&str]| {
        let output = sandbox.llull(&[&args[..], more].concat()).ends(0).json();
        (output["systems"][0]["figures"][0]["mean"].as_f64().unwrap(), output)
    };
    let (found, output) = mean(&[]);
    assert_eq!((found, output["nugget_share"].as_f64()), (1.0, Some(0.5)));
    assert_eq!(output["answers"][0]["queries"][0]["found"][0]["because"], "2 of 3 facts; not: the Aare");
    assert_eq!(mean(&["--nugget-share", "0.7"]).0, 0.0);
    // A panel's ledger has facts, and another share asks nothing.
    assert_eq!(mean(&["--ledger", "l.sqlite"]).1["judges"][0]["counts"]["judged"], 3);
    let again = mean(&["--ledger", "l.sqlite", "--nugget-share", "1"]);
    assert_eq!((again.0, &again.1["judges"][0]["counts"]["from_ledger"]), (0.0, &3.into()));
    sandbox
        .llull(&[&args[..], &["--nugget-share", "2"]].concat())
        .ends(2)
        .says(&["--nugget-share: 2 is no share"]);
    sandbox.write("f.jsonl", "{\"answer\":\"Basel\",\"facts\":[\"Basel\"]}\n");
    sandbox
        .llull(&args)
        .ends(1)
        .says(&["no facts of 1 of the expected answers", "to the query \"which city\""]);
}

/// Three answers of two questions, and passages that support them in part.
fn cities() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "q.json",
        r#"{"queries": [
            {"query_id": "q1", "query_text": "which city", "expected_answers": ["Bern, on the river Aare, the capital",
                "once Zürich"]},
            {"query_id": "q2", "query_text": "which land", "expected_answers": ["the land of Uri"]}]}"#,
    );
    sandbox.write(
        "r.jsonl",
        "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"a\",\"text\":\"Bern is the capital\"},{\"doc_id\":\"b\",\
         \"text\":\"it was once Zürich\"}]}\n\
         {\"query_id\":\"q2\",\"results\":[{\"doc_id\":\"c\",\"text\":\"the land of Uri\"}]}\n",
    );
    sandbox
}

fn with_facts_by(sandbox: &Sandbox, server: &FaultyServer, more: &[&str]) -> Transcript {
    let url = server.url();
    let own =
        ["evaluate", "q.json", "--results", "r.jsonl", "-m", "nDCG@10", "-m", "R@10", "--base-url", &url];
    let facts = ["--facts", "f.jsonl", "--facts-by", "vllm/writer", "--ledger", "l.sqlite"];
    sandbox.llull(&[&own[..], &facts, more].concat())
}

const MADE: &str = "{\"answer\":\"Bern, on the river Aare, the capital\",\"facts\":[\"Bern\",\"on the river Aare\",\
                    \"the capital\"],\"by\":\"vllm/writer\"}\n\
                    {\"answer\":\"once Zürich\",\"facts\":[\"once Zürich\"],\"by\":\"vllm/writer\"}\n\
                    {\"answer\":\"the land of Uri\",\"facts\":[\"the land of Uri\"],\"by\":\"vllm/writer\"}\n";

fn figure(output: &Value, at: usize) -> f64 {
    output["systems"][0]["figures"][at]["mean"].as_f64().unwrap()
}

/// A model makes facts once, into a file that a person mends and that holds from then on.
#[test]
fn facts_are_made_once_and_kept() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let sandbox = cities();
    let first = with_facts_by(&sandbox, &server, &["--json", "--report", "found"]).ends(0).json();
    assert_eq!(sandbox.read("f.jsonl"), MADE);
    assert_eq!(server.requests().len(), 3);
    let facts = serde_json::json!({"answers": 3, "facts": 5, "made_by": {"vllm/writer": 3}, "without": []});
    assert_eq!((&first["facts"], &first["weighed_by_facts"]), (&facts, &serde_json::json!(["nDCG@10"])));
    let found = &first["answers"][0]["queries"][0]["found"][0];
    assert_eq!(found["facts"], serde_json::json!({"supported": 2, "all": 3}));
    // q1: 2 of 3 facts at rank 1, all of the other answer at rank 2, over 1 + 1 / log2(3); q2: 1. Each answer is found.
    let discount = 1.0 / 3f64.log2();
    let expected = f64::midpoint((2.0 / 3.0 + discount) / (1.0 + discount), 1.0);
    assert!((figure(&first, 0) - expected).abs() < 1e-12, "{first}");
    assert!((figure(&first, 1) - 1.0).abs() < 1e-12);
    let report = sandbox.read("found/report.md");
    assert!(report.contains("5 facts of 3 expected answers, those of 3 made by vllm/writer"), "{report}");
    assert!(report.contains("what an answer gains in nDCG@10"), "{report}");
    // Neither the file nor the ledger lets it be asked again, and both give the same.
    with_facts_by(&sandbox, &server, &[]).ends(0).says(&["nDCG@10: an answer that is found gains the share"]);
    std::fs::remove_file(sandbox.path("f.jsonl")).unwrap();
    let again = with_facts_by(&sandbox, &server, &["--json"]).ends(0).json();
    assert_eq!((again["systems"] == first["systems"], sandbox.read("f.jsonl").as_str()), (true, MADE));
    // A person's line holds, whatever the model has said.
    let mended = MADE
        .replace("\"on the river Aare\",", "")
        .replace("the land of Uri\"],\"by\":\"vllm/writer\"", "Uri\"]");
    sandbox.write("f.jsonl", &mended);
    let mended = with_facts_by(&sandbox, &server, &["--json", "--judge", "token-overlap(min_tokens=1)"])
        .ends(0)
        .json();
    assert_eq!(mended["facts"]["made_by"], serde_json::json!({"vllm/writer": 2}));
    assert!((figure(&mended, 0) - 1.0).abs() < 1e-12, "{mended}");
    assert_eq!(server.requests().len(), 3);
    // The answer is between tags, and nothing else of the dataset is shown.
    let messages = server.requests()[0].body["messages"].to_string();
    assert!(messages.contains("<answer-") && !messages.contains("which city"), "{messages}");
}

/// A dry run says what it takes, and a limit stops it: nothing is asked twice, and judges wait for all facts.
#[test]
fn making_facts_has_a_price_and_a_budget() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let sandbox = cities();
    with_facts_by(&sandbox, &server, &["--dry-run"]).ends(0).says(&["writer: 3 requests"]);
    let both = with_facts_by(&sandbox, &server, &["--dry-run", "--json", "--judge", "vllm/m"]).ends(0).json();
    assert_eq!(
        both.as_array().unwrap().len(),
        1,
        "judges are asked about facts, of which there are none: {both}"
    );
    assert!(!sandbox.path("f.jsonl").exists() && server.requests().is_empty());
    let stopped = with_facts_by(&sandbox, &server, &["--max-calls", "1"]).ends(3);
    assert_eq!(stopped.stdout, "");
    stopped.says(&["2 answers have no facts yet"]);
    assert_eq!(sandbox.read("f.jsonl").lines().count(), 1);
    let rest = with_facts_by(&sandbox, &server, &["--dry-run", "--json", "--judge", "vllm/m"]).ends(0).json();
    let calls: Vec<u64> = rest.as_array().unwrap().iter().map(|it| it["calls"].as_u64().unwrap()).collect();
    assert_eq!(calls[0], 2, "{rest}");
    // What making them took is taken off what judges may take: 2 of 4 requests are left.
    with_facts_by(&sandbox, &server, &["--max-calls", "4", "--judge", "vllm/m"]).ends(3);
    assert_eq!((sandbox.read("f.jsonl").as_str(), server.requests().len()), (MADE, 5));
    with_facts_by(&sandbox, &server, &["--judge", "vllm/m"]).ends(0);
    assert!(server.served().prompts.values().all(|prompt| prompt.asked == 1));
}

/// What cannot be read are no facts: the answer has none, and no judgment, which is counted and said.
#[test]
fn a_reply_that_cannot_be_read_is_no_fact() {
    let body = serde_json::json!({
        "choices": [{"message": {"content": "{\"facts\": [\"Bern\", \" \"]}"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1},
    });
    let body = body.to_string();
    let server =
        FaultyServer::start(FaultPlan::always(Fault::Raw { status: 200, headers: Vec::new(), body }));
    let (server, sandbox) = (server.unwrap(), cities());
    let own = "{\"answer\":\"the land of Uri\",\"facts\":[\"the land of Uri\"]}";
    sandbox.write("f.jsonl", own);
    let output = with_facts_by(&sandbox, &server, &["--json", "--report", "found"]).ends(0);
    let output = output
        .says(&["2 answers without facts have no judgments; the first is \"Bern, on the river Aare"])
        .json();
    let without = output["facts"]["without"].as_array().unwrap();
    assert_eq!((without.len(), &without[1]["answer"]), (2, &"once Zürich".into()));
    assert!(without[0]["reason"].as_str().unwrap().starts_with("the reply cannot be read: "), "{without:?}");
    let query = &output["answers"][0]["queries"][0];
    assert_eq!((&query["unusable"], query["found"].as_array().unwrap().len()), (&2.into(), 0));
    assert!((figure(&output, 1) - 0.5).abs() < 1e-12);
    assert_eq!(sandbox.read("f.jsonl"), own, "nothing to add");
    assert!(sandbox.read("found/report.md").contains("2 answers without facts have no judgments"));
    let asked = server.requests().len();
    with_facts_by(&sandbox, &server, &[]).ends(0);
    assert_eq!(server.requests().len(), asked, "it is not asked again");
}

#[test]
fn what_is_wrong_with_making_facts_is_said() {
    let sandbox = cities();
    let with = |more: &[&str]| {
        sandbox.llull(
            &[&["evaluate", "q.json", "--results", "r.jsonl", "--facts", "f.jsonl"][..], more].concat(),
        )
    };
    with(&["--facts-by", "openai/a"]).ends(2).says(&["openai/a need a ledger", "add --ledger"]);
    with(&["--facts-by", "a", "--ledger", "l.sqlite"]).ends(2).says(&["provider/model"]);
    with(&[]).ends(1).says(&["f.jsonl"]);
    sandbox
        .llull(&["evaluate", "q.json", "--results", "r.jsonl", "--facts-by", "openai/a"])
        .ends(2)
        .says(&["--facts <FILE>"]);
}
