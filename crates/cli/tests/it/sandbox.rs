//! A folder of its own, `llull` in it with an environment of its own, and a transcript of what it says.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What one call did.
pub(crate) struct Transcript {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Transcript {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{self}"))
    }

    /// The same, which says all of this, on one stream or the other.
    #[track_caller]
    pub(crate) fn says(self, phrases: &[&str]) -> Self {
        let said = self.to_string();
        let unwrapped = unwrapped(&said);
        for phrase in phrases {
            // Lines and columns of a phrase must be there as they are.
            let has_lines = phrase.contains(['\n', '\t']);
            let is_there = said.contains(phrase) || (!has_lines && unwrapped.contains(phrase));
            assert!(is_there, "{phrase:?} is not in\n{said}");
        }
        self
    }

    /// The same, with these rows, whatever the widths of their columns.
    #[track_caller]
    pub(crate) fn rows(self, rows: &[&str]) -> Self {
        let said: Vec<String> = self.stdout.lines().map(words).collect();
        for row in rows {
            assert!(said.iter().any(|line| line == row), "{row:?} is no row of\n{self}");
        }
        self
    }

    /// The same, which was refused with this code and this on standard error, and has no result.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, phrases: &[&str]) -> Self {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self}");
        for phrase in phrases {
            assert!(self.stderr.contains(phrase), "{phrase:?} is not in\n{self}");
        }
        self
    }

    /// The same, which ended like this.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {}\n--- stdout ---\n{}--- stderr ---\n{}", self.code, self.stdout, self.stderr)
    }
}

/// A temporary folder in which `llull` is run.
pub(crate) struct Sandbox {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// The variables with keys that servers of tests may get.
const PROVIDER_KEYS: [&str; 4] = ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "VLLM_API_KEY", "OLLAMA_API_KEY"];

impl Sandbox {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    /// The folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Sets a variable for every call from here on.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
        self
    }

    /// Replaces a part of a file that is there once.
    #[track_caller]
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) -> &Self {
        let text = self.read(name);
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {name}:\n{text}");
        self.write(name, &text.replace(from, to))
    }

    /// A file's text.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs_err::read_to_string(self.path(name)).unwrap()
    }

    /// `llull` with nothing in its environment but a path, a home and what was [set](Self::set).
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_llull"));
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.folder.path());
        command.env("LLULL_TRUST", self.test_servers());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The servers of tests that studies of this sandbox name. Tests of what is asked for set `LLULL_TRUST` themselves.
    fn test_servers(&self) -> String {
        let folders = fs_err::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let configs = folders.chain([self.folder.path().to_owned()]).map(|folder| folder.join("llull.toml"));
        let texts = configs.filter(|file| file.is_file()).map(|file| fs_err::read_to_string(file).unwrap());
        let servers = texts.flat_map(|text| {
            let keys = text.split("key = \"").skip(1).filter_map(|rest| rest.split('"').next());
            let keys = keys.filter(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
            let keys: Vec<&str> = PROVIDER_KEYS.into_iter().chain(keys).collect();
            let named = text.split('"').filter(|word| word.starts_with("http://127.0.0.1:"));
            let with_keys = named.flat_map(|server| keys.iter().map(move |key| format!("{key}@{server}")));
            with_keys.collect::<Vec<_>>()
        });
        servers.collect::<Vec<_>>().join(",")
    }

    /// Runs `llull` to its end.
    pub(crate) fn llull(&self, arguments: &[&str]) -> Transcript {
        self.transcript(&self.command(arguments).output().unwrap())
    }

    /// Runs `llull` with this on its standard input.
    pub(crate) fn llull_with_input(&self, arguments: &[&str], input: &str) -> Transcript {
        let output = assert_cmd::Command::from_std(self.command(arguments)).write_stdin(input).output();
        self.transcript(&output.unwrap())
    }

    fn transcript(&self, output: &std::process::Output) -> Transcript {
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            // the whole path first: on some systems the temporary folder is behind a link
            let whole = self.folder.path().canonicalize().unwrap();
            text.replace(&*whole.to_string_lossy(), "[DIR]")
                .replace(&*self.folder.path().to_string_lossy(), "[DIR]")
        };
        Transcript {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: without_progress(&text(&output.stderr)),
        }
    }
}

/// The judge of [`tiny`]: it knows the grade of every pair.
pub(crate) const REPLAY: &str =
    "[[judges]]\nname = \"known\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n";

/// A study of three queries and two systems, whose figures can be worked out by hand.
pub(crate) fn tiny() -> Sandbox {
    tiny_judged_by(REPLAY)
}

/// The same, judged by a model behind a server.
pub(crate) fn tiny_served(url: &str) -> Sandbox {
    tiny_judged_by(&format!(
        "[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\nbase_url = \"{url}\"\ntimeout = 60\n"
    ))
}

/// The same, with these judges.
pub(crate) fn tiny_judged_by(judges: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    write_tiny(&sandbox, "", judges);
    sandbox
}

/// Writes the study into a folder of the sandbox; its name ends in `/` or is empty.
pub(crate) fn write_tiny(sandbox: &Sandbox, folder: &str, judges: &str) {
    let at = |name: &str| format!("{folder}{name}");
    sandbox.write(&at("llull.toml"), &format!("{TINY}{judges}"));
    sandbox.write(
        &at("topics.tsv"),
        "q1\treset a forgotten password\nq2\texport a report as csv\nq3\tdelete my account\n",
    );
    sandbox.write(&at("corpus.jsonl"), &corpus());
    sandbox.write(&at("old.run"), &run("old", [["a2", "a1", "a3"], ["b1", "b3", "b2"], ["c3", "c2", "c1"]]));
    sandbox.write(&at("new.run"), &run("new", [["a1", "a2", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]));
    sandbox.write(
        &at("known.qrels"),
        "q1 0 a1 3\nq1 0 a2 1\nq1 0 a3 0\nq1 0 a4 2\n\
         q2 0 b1 2\nq2 0 b2 3\nq2 0 b3 0\nq2 0 b4 1\n\
         q3 0 c1 3\nq3 0 c2 0\nq3 0 c3 1\n",
    );
}

const TINY: &str = r#"version = 1
name = "tiny"
topics = "topics.tsv"
corpus = "corpus.jsonl"
measures = ["nDCG@3", "P(rel=2)@1"]

[pool]
depth = 3

[[systems]]
name = "old"
run = "old.run"

[[systems]]
name = "new"
run = "new.run"

"#;

/// Pairs in the pool of the tiny study.
pub(crate) const TINY_PAIRS: u64 = 11;

fn corpus() -> String {
    let documents = [
        (
            "a1",
            "Forgotten password",
            "Choose Forgot password on the sign-in page and follow the link in the mail.",
        ),
        ("a2", "Password rules", "A password has at least twelve characters."),
        ("a3", "Passkeys", "A passkey is kept on your telephone."),
        ("a4", "Locked out", "Ask an administrator to send you a link that resets your password."),
        ("b1", "Exporting", "Open the report and choose Export. CSV and PDF are offered."),
        ("b2", "Reports as CSV", "To export a report as CSV, choose Export, then CSV."),
        ("b3", "Importing", "A CSV file can be imported as a table."),
        ("b4", "Scheduled reports", "A report can be sent by mail every Monday."),
        ("c1", "Deleting an account", "Under Settings, Account, choose Delete my account and confirm."),
        ("c2", "Deleting a project", "An owner can delete a project."),
        ("c3", "Accounts", "An account belongs to one person."),
    ];
    documents
        .map(|(id, title, text)| format!("{}\n", serde_json::json!({"id": id, "title": title, "text": text})))
        .concat()
}

/// A run in TREC's form: the documents of q1, q2, q3, best first.
pub(crate) fn run(tag: &str, rankings: [[&str; 3]; 3]) -> String {
    let mut text = String::new();
    for (topic, ranking) in ["q1", "q2", "q3"].iter().zip(rankings) {
        for (index, document) in ranking.iter().enumerate() {
            text.push_str(&format!("{topic} Q0 {document} {} {} {tag}\n", index + 1, 3 - index));
        }
    }
    text
}

/// A text without what llull prints every few seconds of something long: a slow machine has some, a fast one none.
pub(crate) fn without_progress(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !is_progress(line.trim_end())).collect()
}

fn is_progress(line: &str) -> bool {
    let count = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ',');
    let goes_on = |rest: &str| match rest.split_once(" of ") {
        Some((done, rest)) if count(done) => {
            rest.contains(" a second") || rest.ends_with(" queries simulated")
        }
        _ => false,
    };
    // The first five waves are printed at once, later ones now and then.
    let wave = line.strip_prefix("wave ").and_then(|rest| rest.split_once(": ")?.0.parse::<u32>().ok());
    line.strip_prefix("  ").is_some_and(goes_on)
        || (line.starts_with("encoded ") && line.ends_with(" texts"))
        || line.ends_with(" documents have their vectors")
        || wave.is_some_and(|wave| wave > 5)
}

/// What differs from one call to the next.
pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        (r"concurrency = \d+", "concurrency = [N]"),
        (r"127\.0\.0\.1:\d+", "[SERVER]"),
        (r"(?m) +\d+ / \d+$", " [TIME] / [TIME]"),
    ]
}

/// Compares with the snapshot that is named after the test.
macro_rules! check {
    ($transcript:expr) => {
        insta::with_settings!({filters => crate::sandbox::filters(), omit_expression => true}, {
            insta::assert_snapshot!($transcript.to_string());
        })
    };
}
pub(crate) use check;

/// Bytes of every file below a folder that hold this text: for what must not be on disk.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if fs_err::read(&path).unwrap().windows(text.len()).any(|window| window == text.as_bytes()) {
            found.push(path);
        }
    }
    found
}

/// A text in which every line continues the one before it.
fn unwrapped(text: &str) -> String {
    text.split('\n').map(|line| line.trim_start_matches(' ')).collect::<Vec<_>>().join(" ")
}

/// A text in one line, with one space between words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a command line in which no word has a blank.
pub(crate) fn command_line(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}
