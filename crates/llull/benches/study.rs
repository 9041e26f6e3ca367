//! The job at size: 314,565 judgments (1,000 queries, 104,855 pairs, 3 in-process judges), from pool to report.
//!
//! `cargo bench -p llull --bench study` prints each stage's time and the process's peak memory, and fails when the
//! whole takes more than 40 s of processors or 310 MB, or `report.html` more than 6 s of them or 5 MB: other work of
//! the machine does not count, and a machine may be half as fast as the one where it took 20 s and 262 MB before
//! reports had the hashes of 100,000 texts.
//! `benches/README.md` has it beside the closest peer, measured in one run.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use llull::Study;
use llull::config::Overrides;
use llull_testkit::SyntheticStudy;

const TIME: Duration = Duration::from_secs(40);
const MEGABYTES: u64 = 310;
/// What report.html may take and have, whatever the study.
const PAGE_TIME: Duration = Duration::from_secs(6);
const PAGE_BYTES: usize = 5_000_000;

fn main() -> ExitCode {
    // The study is made in one process and run in another, so that the peak is the run's own.
    match std::env::var_os("LLULL_BENCH_STUDY") {
        Some(folder) => run(Path::new(&folder)),
        None => parent(),
    }
}

fn parent() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let study = SyntheticStudy::default();
    let files = study.write(folder.path()).unwrap();
    let mut config = format!(
        "version = 1\ntopics = {:?}\ncorpus = {:?}\n[pool]\ndepth = {}\n[[judges]]\nmodel = \"similarity\"\n",
        files.topics, files.corpus, study.depth
    );
    for (index, run) in files.runs.iter().enumerate() {
        writeln!(config, "[[systems]]\nname = \"system-{index}\"\nrun = {run:?}").unwrap();
    }
    // Two judges that answer from files; the second file is the first with one line more, so that they are two.
    let truth = std::io::read_to_string(open(&files.truth)).unwrap();
    for name in ["strict", "lenient"] {
        let path = folder.path().join(format!("{name}.qrels"));
        std::fs::File::create_new(&path).unwrap().write_all(format!("# {name}\n{truth}").as_bytes()).unwrap();
        writeln!(config, "[[judges]]\nname = {name:?}\nmodel = \"replay\"\nlabels = {path:?}").unwrap();
    }
    std::fs::File::create_new(folder.path().join("llull.toml"))
        .unwrap()
        .write_all(config.as_bytes())
        .unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .env("LLULL_BENCH_STUDY", folder.path())
        .status()
        .unwrap();
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(folder: &Path) -> ExitCode {
    let start = Instant::now();
    let mut last = start;
    let mut lap = |what: &str| {
        println!("{what:<16}{:>8.2} s   peak {:>4} MB", last.elapsed().as_secs_f64(), peak_megabytes());
        last = Instant::now();
    };
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    lap("runs and pool");
    let evidence = study.judge(&inputs).run().unwrap().evidence;
    lap("judge and label");
    let report = study.report(&inputs, &evidence).unwrap();
    study.reports().write(&inputs, &report).unwrap();
    lap("measure, report");
    let (began, work) = (Instant::now(), processor_time());
    let page = report.html().unwrap();
    let (page_took, page_work, page_bytes) = (began.elapsed(), processor_time() - work, page.len());
    drop(page);
    println!("report.html alone: {page_bytes} bytes, {:.2} s", page_took.as_secs_f64());
    let report = report.summary();
    let judgments: usize = evidence.judges.judges().iter().map(|judge| judge.counts().judged).sum();
    let (took, work, peak) = (start.elapsed(), processor_time(), peak_megabytes());
    println!(
        "{judgments} judgments, {} pairs labelled: {:.2} s, {:.2} s of processors, {peak} MB",
        report.coverage.labelled,
        took.as_secs_f64(),
        work.as_secs_f64()
    );
    assert_eq!((inputs.pool.pairs(), judgments), (104_855, 314_565));
    if work > TIME || peak > MEGABYTES {
        println!("too much: at most {} s and {MEGABYTES} MB", TIME.as_secs());
        return ExitCode::FAILURE;
    }
    if page_work > PAGE_TIME || page_bytes > PAGE_BYTES {
        println!("report.html: at most {} s and {PAGE_BYTES} bytes", PAGE_TIME.as_secs());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn open(path: &Path) -> std::fs::File {
    std::fs::File::options().read(true).open(path).unwrap()
}

/// How long processors have worked for this process; 0 where the system does not say.
fn processor_time() -> Duration {
    let Ok(file) = std::fs::File::options().read(true).open("/proc/self/stat") else { return Duration::ZERO };
    let stat = std::io::read_to_string(file).unwrap_or_default();
    // User's and system's time, in hundredths of a second, are fields 14 and 15; the second ends with the parenthesis.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// The most memory that this process has had resident, in MB of 10^6 bytes; 0 where the system does not say.
fn peak_megabytes() -> u64 {
    let Ok(file) = std::fs::File::options().read(true).open("/proc/self/status") else { return 0 };
    let status = std::io::read_to_string(file).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or(0, |kib| kib * 1024 / 1_000_000)
}
