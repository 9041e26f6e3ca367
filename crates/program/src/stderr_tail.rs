//! Saves the end of a program's standard error.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};

/// The number of bytes at the end of standard error that are saved.
const KEPT: usize = 4096;

/// Reads standard error and saves its end, so that the program never waits for a reader. The text arrives when the
/// program has closed its standard error.
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
