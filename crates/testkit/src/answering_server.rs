//! A local server with the answers of a test.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::sync::oneshot;

/// A request, as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerRequest {
    /// `GET`, `POST`.
    pub method: String,
    /// The path with its query string, unchanged.
    pub path: String,
    /// The headers, by their names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body; `null` if it is not JSON.
    pub body: Value,
    /// The body, unchanged.
    pub text: String,
    /// How many requests with this method, path and body came before.
    pub before: usize,
}

/// A server's answer.
#[derive(Debug, Clone, Default)]
pub struct ServerAnswer {
    /// The status.
    pub status: u16,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long it waits before.
    pub after: Duration,
}

impl ServerAnswer {
    /// Returns an answer of this JSON.
    pub fn json(body: &Value) -> Self {
        Self::status(200, body.to_string())
    }

    /// Returns an answer with this status and body.
    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, body: body.into(), ..Self::default() }
    }

    /// Returns the same answer with a header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A server on this machine, on a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct AnsweringServer {
    address: SocketAddr,
    arrived: Arc<Mutex<Vec<ServerRequest>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl AnsweringServer {
    /// Starts a server at a free port.
    ///
    /// # Errors
    /// Returns an error if no port can be bound or no thread started.
    pub fn start(
        answer: impl Fn(&ServerRequest) -> ServerAnswer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let arrived = Arc::new(Mutex::new(Vec::new()));
        let (noted, answer) = (Arc::clone(&arrived), Arc::new(answer));
        let app = Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            let arrived = note(&noted, (&method, &uri), &headers, &body);
            let answer = Arc::clone(&answer);
            async move {
                let answered = answer(&arrived);
                tokio::time::sleep(answered.after).await;
                response(answered)
            }
        });
        let app = app.layer(axum::extract::DefaultBodyLimit::disable());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name(String::from("answering server")).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, app) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { address, arrived, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the address, `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops the server. As long as the result is kept its port is nobody else's, and refuses connections.
    ///
    /// # Errors
    /// Returns an error if the port cannot be kept.
    pub fn refuse(self) -> io::Result<TcpSocket> {
        let address = self.address;
        drop(self);
        let socket = TcpSocket::new_v4()?;
        // Earlier connections may linger.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(socket)
    }

    /// Returns the requests in the order in which they arrived.
    pub fn arrived(&self) -> Vec<ServerRequest> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for AnsweringServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn note(
    noted: &Mutex<Vec<ServerRequest>>,
    (method, uri): (&Method, &Uri),
    headers: &HeaderMap,
    body: &Bytes,
) -> ServerRequest {
    let text = String::from_utf8_lossy(body).into_owned();
    let named = headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let mut arrived = ServerRequest {
        method: method.to_string(),
        path: uri.to_string(),
        headers: named.collect(),
        body: serde_json::from_str(&text).unwrap_or(Value::Null),
        text,
        before: 0,
    };
    let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |other: &&ServerRequest| {
        (&other.method, &other.path, &other.text) == (&arrived.method, &arrived.path, &arrived.text)
    };
    arrived.before = noted.iter().filter(same).count();
    noted.push(arrived.clone());
    arrived
}

fn response(answered: ServerAnswer) -> Response {
    let begun = Response::builder().status(answered.status);
    let begun = answered.headers.iter().fold(begun, |begun, (name, value)| begun.header(name, value));
    begun.body(Body::from(answered.body)).unwrap_or_else(|wrong| {
        // A test with an impossible status or header should see the error.
        let mut response = Response::new(Body::from(wrong.to_string()));
        *response.status_mut() = axum::http::StatusCode::NOT_IMPLEMENTED;
        response
    })
}
