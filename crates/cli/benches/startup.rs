//! From start to the end of `llull --help`: `cargo bench -p llull-cli --bench startup` fails when the median of 51
//! takes 10 ms or the binary has 20 MB.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_millis(10);
const BYTES: u64 = 20_000_000;

fn main() -> ExitCode {
    let llull = env!("CARGO_BIN_EXE_llull");
    let mut times: Vec<Duration> = (0..51)
        .map(|_| {
            let start = Instant::now();
            let status = Command::new(llull).arg("--help").stdout(Stdio::null()).status().unwrap();
            assert!(status.success());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let median = times[times.len() / 2];
    let bytes = std::path::Path::new(llull).metadata().unwrap().len();
    println!("llull --help: {:.2} ms; binary: {bytes} bytes", median.as_secs_f64() * 1000.0);
    if median >= TIME || bytes >= BYTES { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
