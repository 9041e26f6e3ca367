//! A program: its words, folder and environment.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::running::Running;

/// A program and all that it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments. No shell reads them. A program without `/` is found by `PATH`; another is a path
    /// from `dir`.
    pub words: Vec<String>,
    /// The folder in which it runs.
    pub dir: PathBuf,
    /// All of its environment, but for `LLULL_PROGRAM`, by which its descendants are found when it ends.
    pub environment: Vec<(String, String)>,
}

impl Program {
    /// Starts the program, with pipes for its input, its output and its standard error. It is in a process group of its
    /// own: Ctrl-C does not reach it, and it is ended with all that it started.
    ///
    /// # Errors
    /// Returns an error if there is no such program, or it cannot be started.
    pub fn start(&self) -> io::Result<Running> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is named"));
        };
        // A path from the folder would else be one from there or from here, as the system likes.
        let program = match program.contains('/') {
            true => std::path::absolute(&self.dir)?.join(program),
            false => program.into(),
        };
        let mark = mark();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.dir)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            command.env(crate::descendants::MARK, &mark);
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        Running::start(&mut command, mark)
    }
}

/// Returns a text that no other program on this machine was marked with.
fn mark() -> String {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{}-{}-{now}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed))
}
