//! `kill -9` and Ctrl-C in the middle of a run: nothing is lost, and nothing paid twice but what was in
//! flight.

use llull_testkit::{FaultPlan, FaultyServer};
use std::io::{BufRead as _, BufReader};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::faults::{CONCURRENCY, came_too_late, plan, study, sum, totals, wait_for};
use crate::sandbox::Sandbox;

/// Pairs in the pool: several times as many as are in flight.
const PAIRS: u64 = 600;

/// The labels of a run that nobody disturbs, neither on the way to the server nor back: they follow from the texts
/// alone.
fn undisturbed() -> String {
    let calm = FaultPlan { delay_ms: 0..=1, rate_429: 0.0, rate_500: 0.0, hang: 0.0, reset: 0.0, ..plan() };
    let server = FaultyServer::start(calm).unwrap();
    let sandbox = study(&server, PAIRS);
    sandbox.llull(&["run"]).ends(3);
    sandbox.read("labels.qrels")
}

fn attempts(sandbox: &Sandbox) -> u64 {
    totals(sandbox)["attempts"].as_u64().unwrap()
}

/// What had been asked and recorded when a run was killed.
#[derive(Debug)]
pub(crate) struct Killed {
    pub(crate) asked: u64,
    pub(crate) recorded: u64,
}

/// Kills a run after so many requests and runs it again: what was recorded stays, and only what was in flight is lost
/// or paid twice.
pub(crate) fn killed_and_resumed(
    sandbox: &Sandbox,
    server: &FaultyServer,
    requests: u64,
    concurrency: u64,
) -> Killed {
    server.hold_after(requests as usize);
    let mut child = sandbox.command(&["run"]).spawn().unwrap();
    wait_for(server, requests);
    child.kill().unwrap();
    child.wait().unwrap();

    let export = sandbox.llull(&["ledger", "export"]).ends(0).stdout;
    let killed = Killed { recorded: attempts(sandbox), asked: server.served().total() };
    assert!(killed.asked - killed.recorded <= concurrency, "{killed:?}: only what was in flight is lost");

    server.release();
    sandbox.llull(&["run"]).ends(3);
    assert!(
        sandbox.llull(&["ledger", "export"]).stdout.starts_with(&export),
        "what was recorded is there, as it was"
    );
    // an answer that cannot be used is asked for once more; that is no loss
    let (totals, served) = (totals(sandbox), server.served());
    let on_purpose = sum(&totals["unusable"]) / 2 + came_too_late(&totals, &served);
    let twice = served.answered_again();
    assert!(
        twice <= concurrency + on_purpose,
        "{twice} answers were paid twice: {totals} {:?}",
        served.kinds
    );
    killed
}

#[test]
fn killed_half_way() {
    let expected = undisturbed();
    let server = FaultyServer::start(plan()).unwrap();
    let sandbox = study(&server, PAIRS);
    let killed = killed_and_resumed(&sandbox, &server, PAIRS * 2 / 5, CONCURRENCY);
    assert!(killed.recorded > 0 && killed.recorded < PAIRS, "{killed:?}");
    assert_eq!(sandbox.read("labels.qrels"), expected);
}

#[cfg(unix)]
#[test]
fn interrupted_half_way() {
    let server = FaultyServer::start(plan()).unwrap();
    let sandbox = study(&server, PAIRS);
    server.hold_after(PAIRS as usize * 2 / 5);
    let mut child = sandbox.command(&["run"]).spawn().unwrap();
    wait_for(&server, PAIRS * 2 / 5 + 1);
    assert!(
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success()
    );
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("stopping; waiting for")), "it waits for what is in flight");
    server.release();
    let said = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
    assert!(said.contains("interrupted; all answers so far are in the ledger"), "{said}");

    // It waited for what was in flight, so the ledger has all that the server was asked.
    assert_eq!(attempts(&sandbox), server.served().total());
    assert!(sandbox.read("report.md").contains("not asked"), "what there is so far is reported");
    sandbox.llull(&["run"]).ends(3);
    let (totals, served) = (totals(&sandbox), server.served());
    let on_purpose = sum(&totals["unusable"]) / 2 + came_too_late(&totals, &served);
    assert!(served.answered_again() <= on_purpose, "nothing is paid twice: {totals} {:?}", served.kinds);
    assert_eq!(attempts(&sandbox), server.served().total());
}

/// Answers in a log that somebody deletes used to be bought again in silence.
#[test]
fn what_a_deleted_log_held_is_counted_before_it_is_bought_again() {
    let server = FaultyServer::start(plan()).unwrap();
    // Few answers, so that they are still in the log.
    server.hold_after(100);
    let sandbox = study(&server, PAIRS);
    let count = sandbox.path(".llull/ledger.sqlite.count");
    let mut child = sandbox.command(&["run"]).spawn().unwrap();
    let recorded = || -> u64 {
        let text = fs_err::read_to_string(&count).unwrap_or_default();
        text.trim_end().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    let begin = Instant::now();
    while recorded() == 0 {
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let recorded = recorded();
    fs_err::remove_file(sandbox.path(".llull/ledger.sqlite-wal")).unwrap();

    let check = sandbox.llull(&["ledger", "check", "--json"]).ends(1).json();
    assert_eq!(check["lost"]["recorded"], recorded);
    let missing = recorded - check["lost"]["found"].as_u64().unwrap();
    let lost = format!("{missing} of {recorded} recorded attempts are missing from the ledger");
    let asked = server.served().total();
    for command in [&["run"][..], &["run", "--no-report"]] {
        sandbox.llull(command).ends(1).says(&[&lost, "--accept-loss"]);
    }
    assert_eq!(server.served().total(), asked, "nothing is asked before that is said");
    for command in [&["report"][..], &["label"], &["doctor"], &["ledger", "status"], &["run", "--dry-run"]] {
        sandbox.llull(command).says(&[&lost, "llull ledger check shows the remedy"]);
    }
    sandbox.llull(&["ledger", "check"]).ends(1).says(&[&lost, "--accept-loss"]);

    server.release();
    sandbox.llull(&["run", "--accept-loss"]).ends(3);
    sandbox.llull(&["ledger", "check"]).ends(0);
    assert!(attempts(&sandbox) >= PAIRS);
}
