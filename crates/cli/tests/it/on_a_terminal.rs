//! What is only done on a terminal: a question, a bar, and colours; on a real one, which `script` of util-linux makes.

use std::process::{Command, Stdio};

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, tiny, tiny_served, write_tiny};

const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{7f}";

/// Runs llull on a terminal on which `typed` is typed; returns how it ended and all that was shown.
fn on_terminal(sandbox: &Sandbox, arguments: &[&str], typed: &str) -> (i32, String) {
    let llull = sandbox.command(arguments);
    let quoted: Vec<String> = std::iter::once(llull.get_program())
        .chain(llull.get_args())
        .map(|word| format!("'{}'", word.to_str().unwrap()))
        .collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &quoted.join(" "), "/dev/null"]);
    script.current_dir(llull.get_current_dir().unwrap()).env_clear();
    script
        .envs(llull.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("TERM", "xterm-256color");
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = assert_cmd::Command::from_std(script).write_stdin(typed).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is shown without colours and what a bar moves and clears: `ESC [`, digits and semicolons, a letter.
fn without_styles(shown: &str) -> String {
    let mut parts = shown.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(
            part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';' || c == '?').get(1..).unwrap(),
        );
    }
    text.replace('\r', "")
}

#[track_caller]
fn inert(shown: &str) {
    let text = without_styles(shown);
    let acts =
        |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(acts), "{text:?}");
}

#[test]
fn hostile_identifiers_are_shown_and_not_obeyed() {
    let sandbox = tiny();
    for file in ["topics.tsv", "old.run", "new.run", "known.qrels"] {
        sandbox.write(file, &sandbox.read(file).replace("q1", &format!("q1{HOSTILE}")));
    }
    for format in ["table", "csv", "jsonl"] {
        let (code, shown) = on_terminal(
            &sandbox,
            &["measure", "known.qrels", "old.run", "-m", "nDCG@3", "-q", "--format", format],
            "",
        );
        assert_eq!(code, 0, "{shown}");
        assert!(
            shown.contains("q1\\u001b]0;owned") || shown.contains("q1\\\\u001b]0;owned"),
            "{format}: {shown}"
        );
        inert(&shown);
    }
}

/// Only `init` asked.
#[test]
fn of_several_columns_that_could_be_the_query_one_is_chosen() {
    let sandbox = Sandbox::new();
    sandbox.write("labels.csv", "query_id,doc_id,grade\n1,a,1\n");
    sandbox.write("run.csv", "query_id,qid,doc_id,score\n7,1,a,2\n");
    let measure = ["measure", "labels.csv", "run.csv", "-m", "RR"];
    let (code, shown) = on_terminal(&sandbox, &measure, "topic\nqid\n");
    assert_eq!(code, 0, "{shown}");
    for said in
        ["query could be", "(query_id, qid)", "is not among these columns", "--columns query=qid", "1.0000"]
    {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    sandbox.llull(&measure).refused(1, &["Name the right one: --columns query=query_id"]);
}

#[test]
fn a_bar_goes_as_far_as_the_calls_that_may_be_made() {
    let server = FaultyServer::start(FaultPlan { delay_ms: 150..=150, ..FaultPlan::default() }).unwrap();
    let sandbox = tiny_served(&server.url());
    let (code, shown) = on_terminal(&sandbox, &["run", "--max-calls", "5"], "");
    assert_eq!(code, 3, "{shown}");
    assert!(shown.contains("/5"), "{shown:?}");
    assert!(!shown.contains("/11"), "eleven pairs are pooled, of which five may be asked: {shown:?}");
    inert(&shown);
}

#[test]
fn a_study_from_a_stranger_asks_before_its_address_is_used() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let study = || {
        let mut sandbox = Sandbox::new();
        let judge = format!("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"{}\"\n", server.url());
        write_tiny(&sandbox, "", &judge);
        sandbox.set("LLULL_TRUST", "");
        sandbox
    };
    for refused in ["n\n", "\n", "maybe\n"] {
        let (code, shown) = on_terminal(&study(), &["run"], refused);
        assert_eq!(code, 1, "{shown}");
        assert!(shown.contains("allow http://127.0.0.1:"), "{shown}");
        assert_eq!(server.requests().len(), 0, "{shown}");
    }
    let sandbox = study();
    let (code, shown) = on_terminal(&sandbox, &["run"], "a\n");
    assert_eq!(code, 0, "{shown}");
    let asked = server.requests().len();
    assert!(asked > 0, "{shown}");
    // remembered: nothing is asked, of the user or of the server
    let (code, shown) = on_terminal(&sandbox, &["run"], "");
    assert_eq!((code, server.requests().len()), (0, asked), "{shown}");
    assert!(!shown.contains("allow http"), "{shown}");
}
