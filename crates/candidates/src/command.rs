//! Runs a retriever that is a program, over standard input and output.

use std::io::{BufWriter, Read as _, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use llull_core::Topics;
use llull_program::{Program, Running};
use serde::Serialize;

/// How much of the output is read at once, and how many such parts wait to be written.
const PART: usize = 64 * 1024;
const PARTS: usize = 16;

/// How often llull checks whether a program has ended.
const LOOK: Duration = Duration::from_millis(20);

/// How long the output of a program that has ended may stay open: its processes are ended, so only one that escaped
/// holds it.
const CLOSING: Duration = Duration::from_secs(10);

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
    /// The failure.
    #[source]
    pub failure: CommandFailure,
}

/// The failure of a program.
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
    /// Its results could not be written.
    #[error("printed results that cannot be written: {0}")]
    Write(#[source] std::io::Error),
    /// It ended, and a process that it started still prints.
    #[error(
        "ended, but a process that it started still holds its output, so the results may be incomplete; wait for that \
         process in the program"
    )]
    StillOpen,
    /// It ended with an error.
    #[error("ended with {status}{}", behind(said))]
    Status {
        /// How it ended.
        status: ExitStatus,
        /// The end of its standard error.
        said: String,
    },
    /// It took too long.
    #[error(
        "was stopped after {} s, which all queries together may take; raise `timeout`, or ask about fewer{}",
        timeout.as_secs_f64(), behind(said)
    )]
    TimedOut {
        /// The time limit for all queries.
        timeout: Duration,
        /// The end of its standard error.
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
    /// Runs the program. It gets one JSON object a line, `{"query_id":"q1","query":"...","k":10}`, and then the end of
    /// its input. Its output goes into `output`. When it ends, all processes that it started are ended. Returns its
    /// running time.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, ends with a status other than 0, or exceeds its time limit.
    pub fn run(
        &self,
        topics: &Topics,
        depth: usize,
        output: &mut dyn Write,
    ) -> Result<Duration, CommandError> {
        let started = Instant::now();
        self.run_for(topics, depth, output).map(|()| started.elapsed()).map_err(|failure| CommandError {
            system: self.name.to_owned(),
            program: self.arguments.first().cloned().unwrap_or_default(),
            failure,
        })
    }

    fn run_for(&self, topics: &Topics, depth: usize, output: &mut dyn Write) -> Result<(), CommandFailure> {
        let program = Program {
            words: self.arguments.to_vec(),
            dir: self.dir.to_owned(),
            environment: self.environment.clone(),
        };
        let mut running = program.start().map_err(CommandFailure::Start)?;
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
        let (send, parts) = sync_channel(PARTS);
        let printed = running.take_output();
        std::thread::spawn(move || read_parts(printed, &send));
        let status = self.until_its_end(&mut running, &parts, output)?;
        // Its processes print nothing from here on, so the file does not change between the check and the later read.
        running.end();
        match status {
            Some(status) if status.success() => write_rest(&parts, output),
            Some(status) => Err(CommandFailure::Status { status, said: running.said() }),
            None => Err(CommandFailure::TimedOut { timeout: self.timeout, said: running.said() }),
        }
    }

    /// Writes a program's output until it ends; `None` if it exceeds its time limit.
    fn until_its_end(
        &self,
        running: &mut Running,
        parts: &Receiver<Vec<u8>>,
        output: &mut dyn Write,
    ) -> Result<Option<ExitStatus>, CommandFailure> {
        let started = Instant::now();
        loop {
            match parts.recv_timeout(LOOK) {
                Ok(part) => output.write_all(&part).map_err(CommandFailure::Write)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let left = self.timeout.saturating_sub(started.elapsed());
                    return running.wait(left).map_err(CommandFailure::Wait);
                }
            }
            let ended = running.wait(Duration::ZERO).map_err(CommandFailure::Wait)?;
            if ended.is_some() || started.elapsed() >= self.timeout {
                return Ok(ended);
            }
        }
    }
}

/// Reads a program's output, until no process holds the output any more, or the receiver is gone.
fn read_parts(printed: Option<ChildStdout>, parts: &SyncSender<Vec<u8>>) {
    let Some(mut printed) = printed else { return };
    loop {
        let mut part = vec![0; PART];
        match printed.read(&mut part) {
            Ok(read @ 1..) => part.truncate(read),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => return,
        }
        if parts.send(part).is_err() {
            return;
        }
    }
}

/// Writes the rest of the output of a program that has ended.
fn write_rest(parts: &Receiver<Vec<u8>>, output: &mut dyn Write) -> Result<(), CommandFailure> {
    let ended = Instant::now();
    loop {
        match parts.recv_timeout(CLOSING.saturating_sub(ended.elapsed())) {
            Ok(part) => output.write_all(&part).map_err(CommandFailure::Write)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => return Err(CommandFailure::StillOpen),
        }
        if ended.elapsed() >= CLOSING {
            return Err(CommandFailure::StillOpen);
        }
    }
}

/// Writes the queries. A program may ignore some of them: its exit status decides whether it failed.
fn tell(input: Option<ChildStdin>, queries: &[u8]) {
    if let Some(input) = input {
        let mut input = BufWriter::new(input);
        let _ = input.write_all(queries).and_then(|()| input.flush());
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use llull_core::Topic;

    use super::*;

    fn run(script: &str, queries: usize, timeout: Duration) -> (Result<Duration, CommandError>, String) {
        let topics = (0..queries).map(|at| Topic { id: format!("q{at}"), text: format!("text \"{at}\"\n") });
        let mut output = Vec::new();
        let arguments = ["sh", "-c", script].map(str::to_owned);
        let command = RetrievalCommand {
            name: "mine",
            arguments: &arguments,
            dir: Path::new("/"),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into()), ("ONE".into(), "1".into())],
            timeout,
        };
        let ended = command.run(&topics.collect(), 7, &mut output);
        (ended, String::from_utf8(output).unwrap())
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
        let own = ["LLULL_PROGRAM", "ONE", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
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
    fn everything_it_prints_arrives() {
        let (ended, printed) = run("yes 0123456789abcdef | head -n 300000", 1, LONG);
        ended.unwrap();
        assert_eq!(printed.len(), 300_000 * 17);
        assert!(printed.lines().all(|line| line == "0123456789abcdef"));
    }

    /// Waits until a process is gone. One that has ended and was not waited for has no command line.
    #[track_caller]
    fn gone(id: &str) {
        let began = std::time::Instant::now();
        let line = Path::new("/proc").join(id.trim()).join("cmdline");
        while fs_err::read(&line).is_ok_and(|line| !line.is_empty()) {
            assert!(began.elapsed() < LONG, "{id} still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Which processes are ended is tested where they are started; here, that every way to end gets there.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_that_it_started_outlives_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("session");
        let starts = |ends: &str| {
            let child = format!("setsid sh -c 'echo $$ >{0}; exec sleep 600' &", file.display());
            format!("{child} until [ -s {} ]; do sleep 0.01; done; {ends}", file.display())
        };
        for (ends, ended_well) in [("echo done", true), ("exit 3", false)] {
            assert_eq!(run(&starts(ends), 1, LONG).0.is_ok(), ended_well);
            gone(&fs_err::read_to_string(&file).unwrap());
            fs_err::remove_file(&file).unwrap();
        }
        // A busy machine may need some time to get as far as the child.
        for seconds in [1, 2, 4, 8, 16, 32, 64] {
            let ended = run(&starts("sleep 600"), 1, Duration::from_secs(seconds)).0.unwrap_err();
            assert!(matches!(ended.failure, CommandFailure::TimedOut { .. }), "{ended}");
            if fs_err::read_to_string(&file).is_ok_and(|id| !id.is_empty()) {
                break;
            }
        }
        gone(&fs_err::read_to_string(&file).unwrap());
    }

    #[test]
    fn a_late_line_is_no_result() {
        let folder = tempfile::tempdir().unwrap();
        let gate = folder.path().join("gate");
        let late = format!("(until [ -e {0} ]; do sleep 0.01; done; echo late) & echo early", gate.display());
        let (ended, printed) = run(&late, 1, LONG);
        ended.unwrap();
        fs_err::write(gate, "").unwrap();
        assert_eq!(printed, "early\n");
    }

    #[test]
    fn how_it_failed_is_said() {
        let failed = |script, timeout| run(script, 1, timeout).0.unwrap_err().to_string();
        assert_eq!(
            failed("echo first >&2; echo no database >&2; exit 3", LONG),
            "system mine: \"sh\" ended with exit status: 3; it said:\nfirst\nno database"
        );
        // A busy machine may need some time to get as far as the word.
        let waits =
            |seconds| (seconds, failed("echo wait >&2; exec sleep 600", Duration::from_secs(seconds)));
        let (seconds, said) =
            [1, 4, 16, 64].into_iter().map(waits).find(|(_, said)| said.ends_with("wait")).unwrap();
        assert_eq!(
            said,
            format!(
                "system mine: \"sh\" was stopped after {seconds} s, which all queries together may take; raise \
                 `timeout`, or ask about fewer; it said:\nwait"
            )
        );
        let arguments = ["llull-no-such-program".to_owned()];
        let command = RetrievalCommand {
            name: "mine",
            arguments: &arguments,
            dir: Path::new("/"),
            environment: Vec::new(),
            timeout: LONG,
        };
        let said = command.run(&Topics::default(), 1, &mut Vec::new()).unwrap_err().to_string();
        assert!(
            said.starts_with("system mine: \"llull-no-such-program\" cannot be started: No such file"),
            "{said}"
        );
    }
}
