//! Streams the figures of a run as server-sent events.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::guard::text;
use crate::page_request::{PageRequest, Reader};

/// How often the figures are compared with the last ones sent.
const EVERY: Duration = Duration::from_secs(1);
/// Without changes, an event is sent after this time, so that listeners can detect a lost connection.
const QUIET: Duration = Duration::from_secs(15);
/// How many may listen at once.
const LISTENERS: usize = 16;

/// Who may listen.
#[derive(Debug, Clone)]
pub(crate) struct Listeners(Arc<Semaphore>);

impl Default for Listeners {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(LISTENERS)))
    }
}

/// One listener: its last event, and when it was sent.
struct Listener {
    reader: Reader,
    sent: Option<(String, Instant)>,
    _place: OwnedSemaphorePermit,
}

/// Answers a listener with a stream, which ends when the listener or the study's reader goes away.
pub(crate) fn events(State(reader): State<Reader>, listeners: &Listeners) -> Response {
    let Ok(place) = Arc::clone(&listeners.0).try_acquire_owned() else {
        return text(StatusCode::SERVICE_UNAVAILABLE, "Too many pages listen already; close one.");
    };
    let listener = Listener { reader, sent: None, _place: place };
    let sent = stream::unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<_, std::convert::Infallible>(event), listener))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(sent)).into_response()
}

impl Listener {
    /// Waits for the next event.
    async fn next(&mut self) -> Option<String> {
        loop {
            if self.sent.is_some() {
                tokio::time::sleep(EVERY).await;
            }
            let found = match self.reader.ask(PageRequest::LiveFigures).await? {
                Ok(Some(figures)) => event("", &figures),
                Ok(None) => return None,
                Err(error) => event("failed", &error),
            };
            let quiet = match &self.sent {
                None => None,
                Some((before, _)) if *before != found => None,
                Some((_, at)) => Some(at.elapsed()),
            };
            match quiet {
                Some(quiet) if quiet < QUIET => {}
                Some(_) => {
                    self.sent = Some((found, Instant::now()));
                    return Some(":\n\n".to_owned());
                }
                None => {
                    self.sent = Some((found.clone(), Instant::now()));
                    return Some(found);
                }
            }
        }
    }
}

/// An event of this kind, a line of data for each line of a text.
fn event(kind: &str, data: &str) -> String {
    let mut event = if kind.is_empty() { String::new() } else { format!("event: {kind}\n") };
    for line in data.split(['\n', '\r']) {
        event.push_str("data: ");
        event.push_str(line);
        event.push('\n');
    }
    event.push('\n');
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_an_event() {
        assert_eq!(event("", "a\n\nevent: b\rdata: c"), "data: a\ndata: \ndata: event: b\ndata: data: c\n\n");
        assert_eq!(event("failed", "no"), "event: failed\ndata: no\n\n");
    }
}
