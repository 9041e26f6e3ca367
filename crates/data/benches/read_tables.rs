//! Tables beside TREC's columns: a run of a million rows in each form, read in one run of the bench.
//!
//! `cargo bench -p llull-data --bench read_tables` prints times and peak memory. It fails when CSV or JSON lines are
//! read at less than a third of the speed of TREC's columns, or when a reader that drops each query, as `llull measure`
//! does, holds more than 50 MB.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use llull_data::{ReadRunOptions, create, read_run, visit_run};

const QUERIES: u64 = 1_000;
const RESULTS: u64 = 1_000;
const SLOWEST: f64 = 3.0;
const MEGABYTES: f64 = 50.0;
const TIMES: usize = 5;

/// Returns a row: the numbers of its query and document, its rank and its score.
type Row = fn(u64, u64, u64, f64) -> String;

fn main() -> ExitCode {
    // Each file is read in a process of its own, so that the peak is its reader's.
    match std::env::var_os("LLULL_BENCH_TABLE") {
        Some(path) => read(Path::new(&path)),
        None => parent(),
    }
}

fn parent() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let forms: [(&str, Row); 3] = [
        ("trec.run", |query, document, rank, score| format!("{query} Q0 {document} {rank} {score:.6} bench")),
        ("table.csv", |query, document, rank, score| format!("{query},{document},{rank},{score:.6}")),
        ("table.jsonl", |query, document, rank, score| {
            format!(
                "{{\"query_id\":\"{query}\",\"doc_id\":\"{document}\",\"rank\":{rank},\"score\":{score:.6}}}"
            )
        }),
    ];
    let mut of_trec = None;
    let mut failed = false;
    for (name, row) in forms {
        let path = folder.path().join(name);
        write(&path, row);
        let output =
            Command::new(std::env::current_exe().unwrap()).env("LLULL_BENCH_TABLE", &path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        let figures: Vec<f64> = printed.split_whitespace().map(|figure| figure.parse().unwrap()).collect();
        let [seconds, megabytes] = figures.as_slice() else { panic!("{printed}") };
        let ratio = seconds / *of_trec.get_or_insert(*seconds);
        println!("{name:<12}{seconds:>7.3} s, {ratio:.2} times TREC's columns; peak {megabytes:.0} MB");
        failed |= ratio > SLOWEST || *megabytes > MEGABYTES;
    }
    if failed {
        println!("too much: at most {SLOWEST} times TREC's columns, and {MEGABYTES} MB");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn write(path: &Path, row: impl Fn(u64, u64, u64, f64) -> String) {
    let mut file = create(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "csv") {
        writeln!(file, "query_id,doc_id,rank,score").unwrap();
    }
    for query in 0..QUERIES {
        for place in 0..RESULTS {
            // Scattered identifiers of MS MARCO's size, falling scores.
            let document = (query * RESULTS + place).wrapping_mul(2_654_435_761) % 8_841_823;
            writeln!(file, "{}", row(query, document, place + 1, 30.0 - place as f64 / 97.0)).unwrap();
        }
    }
    file.finish().unwrap();
}

/// Prints the shortest time of reading the file whole, and the peak of memory before, when each query was dropped.
fn read(path: &Path) -> ExitCode {
    let options = ReadRunOptions::default();
    let visited = visit_run(path, &options, false, |_, ranking| ranking.len()).unwrap().unwrap();
    let rows: usize = visited.topics.iter().map(|(_, length)| length).sum();
    assert_eq!((visited.topics.len() as u64, rows as u64), (QUERIES, QUERIES * RESULTS));
    let peak = peak_megabytes();
    let time = |_| {
        let start = Instant::now();
        black_box(read_run(path, &options).unwrap());
        start.elapsed().as_secs_f64()
    };
    let shortest = (0..TIMES).map(time).fold(f64::INFINITY, f64::min);
    println!("{shortest} {peak}");
    ExitCode::SUCCESS
}

/// The most memory that this process has had resident, in MB of 10^6 bytes; 0 where the system does not say.
fn peak_megabytes() -> f64 {
    let Ok(file) = std::fs::File::options().read(true).open("/proc/self/status") else { return 0.0 };
    let status = std::io::read_to_string(file).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok())
        .map_or(0.0, |kib| kib * 1024.0 / 1e6)
}
