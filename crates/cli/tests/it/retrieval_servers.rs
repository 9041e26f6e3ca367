//! Systems whose results a server sends: `retriever = "http"`, and the servers that are known.

use llull_testkit::{AnsweringServer, Fault, FaultPlan, FaultyServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, Transcript, files_with};

pub(crate) const KEY: &str = "topsecret-0123456789abcdef";

/// A study of two queries, a run file and the system `live`; the documents come with their texts.
pub(crate) fn study(table: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    sandbox.write("topics.tsv", "q1\tcats purr\nq2\tdogs bark\n");
    sandbox.write("file.run", "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq2 Q0 d1 1 2 t\nq2 Q0 d2 2 1 t\n");
    sandbox.write(
        "llull.toml",
        &format!(
            "version = 1\ntopics = \"topics.tsv\"\nmeasures = [\"nDCG@2\", \"P@1\"]\n[retrieve]\ndepth = 2\n\
             [[systems]]\nname = \"live\"\n{table}\n[[systems]]\nname = \"file\"\nrun = \"file.run\"\n\
             [[judges]]\nmodel = \"similarity\"\n"
        ),
    );
    sandbox.set("SEARCH_KEY", KEY);
    trust(&mut sandbox);
    sandbox
}

/// Trusts what the study reaches as it is now.
pub(crate) fn trust(sandbox: &mut Sandbox) {
    let found = sandbox.llull(&["doctor", "--offline", "--json", "--trust", "command:none"]).json();
    let entries = found.as_array().unwrap().iter().filter(|finding| finding["what"] == "reach");
    let entries: Vec<String> = entries
        .map(|finding| {
            let text = finding["text"].as_str().unwrap();
            let place = text.rsplit(": ").next().unwrap();
            place.trim_end_matches(" (trusted)").trim_end_matches(')').to_owned()
        })
        .collect();
    assert!(!entries.is_empty(), "{found}");
    sandbox.set("LLULL_TRUST", &entries.join(","));
}

pub(crate) fn template(url: &str) -> String {
    format!(
        "retriever = \"http\"\n[systems.http]\nurl = \"{url}/v1/search?n={{k}}\"\nbody = {{ q = \"{{query}}\" }}\n\
         headers = {{ X-Tenant = \"eu\", X-Key = \"Token {{key}}\" }}\nkey = \"SEARCH_KEY\"\nresults = \"/hits\"\n\
         id = \"/id\"\nscore = \"/score\"\ntext = \"/doc/text\"\nretries = 1\n"
    )
}

/// The documents for a query, best first.
fn hits(query: &str) -> Value {
    let cats =
        |score: f64| json!({"id": "d1", "score": score, "doc": {"text": "Cats purr when they are content."}});
    let dogs = |score: f64| json!({"id": "d2", "score": score, "doc": {"text": "Dogs bark."}});
    match query.contains("cats") {
        true => json!([cats(2.0), dogs(1.0)]),
        false => json!([dogs(2.0), cats(1.0)]),
    }
}

pub(crate) fn search(arrived: &ServerRequest) -> ServerAnswer {
    ServerAnswer::json(&json!({"hits": hits(&arrived.text)}))
}

fn server() -> AnsweringServer {
    AnsweringServer::start(search).unwrap()
}

#[test]
fn a_template_is_asked_and_its_answers_are_kept() {
    let server = server();
    let sandbox = study(&template(&server.url()));
    let json = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    let row = &json[0];
    assert_eq!(
        (&row["queries"], &row["documents"], &row["failed"], &row["milliseconds"]["n"]),
        (&2.into(), &4.into(), &0.into(), &2.into())
    );
    assert!(row["milliseconds"]["p95"].as_f64() >= row["milliseconds"]["p50"].as_f64(), "{json}");
    let arrived = server.arrived();
    let sent: Vec<_> = arrived.iter().map(|arrived| (&*arrived.path, &*arrived.text)).collect();
    assert_eq!(
        sent,
        [("/v1/search?n=2", r#"{"q":"cats purr"}"#), ("/v1/search?n=2", r#"{"q":"dogs bark"}"#)]
    );
    let header = |name: &str| arrived[0].headers[name].as_str();
    assert_eq!((header("x-key"), header("x-tenant")), (&*format!("Token {KEY}"), "eu"));
    // The texts are judged, without a corpus.
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("labels.qrels").contains("q1 0 d1 3"), "{}", sandbox.read("labels.qrels"));
    // How fast, with which key and how often is no other question; what is sent is.
    sandbox.edit("llull.toml", "retries = 1", "retries = 2\nconcurrency = 4\ntimeout = 90");
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.arrived().len(), 2);
    sandbox.llull(&["pool", "--refresh"]).ends(0);
    assert_eq!(server.arrived().len(), 4);
    sandbox.edit("llull.toml", "{ q = \"{query}\" }", "{ q = \"{query}\", lang = \"en\" }");
    sandbox.llull(&["report"]).ends(0).says(&["the results of live were retrieved with other settings"]);
    sandbox.llull(&["run"]).ends(1).says(&["would send the queries as {", "\"lang\":\"en\""]);
    assert_eq!(server.arrived().len(), 4);
    assert!(files_with(&sandbox.path(""), KEY).is_empty());
    assert!(sandbox.read(".llull/resolved.toml").contains("key = \"SEARCH_KEY\""));
}

/// What is asked for is the request as it is: with another key, or another body, it is another.
#[test]
fn a_server_that_is_not_trusted_is_not_asked() {
    let server = server();
    let mut sandbox = study(&template(&server.url()));
    let other = server.url().replace("127.0.0.1", "localhost");
    sandbox.set("LLULL_TRUST", &other);
    let refused = |said: Transcript| {
        said.ends(1).says(&["system live would send the queries as {\"q\":\"{query}\"} to http://127.0.0.1:"])
    };
    refused(sandbox.llull(&["pool", "--retrieve"]))
        .says(&["with the key in SEARCH_KEY, and save the results"]);
    let said = refused(sandbox.llull(&["run"]));
    refused(sandbox.llull(&["doctor"]));
    let entry = said.stderr.rsplit(" --trust ").next().unwrap().trim().to_owned();
    assert!(entry.starts_with("command:"), "{entry}");
    assert!(server.arrived().is_empty());
    sandbox.llull(&["pool", "--retrieve", "--trust", &entry]).ends(0);
    assert_eq!(server.arrived().len(), 2);
    sandbox.edit("llull.toml", "key = \"SEARCH_KEY\"", "key = \"OPENAI_API_KEY\"");
    sandbox.set("OPENAI_API_KEY", "sk-test-0123456789abcdefghijKLMNOP");
    refused(sandbox.llull(&["pool", "--refresh", "--trust", &entry, "--trust", &server.url()]))
        .says(&["OPENAI_API_KEY"]);
    assert_eq!(server.arrived().len(), 2);
}

/// The address may be in the environment, where each stage has its own.
#[test]
fn an_address_and_a_key_from_the_environment() {
    let server = server();
    let table = template("").replace("url = \"/v1", "address = \"SEARCH_URL\"\nurl = \"/v1");
    let mut sandbox = Sandbox::new();
    sandbox.write("topics.tsv", "q1\tcats purr\n");
    sandbox.write(
        "llull.toml",
        &format!("version = 1\ntopics = \"topics.tsv\"\n[[systems]]\nname = \"live\"\n{table}\n"),
    );
    let said = "system live asks the server that SEARCH_URL names, and SEARCH_URL is not set: export it";
    sandbox.llull(&["pool", "--retrieve"]).ends(1).says(&[said]);
    sandbox.set("SEARCH_URL", &format!("{}/", server.url()));
    trust(&mut sandbox);
    let said = "system live asks its server with the key in SEARCH_KEY, and SEARCH_KEY is not set: export it";
    sandbox.llull(&["pool", "--retrieve"]).ends(1).says(&[said]);
    sandbox.llull(&["doctor"]).ends(1).says(&["ERROR   system live", said]);
    assert!(server.arrived().is_empty());
    sandbox.set("SEARCH_KEY", KEY);
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    assert_eq!(server.arrived()[0].path, "/v1/search?n=100");
}

#[test]
fn doctor_looks_whether_it_answers_and_asks_no_query() {
    let server = AnsweringServer::start(|_| ServerAnswer::status(404, "no such page")).unwrap();
    let sandbox = study(&template(&server.url()));
    sandbox.llull(&["doctor", "--offline"]).says(&["it was not contacted"]);
    assert!(server.arrived().is_empty());
    sandbox.llull(&["doctor"]).ends(0).says(&[
        "answers, with the key in SEARCH_KEY (HTTP 404 at its root); no query was sent",
        "nothing is retrieved for system live yet",
    ]);
    let arrived = server.arrived();
    assert_eq!((arrived.len(), &*arrived[0].path, &*arrived[0].text), (1, "/", ""));
    let _port = server.refuse().unwrap();
    sandbox.llull(&["doctor"]).ends(1).says(&["ERROR   system live: http://127.0.0.1:", "onnection refused"]);
}

/// From a server that retrieves to a server that judges: `llull run` asks the one once, and of the other everything
/// that is left.
#[test]
fn judges_behind_a_server_grade_what_another_finds() {
    let search = server();
    let model = FaultyServer::start(FaultPlan {
        record: true,
        script: vec![Fault::ServerError, Fault::Malformed],
        ..FaultPlan::default()
    });
    let model = model.unwrap();
    let mut sandbox = study(&template(&search.url()));
    let judge = format!("name = \"served\"\nmodel = \"vllm/m\"\nbase_url = \"{}\"\n", model.url());
    sandbox.edit("llull.toml", "model = \"similarity\"\n", &judge);
    trust(&mut sandbox);
    // Nothing is retrieved or asked to say what it would take.
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    sandbox.llull(&["run", "--dry-run"]).ends(0).says(&["served: 4 requests"]);
    assert_eq!((search.arrived().len(), model.served().total()), (2, 0));
    let row = sandbox.llull(&["run", "--no-report", "--json"]).ends(0).json()[0].clone();
    assert_eq!((&row["judged"], &row["unusable"]), (&4.into(), &0.into()), "{row}");
    // Each pair, one more time after a failure, and one more after a reply that cannot be read.
    assert_eq!((search.arrived().len(), model.served().total()), (2, 6));
    let prompts: Vec<String> = model.requests().iter().map(|request| request.body.to_string()).collect();
    for text in ["Cats purr when they are content.", "Dogs bark."] {
        assert!(prompts.iter().filter(|prompt| prompt.contains(text)).count() >= 2, "{text} is shown");
    }
    assert!(!prompts.iter().any(|prompt| prompt.contains(KEY)));
    // What the retriever brings anew is judged, and nothing else.
    sandbox.write("topics.tsv", "q1\tcats purr\nq2\tdogs bark\nq3\tcats sleep\n");
    sandbox
        .llull(&["run", "--no-report"])
        .ends(0)
        .says(&["judge served: 6 pairs, 4 already in the ledger, 2 to ask"]);
    assert_eq!((search.arrived().len(), model.served().total()), (5, 8));
    // Without the server that retrieves, the kept results are judged; without the one that judges, it is said.
    drop(search);
    sandbox.llull(&["run", "--no-report"]).ends(0).says(&["6 already in the ledger, 0 to ask"]);
    drop(model);
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.llull(&["report"]).ends(0);
    assert!(files_with(&sandbox.path(""), KEY).is_empty());
}

#[test]
fn evaluate_asks_it() {
    let server = server();
    let sandbox = study(&template(&server.url()));
    sandbox.write("q.csv", "query_id,query,expected_answers\nq1,what do cats do,cats purr when content\n");
    let evaluate = ["evaluate", "q.csv", "--retriever", "live", "-m", "R@2", "--json"];
    let output = sandbox.llull(&evaluate).ends(0).json();
    assert_eq!(output["answers"][0]["queries"][0]["found"][0]["document"], "d1", "{output}");
    assert_eq!(server.arrived().len(), 1);
    assert_eq!(server.arrived()[0].text, r#"{"q":"what do cats do"}"#);
    sandbox.llull(&evaluate).ends(0);
    assert_eq!(server.arrived().len(), 1, "it is kept");
}

#[test]
fn what_a_server_cannot_be() {
    let sandbox = study(&template("http://127.0.0.1:9"));
    let config = sandbox.read("llull.toml");
    let with = |from: &str, to: &str| {
        sandbox.write("llull.toml", &config.replace(from, to));
        sandbox.llull(&["pool"]).ends(1)
    };
    for (from, to, says) in [
        ("retriever = \"http\"\n", "retriever = \"bm25\"\n", "`http` belongs to retriever = \"http\""),
        ("retriever = \"http\"", "retriever = \"qdrant\"", "`http` belongs to retriever"),
        (
            "retriever = \"http\"\n",
            "retriever = \"http\"\nk1 = 1.0\n",
            "write all settings of retriever = \"http\" in [systems.http]",
        ),
        ("results = \"/hits\"\n", "", "`results` is a JSON pointer"),
        ("id = \"/id\"\n", "", "`id` is a JSON pointer"),
        ("{query}", "query", "nothing of the query is sent"),
        ("key = \"SEARCH_KEY\"\n", "", "a header has {key}: name the variable"),
        ("key = \"SEARCH_KEY\"", "key = \"sk-topsecret-1234\"", "it is not the key itself"),
        (
            "X-Tenant = \"eu\"",
            "Authorization = \"Bearer topsecret-1234\"",
            "holds a key, which does not stand",
        ),
        ("retries = 1", "encoder = \"minilm\"", "this request has no \"{vector}\""),
        ("retries = 1", "timeout = 0", "timeout = 0 is not above 0"),
        ("retries = 1", "retries = 21", "retries = 21 is not from 0 to 20"),
        ("retries = 1", "concurrency = 65", "concurrency = 65 is not from 1 to 64"),
        ("body = { q = \"{query}\" }", "body = '{\"q\": \"{query}\"'", "a text of JSON such as"),
        ("score = \"/score\"", "score = \"score\"", "\"score\" is no JSON pointer"),
    ] {
        let said = with(from, to).says(&["llull.toml line", says]);
        assert!(!said.to_string().contains("topsecret"), "{said}");
    }
    for (table, says) in [
        ("retriever = \"qdrant\"", "needs the table [systems.qdrant]"),
        ("retriever = \"qdrant\"\n[systems.qdrant]\ncollection = \"d\"", "either the server's address"),
        ("retriever = \"qdrant\"\n[systems.qdrant]\nurl = \"http://h\"", "`collection` names what qdrant"),
        (
            "retriever = \"qdrant\"\n[systems.qdrant]\nurl = \"http://h\"\ncollection = \"d\"",
            "qdrant searches by vectors",
        ),
        (
            "retriever = \"vespa\"\n[systems.vespa]\nurl = \"http://me:topsecret@h\"\ncollection = \"d\"",
            "no user or password",
        ),
        (
            "retriever = \"milvus\"\n[systems.milvus]\nurl = \"http://h\"\ncollection = \"d\"\nbatch = 8",
            "milvus takes one query a request",
        ),
        ("retriever = \"colbert\"", "\"http\", \"chroma\", \"elasticsearch\""),
    ] {
        let corpus = format!(
            "version = 1\ncorpus = \"c.jsonl\"\ntopics = \"topics.tsv\"\n[[systems]]\nname = \"x\"\n{table}\n"
        );
        sandbox.write("llull.toml", &corpus);
        let said = sandbox.llull(&["pool"]).ends(1).says(&[says]);
        assert!(!said.to_string().contains("topsecret"), "{said}");
    }
}

/// A search by vectors needs the model, which this machine may lack.
#[test]
fn a_search_by_vectors_without_a_model() {
    let server = server();
    let sandbox = study(&format!(
        "retriever = \"chroma\"\n[systems.chroma]\nurl = \"{}\"\ncollection = \"d\"\nencoder = \"minilm\"\n",
        server.url()
    ));
    sandbox
        .llull(&["pool", "--retrieve"])
        .ends(1)
        .says(&["minilm is not on this machine", "llull models add minilm"]);
    assert!(server.arrived().is_empty());
}

/// A study chooses the variable with a server's address, and whatever is in that variable was printed.
#[test]
fn a_variable_that_a_study_names_is_never_shown() {
    let template = "retriever = \"http\"\n[systems.http]\naddress = \"GITHUB_TOKEN_X\"\nurl = \"/s?q={query}\"\n\
                    results = \"\"\nid = \"/id\"\nretries = 0\n";
    let store = "retriever = \"meilisearch\"\n[systems.meilisearch]\naddress = \"GITHUB_TOKEN_X\"\n\
                 collection = \"docs\"\nretries = 0\n";
    let database = "retriever = \"postgres\"\n[systems.postgres]\naddress = \"GITHUB_TOKEN_X\"\n\
                    sql = \"SELECT 1 AS id\"\n";
    for (table, usable) in [
        (template, "http://127.0.0.9:1/topsecret"),
        (store, "http://127.0.0.9:1/topsecret"),
        (database, "postgresql://topsecret:topsecret@127.0.0.9:1/topsecret"),
    ] {
        for value in ["topsecret-0123", "topsecret.test:80", "https://me:topsecret@h", "http://", usable] {
            let mut sandbox = Sandbox::new();
            sandbox.write("topics.tsv", "q1\tcats purr\n");
            let config =
                format!("version = 1\ntopics = \"topics.tsv\"\n[[systems]]\nname = \"live\"\n{table}\n");
            sandbox.write("llull.toml", &format!("{config}[[judges]]\nmodel = \"similarity\"\n"));
            sandbox.set("GITHUB_TOKEN_X", value);
            let shown = |command: &[&str]| {
                let said = sandbox.llull(command).ends(1);
                assert!(said.to_string().contains("GITHUB_TOKEN_X"), "{value}, {command:?}: {said}");
                for part in ["topsecret", "127.0.0.9"] {
                    assert!(!said.to_string().contains(part), "{value}, {command:?}: {said}");
                }
            };
            let commands: [&[&str]; 5] = [
                &["run"],
                &["pool", "--retrieve"],
                &["doctor"],
                &["doctor", "--offline"],
                &["doctor", "--json"],
            ];
            // A database's address is looked at when it is asked.
            for command in commands.into_iter().filter(|_| table != database || value == usable) {
                shown(command);
            }
            if value == usable {
                trust(&mut sandbox);
                let said =
                    sandbox.llull(&["pool", "--retrieve"]).ends(1).says(&["the address in GITHUB_TOKEN_X"]);
                assert!(
                    !said.to_string().contains("topsecret") && !said.to_string().contains("127.0.0.9"),
                    "{said}"
                );
                assert!(files_with(&sandbox.path(""), "topsecret").is_empty());
            }
        }
    }
}
