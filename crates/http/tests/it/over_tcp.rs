//! Requests to servers on this machine that answer with given bytes.
use std::{
    io::Write,
    time::{Duration, SystemTime},
};

use llull_core::{Failure, FailureKind};
use llull_http::{Address, ClientError, Response, Secret, Transport, TransportError};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

const KEY: &str = "topsecret-0123456789abcdef";

/// Starts a server that answers one request with these bytes, and returns its address and, later, the request.
async fn server(bytes: Vec<u8>, hang_up: bool) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/search?token={KEY}", listener.local_addr().unwrap());
    let serve = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).await.unwrap();
        // A client that has read enough hangs up.
        let _ = stream.write_all(&bytes).await;
        if !hang_up {
            std::future::pending::<()>().await;
        }
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    (address, serve)
}

fn transport(address: &str) -> Transport {
    patient(address, Duration::from_secs(600))
}

fn patient(address: &str, timeout: Duration) -> Transport {
    let address = Address::parse(address).unwrap();
    Transport::new(address, Secret::new(KEY), timeout).unwrap()
}

async fn answer(bytes: impl Into<Vec<u8>>, hang_up: bool) -> Result<Response, TransportError> {
    let (address, serve) = server(bytes.into(), hang_up).await;
    // Only silence has to be waited for.
    let timeout = if hang_up { Duration::from_secs(600) } else { Duration::from_millis(500) };
    let answer = patient(&address, timeout).post(&json!({ "query": "x" })).await;
    serve.abort();
    answer
}

#[tokio::test]
async fn the_key_is_sent_in_a_header_and_the_answer_is_whole() {
    let answer = b"HTTP/1.1 503 Busy\r\ncontent-length: 4\r\nretry-after: 3\r\n\r\nwait";
    let (address, serve) = server(answer.to_vec(), true).await;
    let transport = transport(&address);
    let response = transport.post(&json!({ "query": "x" })).await.unwrap();
    assert_eq!((response.status, response.is_success(), &response.body[..]), (503, false, &b"wait"[..]));
    assert_eq!(response.retry_after_ms(SystemTime::UNIX_EPOCH), Some(3000));
    let request = serve.await.unwrap();
    assert!(request.contains(&format!("authorization: Bearer {KEY}\r\n")), "{request}");
    assert!(request.ends_with("{\"query\":\"x\"}"), "{request}");
    assert!(!format!("{transport:?}").contains(KEY));
    assert_eq!(transport.quote(&format!("no\nsuch {KEY}")), "no such [key]");
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let moved = "HTTP/1.1 307 Moved\r\ncontent-length: 0\r\nlocation: http://elsewhere.test/\r\n\r\n";
    let response = answer(moved, true).await.unwrap();
    assert!(response.is_redirection());
    assert_eq!(response.header("location"), Some("http://elsewhere.test/"));
}

#[tokio::test]
async fn every_way_to_fail_has_its_kind_and_no_message_holds_the_key() {
    let begun = "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\nhalf";
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", " ".repeat(9 * 1024 * 1024));
    let late = answer(begun, false).await.unwrap_err();
    assert!(matches!(late, TransportError::Timeout { .. }), "{late}");
    assert!(late.to_string().ends_with("/search: no reply within 0.5 s"), "{late}");
    let broken = answer(begun, true).await.unwrap_err();
    assert!(matches!(broken, TransportError::Broken { .. }), "{broken}");
    let too_long = answer(endless, true).await.unwrap_err();
    assert!(too_long.to_string().ends_with("the answer is longer than 8 MiB"), "{too_long}");
    // No other test's server can get this port.
    let gone =
        transport(&format!("http://127.0.0.1:1/search?token={KEY}")).post(&json!(null)).await.unwrap_err();
    assert!(matches!(gone, TransportError::NotConnected { .. }), "{gone}");

    let kinds = [late, broken, too_long, gone].map(|error| {
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
        Failure::from(error).kind
    });
    use FailureKind::{Connection, Server, Timeout};
    assert_eq!(kinds, [Timeout, Connection, Server, Connection]);
}

/// Writes a body in gzip or deflate (zlib's form, which HTTP calls so) as an answer.
fn compressed(encoding: &str, body: &[u8]) -> Vec<u8> {
    let level = flate2::Compression::best();
    let packed = match encoding {
        "gzip" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), level);
            writer.write_all(body).unwrap();
            writer.finish().unwrap()
        }
        _ => {
            let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), level);
            writer.write_all(body).unwrap();
            writer.finish().unwrap()
        }
    };
    let length = packed.len();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: {length}\r\n\r\n");
    [head.into_bytes(), packed].concat()
}

/// A gateway that compresses every answer made each one "not JSON".
#[tokio::test]
async fn a_compressed_answer_is_read_and_its_limit_is_that_of_the_text() {
    for encoding in ["gzip", "deflate"] {
        let whole = answer(compressed(encoding, b"{\"a\": 1}"), true).await.unwrap();
        assert_eq!(whole.body, b"{\"a\": 1}", "{encoding}");
        let bomb = compressed(encoding, &vec![b' '; 64 * 1024 * 1024]);
        assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
        let too_long = answer(bomb, true).await.unwrap_err();
        assert!(too_long.to_string().ends_with("the answer is longer than 8 MiB"), "{too_long}");
    }
}

#[test]
fn a_key_that_no_header_can_hold_is_refused() {
    let key = Secret::new(&format!("{KEY}\n{KEY}"));
    let address = Address::parse("https://example.org").unwrap();
    let error = Transport::new(address, key, Duration::from_secs(1)).unwrap_err();
    assert_eq!(error, ClientError::KeyNotSendable);
}
