//! The addresses of pages.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use crate::access::Access;
use crate::asked::{Asked, Job, ask};
use crate::guard::{guarded, text};
use crate::live_events::{Listeners, events};
use crate::pages::{LIVE_SCRIPT, style};

/// The policy of the live page: besides the others' it allows the one script of this server, and its events.
const LIVE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const SCRIPT_TYPE: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];

/// The addresses of pages.
pub(crate) fn router(reader: Sender<Job>, access: Access) -> Router {
    let listeners = Listeners::default();
    Router::new()
        .route("/", get(|reader: State<Sender<Job>>| page(reader, Asked::Overview)))
        .route("/queries", get(|reader: State<Sender<Job>>, Query(list)| page(reader, Asked::Queries(list))))
        .route("/query/{number}", get(query))
        .route("/query/{number}/answers", get(answers))
        .route(
            "/attempts",
            get(|reader: State<Sender<Job>>, Query(list)| page(reader, Asked::Attempts(list))),
        )
        .route(
            "/attempt/{number}",
            get(|reader: State<Sender<Job>>, Path(place)| page(reader, Asked::Attempt(place))),
        )
        .route("/query/{number}/tournament", get(tournament))
        .route("/judges", get(|reader: State<Sender<Job>>| page(reader, Asked::Judges)))
        .route("/labels", get(|reader: State<Sender<Job>>, Query(list)| page(reader, Asked::Labels(list))))
        .route("/people", get(|reader: State<Sender<Job>>| page(reader, Asked::Annotators)))
        .route(
            "/tournaments",
            get(|reader: State<Sender<Job>>, Query(list)| page(reader, Asked::Tournaments(list))),
        )
        .route("/ledger", get(|reader: State<Sender<Job>>| page(reader, Asked::Ledger)))
        .route("/live", get(live))
        .route(
            "/live/events",
            get(move |reader: State<Sender<Job>>| async move { events(reader, &listeners) }),
        )
        .route("/live.js", get(|| async { (SCRIPT_TYPE, LIVE_SCRIPT) }))
        .route("/style.css", get(|| async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style()) }))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { text(StatusCode::NOT_FOUND, "There is no such page.") })
        .layer(from_fn_with_state(Arc::new(access), guarded))
        .with_state(reader)
}

async fn query(reader: State<Sender<Job>>, Path(number): Path<usize>) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, Asked::Query(at)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

async fn tournament(reader: State<Sender<Job>>, Path(number): Path<usize>) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, Asked::Tournament(at)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

/// The page with a script: its policy allows this server's script, and that script's requests.
async fn live(reader: State<Sender<Job>>) -> Response {
    let mut response = page(reader, Asked::Live).await;
    let policy = HeaderValue::from_static(LIVE_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// The page number of a list.
#[derive(Debug, Deserialize)]
struct PageNumber {
    #[serde(default)]
    page: usize,
}

async fn answers(
    reader: State<Sender<Job>>,
    Path(number): Path<usize>,
    Query(PageNumber { page: of_answers }): Query<PageNumber>,
) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, Asked::Answers(at, of_answers)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

async fn page(State(reader): State<Sender<Job>>, asked: Asked) -> Response {
    match ask(&reader, asked).await {
        Some(Ok(Some(page))) => Html(page).into_response(),
        Some(Ok(None)) => text(StatusCode::NOT_FOUND, "There is no such page."),
        Some(Err(error)) => text(StatusCode::INTERNAL_SERVER_ERROR, error),
        None => {
            text(StatusCode::INTERNAL_SERVER_ERROR, "The study's reader has ended; start llull serve again.")
        }
    }
}
