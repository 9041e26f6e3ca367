//! `llull evaluate`

use crate::sandbox::{Sandbox, check};

/// The worked example of evret's page "Judge System Design".
fn rag() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "rag.json",
        r#"{"queries": [{"query_id": "q1", "query_text": "What is RAG?", "expected_answers": [
            "RAG combines retrieval with generation for better accuracy",
            "Retrieval-augmented generation improves LLM responses"]}]}"#,
    );
    sandbox.write(
        "dense.jsonl",
        &(r#"{"query_id": "q1", "results": [
            {"doc_id": "doc_123", "score": 0.95, "text": "RAG is a technique that combines retrieval with generation"},
            {"doc_id": "doc_456", "score": 0.87, "text": "Vector databases store embeddings"}]}"#
            .replace('\n', " ")
            + "\n"),
    );
    sandbox
}

/// Eight questions; one retriever finds each answer first, the other second, or of the last one nothing.
fn eight() -> Sandbox {
    let sandbox = Sandbox::new();
    let all = |line: &dyn Fn(usize) -> String| (1..=8).map(line).collect::<String>();
    sandbox.write(
        "questions.csv",
        &("query_id,query_text,expected_answers\n".to_owned()
            + &all(&|n| format!("q{n},where is city {n},the city {n} lies in land {n}\n"))),
    );
    let good = |n| format!("it is known that the city {n} lies in land {n}");
    sandbox.write(
        "good.jsonl",
        &all(&|n| {
            format!(
                "{{\"query_id\":\"q{n}\",\"results\":[{{\"doc_id\":\"d{n}\",\"text\":\"{}\"}}]}}\n",
                good(n)
            )
        }),
    );
    let bad = |n: usize| match n {
        8 => format!("{{\"query_id\":\"q{n}\",\"error\":\"timeout\"}}\n"),
        _ => format!(
            "{{\"query_id\":\"q{n}\",\"results\":[{{\"doc_id\":\"x\",\"text\":\"nothing of this\"}},\
             {{\"doc_id\":\"d{n}\",\"text\":\"{}\"}},{{\"doc_id\":\"y\"}}]}}\n",
            good(n)
        ),
    };
    sandbox.write("bad.jsonl", &(all(&bad) + "{\"query_id\":\"q99\",\"results\":[]}\n"));
    sandbox
}

#[test]
fn the_worked_example() {
    let metrics = ["-m", "recall@2", "-m", "precision@2", "-m", "HitRate@2"];
    check!(
        rag()
            .llull(&[&["evaluate", "rag.json", "--results", "dense.jsonl", "-q"][..], &metrics].concat())
            .ends(0)
    );
    let means = |more: &[&str]| -> Vec<f64> {
        let args = ["evaluate", "rag.json", "--results", "dense.jsonl", "--format", "jsonl"];
        let said = rag().llull(&[&args[..], &metrics, more].concat()).ends(0).stdout;
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["value"].as_f64();
        said.lines().map(|line| value(line).unwrap()).collect()
    };
    assert_eq!(means(&["--min-tokens", "5", "--threshold", "0.625", "--no-query-boost"]), [0.5, 0.5, 1.0]);
    assert_eq!(means(&["--min-tokens", "5", "--threshold", "0.63", "--no-query-boost"]), [0.0; 3]);
    assert_eq!(means(&["--min-tokens", "6"]), [0.0; 3]);
    // evret 0.0.3: TokenOverlapJudge() and TokenOverlapJudge(min_tokens=4)
    assert_eq!(means(&["--judge", "token-overlap-evret"]), [0.0; 3]);
    assert_eq!(means(&["--judge", "token-overlap-evret", "--min-tokens", "4"]), [0.5, 0.5, 1.0]);
}

#[test]
fn retrievers_side_by_side() {
    let sandbox = eight();
    let args =
        ["evaluate", "questions.csv", "--results", "bad.jsonl", "--results", "good.jsonl", "-m", "MRR@4"];
    check!(sandbox.llull(&[&args[..], &["-q"]].concat()).ends(0));
    let output = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    assert_eq!(output["comparisons"][0]["decision"], "better", "{output}");
    assert_eq!(output["comparisons"][0]["mean_difference"].as_f64(), Some(1.0 - 3.5 / 8.0));
    let bad = &output["answers"][0]["queries"];
    assert_eq!((&bad[0]["found"][0]["rank"], &bad[0]["without_text"]), (&2.into(), &1.into()));
    assert_eq!(
        (&bad[7]["answered"], &bad[7]["never_found"][0]),
        (&false.into(), &"the city 8 lies in land 8".into())
    );
    assert_eq!(output["contexts_judged"], 15);
    sandbox.llull(&[&args[..], &["--format", "markdown"]].concat()).ends(0).says(&["| good |"]);
    sandbox.llull(&[&args[..], &["--format", "csv"]].concat()).ends(0).says(&["good,RR@4,all,1\n"]);
}

#[test]
fn what_is_wrong_is_said() {
    let sandbox = rag();
    let evaluate = |more: &[&str]| {
        sandbox.llull(&[&["evaluate", "rag.json", "--results", "dense.jsonl"][..], more].concat())
    };
    evaluate(&["--threshold", "1.5"]).ends(2).says(&["the threshold is 1.5, and it is a share of words"]);
    evaluate(&["--judge", "token-overlap-evret", "--stemming", "english"]).ends(2).says(&["does not stem"]);
    evaluate(&["-m", "HitRat@4"]).ends(2);
    evaluate(&["--results", "dense.jsonl"]).ends(2);
    sandbox.write("none.json", "{\"queries\": [{\"id\": 1, \"query\": \"x\"}]}");
    sandbox
        .llull(&["evaluate", "none.json", "--results", "dense.jsonl"])
        .ends(2)
        .says(&["none.json: no query has expected_answers or expected_doc_ids"]);
    sandbox
        .write("twice.jsonl", "{\"query_id\":\"q1\",\"results\":[]}\n{\"query_id\":\"q1\",\"results\":[]}\n");
    sandbox
        .llull(&["evaluate", "rag.json", "--results", "twice.jsonl"])
        .ends(1)
        .says(&["twice.jsonl lines 1 and 2: both are results of query q1"]);
    sandbox
        .write("wrong.json", "{\"queries\": [\n{\"id\": 1, \"query\": \"x\", \"expected_answers\": \"y\"}]}");
    sandbox.llull(&["evaluate", "wrong.json", "--results", "dense.jsonl"]).ends(1).says(&[
        "wrong.json line 2: found in the field expected_answers: invalid type: string \"y\", expected a list",
    ]);
}

/// Text of documents is shown, not acted on.
#[test]
fn passages_are_data() {
    let sandbox = Sandbox::new();
    sandbox.write("q.csv", "query,expected_answers\nwhich,red wine\n");
    sandbox.write(
        "r.jsonl",
        "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"d\",\"text\":\"\\u001b[31mred\\u001b[0m <b>wine|</b>\"}]}\n",
    );
    let said = sandbox.llull(&["evaluate", "q.csv", "--results", "r.jsonl", "-q"]).ends(0).stdout;
    assert!(!said.contains('\u{1b}'), "{said}");
    let said =
        sandbox.llull(&["evaluate", "q.csv", "--results", "r.jsonl", "-q", "--format", "markdown"]).ends(0);
    assert!(!said.stdout.contains("<b>"), "{said}");
}
