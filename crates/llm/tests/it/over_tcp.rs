//! Tests servers that break HTTP in the middle.

use std::time::Duration;

use llull_core::FailureKind;
use llull_llm::{ModelSettings, connect};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::request;

/// The kind of failure when a server sends these bytes, then stays silent or hangs up.
async fn after(bytes: &'static [u8], hang_up: bool) -> FailureKind {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = Some(format!("http://{}", listener.local_addr().unwrap()));
    let serve = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        if !hang_up {
            std::future::pending::<()>().await;
        }
    });
    // Only silence has to be waited for.
    let timeout = if hang_up { Duration::from_secs(600) } else { Duration::from_millis(300) };
    let model =
        connect(&ModelSettings { base_url, timeout, ..ModelSettings::new("vllm/m") }, &|_| None).unwrap();
    let failure = model.chat(&request()).await.unwrap_err();
    serve.abort();
    failure.kind
}

#[tokio::test]
async fn a_body_that_never_ends_is_a_timeout() {
    let begun = b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"choices\":";
    assert_eq!(after(begun, false).await, FailureKind::Timeout);
}

#[tokio::test]
async fn a_connection_that_ends_early_is_a_connections_failure() {
    assert_eq!(after(b"", true).await, FailureKind::Connection);
    let begun = b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"choices\":";
    assert_eq!(after(begun, true).await, FailureKind::Connection);
    assert_eq!(after(b"SSH-2.0-OpenSSH_9.2\r\n", true).await, FailureKind::Connection);
}
