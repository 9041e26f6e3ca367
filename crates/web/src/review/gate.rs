//! Restricts access to pages, and identifies the annotator.

use std::sync::Arc;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::access::{Access, same, unguessable};
use crate::error::ServeError;
use crate::failure::{failure_of, show};
use crate::server::{HEADERS, header_of, not_admitted, out_of_place, text};

/// How long a form may be, in bytes: a note, with every byte of it escaped.
pub(super) const BODY: usize = 16_384;

/// The policy of these pages: as of the others, and one script of the server's own.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// The conditions on a request, and the annotator behind it.
#[derive(Debug)]
pub(super) struct Gate {
    access: Access,
    /// The token of forms on this server's own pages, which another site cannot have.
    form_token: String,
    annotator: Option<String>,
    cookie: String,
    /// How long a form may take to arrive.
    arrival: Duration,
}

impl Gate {
    /// A gate with access like this. `person` is the one annotator here; if it is `None`, every visitor gives a name.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub(super) fn new(
        access: Access,
        annotator: Option<String>,
        arrival: Duration,
    ) -> Result<Self, ServeError> {
        let form_token = unguessable()?;
        // Names of two servers on this machine are apart: cookies know no ports.
        let cookie = format!("llull_person_{}", form_token.get(..8).unwrap_or_default());
        Ok(Self { access, form_token, annotator, cookie, arrival })
    }

    /// The token that a form must contain.
    pub(super) fn form_token(&self) -> &str {
        &self.form_token
    }

    /// Whether a form contains the token of this server.
    pub(super) fn is_own_form(&self, token: &str) -> bool {
        same(&self.form_token, token)
    }

    /// Whether the name is fixed.
    pub(super) fn is_fixed(&self) -> bool {
        self.annotator.is_some()
    }

    /// The annotator behind a request; `None` before a name was given.
    pub(super) fn annotator(&self, headers: &HeaderMap) -> Option<String> {
        if let Some(annotator) = &self.annotator {
            return Some(annotator.clone());
        }
        let cookies = header_of(headers, header::COOKIE)?;
        let mut cookies = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let (_, digits) = cookies.find(|(name, _)| *name == self.cookie)?;
        from_digits(digits)
    }

    /// The header that has a browser keep a name until it is closed.
    pub(super) fn set_annotator(&self, name: &str) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, to_digits(name))
    }
}

/// A name in hexadecimal digits, which a cookie can hold.
fn to_digits(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn from_digits(digits: &str) -> Option<String> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok());
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

/// Admits allowed requests, and gives every answer its headers.
pub(super) async fn guarded(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match turned_away(&gate, &request) {
        Some(response) => response,
        None => match arrived(request, gate.arrival).await {
            Ok(request) => next.run(request).await,
            Err(response) => response,
        },
    };
    if let Some(failure) = failure_of(&mut response).await {
        let is_known = response.status() != StatusCode::UNAUTHORIZED;
        show(&mut response, failure.alone(is_known.then_some("/next")));
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // With no-referrer a browser hides from where a form comes, and every form would be another site's.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Returns a request with its whole body, which is short.
async fn arrived(request: Request, within: Duration) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(within, to_bytes(body, BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, bytes.into())),
        Ok(Err(_)) => Err(text(StatusCode::BAD_REQUEST, "The form broke off. Nothing was recorded.")),
        Err(_) => Err(text(StatusCode::REQUEST_TIMEOUT, "The form took too long. Nothing was recorded.")),
    }
}

fn turned_away(gate: &Gate, request: &Request) -> Option<Response> {
    let headers = request.headers();
    if let Some(response) = out_of_place(&gate.access, headers) {
        return Some(response);
    }
    let one = |name: HeaderName| header_of(headers, name);
    match *request.method() {
        Method::GET | Method::HEAD => {
            let body = one(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
            if body || headers.contains_key(header::TRANSFER_ENCODING) {
                return Some(text(StatusCode::PAYLOAD_TOO_LARGE, "A request for a page has no body."));
            }
        }
        Method::POST => {
            if one(header::ORIGIN).is_none() {
                return Some(text(
                    StatusCode::FORBIDDEN,
                    "A form says from where it comes, and this one does not.",
                ));
            }
            let length = one(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
            if length.is_none_or(|length| length > BODY) {
                let words = "That is more than a form of this page holds. Nothing was recorded.";
                return Some(text(StatusCode::PAYLOAD_TOO_LARGE, words));
            }
        }
        _ => {
            let mut response =
                text(StatusCode::METHOD_NOT_ALLOWED, "Pages are read, and forms are sent, here.");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            return Some(response);
        }
    }
    not_admitted(&gate.access, request, "llull review")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_survives_a_cookie() {
        for name in ["anna", "Anna Müller; x=y", "東", ""] {
            assert_eq!(from_digits(&to_digits(name)).as_deref(), Some(name));
        }
        for wrong in ["a", "zz", "ff", "+1"] {
            assert_eq!(from_digits(wrong), None, "{wrong}");
        }
    }
}
