//! What a program says on standard error.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};

/// How much of what a program says on standard error is kept: its end.
const KEPT: usize = 4096;

/// Keeps the end of what a program says, so that it never waits for somebody to read it. It comes when the program has
/// closed its standard error.
pub(crate) fn listen(stderr: Option<ChildStderr>) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let (mut end, mut read) = (Vec::new(), [0; 4096]);
        if let Some(mut stderr) = stderr {
            while let Ok(length @ 1..) = stderr.read(&mut read) {
                end.extend_from_slice(read.get(..length).unwrap_or_default());
                end.drain(..end.len().saturating_sub(KEPT));
            }
        }
        let _ = send.send(String::from_utf8_lossy(&end).trim().to_owned());
    });
    receive
}
