//! Typesense and Vespa, asked by a study in words: each a server that reads the request of its documentation, and
//! answers in its form. Stores that are searched by vectors are in the tests of `llull`.

use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::retrieval_servers::{KEY, study};

/// The documents for a query, best first.
fn found(query: &str) -> Vec<(&'static str, &'static str)> {
    let (cats, dogs) = (("d1", "Cats purr when they are content."), ("d2", "Dogs bark."));
    match query {
        "cats purr" => vec![cats, dogs],
        "dogs bark" => vec![dogs, cats],
        _ => Vec::new(),
    }
}

/// <https://typesense.org/docs/latest/api/federated-multi-search.html>: a result for each search, of which one may be
/// an error. A query about birds is such a one.
fn typesense(request: &ServerRequest) -> ServerAnswer {
    if request.headers.get("x-typesense-api-key").map(String::as_str) != Some(KEY) {
        return ServerAnswer::status(
            401,
            "{\"message\": \"Forbidden - a valid `x-typesense-api-key` header must be sent.\"}",
        );
    }
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/multi_search"));
    let result = |search: &Value| {
        let asked = [&search["collection"], &search["query_by"], &search["include_fields"]];
        assert_eq!(asked, ["docs", "title,text", "title,text,id"]);
        assert_eq!(search["per_page"], 2);
        let query = search["q"].as_str().unwrap();
        if query.contains("birds") {
            return json!({"code": 404, "error": "Could not find a field named `title` in the schema."});
        }
        let hit = |(id, text): (&str, &str)| {
            json!({"document": {"id": id, "text": text}, "highlights": [], "text_match": 578730123365711993_u64,
                "text_match_info": {"best_field_score": "1108091339008"}})
        };
        let hits: Vec<Value> = found(query).into_iter().map(hit).collect();
        json!({"facet_counts": [], "found": hits.len(), "hits": hits, "out_of": 2, "page": 1})
    };
    let results: Vec<Value> = request.body["searches"].as_array().unwrap().iter().map(result).collect();
    ServerAnswer::json(&json!({"results": results}))
}

#[test]
fn typesense_is_asked_and_its_texts_are_judged() {
    let server = AnsweringServer::start(typesense).unwrap();
    let sandbox = study(&format!(
        "retriever = \"typesense\"\n[systems.typesense]\nurl = \"{}\"\ncollection = \"docs\"\n\
         fields = [\"title\", \"text\"]\nkey = \"SEARCH_KEY\"\nbatch = 8\n",
        server.url()
    ));
    let json = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!((&json[0]["queries"], &json[0]["documents"]), (&2.into(), &4.into()));
    assert_eq!(server.arrived().len(), 1, "one request has both queries");
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("labels.qrels").contains("q1 0 d1 3"), "{}", sandbox.read("labels.qrels"));
    assert_eq!(server.arrived().len(), 1, "what was found is kept");
    // A query that the server cannot answer loses itself alone.
    sandbox.write("topics.tsv", "q1\tcats purr\nq2\tbirds sing\n");
    sandbox.llull(&["pool", "--retrieve"]).ends(3).says(&["Could not find a field named `title`"]);
    let kept = sandbox.read(".llull/runs/live.results");
    assert!(kept.contains("Cats purr when") && kept.contains("\"error\""), "{kept}");
    // Without the right key nothing is retrieved, and the message names its variable.
    let mut sandbox = sandbox;
    sandbox.set("SEARCH_KEY", "another-key-0123456789");
    let said = sandbox.llull(&["pool", "--refresh"]).ends(1).says(&["HTTP 401", "SEARCH_KEY"]);
    assert!(!said.to_string().contains("another-key"), "{said}");
}

/// <https://docs.vespa.ai/en/reference/default-result-format.html>; half of its nodes are down for a query about birds.
fn vespa(request: &ServerRequest) -> ServerAnswer {
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/search/"));
    let asked = [&request.body["yql"], &request.body["type"], &request.body["ranking"]];
    assert_eq!(asked, ["select * from sources docs where userQuery()", "weakAnd", "bm25"]);
    assert_eq!(request.body["hits"], 2);
    let query = request.body["query"].as_str().unwrap();
    let hit = |((id, text), relevance): ((&str, &str), f64)| {
        json!({"id": format!("id:shop:docs::{id}"), "relevance": relevance, "source": "docs",
            "fields": {"sddocname": "docs", "documentid": format!("id:shop:docs::{id}"), "text": text}})
    };
    let hits: Vec<Value> = found(query).into_iter().zip([0.38, 0.12]).map(hit).collect();
    let full = !query.contains("birds");
    let coverage = json!({"coverage": if full { 100 } else { 50 }, "documents": 2, "full": full, "nodes": 2,
        "results": 1, "resultsFull": u8::from(full)});
    let totals = json!({"totalCount": hits.len()});
    let mut root = json!({"id": "toplevel", "relevance": 1.0, "fields": totals, "coverage": coverage});
    if !hits.is_empty() {
        root["children"] = hits.into();
    }
    ServerAnswer::json(&json!({"root": root}))
}

#[test]
fn vespa_is_asked_and_its_texts_are_judged() {
    let server = AnsweringServer::start(vespa).unwrap();
    let sandbox = study(&format!(
        "retriever = \"vespa\"\n[systems.vespa]\nurl = \"{}\"\ncollection = \"docs\"\n\
         extra = {{ ranking = \"bm25\" }}\n",
        server.url()
    ));
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.arrived().len(), 2);
    assert!(sandbox.read("labels.qrels").contains("q1 0 d1 3"), "{}", sandbox.read("labels.qrels"));
    let kept = sandbox.read(".llull/runs/live.results");
    let first: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    let best = &first["results"][0];
    assert_eq!((&best["doc_id"], &best["score"]), (&"d1".into(), &0.38.into()), "{first}");
    // Nothing found is an answer; a part of the documents is none.
    sandbox.write("topics.tsv", "q1\tcats purr\nq2\tfish swim\nq3\tbirds sing\n");
    sandbox.llull(&["pool", "--retrieve"]).ends(3).says(&["it searched 50% of the documents only"]);
    let kept = sandbox.read(".llull/runs/live.results");
    let lines: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |query: &str| lines.iter().find(|line| line["query_id"] == query).unwrap();
    assert_eq!(of("q2")["results"], json!([]));
    assert!(of("q3").get("error").is_some(), "{kept}");
}
