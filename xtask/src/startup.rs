//! `cargo xtask startup`: measures start-up time and download size.
//!
//! It is a chore and not a bench: `cargo bench` builds the binary together with dependencies of tests, and would
//! measure another binary than the released one.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

const TIME: Duration = Duration::from_millis(10);
const STARTS: usize = 51;
/// The starts on a machine that is busy with other work.
const MOST_STARTS: usize = 1_000;

/// Prints the shortest time of `llull --help` and the size of the binary; complains from 10 ms on. Other work of
/// the machine makes starts longer, never shorter.
///
/// # Errors
///
/// If the binary has not been built, or does not start.
#[expect(clippy::print_stdout, reason = "a chore speaks to whoever runs it")]
pub(crate) fn run() -> Result<Vec<String>> {
    let binary = binary();
    let bytes = binary
        .metadata()
        .with_context(|| {
            format!("{}: build it first, with cargo build --release --package llull-cli", binary.display())
        })?
        .len();
    let mut shortest = Duration::MAX;
    for starts in 0..MOST_STARTS {
        if starts >= STARTS && shortest < TIME {
            break;
        }
        shortest = shortest.min(start(&binary)?);
    }
    println!("llull --help: {:.2} ms; binary: {bytes} bytes", shortest.as_secs_f64() * 1000.0);
    let mut complaints = Vec::new();
    if shortest >= TIME {
        complaints.push(format!("llull --help takes {shortest:.2?}, the limit is {TIME:?}"));
    }
    Ok(complaints)
}

fn binary() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join("release").join(format!("llull{}", std::env::consts::EXE_SUFFIX))
}

fn start(binary: &std::path::Path) -> Result<Duration> {
    let start = Instant::now();
    let status = Command::new(binary).arg("--help").stdout(Stdio::null()).status()?;
    ensure!(status.success(), "{} --help ended with {status}", binary.display());
    Ok(start.elapsed())
}
