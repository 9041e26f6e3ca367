//! Exchanges lines with a program that keeps running.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, ExitStatus};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::program::Program;
use crate::running::Running;

/// How long a program that has closed its output may take to end.
const ENDING: Duration = Duration::from_secs(2);

/// A program that reads and prints lines, in any order. When this is dropped, the program ends with all processes that
/// it started.
#[derive(Debug)]
pub struct Conversation {
    running: Arc<Mutex<Running>>,
    lines: Sender<Vec<u8>>,
}

/// An event of a program's output.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line that it printed, without its end.
    Line(Vec<u8>),
    /// A line that exceeds the limit. Only the program's end follows.
    TooLong,
    /// It has closed its output. This is the last event.
    Ended(Ended),
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit status; `None` if it had to be ended, or the status is unknown.
    pub status: Option<ExitStatus>,
    /// The end of its standard error.
    pub said: String,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status {
            Some(status) => write!(f, "ended with {status}")?,
            None => f.write_str("closed its output and was ended")?,
        }
        if self.said.is_empty() { Ok(()) } else { write!(f, "; it said:\n{}", self.said) }
    }
}

impl Conversation {
    /// Starts a program. Its output, in lines of at most `longest` bytes, goes to `hear`, on a thread of its own.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub fn start(
        program: &Program,
        longest: usize,
        hear: impl FnMut(Heard) + Send + 'static,
    ) -> io::Result<Self> {
        let mut running = program.start()?;
        let (input, output) = (running.take_input(), running.take_output());
        let running = Arc::new(Mutex::new(running));
        let (lines, to_send) = channel();
        std::thread::spawn(move || tell(input, &to_send));
        let ending = Arc::clone(&running);
        std::thread::spawn(move || listen(output, longest, &ending, hear));
        Ok(Self { running, lines })
    }

    /// Sends a line, which must contain no line end. If the program does not read it any more, no error is returned:
    /// [`Heard::Ended`] reports the end.
    pub fn say(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let _ = self.lines.send(line);
    }

    /// Ends the program, with all that it started.
    pub fn end(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).end();
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.end();
    }
}

/// Writes lines to the program as they arrive.
fn tell(input: Option<ChildStdin>, lines: &Receiver<Vec<u8>>) {
    let Some(mut input) = input else { return };
    for line in lines {
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reports the program's output to its end.
fn listen(
    output: Option<ChildStdout>,
    longest: usize,
    running: &Mutex<Running>,
    mut hear: impl FnMut(Heard),
) {
    if let Some(output) = output {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let most = u64::try_from(longest).unwrap_or(u64::MAX).saturating_add(1);
            match output.by_ref().take(most).read_until(b'\n', &mut line) {
                Ok(1..) if line.last() == Some(&b'\n') => {
                    line.pop();
                    hear(Heard::Line(line));
                }
                Ok(read) if read > longest => {
                    hear(Heard::TooLong);
                    break;
                }
                // An incomplete line was cut off by the program's end.
                Ok(_) | Err(_) => break,
            }
        }
    }
    hear(Heard::Ended(ended(running)));
}

/// Waits for the end of a program that has closed its output. It may be ended meanwhile, so it is locked for moments.
fn ended(running: &Mutex<Running>) -> Ended {
    let lock = || running.lock().unwrap_or_else(PoisonError::into_inner);
    let began = std::time::Instant::now();
    let status = loop {
        match lock().wait(Duration::ZERO) {
            Ok(None) if began.elapsed() < ENDING => std::thread::sleep(Duration::from_millis(5)),
            Ok(status) => break status,
            Err(_) => break None,
        }
    };
    let mut running = lock();
    running.end();
    Ended { status, said: running.said() }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Instant;

    use super::*;

    fn sh(script: &str) -> Program {
        Program {
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            dir: PathBuf::from("/"),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        }
    }

    fn converse(script: &str, longest: usize) -> (Conversation, Receiver<Heard>) {
        let (send, heard) = channel();
        let conversation = Conversation::start(&sh(script), longest, move |one| drop(send.send(one)));
        (conversation.unwrap(), heard)
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn it_answers_line_by_line() {
        let (conversation, heard) = converse("while read line; do echo \"<$line>\"; done", 100);
        for line in ["one", "two"] {
            conversation.say(line.into());
            let expected = Heard::Line(format!("<{line}>").into_bytes());
            assert_eq!(heard.recv_timeout(LONG).unwrap(), expected);
        }
    }

    #[test]
    fn its_end_is_heard_with_what_it_said() {
        let (conversation, heard) = converse("read line; echo no model >&2; exit 3", 100);
        conversation.say(b"x".to_vec());
        let Heard::Ended(ended) = heard.recv_timeout(LONG).unwrap() else { panic!() };
        assert_eq!(ended.to_string(), "ended with exit status: 3; it said:\nno model");
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let (_conversation, heard) = converse("yes | tr -d '\\n'", 1000);
        assert_eq!(heard.recv_timeout(LONG).unwrap(), Heard::TooLong);
    }

    /// More than pipes hold, in both directions at once.
    #[test]
    fn nobody_waits_for_the_other() {
        let (conversation, heard) = converse("cat", 100_000);
        let line = vec![b'x'; 50_000];
        (0..100).for_each(|_| conversation.say(line.clone()));
        for _ in 0..100 {
            assert_eq!(heard.recv_timeout(LONG).unwrap(), Heard::Line(line.clone()));
        }
    }

    /// A program that ignores the end of its input, and one that it started, are ended.
    #[test]
    fn it_is_ended_with_what_it_started() {
        let (conversation, heard) = converse("sleep 600 & echo $!; trap '' TERM; sleep 600", 100);
        let Heard::Line(child) = heard.recv_timeout(LONG).unwrap() else { panic!() };
        let child = PathBuf::from("/proc").join(String::from_utf8(child).unwrap()).join("stat");
        let runs = || fs_err::read_to_string(&child).is_ok_and(|stat| !stat.contains(") Z "));
        if std::path::Path::new("/proc/self/stat").exists() {
            assert!(runs());
        }
        let began = Instant::now();
        drop(conversation);
        while runs() {
            assert!(began.elapsed() < LONG, "what it started still runs");
            std::thread::yield_now();
        }
    }

    /// A child, one in a session of its own, one that also lost its parent, and one that also dropped the mark.
    #[cfg(target_os = "linux")]
    const STARTS: &str = "one='echo $$; exec sleep 600'; sh -c \"$one\" & setsid sh -c \"$one\" & \
        (setsid sh -c \"$one\" &); env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec /bin/sleep 600' & wait";

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_that_left_the_group_is_ended_too() {
        let runs = |id: &str| {
            let stat = PathBuf::from("/proc").join(id).join("stat");
            fs_err::read_to_string(stat).is_ok_and(|stat| !stat.contains(") Z "))
        };
        let (conversation, heard) = converse(STARTS, 100);
        let ids: Vec<String> = (0..4)
            .map(|_| match heard.recv_timeout(LONG).unwrap() {
                Heard::Line(id) => String::from_utf8(id).unwrap(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(ids.iter().all(|id| runs(id)), "{ids:?}");
        let began = Instant::now();
        drop(conversation);
        while let Some(id) = ids.iter().find(|id| runs(id)) {
            assert!(began.elapsed() < LONG, "{id} of {ids:?} still runs");
            std::thread::yield_now();
        }
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        let program = Program { words: vec!["llull-no-such-program".into()], ..sh("") };
        let error = Conversation::start(&program, 10, |_| {}).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(Program { words: Vec::new(), ..sh("") }.start().is_err());
    }
}
