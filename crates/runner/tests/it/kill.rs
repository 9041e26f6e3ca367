//! Tests `kill -9` in the middle of a run against a server.
//!
//! No reported answer is lost, only questions in flight are paid for twice, and the labels equal those of a run that
//! was not killed.

use std::{
    cell::Cell,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use llull_core::Seed;
use llull_llm::RetryPolicy;
use llull_runner::{Cancel, Event, Judge, Reporter, RunOptions};
use llull_store::{Detail, JudgeLog, LedgerLock, LedgerReader, MemoryLedger, SqliteLedger, Totals};
use llull_testkit::{FaultPlan, FaultyServer};

use crate::{
    provider::{LONG, judge_at},
    stage::{options, run, run_all, statuses, workload},
};

const LEDGER: &str = "LLULL_TEST_KILLED_RUN";
const SERVER: &str = "LLULL_TEST_SERVER";
const CONCURRENCY: usize = 8;

/// The most verdicts before a run waits for its end: a slow machine may kill it late, and none is to finish.
const MOST: usize = 200;

/// A reporter that prints each verdict.
#[derive(Default)]
struct Aloud(Cell<usize>);

impl Reporter for Aloud {
    fn event(&self, event: Event<'_>) {
        if let Event::Judged { attempt, .. } = event {
            println!("\njudged {}", attempt.key);
            self.0.set(self.0.get() + 1);
            while self.0.get() >= MOST {
                std::thread::park();
            }
        }
    }
}

/// Returns options with more attempts than the faulty provider has faults for any prompt.
fn patient() -> RunOptions {
    let quick = options();
    RunOptions { retry: RetryPolicy { attempts: 4, ..quick.retry }, ..quick }
}

/// Runs in the child process until it is killed.
fn judge_for_ever(path: &Path) {
    let _lock = LedgerLock::acquire(path).unwrap();
    let url = std::env::var(SERVER).unwrap();
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge_at(&url, LONG, CONCURRENCY))];
    let mut store = SqliteLedger::open(path).unwrap();
    let cancel = Cancel::new();
    run(&workload(10, 120), &judges, &mut store, &patient(), &Aloud::default(), &cancel).unwrap();
}

#[test]
fn a_killed_run_is_resumed_as_if_nothing_had_happened() {
    // The test runs itself as the child.
    if let Some(path) = std::env::var_os(LEDGER) {
        return judge_for_ever(Path::new(&path));
    }
    let plan = FaultPlan {
        seed: Seed(3),
        delay_ms: 5..=25,
        rate_500: 0.05,
        malformed: 0.05,
        ..FaultPlan::default()
    };
    let server = FaultyServer::start(plan.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let mut reported = std::collections::BTreeSet::new();
    let kills = 3;
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill::a_killed_run_is_resumed_as_if_nothing_had_happened", "--exact", "--nocapture"])
            .env(LEDGER, &path)
            .env(SERVER, server.url())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut keys = lines.filter_map(|line| {
            line.strip_prefix("judged ").map(|key| key.parse::<llull_core::Hash>().unwrap())
        });
        reported.extend(keys.by_ref().take(80));
        child.kill().unwrap();
        child.wait().unwrap();
        reported.extend(keys);
        let store = SqliteLedger::open(&path).unwrap();
        let judge = store.judges().unwrap()[0].id;
        let log = JudgeLog::read(&store, &[Some(judge)], Detail::Facts).unwrap().remove(0);
        let is_judged = |key| log.find(key).is_some_and(|place| log.status(place).is_judged());
        assert!(reported.iter().all(is_judged), "a reported judgment is lost");
    }
    assert!(
        reported.len() >= 80 * kills && reported.len() < 1200,
        "killed in the middle: {}",
        reported.len()
    );
    // It may still be answering the questions that were in flight when the client died.
    server.wait_until_idle();

    let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge_at(&server.url(), LONG, CONCURRENCY))];
    let mut store = SqliteLedger::open(&path).unwrap();
    let resumed = run_all(&workload(10, 120), &judges, &mut store, &patient()).0.unwrap();
    let part = &resumed.judges[0];
    assert_eq!((part.gave_up, part.not_asked), (0, 0));
    assert!(part.reused >= reported.len());
    // A question with an unusable answer is repeated once on purpose; each kill may cost the questions in flight.
    let wanted = Totals::read(&store, None).unwrap();
    let answered = wanted.judged + wanted.unusable_attempts();
    let lost = server.served().answered() - answered;
    assert!(lost <= (kills * CONCURRENCY) as u64, "{lost} answers were paid for and not recorded");

    let clean = FaultyServer::start(plan).unwrap();
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge_at(&clean.url(), LONG, CONCURRENCY))];
    let whole = run_all(&workload(10, 120), &judges, &mut MemoryLedger::default(), &patient()).0.unwrap();
    assert_eq!(statuses(&resumed.evidence, 0), statuses(&whole.evidence, 0), "the labels differ");
}
