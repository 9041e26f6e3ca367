//! Refuses requests without access, and sets the headers of every answer.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::access::{Access, Refusal};
use crate::failure::{failure_of, show};
use crate::page_request::{PageRequest, Reader};

/// How long an address may be, in bytes.
const ADDRESS: usize = 4_096;

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

/// The words of a failure. Its page is made of them when the answer leaves.
pub(crate) fn text(status: StatusCode, words: impl Into<String>) -> Response {
    let mut words = words.into();
    words.push('\n');
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], words).into_response()
}

/// Answers requests that have access, with the headers of every answer.
pub(crate) async fn guarded(
    State((access, reader)): State<(Arc<Access>, Reader)>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match turned_away(&access, &request) {
        Some(mut response) => {
            // A stranger learns nothing of the study, not even its name.
            if let Some(failure) = failure_of(&mut response).await {
                show(&mut response, failure.alone(None));
            }
            response
        }
        None => {
            let mut response = next.run(request).await;
            if let Some(failure) = failure_of(&mut response).await {
                let page = match reader.still_reads(Duration::ZERO).await {
                    None => {
                        reader.ask(PageRequest::Failure(failure.clone())).await.and_then(Result::ok).flatten()
                    }
                    Some(_) => None,
                };
                show(&mut response, page.unwrap_or_else(|| failure.alone(Some("/"))));
            }
            response
        }
    };
    for (name, value) in HEADERS {
        // A page with a script has already set its own policy.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
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
        return Some(text(StatusCode::PAYLOAD_TOO_LARGE, "A request for a page has no body."));
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
        Err(Refusal::Origin) => Some(text(StatusCode::FORBIDDEN, "This request is from another site.")),
    }
}

/// The answer to a request without a cookie: if it has the printed address, it gets the cookie with the token.
/// `command` is the command that printed the address.
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

/// A header that occurs once; two hosts or two origins count as missing.
pub(crate) fn header_of(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut found = headers.get_all(name).iter();
    let value = found.next()?;
    if found.next().is_some() { None } else { value.to_str().ok() }
}
