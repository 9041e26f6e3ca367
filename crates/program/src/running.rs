//! A running program.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::stderr_tail::listen;

/// How long the rest of a program's standard error may take once the program has ended, on a busy machine.
const CLOSING: Duration = Duration::from_secs(10);

/// The programs that run, by their marks, and their process numbers.
static RUNNING: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

/// A program that runs. When it is dropped, it is ended.
#[derive(Debug)]
pub struct Running {
    child: Child,
    mark: String,
    said: Receiver<String>,
    ended: Option<ExitStatus>,
}

impl Running {
    /// Starts a program whose environment has this mark.
    pub(crate) fn start(command: &mut Command, mark: String) -> io::Result<Self> {
        // The lock is held while it starts, so that a call which ends all programs cannot miss it.
        let mut running = running();
        let mut child = command.spawn()?;
        running.insert(mark.clone(), child.id());
        let said = listen(child.stderr.take());
        Ok(Self { child, mark, said, ended: None })
    }

    /// Returns its standard input; `None` if it was taken before.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Returns its standard output; `None` if it was taken before.
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

    /// Ends it with all that it started, and waits for it.
    pub fn end(&mut self) {
        // Once it was ended, its number may be another's. The programs are locked meanwhile: a signal waits for the
        // end.
        if let Some(number) = running().remove(&self.mark) {
            kill(number, &self.mark);
        }
        if self.ended.is_none() {
            // One that has ended by itself is no error.
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
    }

    /// Returns the end of its standard error, once it has ended.
    pub fn said(&self) -> String {
        self.said.recv_timeout(CLOSING).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends every program that this process has started and not ended, with all that they started. A process that a signal
/// is about to end calls this, as nothing is dropped then. No program can be started afterwards: the thread that would
/// start one waits for ever.
pub fn end_all() {
    let mut running = running();
    while let Some((mark, number)) = running.pop_first() {
        kill(number, &mark);
    }
    std::mem::forget(running);
}

fn running() -> MutexGuard<'static, BTreeMap<String, u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn kill(number: u32, mark: &str) {
    if let Some(process) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) {
        crate::descendants::kill(process, mark);
    }
}

/// The program itself is ended by its handle.
#[cfg(not(unix))]
fn kill(_: u32, _: &str) {}
