//! The addresses of a review.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::desk_thread::{Given, Job, Wanted};
use super::forms::{NameForm, PairForm};
use super::gate::{BODY, Gate, guarded};
use super::pages::{KEYS, STYLE};
use super::refusal::Refusal;
use crate::pages::style;
use crate::server::text;

/// The state of every address.
#[derive(Clone)]
struct Desk {
    ask: Sender<Job>,
    gate: Arc<Gate>,
}

pub(super) fn router(ask: Sender<Job>, gate: Gate) -> Router {
    let gate = Arc::new(gate);
    Router::new()
        .route("/", get(|| async { away("/next") }))
        .route("/next", get(|desk: State<Desk>, headers: HeaderMap| page(desk, headers, Wanted::Next)))
        .route(
            "/pair",
            get(|Query(Jump { number }): Query<Jump>| async move { away(&format!("/pair/{number}")) }),
        )
        .route("/pair/{number}", get(pair))
        .route("/list", get(list))
        .route("/name", get(name).post(known))
        .route("/answer", post(answer))
        .route("/style.css", get(|| async { typed("text/css; charset=utf-8", style() + STYLE) }))
        .route("/keys.js", get(|| async { typed("text/javascript; charset=utf-8", KEYS.to_owned()) }))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { text(StatusCode::NOT_FOUND, "There is no such page.") })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(Arc::clone(&gate), guarded))
        .with_state(Desk { ask, gate })
}

/// A number of a pair, from 1.
#[derive(Debug, Deserialize)]
struct Jump {
    number: usize,
}

/// A page of a list, from 1.
#[derive(Debug, Deserialize)]
struct PageNumber {
    #[serde(default)]
    page: usize,
}

async fn pair(desk: State<Desk>, Path(number): Path<usize>, headers: HeaderMap) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(desk, headers, |annotator| Wanted::Pair(annotator, at)).await,
        None => text(StatusCode::NOT_FOUND, "Pairs are numbered from 1."),
    }
}

async fn list(
    desk: State<Desk>,
    Query(PageNumber { page: number }): Query<PageNumber>,
    headers: HeaderMap,
) -> Response {
    page(desk, headers, |annotator| Wanted::List(annotator, number)).await
}

async fn name(State(desk): State<Desk>) -> Response {
    if desk.gate.is_fixed() { away("/next") } else { desk.answered(Wanted::Name(None)).await }
}

/// A page for the annotator; the page that asks for a name before one was given.
async fn page(
    State(desk): State<Desk>,
    headers: HeaderMap,
    wanted: impl FnOnce(String) -> Wanted,
) -> Response {
    match desk.gate.annotator(&headers) {
        Some(annotator) => desk.answered(wanted(annotator)).await,
        None => away("/name"),
    }
}

async fn known(State(desk): State<Desk>, form: Result<Form<NameForm>, FormRejection>) -> Response {
    let NameForm { token, name } = match form {
        Ok(Form(form)) => form,
        Err(rejection) => return unreadable(&rejection),
    };
    if let Some(refused) = desk.foreign(&token) {
        return refused;
    }
    if desk.gate.is_fixed() {
        return text(StatusCode::CONFLICT, "llull review --as says who reviews here.");
    }
    desk.answered(Wanted::Known(name)).await
}

async fn answer(
    State(desk): State<Desk>,
    headers: HeaderMap,
    form: Result<Form<PairForm>, FormRejection>,
) -> Response {
    let form = match form {
        Ok(Form(form)) => form,
        Err(rejection) => return unreadable(&rejection),
    };
    if let Some(refused) = desk.foreign(&form.token) {
        return refused;
    }
    if desk.gate.annotator(&headers).as_ref() != Some(&form.annotator) {
        let words = "This page was somebody else's, and who reviews here has changed since. Nothing was recorded; \
                     load the page again.";
        return text(StatusCode::CONFLICT, words);
    }
    desk.answered(Wanted::Done(form)).await
}

impl Desk {
    /// Turns away a form that this server has not made.
    fn foreign(&self, token: &str) -> Option<Response> {
        let words = "This form is none of this server's: it was started again since, or another site sends it. \
                     Nothing was recorded; load the page again.";
        (!self.gate.is_own_form(token)).then(|| text(StatusCode::FORBIDDEN, words))
    }

    async fn answered(&self, wanted: Wanted) -> Response {
        let (answer, answered) = oneshot::channel();
        let ended =
            || text(StatusCode::INTERNAL_SERVER_ERROR, "The desk has ended; start llull review again.");
        if self.ask.send(Job { wanted, answer }).is_err() {
            return ended();
        }
        match answered.await {
            Ok(Ok(Given::Page(status, page))) => (status, Html(page)).into_response(),
            Ok(Ok(Given::Away(address))) => away(&address),
            Ok(Ok(Given::Name(name))) => {
                let kept = [(header::SET_COOKIE, self.gate.set_annotator(&name))];
                (kept, away("/next")).into_response()
            }
            Ok(Err(Refusal { status, words })) => text(status, words),
            Err(_) => ended(),
        }
    }
}

fn unreadable(rejection: &FormRejection) -> Response {
    text(rejection.status(), "This is no form of this page. Nothing was recorded.")
}

/// Redirects to another page by GET, so that loading it again sends no form twice.
fn away(address: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, address.to_owned())]).into_response()
}

fn typed(kind: &'static str, body: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}
