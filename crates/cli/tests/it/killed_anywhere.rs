//! `kill -9` at many moments of a run, live and in batches: the labels are those of a run that nobody disturbs, and
//! nothing is bought twice but requests in flight.
//!
//! The moments are steps of the server's requests, not times. `LLULL_KILL_MOMENTS=30` has 30 of each kind.

use std::time::Duration;

use llull_testkit::FaultyServer;

use crate::batch::{at_bedrock, at_openai, faulty, labels};
use crate::sandbox::Sandbox;

/// Requests at once of the live run.
const CONCURRENCY: u64 = 2;

fn openai(server: &FaultyServer) -> Sandbox {
    at_openai(server, "sk-test-0123456789abcdefghijKLMNOP")
}

fn concurrent(sandbox: Sandbox) -> Sandbox {
    sandbox.edit("llull.toml", "timeout = 60", &format!("timeout = 60\nconcurrency = {CONCURRENCY}"));
    sandbox
}

/// Kills a run at moments spread over all of its requests, and continues it.
fn killed_anywhere(study: fn(&FaultyServer) -> Sandbox, arguments: &[&str], in_flight: u64) {
    let study = |server: &FaultyServer| concurrent(study(server));
    let moments = std::env::var("LLULL_KILL_MOMENTS").map_or(6, |number| number.parse().unwrap());
    let server = FaultyServer::start(faulty()).unwrap();
    let whole = study(&server);
    whole.llull(arguments);
    let (expected, steps) = (labels(&whole), server.steps());
    // Unusable answers are bought once more on purpose.
    let on_purpose = server.served().answered_again();
    assert!(steps > 16 && !expected.is_empty(), "{steps} steps: {expected}");
    for moment in 0..moments {
        let step = (2 * moment + 1) * steps / (2 * moments);
        let server = FaultyServer::start(faulty()).unwrap();
        let sandbox = study(&server);
        server.stop_at(Some(step));
        let mut run = sandbox.command(arguments).spawn().unwrap();
        while server.steps() <= step {
            assert!(run.try_wait().unwrap().is_none(), "the run ended before step {step} of {steps}");
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        server.stop_at(None);
        let resumed = sandbox.llull(arguments);
        assert_eq!(labels(&sandbox), expected, "killed at step {step} of {steps}: {resumed}");
        let twice = server.served().answered_again();
        assert!(twice <= on_purpose + in_flight, "{twice} bought again, killed at step {step}: {resumed}");
    }
}

#[test]
fn a_live_run() {
    killed_anywhere(openai, &["run", "--no-report", "--keep-going"], CONCURRENCY);
}

/// Batches have names, by which one in flight is found: only the request before the first batch is sent by itself.
#[test]
fn a_run_in_batches() {
    killed_anywhere(openai, &["run", "--batch", "--no-report", "--keep-going"], 1);
}

/// A wave of one request is no batch, and is sent by itself, too.
#[test]
fn a_run_in_batches_of_bedrock() {
    killed_anywhere(at_bedrock, &["run", "--batch", "--no-report", "--keep-going"], 1);
}
