//! Questions that models wrote stay marked as such in every output of `llull evaluate`.

use crate::sandbox::Sandbox;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let origin = |category: &str| {
        format!(
            r#"{{"synthetic": true, "category": "{category}", "model": "openai/gpt-4o", "documents": ["d1"],
            "characters": [0, 40], "seed": 42, "checked_by": "anthropic/claude-3-5-haiku", "check": "answered"}}"#
        )
    };
    sandbox.write(
        "mixed.json",
        &format!(
            r#"{{"queries": [
            {{"query_id": "asked", "query_text": "where is city 1", "expected_answers": ["city 1 lies in land 1"]}},
            {{"query_id": "made", "query_text": "where is city 2", "expected_answers": ["city 2 lies in land 2"],
             "origin": {}}},
            {{"query_id": "none", "query_text": "who won in 2050", "expected_answers": [], "origin": {}}}]}}"#,
            origin("detail"),
            origin("out-of-context")
        ),
    );
    sandbox.write(
        "good.jsonl",
        "{\"query_id\":\"asked\",\"results\":[{\"doc_id\":\"a\",\"text\":\"city 1 lies in land 1\"}]}\n\
         {\"query_id\":\"made\",\"results\":[{\"doc_id\":\"b\",\"text\":\"city 2 lies in land 2\"}]}\n",
    );
    sandbox
}

const EVALUATE: [&str; 6] = ["evaluate", "mixed.json", "--results", "good.jsonl", "-m", "R@4"];

#[test]
fn every_format_says_so() {
    let sandbox = sandbox();
    sandbox
        .llull(&EVALUATE)
        .ends(0)
        .rows(&[
            "synthetic questions of written by checked by",
            "2 3 openai/gpt-4o anthropic/claude-3-5-haiku",
            "good R@4 1.0000 [n/a, n/a] 2 0 0 of 2",
        ])
        .says(&[
            "warning: 2 of 3 questions are synthetic, written by openai/gpt-4o, checked by anthropic/claude-3-5-haiku",
            "and is in no figure (the first: none); 1 of these on purpose, out of context",
        ]);
    let said =
        |format: &str| sandbox.llull(&[&EVALUATE[..], &["--per-query", "--format", format]].concat()).ends(0);
    let made = &said("json").json()["synthetic"];
    let expected = serde_json::json!({
        "synthetic": 2, "queries": 3, "out_of_context": 1,
        "written_by": {"openai/gpt-4o": 2}, "checked_by": {"anthropic/claude-3-5-haiku": 2},
    });
    assert_eq!(made, &expected);
    said("markdown").says(&["| synthetic questions |", "| openai/gpt-4o |"]);
    assert_eq!(
        said("csv").stdout,
        "run,measure,query,value,synthetic\ngood,R@4,asked,1,0\ngood,R@4,made,1,1\ngood,R@4,all,1,1\n"
    );
    said("jsonl").says(&[
        r#""query":"made","value":1.0,"synthetic":1}"#,
        r#""query":null,"value":1.0,"synthetic":1}"#,
    ]);
}

#[test]
fn a_report_says_so_above_its_decision() {
    let sandbox = sandbox();
    sandbox.llull(&[&EVALUATE[..], &["--report", "found"]].concat()).ends(0);
    for file in ["found/report.md", "found/report.json", "found/report.html"] {
        let text = sandbox.read(file);
        assert!(text.contains("2 of 3 questions are synthetic, written by openai/gpt-4o"), "{file}: {text}");
        assert!(text.contains("1 of these on purpose, out of context"), "{file}");
    }
}

#[test]
fn a_dataset_without_them_says_nothing() {
    let sandbox = sandbox();
    sandbox.write("people.csv", "query_id,query,expected_answers\nasked,where,city 1 lies in land 1\n");
    let args = ["evaluate", "people.csv", "--results", "good.jsonl", "-m", "R@4", "--format", "csv"];
    let said = sandbox.llull(&args).ends(0);
    assert_eq!(said.stdout, "run,measure,query,value\ngood,R@4,all,1\n");
    assert!(!said.stderr.contains("synthetic"), "{said}");
}

/// A judge of the writer's kind may find its own words again.
#[test]
fn a_judge_of_the_writers_family_is_named() {
    use llull_testkit::{FaultPlan, FaultyServer};
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = sandbox();
    let text = sandbox.read("mixed.json").replace("openai/gpt-4o", "vllm/qwen-2.5");
    sandbox.write("mixed.json", &text);
    let url = server.url();
    let by = |judge: &str, ledger: &str| {
        let more = ["--judge", judge, "--base-url", &url, "--ledger", ledger];
        sandbox.llull(&[&EVALUATE[..], &more].concat())
    };
    by("vllm/qwen-2.5", "same.sqlite").says(&["vllm/qwen-2.5 wrote questions of this dataset"]);
    by("vllm/qwen-3", "family.sqlite").says(&["vllm/qwen-3 is of the family of vllm/qwen-2.5 (qwen)"]);
    let other = by("vllm/llama-3", "other.sqlite");
    assert!(!other.stderr.contains("family") && !other.stderr.contains("wrote questions"), "{other}");
}
