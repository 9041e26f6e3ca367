//! Connections that send nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use llull_web::{ServeOptions, Server};

use crate::browser::{folder, open};

/// Sends these bytes and returns all that comes until the server hangs up, however long that takes.
fn until_the_end(server: &Server, bytes: &str) -> String {
    let address = server.url().trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that never hangs up is an error, and no test that never ends.
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
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
    let answered = until_the_end(&server, &format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n"));
    assert!(answered.starts_with("HTTP/1.1 "), "{answered}");
}
