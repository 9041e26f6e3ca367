//! Tests `kill -9` at any moment.
//!
//! Every batch that was reported as appended is complete, and no batch is partial.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use llull_core::Reason;
use llull_store::{LedgerReader, LedgerWriter, SqliteLedger};

use crate::facts::{all, attempt, graded, spec, unusable};

const BATCH: usize = 200;
const LEDGER: &str = "LLULL_TEST_KILLED_LEDGER";

/// Runs in the child process until it is killed: appends a batch, then prints its number.
fn append_for_ever(path: &Path) -> ! {
    let mut ledger = SqliteLedger::open(path).unwrap();
    let judge = ledger.register("j", &spec("m")).unwrap();
    let first = all(&ledger).len() / BATCH;
    let mut out = std::io::stdout();
    for batch in first.. {
        let attempts: Vec<_> = (0..BATCH)
            .map(|at| {
                let outcome = if at % 7 == 0 { unusable(Reason::Empty) } else { graded(1) };
                let mut attempt = attempt(&batch.to_string(), &at.to_string(), outcome);
                attempt.answer.reply = Some("reply ".repeat(at));
                (judge, attempt)
            })
            .collect();
        ledger.append(&attempts).unwrap();
        writeln!(out, "\nappended {batch}").unwrap();
        out.flush().unwrap();
    }
    unreachable!()
}

#[test]
fn a_killed_writer_loses_nothing_that_it_reported() {
    // The test runs itself as the child.
    if let Some(path) = std::env::var_os(LEDGER) {
        append_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let mut reported = 0;
    for delay_ms in [0, 1, 3, 7, 13, 22, 35, 50, 71, 90] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill::a_killed_writer_loses_nothing_that_it_reported", "--exact", "--nocapture"])
            .env(LEDGER, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let batch =
            |line: String| line.strip_prefix("appended ").map(|batch| batch.parse::<usize>().unwrap());
        let mut last = lines.by_ref().find_map(batch).expect("the child ended by itself");
        // Wherever this kills it, within a batch or between two, the checks below hold.
        std::thread::sleep(Duration::from_millis(delay_ms));
        child.kill().unwrap();
        child.wait().unwrap();
        last = lines.filter_map(batch).last().unwrap_or(last);
        assert!(last >= reported);
        reported = last;

        let mut batches: BTreeMap<usize, usize> = BTreeMap::new();
        let reader = SqliteLedger::open_read_only(&path).unwrap();
        assert_eq!(reader.loss(), None, "what the dead writer counted was durable");
        let seen = all(&reader);
        let left = all(&SqliteLedger::open(&path).unwrap());
        assert!(seen == left, "a reader reads what the dead writer left in its journal");
        for (_, attempt) in left {
            assert_eq!(attempt.answer.reply.unwrap().len(), 6 * attempt.document.parse::<usize>().unwrap());
            *batches.entry(attempt.topic.parse().unwrap()).or_default() += 1;
        }
        assert!(batches.values().all(|size| *size == BATCH), "torn after {delay_ms} ms: {batches:?}");
        let there: Vec<usize> = batches.into_keys().collect();
        assert_eq!(there, (0..there.len()).collect::<Vec<_>>(), "a gap");
        assert!(there.len() > reported, "batch {reported} was reported and is lost");
    }
}
