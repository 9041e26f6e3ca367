//! The addresses of pages.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use crate::access::Access;
use crate::failure::reading;
use crate::guard::{guarded, text};
use crate::live_page::{Listeners, events};
use crate::page_request::{PageRequest, Reader};
use crate::pages::{LIVE_SCRIPT, style};
use crate::query_list::ListRequest;

/// How long a page waits for a study that is being read, before it says so.
const PATIENCE: Duration = Duration::from_secs(1);

/// The policy of the live page: besides the others' it allows the one script of this server, and its events.
const LIVE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const SCRIPT_TYPE: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];

/// The addresses of pages.
pub(crate) fn router(reader: Reader, access: Access) -> Router {
    let listeners = Listeners::default();
    Router::new()
        .route("/", get(|reader: State<Reader>| page(reader, PageRequest::Overview)))
        .route("/queries", get(|reader: State<Reader>, Query(list)| page(reader, PageRequest::Queries(list))))
        .route("/query/{number}", get(query))
        .route("/query/{number}/answers", get(answers))
        .route(
            "/attempts",
            get(|reader: State<Reader>, Query(list)| page(reader, PageRequest::Attempts(list))),
        )
        .route(
            "/attempt/{number}",
            get(|reader: State<Reader>, Path(place)| page(reader, PageRequest::Attempt(place))),
        )
        .route("/query/{number}/document/{document}", get(document))
        .route("/query/{number}/tournament", get(tournament))
        .route("/judges", get(|reader: State<Reader>| page(reader, PageRequest::Judges)))
        .route("/labels", get(|reader: State<Reader>, Query(list)| page(reader, PageRequest::Labels(list))))
        .route("/people", get(|reader: State<Reader>| page(reader, PageRequest::Annotators)))
        .route(
            "/tournaments",
            get(|reader: State<Reader>, Query(list)| page(reader, PageRequest::Tournaments(list))),
        )
        .route("/ledger", get(|reader: State<Reader>| page(reader, PageRequest::Ledger)))
        .route("/live", get(live))
        .route("/live/events", get(move |reader: State<Reader>| async move { events(reader, &listeners) }))
        .route("/live.js", get(|| async { (SCRIPT_TYPE, LIVE_SCRIPT) }))
        .route("/style.css", get(|| async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style()) }))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { text(StatusCode::NOT_FOUND, "There is no such page.") })
        .layer(from_fn_with_state((Arc::new(access), reader.clone()), guarded))
        .with_state(reader)
}

async fn query(
    reader: State<Reader>,
    Path(number): Path<usize>,
    Query(list): Query<ListRequest>,
) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, PageRequest::Query(at, list)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

async fn document(reader: State<Reader>, Path((number, document)): Path<(usize, usize)>) -> Response {
    match (number.checked_sub(1), document.checked_sub(1)) {
        (Some(at), Some(document)) => page(reader, PageRequest::Document(at, document)).await,
        _ => text(StatusCode::NOT_FOUND, "Queries and documents are numbered from 1."),
    }
}

async fn tournament(reader: State<Reader>, Path(number): Path<usize>) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, PageRequest::Tournament(at)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

/// The page with a script: its policy allows this server's script, and that script's requests.
async fn live(reader: State<Reader>) -> Response {
    let mut response = page(reader, PageRequest::Live).await;
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
    reader: State<Reader>,
    Path(number): Path<usize>,
    Query(PageNumber { page: of_answers }): Query<PageNumber>,
) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(reader, PageRequest::Answers(at, of_answers)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

async fn page(State(reader): State<Reader>, request: PageRequest) -> Response {
    if let Some(stage) = reader.still_reads(PATIENCE).await {
        return reading(stage);
    }
    match reader.ask(request).await {
        Some(Ok(Some(page))) => Html(page).into_response(),
        Some(Ok(None)) => text(StatusCode::NOT_FOUND, "There is no such page."),
        Some(Err(error)) => text(StatusCode::INTERNAL_SERVER_ERROR, error),
        None => {
            text(StatusCode::INTERNAL_SERVER_ERROR, "The study's reader has ended; start llull serve again.")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc::channel;

    use tokio::sync::watch;

    use super::*;
    use crate::reading_stage::ReadingStage;
    use crate::server::{ServeOptions, Server};

    #[test]
    fn a_study_that_is_being_read_has_a_page_that_loads_itself_again() {
        let (jobs, _reader) = channel();
        let (now, stage) = watch::channel(ReadingStage::Files);
        let reader = Reader { jobs, stage };
        let server = Server::of_pages(&ServeOptions::default(), |access| Ok(router(reader, access))).unwrap();
        let (host, token) = server.url().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let port = host.split_once(':').unwrap().1;
        let get = |cookie: &str| {
            let mut stream = TcpStream::connect(host).unwrap();
            let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let cookie = format!("Cookie: llull_{port}={token}\r\n");
        for (stage, words) in
            [(ReadingStage::Files, "queries, runs and documents"), (ReadingStage::Ledger, "the ledger")]
        {
            now.send_replace(stage);
            let page = get(&cookie);
            assert!(page.starts_with("HTTP/1.1 503"), "{page}");
            assert!(page.contains("http-equiv=\"refresh\"") && page.contains(words), "{page}");
        }
        assert!(get("").starts_with("HTTP/1.1 401"));
        server.stop();
    }
}
