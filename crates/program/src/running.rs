//! A program that runs.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::process_group::ProcessGroup;
use crate::said::listen;

/// How long a program that ended may take to close its standard error.
const CLOSING: Duration = Duration::from_secs(1);

/// A program that runs. When it is dropped, it is ended.
#[derive(Debug)]
pub struct Running {
    child: Child,
    group: ProcessGroup,
    said: Receiver<String>,
    ended: Option<ExitStatus>,
    /// Whether its group was ended: from then on its number may be another's.
    group_ended: bool,
}

impl Running {
    pub(crate) fn new(mut child: Child, group: ProcessGroup) -> Self {
        let said = listen(child.stderr.take());
        Self { child, group, said, ended: None, group_ended: false }
    }

    /// Returns its standard input; `None` if it was taken before.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Returns its standard output; `None` if that is no pipe, or was taken before.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits for its end; `None` if it has not ended by then.
    ///
    /// # Errors
    /// Returns an error if it cannot be waited for.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<Option<ExitStatus>> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.ended = Some(status);
                return Ok(Some(status));
            }
            if started.elapsed() >= timeout {
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Ends it, with all of its group if that is its own, and waits for it.
    pub fn end(&mut self) {
        #[cfg(unix)]
        if self.group == ProcessGroup::Own && !std::mem::replace(&mut self.group_ended, true) {
            // What it started may outlive it, and has the number of its group for as long.
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        if self.ended.is_none() {
            // One that has ended by itself is no error.
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
    }

    /// Returns the end of what it said on standard error, once it has ended.
    pub fn said(&self) -> String {
        self.said.recv_timeout(CLOSING).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended.is_none() || self.group == ProcessGroup::Own {
            self.end();
        }
    }
}
