//! What signals do while judges are not asked: they end the process at once, by the signal.

use std::io::{BufRead, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use llull_testkit::{FaultPlan, FaultyServer};

use crate::faults::wait_for;
use crate::sandbox::{Sandbox, tiny_served};

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

fn study() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("topics.tsv", "q1\tcats\nq2\tdogs\n");
    sandbox.write("corpus.tsv", "d1\tcats purr\nd2\tdogs bark\n");
    for (name, first, second) in [("a", "d1", "d2"), ("b", "d2", "d1")] {
        let lines =
            ["q1", "q2"].map(|query| format!("{query} Q0 {first} 1 2 t\n{query} Q0 {second} 2 1 t\n"));
        sandbox.write(&format!("{name}.run"), &lines.concat());
    }
    sandbox.write(
        "llull.toml",
        "version = 1\ntopics = \"topics.tsv\"\ncorpus = \"corpus.tsv\"\nmeasures = [\"nDCG@2\", \"P@1\"]\n\
         [[systems]]\nname = \"a\"\nrun = \"a.run\"\n[[systems]]\nname = \"b\"\nrun = \"b.run\"\n\
         [[judges]]\nmodel = \"similarity\"\n",
    );
    sandbox
}

fn signal(child: &Child, signal: i32) {
    let status = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(status.success());
}

/// Waits for the end; a process that goes on is killed, and fails the test.
#[track_caller]
fn ended(mut child: Child) -> ExitStatus {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(300) {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("it went on after the signal");
}

/// Whether processes that this one starts ignore a signal, as below `nohup`.
fn is_ignored(signal: i32) -> bool {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0").trim();
    u64::from_str_radix(mask, 16).unwrap() >> (signal - 1) & 1 == 1
}

#[test]
fn a_signal_ends_a_command_that_waits_for_its_input() {
    for number in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|number| !is_ignored(*number)) {
        let sandbox = study();
        let mut command = sandbox.command(&["evaluate", "-", "--results", "a.jsonl"]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // A pipe holds less than this, so it returns when the dataset is being read. Its end never comes.
        input.write_all(&vec![b'x'; 1 << 20]).unwrap();
        signal(&child, number);
        assert_eq!(ended(child).signal(), Some(number));
    }
}

#[test]
fn a_signal_ends_a_run_that_computes_its_report() {
    let sandbox = study();
    sandbox.llull(&["run"]).ends(0);
    let report = sandbox.read("report.md");
    // Hours of resampling.
    let measures: Vec<String> = (1..=500).map(|cutoff| format!("\"nDCG@{cutoff}\"")).collect();
    sandbox.edit("llull.toml", "\"nDCG@2\", \"P@1\"", &measures.join(", "));
    sandbox.edit("llull.toml", "[[judges]]", "[compare]\nresamples = 10000000\n[[judges]]");
    let mut child = sandbox.command(&["run"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.ends_with("0 to ask")), "nothing is left but the report");
    // The run may still be about to end, which the first signal would only hasten.
    for _ in 0..3_000 {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        signal(&child, SIGINT);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(ended(child).signal(), Some(SIGINT));
    assert_eq!(sandbox.read("report.md"), report, "the report of before is whole");
}

/// The first waits for what is on its way, which here never comes: a request may take ten minutes.
#[test]
fn a_second_ctrl_c_drops_what_is_on_its_way() {
    let server = FaultyServer::start(FaultPlan { hang: 1.0, ..FaultPlan::default() }).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 600");
    let mut child = sandbox.command(&["run"]).spawn().unwrap();
    wait_for(&server, 1);
    signal(&child, SIGINT);
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let waits = lines.map(Result::unwrap).find(|line| line.contains("stopping; waiting for"));
    assert!(waits.is_some(), "it waits for answers");
    assert_eq!(child.try_wait().unwrap(), None, "it waits for answers");
    signal(&child, SIGINT);
    let status = ended(child);
    assert!(!status.success(), "{status:?}");
    sandbox.llull(&["ledger", "check"]).ends(0);
}
