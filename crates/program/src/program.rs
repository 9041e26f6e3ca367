//! What is started.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process_group::ProcessGroup;
use crate::running::Running;

/// A program and all that it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments. No shell reads them. A program without `/` is found by `PATH`; another is a path
    /// from `dir`.
    pub words: Vec<String>,
    /// The folder in which it runs.
    pub dir: PathBuf,
    /// All of its environment.
    pub environment: Vec<(String, String)>,
}

impl Program {
    /// Starts it, with pipes for its input and for what it says on standard error.
    ///
    /// # Errors
    /// Returns an error if there is no such program, or it cannot be started.
    pub fn start(&self, output: impl Into<Stdio>, group: ProcessGroup) -> io::Result<Running> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is named"));
        };
        // A path from the folder would else be one from there or from here, as the system likes.
        let program = match program.contains('/') {
            true => std::path::absolute(&self.dir)?.join(program),
            false => program.into(),
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.dir)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(Stdio::piped());
        #[cfg(unix)]
        if group == ProcessGroup::Own {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        Ok(Running::new(command.spawn()?, group))
    }
}
