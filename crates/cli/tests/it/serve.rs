//! `llull serve`

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::sandbox::tiny;

#[test]
fn shows_the_study_until_it_is_interrupted() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    let mut server = sandbox.command(&["serve"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (host, token) = line.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert!(host.starts_with("127.0.0.1:"), "{line}");
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");

    let got = |address: &str, cookie: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!("GET {address} HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(got("/", "").starts_with("HTTP/1.1 401"));
    assert!(got(&format!("/?token={token}"), "").starts_with("HTTP/1.1 303"));
    let port = host.split_once(':').unwrap().1;
    let page = got("/", &format!("Cookie: llull_{port}={token}\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("nDCG@3"), "{page}");
    // Another process judges meanwhile.
    sandbox.llull(&["run"]).ends(0);

    let interrupted = Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    server.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    insta::assert_snapshot!(said, @"open this address in a browser; Ctrl-C ends the server");
}

#[test]
fn an_address_that_is_taken_is_named() {
    let sandbox = tiny();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let refused = sandbox.llull(&["serve", "--port", &address.port().to_string()]);
    assert_ne!(refused.code, 0);
    let said = format!("cannot listen at {address}: ");
    assert!(refused.stderr.contains(&said) && refused.stderr.contains("choose another"), "{refused}");
}
