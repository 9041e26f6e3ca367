//! The server's routes.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use llull_core::{Hash, Scale};
use serde_json::{Value, json};

use super::{
    batches::batch_routes,
    bedrock::bedrock_routes,
    embeddings::{embedded, texts},
    responses::{broken, completion, error, raw, refusal, refused_parameter},
    state::{Decision, OpenRequest, ServerState},
    steps::stepped,
};
use crate::{
    comparing_answer::{Taste, compared_json, misordered_json},
    fault::Fault,
    graded_answer::{answer_json, grade_of_prompt},
    written_facts::facts_json,
    written_question::question_json,
};

/// Returns a grade that depends on the prompt; for a random judge also on the number of earlier requests.
fn graded_json(prompt: &str, asked: u32, taste: Taste, scale: Scale) -> String {
    answer_json(match taste {
        Taste::Coin => grade_of_prompt(&format!("{asked} {prompt}"), scale),
        Taste::Merit | Taste::FirstShown | Taste::Circular => grade_of_prompt(prompt, scale),
    })
}

/// Returns `/v1/chat/completions`, `/v1/models`, batches, embeddings under OpenAI's and Cohere's names, and Bedrock.
pub(super) fn routes(state: Arc<ServerState>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/v1/embeddings", post(embed))
        .route("/v1/embed", post(embed))
        .route("/v1/models", get(models))
        .merge(batch_routes())
        .merge(bedrock_routes())
        .layer(from_fn_with_state(Arc::clone(&state), stepped))
        .with_state(state)
}

async fn models() -> Response {
    Json(json!({ "object": "list", "data": [{ "id": "faulty", "object": "model" }] })).into_response()
}

async fn chat(State(state): State<Arc<ServerState>>, headers: HeaderMap, body: Bytes) -> Response {
    answered(state, &headers, &serde_json::from_slice(&body).unwrap_or(Value::Null)).await
}

/// Returns the answer to a request for a completion.
pub(super) async fn answered(state: Arc<ServerState>, headers: &HeaderMap, body: &Value) -> Response {
    let Some(prompt) = prompt(body) else {
        *state.counts().served.kinds.entry("bad_request").or_default() += 1;
        return error(
            StatusCode::BAD_REQUEST,
            "messages: a list of role and content is required",
            Value::Null,
        );
    };
    let hash = Hash::of(prompt.as_bytes());
    let (decision, asked, arrival) = state.arrive(body, headers, &hash);
    let whole = !decision.is_in_transit();
    let open = OpenRequest(Arc::clone(&state));
    state.turn_of(arrival).await;
    tokio::time::sleep(state.plan.delay(&hash, asked)).await;
    let response = respond(&state, decision, (&prompt, asked), headers).await;
    if whole && response.status().is_success() {
        state.counts().served.prompts.entry(hash).or_default().answered += 1;
    }
    drop(open);
    response
}

async fn embed(State(state): State<Arc<ServerState>>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let Some(texts) = texts(&body) else {
        return error(StatusCode::BAD_REQUEST, "input: a list of texts is required", Value::Null);
    };
    let all = texts.join("\n");
    let hash = Hash::of(all.as_bytes());
    let (decision, asked, arrival) = state.arrive(&body, &headers, &hash);
    let open = OpenRequest(Arc::clone(&state));
    state.turn_of(arrival).await;
    tokio::time::sleep(state.plan.delay(&hash, asked)).await;
    let response = match decision {
        Decision::Do(Fault::None) => embedded(&body, &texts),
        decision => respond(&state, decision, (&all, asked), &headers).await,
    };
    drop(open);
    response
}

async fn respond(
    state: &ServerState,
    decision: Decision,
    (prompt, asked): (&str, u32),
    headers: &HeaderMap,
) -> Response {
    let fault = match decision {
        Decision::NoSchema => {
            let words = "response_format of type json_schema is not supported by this server";
            return error(StatusCode::BAD_REQUEST, words, Value::Null);
        }
        Decision::NewLimitName => {
            let words = "Unsupported parameter: 'max_tokens' is not supported with this model. \
                         Use 'max_completion_tokens' instead.";
            return error(StatusCode::BAD_REQUEST, words, json!("unsupported_parameter"));
        }
        Decision::RefusedParameter(name) => return refused_parameter(name),
        Decision::Do(fault) => fault,
    };
    let (scale, taste) = (state.scale, state.plan.taste);
    let answer = question_json(prompt)
        .or_else(|| facts_json(prompt))
        .or_else(|| compared_json(prompt, taste, scale))
        .unwrap_or_else(|| graded_json(prompt, asked, taste, scale));
    match fault {
        Fault::None => completion(json!(answer), "stop"),
        // The text is complete, so that it does not look like a reply that was cut off. It has a grade that a reader
        // of the first number would take.
        Fault::Malformed => completion(json!("{\"rationale\": \"says 3 things\", \"grade\": 2,, }"), "stop"),
        Fault::CutOff => completion(json!(answer.get(..answer.len() / 2)), "length"),
        Fault::Empty => completion(json!(""), "stop"),
        Fault::Refusal => refusal(),
        Fault::NotAnOrder => {
            let answer = misordered_json(prompt).unwrap_or_else(|| answer_json(scale.high() + 1));
            completion(json!(answer), "stop")
        }
        Fault::RateLimited { retry_after } => {
            let words = "Rate limit reached for requests";
            let response = error(StatusCode::TOO_MANY_REQUESTS, words, json!("rate_limit_exceeded"));
            ([("retry-after", retry_after.to_string())], response).into_response()
        }
        Fault::Quota => {
            let words = "You exceeded your current quota, please check your plan and billing details.";
            error(StatusCode::TOO_MANY_REQUESTS, words, json!("insufficient_quota"))
        }
        Fault::ServerError => {
            error(StatusCode::INTERNAL_SERVER_ERROR, "The server had an error", Value::Null)
        }
        Fault::Unauthorized => {
            let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or("none");
            let words = format!("Incorrect API key provided: {}.", sent.trim_start_matches("Bearer "));
            error(StatusCode::UNAUTHORIZED, &words, json!("invalid_api_key"))
        }
        Fault::Hang => std::future::pending().await,
        Fault::Reset => broken(&answer),
        Fault::Raw { status, headers, body } => raw(status, &headers, body),
    }
}

/// Returns the contents of the messages, with a blank line between them, as [`prompt_of`](crate::prompt_of) does.
fn prompt(body: &Value) -> Option<String> {
    let messages = body.get("messages")?.as_array()?;
    let contents: Option<Vec<_>> = messages.iter().map(|message| message.get("content")?.as_str()).collect();
    Some(contents?.join("\n\n"))
}
