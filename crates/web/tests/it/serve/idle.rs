//! Connections that send nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use llull_web::{ServeOptions, Server};

use crate::serve::study::{folder, open};

/// Sends these bytes and returns all that comes until the server hangs up, however long that takes.
fn until_the_end(server: &Server, bytes: &str) -> String {
    let address = server.url().trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that never hangs up is an error, and no test that never ends.
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let mut answer = Vec::new();
    if let Err(error) = stream.write_all(bytes.as_bytes()).and_then(|()| stream.read_to_end(&mut answer)) {
        assert!(matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{error}");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// They stayed open for ever, and a thousand of them shut everybody else out.
#[test]
fn a_connection_without_a_request_is_closed() {
    let folder = folder();
    let options = ServeOptions { idle: Duration::from_secs(2), ..ServeOptions::default() };
    let server = Server::start(open(folder.path()), &options).unwrap();
    let host = server.url().trim_start_matches("http://").split('/').next().unwrap().to_owned();
    until_the_end(&server, "");
    until_the_end(&server, "GET / HTTP/1.1\r\nhost: ");
    // A busy machine may let those seconds pass between the connection and the request.
    let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n");
    let mut answers = (0..9).map(|_| until_the_end(&server, &request));
    let answered = answers.find(|answer| !answer.is_empty()).unwrap();
    assert!(answered.starts_with("HTTP/1.1 "), "{answered}");
}
