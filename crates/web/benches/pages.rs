//! Every page of a large study: 1,000 queries, 104,855 pairs, 3 judges, so 314,565 attempts.
//!
//! `cargo bench -p llull-web --bench pages` prints how long each page takes, from the request to its last byte, and the
//! most memory that the server has had, and fails when a page takes more than 200 ms, or the server more than 300 MB.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use llull::Study;
use llull::config::Overrides;
use llull_testkit::SyntheticStudy;
use llull_web::{ServeOptions, Server};

const TIME: Duration = Duration::from_millis(200);
const MEGABYTES: u64 = 300;
/// Which process this is: the one that judges or the one that serves; and the folder of the study.
const STEP: &str = "LLULL_BENCH_STEP";
const FOLDER: &str = "LLULL_BENCH_FOLDER";

const PAGES: [&str; 24] = [
    "/",
    "/queries",
    "/queries?find=no-such-word&sort=hardest",
    "/queries?show=moved&sort=losses&a=system-0&b=system-2&page=10",
    "/query/1",
    "/query/1000",
    "/query/500/answers",
    "/query/500/answers?page=3",
    "/judges",
    "/labels",
    "/labels?page=1000",
    "/labels?sort=apart&apart=1",
    "/labels?sort=lowest&judge=strict&grade=2",
    "/labels?find=no-such-word",
    "/labels?find=a&sort=highest&page=500",
    "/ledger",
    "/attempts",
    "/attempts?sort=slowest&page=3000",
    "/attempts?sort=dearest&judge=2&outcome=judged",
    "/attempts?outcome=failed",
    "/attempt/1",
    "/attempt/314565",
    "/live",
    "/style.css",
];

fn main() -> ExitCode {
    let folder = std::env::var_os(FOLDER);
    match (std::env::var(STEP).as_deref(), &folder) {
        (Ok("judge"), Some(folder)) => judge(Path::new(folder)),
        (Ok("serve"), Some(folder)) => serve(Path::new(folder)),
        _ => parent(),
    }
}

/// Makes the study in one process, judges it in a second and serves it in a third, so that the peak is the server's.
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
    let truth = fs_err::read_to_string(&files.truth).unwrap();
    for name in ["strict", "lenient"] {
        let path = folder.path().join(format!("{name}.qrels"));
        fs_err::write(&path, format!("# {name}\n{truth}")).unwrap();
        writeln!(config, "[[judges]]\nname = {name:?}\nmodel = \"replay\"\nlabels = {path:?}").unwrap();
    }
    fs_err::write(folder.path().join("llull.toml"), config).unwrap();
    for step in ["judge", "serve"] {
        let child = Command::new(std::env::current_exe().unwrap())
            .env(STEP, step)
            .env(FOLDER, folder.path())
            .status()
            .unwrap();
        if !child.success() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn judge(folder: &Path) -> ExitCode {
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
    ExitCode::SUCCESS
}

fn serve(folder: &Path) -> ExitCode {
    let began = Instant::now();
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let server = Server::start(study, &ServeOptions::default()).unwrap();
    println!("read in {:.2} s, peak {} MB", began.elapsed().as_secs_f64(), peak_megabytes());
    let (base, token) = server.url().split_once("/?token=").unwrap();
    let address = base.strip_prefix("http://").unwrap();
    let cookie = format!("llull_{}={token}", address.rsplit(':').next().unwrap());
    let mut slowest = Duration::ZERO;
    for page in PAGES {
        let (mut took, mut bytes) = (Duration::ZERO, 0);
        for _ in 0..3 {
            let asked = Instant::now();
            let answer = get(address, &cookie, page);
            took = took.max(asked.elapsed());
            assert!(answer.starts_with("HTTP/1.1 200"), "{page}: {}", answer.lines().next().unwrap());
            bytes = answer.len();
        }
        slowest = slowest.max(took);
        println!("{page:<64}{:>8.1} ms {bytes:>10} bytes", took.as_secs_f64() * 1_000.0);
    }
    let labels = get(address, &cookie, "/labels");
    assert!(labels.contains("104,855 of 104,855 pairs"), "all labels are there");
    assert!(get(address, &cookie, "/ledger").contains("314,565 attempts"), "all attempts are there");
    let peak = peak_megabytes();
    println!("slowest {:.1} ms, peak {peak} MB", slowest.as_secs_f64() * 1_000.0);
    server.stop();
    if slowest > TIME || peak > MEGABYTES {
        println!("too much: at most {} ms and {MEGABYTES} MB", TIME.as_millis());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// What the server answers, headers and all.
fn get(address: &str, cookie: &str, page: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET {page} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The most memory that this process has had resident, in MB of 10^6 bytes; 0 where the system does not say.
fn peak_megabytes() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or(0, |kib| kib * 1024 / 1_000_000)
}
