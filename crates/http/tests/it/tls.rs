//! Tests servers with certificates of the user's own authority.
//!
//! `certificates` holds an authority that signs nothing else, and a server's key that protects nothing: `openssl req
//! -x509` and `openssl x509 -req`, for localhost, until 2126.
use std::{path::Path, sync::Arc, time::Duration};

use llull_http::{Address, ClientError, Response, Transport, TransportError};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nread";

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let mut request = [0; 4096];
    let _ = stream.read(&mut request).await;
    let _ = stream.write_all(ANSWER).await;
    let _ = stream.shutdown().await;
}

/// Starts a server that answers every connection, encrypted or not, and returns its port.
async fn server(encrypted: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let certificate = CertificateDer::from_pem_file(file("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.unwrap().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            match encrypted {
                true => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        answer(stream).await;
                    }
                }
                false => answer(stream).await,
            }
        }
    });
    port
}

fn transport(port: u16) -> Transport {
    let address = Address::parse(&format!("https://localhost:{port}/v1")).unwrap();
    Transport::new(address, None, Duration::from_secs(60)).unwrap()
}

async fn asked(transport: Transport) -> Result<Response, TransportError> {
    transport.post(&json!({ "query": "x" })).await
}

#[tokio::test]
async fn a_server_with_an_authority_of_the_users_own_is_reached_with_its_file() {
    let port = server(true).await;
    let error = asked(transport(port)).await.unwrap_err();
    assert!(matches!(error, TransportError::NotConnected { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("ca_file") && text.contains("SSL_CERT_FILE"), "{text}");
    let trusting = transport(port).trusting(&file("authority.pem")).unwrap();
    assert_eq!(asked(trusting).await.unwrap().body, b"read");
}

#[tokio::test]
async fn https_to_a_port_of_plain_http_says_so() {
    let error = asked(transport(server(false).await)).await.unwrap_err().to_string();
    assert!(error.ends_with("write http:// instead of https://"), "{error}");
}

#[test]
fn a_ca_file_that_is_none_is_named() {
    for (name, problem) in [("no.pem", "No such file"), ("server.key", "no certificate in PEM")] {
        let error = transport(1).trusting(&file(name)).unwrap_err();
        assert!(matches!(error, ClientError::CaFile { .. }), "{error}");
        assert!(error.to_string().contains(name) && error.to_string().contains(problem), "{error}");
    }
}
