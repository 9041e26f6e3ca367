//! Measures the time and memory of every page of a large study.
//!
//! The study has 1,000 queries, 104,855 pairs and 3 judges, so 314,565 attempts, and two annotators with labels of 400
//! sampled pairs.
//!
//! `cargo bench -p llull-web --bench pages` prints how long each page takes, from the request to its last byte, and
//! the server's peak memory. It fails if a page takes more than 200 ms, or the server more than 300 MB. It measures
//! the study at rest, a review of it, and the study while another process writes all of these attempts.

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
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use llull::Study;
use llull::config::Overrides;
use llull::core::Seed;
use llull::review::{AnnotatorAnswer, ReviewAnswer, ReviewDesk, ReviewOptions};
use llull::sampling::SampleRequest;
use llull_testkit::SyntheticStudy;
use llull_web::{ReviewServerOptions, ServeOptions, Server};

const TIME: Duration = Duration::from_millis(200);
const MEGABYTES: u64 = 300;
/// Which process this is: the one that judges or the one that serves; and the folder of the study.
const STEP: &str = "LLULL_BENCH_STEP";
const FOLDER: &str = "LLULL_BENCH_FOLDER";

const PAGES: [&str; 27] = [
    "/",
    "/queries",
    "/queries?find=no-such-word&sort=hardest",
    "/queries?show=moved&sort=losses&a=system-0&b=system-2&page=10",
    "/query/1",
    "/query/1000",
    "/query/500?sort=hardest&a=system-0&b=system-2",
    "/query/500/document/3",
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
    "/people",
    "/live",
    "/style.css",
];
const REVIEW: [&str; 6] = ["/next", "/pair/1", "/pair/400", "/list", "/list?page=4", "/name"];
/// The pages that are loaded again and again while a run writes.
const WHILE_IT_RUNS: [&str; 7] =
    ["/live", "/", "/queries?sort=hardest", "/query/500", "/labels?sort=apart", "/attempts", "/ledger"];
/// How many pairs people label.
const SAMPLE: usize = 400;

fn main() -> ExitCode {
    let folder = std::env::var_os(FOLDER);
    match (std::env::var(STEP).as_deref(), &folder) {
        (Ok("judge"), Some(folder)) => judge(Path::new(folder)),
        (Ok("label"), Some(folder)) => label(Path::new(folder)),
        (Ok("serve"), Some(folder)) => serve(Path::new(folder)),
        (Ok("review"), Some(folder)) => review(Path::new(folder)),
        (Ok("live"), Some(folder)) => live(Path::new(folder)),
        _ => parent(),
    }
}

/// Makes the study in one process and each step in another, so that the peak is the server's.
fn parent() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    for name in ["live", "study"] {
        let study = folder.path().join(name);
        fs_err::create_dir(&study).unwrap();
        write(&study);
        let steps: &[&str] = if name == "live" { &["live"] } else { &["judge", "label", "serve", "review"] };
        for step in steps {
            if !process(step, &study).status().unwrap().success() {
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn process(step: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(STEP, step).env(FOLDER, folder);
    command
}

/// Writes the files and the configuration of a study.
fn write(folder: &Path) {
    let study = SyntheticStudy::default();
    let files = study.write(folder).unwrap();
    let mut config = format!(
        "version = 1\ntopics = {:?}\ncorpus = {:?}\n[pool]\ndepth = {}\n[[judges]]\nmodel = \"similarity\"\n",
        files.topics, files.corpus, study.depth
    );
    for (index, run) in files.runs.iter().enumerate() {
        writeln!(config, "[[systems]]\nname = \"system-{index}\"\nrun = {run:?}").unwrap();
    }
    let truth = fs_err::read_to_string(&files.truth).unwrap();
    for name in ["strict", "lenient"] {
        let path = folder.join(format!("{name}.qrels"));
        fs_err::write(&path, format!("# {name}\n{truth}")).unwrap();
        writeln!(config, "[[judges]]\nname = {name:?}\nmodel = \"replay\"\nlabels = {path:?}").unwrap();
    }
    fs_err::write(folder.join("llull.toml"), config).unwrap();
}

fn judge(folder: &Path) -> ExitCode {
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
    ExitCode::SUCCESS
}

/// Draws a sample, of which two people label every pair. They differ on some.
fn label(folder: &Path) -> ExitCode {
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let request = SampleRequest {
        measure: "P@10".parse().unwrap(),
        design: None,
        compare: None,
        baseline: "system-0".into(),
        by: Vec::new(),
        scale: (0, 3),
        confidence: 0.95,
        seed: Seed(1),
    };
    let frame =
        study.annotators().sample_choice(&inputs, &evidence, &[request.measure], &request).unwrap().frame;
    study.annotators().keep_sample(&inputs, &evidence, &frame.draw(SAMPLE).unwrap(), false).unwrap();
    let mut desk = ReviewDesk::of_study(&study, &inputs, &evidence, &ReviewOptions::default()).unwrap();
    for (annotator, differs) in [("anna", 5), ("ben", 3)] {
        for at in 0..desk.len() {
            let grade = (at % 4 + usize::from(at.is_multiple_of(differs))) % 4;
            let answer = ReviewAnswer {
                annotator: annotator.into(),
                item: desk.item(at).unwrap().id.to_owned(),
                verdict: AnnotatorAnswer::Grade(i32::try_from(grade).unwrap()),
                note: String::new(),
                times: desk.times(at, annotator),
            };
            desk.answer(&answer).unwrap();
        }
    }
    ExitCode::SUCCESS
}

fn serve(folder: &Path) -> ExitCode {
    let began = Instant::now();
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let server = Server::start(study, &ServeOptions::default()).unwrap();
    println!("read in {:.2} s, peak {} MB", began.elapsed().as_secs_f64(), peak_megabytes());
    let site = Site::of(&server);
    let slowest = site.time(&PAGES);
    assert!(site.get("/labels").contains("104,855 of 104,855 pairs"), "all labels are there");
    assert!(site.get("/ledger").contains("315,365 attempts"), "all attempts are there");
    assert!(site.get("/people").contains("400 of 400 pairs labelled"), "all of people's labels are there");
    server.stop();
    judged(slowest)
}

fn review(folder: &Path) -> ExitCode {
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let options = ReviewServerOptions { annotator: Some("carl".into()), ..ReviewServerOptions::default() };
    let server = Server::review(study, &ServeOptions::default(), &options).unwrap();
    let slowest = Site::of(&server).time(&REVIEW);
    server.stop();
    judged(slowest)
}

/// Looks at pages while another process writes the whole ledger, and until they show all of it.
fn live(folder: &Path) -> ExitCode {
    let study = Study::open(folder, &Overrides::default()).unwrap();
    let server = Server::start(study, &ServeOptions::default()).unwrap();
    let site = Site::of(&server);
    let (events, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let follower = site.follow(Arc::clone(&events), Arc::clone(&over));
    let mut run = process("judge", folder).spawn().unwrap();
    let (mut slowest, mut asked) = ([Duration::ZERO; WHILE_IT_RUNS.len()], 0);
    let (mut wrote_for, began) = (None, Instant::now());
    loop {
        for (page, slowest) in WHILE_IT_RUNS.iter().zip(&mut slowest) {
            *slowest = (*slowest).max(site.took(page).0);
            asked += 1;
        }
        if wrote_for.is_none() && run.try_wait().unwrap().is_some_and(|status| status.success()) {
            wrote_for = Some((began.elapsed(), events.load(Ordering::Relaxed)));
        }
        if wrote_for.is_some() && site.get("/live").contains("104,855 of 104,855 pairs have a label") {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(600), "pages never show all labels");
        std::thread::sleep(Duration::from_millis(10));
    }
    over.store(true, Ordering::Relaxed);
    let (wrote_for, sent) = wrote_for.unwrap();
    println!(
        "while a run wrote for {:.1} s, and until all was shown after {:.1} s: {asked} pages, {sent} and {} events",
        wrote_for.as_secs_f64(),
        began.elapsed().as_secs_f64(),
        events.load(Ordering::Relaxed),
    );
    for (page, took) in WHILE_IT_RUNS.iter().zip(&slowest) {
        println!("{page:<64}{:>8.1} ms", took.as_secs_f64() * 1_000.0);
    }
    server.stop();
    follower.join().unwrap();
    assert!(sent > 0, "the live page is told while a run writes");
    judged(slowest.into_iter().max().unwrap_or_default())
}

fn judged(slowest: Duration) -> ExitCode {
    let peak = peak_megabytes();
    println!("slowest {:.1} ms, peak {peak} MB", slowest.as_secs_f64() * 1_000.0);
    if slowest > TIME || peak > MEGABYTES {
        println!("too much: at most {} ms and {MEGABYTES} MB", TIME.as_millis());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// A server, as a browser knows it.
struct Site {
    address: String,
    cookie: String,
}

impl Site {
    fn of(server: &Server) -> Self {
        let (base, token) = server.url().split_once("/?token=").unwrap();
        let address = base.strip_prefix("http://").unwrap().to_owned();
        let cookie = format!("llull_{}={token}", address.rsplit(':').next().unwrap());
        Self { address, cookie }
    }

    /// Asks for each page three times, and returns how long the slowest took.
    fn time(&self, pages: &[&str]) -> Duration {
        let mut slowest = Duration::ZERO;
        for page in pages {
            let mut found = (Duration::ZERO, 0);
            for _ in 0..3 {
                let (took, bytes) = self.took(page);
                found = (found.0.max(took), bytes);
            }
            slowest = slowest.max(found.0);
            println!("{page:<64}{:>8.1} ms {:>10} bytes", found.0.as_secs_f64() * 1_000.0, found.1);
        }
        slowest
    }

    /// How long a page took, and its bytes.
    fn took(&self, page: &str) -> (Duration, usize) {
        let asked = Instant::now();
        let answer = self.get(page);
        let took = asked.elapsed();
        let is_there = ["HTTP/1.1 200", "HTTP/1.1 303"].iter().any(|start| answer.starts_with(start));
        assert!(is_there, "{page}: {}", answer.lines().next().unwrap());
        (took, answer.len())
    }

    /// Counts the states that the live page is sent, until it is over.
    fn follow(&self, events: Arc<AtomicUsize>, over: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
        let mut stream = self.ask("/live/events");
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        std::thread::spawn(move || {
            let (mut seen, mut part) = (String::new(), [0; 4096]);
            while !over.load(Ordering::Relaxed) {
                if let Ok(bytes) = stream.read(&mut part) {
                    seen.push_str(&String::from_utf8_lossy(&part[..bytes]));
                    events.store(seen.matches("attempts in the").count(), Ordering::Relaxed);
                }
            }
        })
    }

    /// The server's answer with its headers.
    fn get(&self, page: &str) -> String {
        let mut answer = String::new();
        self.ask(page).read_to_string(&mut answer).unwrap();
        answer
    }

    fn ask(&self, page: &str) -> TcpStream {
        let Self { address, cookie } = self;
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "GET {page} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }
}

/// The peak resident memory of this process, in MB of 10^6 bytes; 0 where the system does not report it.
fn peak_megabytes() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or(0, |kib| kib * 1024 / 1_000_000)
}
