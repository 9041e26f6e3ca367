//! Tests models that make vectors of texts.

use llull_core::{Failure, FailureKind};
use llull_llm::{EmbeddingModel, ModelError, ModelSettings, TextUse, connect_embedding_model};
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::json;

use crate::{KEY, error_body, raw, server, settings};

fn embedding_model(name: &str, server: &FaultyServer) -> EmbeddingModel {
    let env = |variable: &str| variable.ends_with("_API_KEY").then(|| KEY.to_owned());
    connect_embedding_model(&settings(name, server), &env).unwrap()
}

fn recording() -> FaultPlan {
    FaultPlan { record: true, ..FaultPlan::default() }
}

async fn failed(fault: Fault) -> Failure {
    let server = server(FaultPlan::always(fault));
    embedding_model("openai/m", &server).embed(&["a", "b"], TextUse::Document).await.unwrap_err()
}

/// The bodies of <https://platform.openai.com/docs/api-reference/embeddings>,
/// <https://docs.voyageai.com/reference/embeddings-api> and <https://docs.cohere.com/reference/embed>.
#[tokio::test]
async fn every_provider_is_asked_in_its_own_form() {
    let server = server(recording());
    for name in ["openai/e", "voyage/e", "cohere/e"] {
        let model = embedding_model(name, &server);
        let vectors = model.embed(&["one two", "two", "three"], TextUse::Query).await.unwrap();
        assert_eq!((vectors.len(), vectors[0].iter().sum::<f32>()), (3, 2.0), "{name}");
        assert_eq!(model.embed(&["two"], TextUse::Document).await.unwrap()[0], vectors[1]);
        assert_eq!(model.tells_uses(), name != "openai/e");
    }
    let sent: Vec<_> = server.requests().into_iter().step_by(2).collect();
    let texts = json!(["one two", "two", "three"]);
    assert_eq!(sent[0].body, json!({ "model": "e", "input": texts, "encoding_format": "float" }));
    assert_eq!(sent[1].body, json!({ "model": "e", "input": texts, "input_type": "query" }));
    let cohere =
        json!({ "model": "e", "texts": texts, "embedding_types": ["float"], "input_type": "search_query" });
    assert_eq!(sent[2].body, cohere);
    assert_eq!(sent[0].authorization, Some(format!("Bearer {KEY}")));
}

#[tokio::test]
async fn what_is_no_vector_is_a_failure() {
    let item = |index: usize, embedding: serde_json::Value| json!({ "index": index, "embedding": embedding });
    for (data, words) in [
        (json!([item(0, json!([1.0]))]), "1 vectors for 2 texts"),
        (json!([item(0, json!([1.0])), item(0, json!([1.0]))]), "a vector of index 0"),
        (json!([item(0, json!([1.0])), item(7, json!([1.0]))]), "a vector of index 7"),
        (json!([item(0, json!([1.0])), item(1, json!([]))]), "not a list of numbers"),
        (json!([item(0, json!([1.0])), item(1, json!(["x"]))]), "no finite number"),
        (json!([item(0, json!([1.0])), item(1, json!([1e300]))]), "no finite number"),
        (json!("no list"), "no list /data"),
    ] {
        let failure = failed(raw(200, json!({ "data": data }).to_string())).await;
        assert!(failure.message.contains(words), "{words}: {failure}");
    }
    assert!(failed(raw(200, "<html>")).await.message.contains("not JSON"));
    let limited = failed(raw(429, error_body(&format!("slow down, {KEY}"), json!(null)))).await;
    assert_eq!(limited.kind, FailureKind::RateLimited);
    assert!(!limited.message.contains(KEY), "{limited}");
}

#[test]
fn a_name_needs_a_provider_and_a_provider_its_key() {
    let error = |name: &str| connect_embedding_model(&ModelSettings::new(name), &|_| None).unwrap_err();
    assert!(matches!(error("m"), ModelError::NoProvider { .. }));
    assert!(matches!(error("nobody/m"), ModelError::UnknownProvider { .. }));
    assert!(error("cohere/m").to_string().contains("CO_API_KEY"));
    assert!(error("voyage/m").to_string().contains("VOYAGE_API_KEY"));
    assert!(connect_embedding_model(&ModelSettings::new("ollama/m"), &|_| None).is_ok());
}
