//! A server that does everything wrong, and what the ledger has of it.

use std::time::Duration;

use llull_core::Seed;
use llull_testkit::{FaultPlan, FaultyServer, Served, SyntheticStudy};
use serde_json::Value;

use crate::sandbox::Sandbox;

/// Questions at once.
pub(crate) const CONCURRENCY: u64 = 128;

/// Everything at once: delays, 429 with Retry-After, 500, hangs, broken connections, and answers that are no answers.
pub(crate) fn plan() -> FaultPlan {
    FaultPlan {
        seed: Seed(11),
        delay_ms: 1..=60,
        rate_429: 0.0015,
        retry_after: 1,
        rate_500: 0.02,
        hang: 0.004,
        reset: 0.01,
        malformed: 0.02,
        cut_off: 0.02,
        empty: 0.005,
        refusal: 0.005,
        ..FaultPlan::default()
    }
}

/// A study of so many pairs behind that server.
pub(crate) fn study(server: &FaultyServer, pairs: u64) -> Sandbox {
    let sandbox = Sandbox::new();
    let pairs = pairs as usize;
    let synthetic = SyntheticStudy { topics: pairs / 20, pairs, runs: 3, depth: 10, seed: Seed(5) };
    synthetic.write(&sandbox.path("")).unwrap();
    let systems = (1..=3).map(|n| format!("[[systems]]\nname = \"system-{n}\"\nrun = \"system-{n}.run\"\n"));
    sandbox.write(
        "llull.toml",
        &format!(
            // What is graded again is the same prompt again: these tests count each as paid for once.
            "version = 1\nname = \"faulty\"\nrecheck = 0\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
         measures = [\"nDCG@10\"]\n\n[compare]\nresamples = 200\n\n{}\n[[judges]]\nname = \"served\"\n\
         model = \"vllm/faulty-1\"\nbase_url = \"{}\"\ntimeout = 10\nconcurrency = {CONCURRENCY}\n",
            systems.collect::<String>(),
            server.url(),
        ),
    );
    sandbox
}

/// What the ledger holds.
pub(crate) fn totals(sandbox: &Sandbox) -> Value {
    sandbox.llull(&["ledger", "status", "--json"]).ends(0).json()[0]["totals"].clone()
}

pub(crate) fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

/// Answers that the server wrote out and that came too late all the same, because this machine was busy.
pub(crate) fn came_too_late(totals: &Value, served: &Served) -> u64 {
    totals["failed"]["timeout"].as_u64().unwrap_or(0).saturating_sub(served.of("hang"))
}

/// Waits until the server has seen so many requests.
pub(crate) fn wait_for(server: &FaultyServer, requests: u64) {
    let begin = std::time::Instant::now();
    while server.served().total() < requests {
        assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", server.served().kinds);
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The ledger has every request that was made, by what became of it, and everything that can become of one came up.
pub(crate) fn all_requests_are_recorded(totals: &Value, served: &Served) {
    assert_eq!(totals["attempts"].as_u64(), Some(served.total()), "{totals}\n{:?}", served.kinds);
    let failed = |kind: &str| totals["failed"][kind].as_u64().unwrap_or(0);
    assert_eq!(failed("rate_limited"), served.of("rate_limited"));
    assert_eq!(failed("server"), served.of("server_error"));
    assert!(failed("timeout") >= served.of("hang"), "{totals}");
    for kind in ["rate_limited", "server_error", "hang", "reset", "malformed", "cut_off", "empty", "refusal"]
    {
        assert!(served.of(kind) > 0, "{kind} did not come up: {:?}", served.kinds);
    }
}
