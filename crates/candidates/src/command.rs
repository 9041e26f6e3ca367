//! Retrievers that are programs of their own: queries on standard input, results on standard output.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{ChildStdin, ExitStatus};
use std::time::{Duration, Instant};

use llull_core::Topics;
use llull_program::{ProcessGroup, Program};
use serde::Serialize;

/// A program that retrieves.
#[derive(Debug, Clone)]
pub struct RetrievalCommand<'a> {
    /// The system's name.
    pub name: &'a str,
    /// The program and its arguments. No shell reads them.
    pub arguments: &'a [String],
    /// The folder in which it runs.
    pub dir: &'a Path,
    /// All of its environment.
    pub environment: Vec<(String, String)>,
    /// How long it may take for all queries.
    pub timeout: Duration,
}

/// The reason why a program retrieved nothing.
#[derive(Debug, thiserror::Error)]
#[error("system {system}: {program:?} {failure}")]
pub struct CommandError {
    /// The system's name.
    pub system: String,
    /// The program.
    pub program: String,
    /// What happened.
    #[source]
    pub failure: CommandFailure,
}

/// What happened to a program.
#[derive(Debug, thiserror::Error)]
pub enum CommandFailure {
    /// It could not be started.
    #[error(
        "cannot be started: {0}. A program is found by PATH, or by its path from the study's folder if that has a /"
    )]
    Start(#[source] std::io::Error),
    /// It could not be waited for.
    #[error("cannot be waited for: {0}")]
    Wait(#[source] std::io::Error),
    /// It ended with an error.
    #[error("ended with {status}{}", behind(said))]
    Status {
        /// How it ended.
        status: ExitStatus,
        /// The end of what it said on standard error.
        said: String,
    },
    /// It took too long.
    #[error(
        "was stopped after {} s, which all queries together may take; raise `timeout`, or ask about fewer{}",
        timeout.as_secs_f64(), behind(said)
    )]
    TimedOut {
        /// What it was given.
        timeout: Duration,
        /// The end of what it said on standard error.
        said: String,
    },
}

fn behind(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; it said:\n{said}") }
}

/// One query, as a program reads it.
#[derive(Serialize)]
struct Query<'a> {
    query_id: &'a str,
    query: &'a str,
    k: usize,
}

impl RetrievalCommand<'_> {
    /// Runs the program, which is given one JSON object a line, `{"query_id":"q1","query":"...","k":10}`, and then the
    /// end of its input. What it prints goes into `output`. Returns how long it took.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, ends with another status than 0, or takes longer than it may.
    pub fn run(&self, topics: &Topics, depth: usize, output: File) -> Result<Duration, CommandError> {
        let started = Instant::now();
        self.run_for(topics, depth, output).map(|()| started.elapsed()).map_err(|failure| CommandError {
            system: self.name.to_owned(),
            program: self.arguments.first().cloned().unwrap_or_default(),
            failure,
        })
    }

    fn run_for(&self, topics: &Topics, depth: usize, output: File) -> Result<(), CommandFailure> {
        let program = Program {
            words: self.arguments.to_vec(),
            dir: self.dir.to_owned(),
            environment: self.environment.clone(),
        };
        let mut running = program.start(output, ProcessGroup::Shared).map_err(CommandFailure::Start)?;
        let input = running.take_input();
        let queries: Vec<u8> = topics
            .iter()
            .flat_map(|topic| {
                let query = Query { query_id: &topic.id, query: &topic.text, k: depth };
                // Strings and a number are always JSON.
                let mut line = serde_json::to_vec(&query).unwrap_or_default();
                line.push(b'\n');
                line
            })
            .collect();
        std::thread::spawn(move || tell(input, &queries));
        let ended = running.wait(self.timeout).map_err(CommandFailure::Wait)?;
        if ended.is_none() {
            running.end();
        }
        let said = || running.said();
        match ended {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(CommandFailure::Status { status, said: said() }),
            None => Err(CommandFailure::TimedOut { timeout: self.timeout, said: said() }),
        }
    }
}

/// Writes the queries. A program that does not read all of them is no error: how it ends says what it did.
fn tell(input: Option<ChildStdin>, queries: &[u8]) {
    if let Some(input) = input {
        let mut input = BufWriter::new(input);
        let _ = input.write_all(queries).and_then(|()| input.flush());
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use llull_core::Topic;

    use super::*;

    fn run(script: &str, queries: usize, timeout: Duration) -> (Result<Duration, CommandError>, String) {
        let topics = (0..queries).map(|at| Topic { id: format!("q{at}"), text: format!("text \"{at}\"\n") });
        let mut output = tempfile::tempfile().unwrap();
        let arguments = ["sh", "-c", script].map(str::to_owned);
        let command = RetrievalCommand {
            name: "mine",
            arguments: &arguments,
            dir: Path::new("/"),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into()), ("ONE".into(), "1".into())],
            timeout,
        };
        let ended = command.run(&topics.collect(), 7, output.try_clone().unwrap());
        let mut printed = String::new();
        output.rewind().unwrap();
        output.read_to_string(&mut printed).unwrap();
        (ended, printed)
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn it_reads_queries_and_prints() {
        let (ended, printed) = run("cat; pwd; env | cut -d= -f1 | sort | tr '\\n' ' '", 2, LONG);
        ended.unwrap();
        let (queries, rest) = printed.split_once("/\n").unwrap();
        assert_eq!(
            queries,
            "{\"query_id\":\"q0\",\"query\":\"text \\\"0\\\"\\n\",\"k\":7}\n\
             {\"query_id\":\"q1\",\"query\":\"text \\\"1\\\"\\n\",\"k\":7}\n"
        );
        let own = ["ONE", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
        assert!(rest.split_whitespace().all(|name| own.contains(&name)), "{rest}");
    }

    /// More than a pipe holds, in both directions that can block.
    #[test]
    fn a_program_that_reads_nothing_and_says_much_ends() {
        let (ended, printed) = run("head -c 1000000 /dev/zero >&2; echo done", 20_000, LONG);
        ended.unwrap();
        assert_eq!(printed, "done\n");
    }

    #[test]
    fn how_it_failed_is_said() {
        let failed = |script, timeout| run(script, 1, timeout).0.unwrap_err().to_string();
        assert_eq!(
            failed("echo first >&2; echo no database >&2; exit 3", LONG),
            "system mine: \"sh\" ended with exit status: 3; it said:\nfirst\nno database"
        );
        assert_eq!(
            failed("echo wait >&2; exec sleep 60", Duration::from_millis(300)),
            "system mine: \"sh\" was stopped after 0.3 s, which all queries together may take; raise `timeout`, or ask \
             about fewer; it said:\nwait"
        );
        let arguments = ["llull-no-such-program".to_owned()];
        let command = RetrievalCommand {
            name: "mine",
            arguments: &arguments,
            dir: Path::new("/"),
            environment: Vec::new(),
            timeout: LONG,
        };
        let said = command.run(&Topics::default(), 1, tempfile::tempfile().unwrap()).unwrap_err().to_string();
        assert!(
            said.starts_with("system mine: \"llull-no-such-program\" cannot be started: No such file"),
            "{said}"
        );
    }
}
