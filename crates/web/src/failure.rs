//! Pages of requests that failed, and of a study that is still being read.

use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{Html, IntoResponse, Response};
use llull::report::text::escape_html;
use serde::Serialize;

use crate::reading_stage::ReadingStage;

/// How long the words of a failure may be, in bytes.
const WORDS: usize = 16_384;

/// A request that failed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    title: &'static str,
    words: String,
}

/// The failure in an answer whose body is words; `None` for any other answer. Takes the words out of it.
pub(crate) async fn failure_of(response: &mut Response) -> Option<Failure> {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_text = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_text || !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    let body = std::mem::take(response.body_mut());
    let words = to_bytes(body, WORDS).await.unwrap_or_default();
    Some(Failure { title: title(status), words: String::from_utf8_lossy(&words).trim().to_owned() })
}

/// Makes the page of a failure the body of its answer.
pub(crate) fn show(response: &mut Response, page: String) {
    *response.body_mut() = Body::from(page);
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "This address is not valid",
        StatusCode::UNAUTHORIZED => "This page needs the token",
        StatusCode::NOT_FOUND => "There is no such page",
        StatusCode::METHOD_NOT_ALLOWED => "This server only shows pages",
        StatusCode::CONFLICT => "Nothing was recorded",
        StatusCode::URI_TOO_LONG => "The address is too long",
        status if status.is_server_error() => "The page cannot be made",
        _ => "The request was refused",
    }
}

impl Failure {
    /// A page without the study's navigation. `back` is the address of a page to go on with.
    pub(crate) fn alone(&self, back: Option<&str>) -> String {
        let link = back.map_or_else(String::new, |back| format!("<p><a href=\"{back}\">Go on</a></p>\n"));
        // Strangers get no style either.
        let style = if back.is_some() { STYLE } else { "" };
        page(style, self.title, &format!("<p>{}</p>\n{link}", escape_html(&self.words)))
    }
}

const STYLE: &str = "<link rel=\"stylesheet\" href=\"/style.css\">\n";

/// The page of a study that is still being read. The browser loads it again by itself.
pub(crate) fn reading(stage: ReadingStage) -> Response {
    let head = format!("<meta http-equiv=\"refresh\" content=\"1\">\n{STYLE}");
    let words = format!("<p>Now: {stage}. This page loads itself again until the study is read.</p>\n");
    let html = Html(page(&head, "llull is reading the study", &words));
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], html).into_response()
}

fn page(head: &str, title: &str, main: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n{head}\
         </head>\n<body>\n<header class=\"top\"><p class=\"brand\"><b>llull</b></p></header>\n\
         <main id=\"main\"><div class=\"head\">\n<h1>{title}</h1>\n{main}</div></main>\n</body>\n</html>\n"
    )
}
