//! The socket, the addresses of pages, and the headers of every answer.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use llull::Study;
use serde::Deserialize;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::access::{Access, Refusal};
use crate::error::ServeError;
use crate::pages::style;
use crate::reader::{Asked, Job, start};

/// How long an address may be, in bytes.
const ADDRESS: usize = 4_096;
/// How long answers that are being sent may take when the server ends.
const PATIENCE: Duration = Duration::from_millis(300);

/// The headers of every answer.
pub(crate) const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Where a server listens.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address: this machine alone, unless changed.
    pub listen: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Further names that the server has, such as that of a proxy before it, with or without a port.
    pub hosts: Vec<String>,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self { listen: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, hosts: Vec::new() }
    }
}

/// A server that shows a study.
#[derive(Debug)]
pub struct Server {
    url: String,
    runtime: Runtime,
}

impl Server {
    /// Reads the study and shows it from here on, to those who open [`url`](Self::url).
    ///
    /// # Errors
    /// Returns an error if the study cannot be read, or the address cannot be listened at.
    pub fn start(study: Study, options: &ServeOptions) -> Result<Self, ServeError> {
        Self::of_pages(options, |access| Ok(router(start(study)?, access)))
    }

    /// Serves these pages.
    pub(crate) fn of_pages(
        options: &ServeOptions,
        pages: impl FnOnce(Access) -> Result<Router, ServeError>,
    ) -> Result<Self, ServeError> {
        let wanted = SocketAddr::new(options.listen, options.port);
        let refused = |source| ServeError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let access = Access::new(address, &options.hosts)?;
        let url = access.url(address);
        let router = pages(access)?;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| ServeError::Start(error.to_string()))?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(refused)?
        };
        runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Self { url, runtime })
    }

    /// The address to open, which holds the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the server.
    pub fn stop(self) {
        self.runtime.shutdown_timeout(PATIENCE);
    }
}

fn router(ask: Sender<Job>, access: Access) -> Router {
    Router::new()
        .route("/", get(|ask: State<Sender<Job>>| page(ask, Asked::Overview)))
        .route("/queries", get(|ask: State<Sender<Job>>, Query(list)| page(ask, Asked::Queries(list))))
        .route("/query/{number}", get(query))
        .route("/query/{number}/answers", get(answers))
        .route("/attempts", get(|ask: State<Sender<Job>>, Query(list)| page(ask, Asked::Attempts(list))))
        .route(
            "/attempt/{number}",
            get(|ask: State<Sender<Job>>, Path(place)| page(ask, Asked::Attempt(place))),
        )
        .route("/style.css", get(|| async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style()) }))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { text(StatusCode::NOT_FOUND, "There is no such page.") })
        .layer(from_fn_with_state(Arc::new(access), guarded))
        .with_state(ask)
}

async fn query(ask: State<Sender<Job>>, Path(number): Path<usize>) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(ask, Asked::Query(at)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

/// Which page of a list is asked for.
#[derive(Debug, Deserialize)]
struct PageNumber {
    #[serde(default)]
    page: usize,
}

async fn answers(
    ask: State<Sender<Job>>,
    Path(number): Path<usize>,
    Query(PageNumber { page: of_answers }): Query<PageNumber>,
) -> Response {
    match number.checked_sub(1) {
        Some(at) => page(ask, Asked::Answers(at, of_answers)).await,
        None => text(StatusCode::NOT_FOUND, "Queries are numbered from 1."),
    }
}

async fn page(State(ask): State<Sender<Job>>, asked: Asked) -> Response {
    let (answer, answered) = oneshot::channel();
    if ask.send(Job { asked, answer }).is_err() {
        return text(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The study's reader has ended; start llull serve again.",
        );
    }
    match answered.await {
        Ok(Ok(Some(page))) => Html(page).into_response(),
        Ok(Ok(None)) => text(StatusCode::NOT_FOUND, "There is no such page."),
        Ok(Err(error)) => text(StatusCode::INTERNAL_SERVER_ERROR, error),
        Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "The page could not be made."),
    }
}

/// Words alone, which no browser takes for HTML.
pub(crate) fn text(status: StatusCode, words: impl Into<String>) -> Response {
    let mut words = words.into();
    words.push('\n');
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], words).into_response()
}

async fn guarded(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let mut response = match turned_away(&access, &request) {
        Some(response) => response,
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The answer to a request that is not to reach any page.
fn turned_away(access: &Access, request: &Request) -> Option<Response> {
    let headers = request.headers();
    if let Some(response) = out_of_place(access, headers) {
        return Some(response);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "Pages are only read here.");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Some(response);
    }
    let body = header_of(headers, header::CONTENT_LENGTH).is_some_and(|length| length != "0");
    if body || headers.contains_key(header::TRANSFER_ENCODING) {
        return Some(text(StatusCode::PAYLOAD_TOO_LARGE, "A page is asked for without a body."));
    }
    not_admitted(access, request, "llull serve")
}

/// The answer to a request that is sent to another host, or from another site.
pub(crate) fn out_of_place(access: &Access, headers: &HeaderMap) -> Option<Response> {
    match access.place(header_of(headers, header::HOST), header_of(headers, header::ORIGIN)) {
        Ok(()) => None,
        Err(Refusal::Host) => {
            let words = "This server does not go by that name; --allow-host adds one.";
            Some(text(StatusCode::MISDIRECTED_REQUEST, words))
        }
        Err(Refusal::Origin) => Some(text(StatusCode::FORBIDDEN, "Another site asked for this.")),
    }
}

/// The answer to a request that shows no token: where it has the printed address, the cookie that holds it from then
/// on. `command` is what printed it.
pub(crate) fn not_admitted(access: &Access, request: &Request, command: &str) -> Option<Response> {
    let uri = request.uri();
    if uri.path_and_query().is_some_and(|address| address.as_str().len() > ADDRESS) {
        return Some(text(StatusCode::URI_TOO_LONG, "The address is too long."));
    }
    let token = uri.query().and_then(|query| query.strip_prefix("token=")).filter(|_| uri.path() == "/");
    if token.is_some_and(|token| access.is_token(token)) {
        // An answer that leads to the page without its token in the address.
        let away = [(header::SET_COOKIE, access.set_cookie()), (header::LOCATION, "/".to_owned())];
        return Some((StatusCode::SEE_OTHER, away).into_response());
    }
    if header_of(request.headers(), header::COOKIE).is_some_and(|cookies| access.has_cookie(cookies)) {
        return None;
    }
    let words = format!("Open the address that {command} printed; it holds the token that this page needs.");
    Some(text(StatusCode::UNAUTHORIZED, words))
}

/// A header that is there once: two hosts or two origins are none.
pub(crate) fn header_of(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut found = headers.get_all(name).iter();
    let value = found.next()?;
    if found.next().is_some() { None } else { value.to_str().ok() }
}
