//! Compares judging behind a server with a bare loop of requests that stores nothing.
//!
//! A server in a process of its own answers after 40 ms; 512 requests are open at once, on 2 threads. The bare loop
//! sends bodies of the same length through reqwest and reads the replies' bytes. Then a server with a storm of 429 in
//! the middle, 10% of 500, 2% of hangs and 5% of malformed replies: each attempt is counted on both sides, and the rate
//! before the storm is compared with that after it.
//!
//! `cargo bench -p llull-runner --bench served`, or with another number of judgments: `-- 20000`.
//!
//! Measured on 2 cores, which the server shares: 100,000 judgments in 27.8 s, the bare loop in 18.9 s, 1.47 times; all
//! in the ledger, 144 MB. Where llull's own time goes: a quarter renders prompts, a tenth each makes bodies and reads
//! replies, an eighth commits to the ledger.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use llull_core::{Document, Topic};
use llull_judge::{Prompt, Rubric};
use llull_llm::{ChatModel, ModelSettings, RetryPolicy, connect};
use llull_runner::{
    Cancel, Case, DocumentIndex, Driver, Event, Exhaustive, Judge, ModelJudge, Pair, PooledDocument,
    Prompted, PromptedSettings, Reporter, RunOptions, TopicIndex, Workload,
};
use llull_store::{SqliteLedger, Totals};
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use tokio::runtime::{Builder, Runtime};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// In the environment of the server's process: which faults it has, and how many judgments there are.
const SERVER: &str = "LLULL_BENCH_SERVER";
const CONCURRENCY: usize = 512;
const TOPICS: u32 = 1_000;

/// Passages of 60 words, the typical length in MS MARCO.
fn text(seed: u32, words: u32) -> String {
    let word =
        |at: u32| format!("w{}", (seed ^ at.wrapping_mul(2_654_435_761)).wrapping_mul(2_246_822_519) >> 18);
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

fn workload(pairs: u32) -> Arc<Workload> {
    let topics = (0..TOPICS).map(|at| Topic { id: at.to_string(), text: text(at, 7) }).collect();
    let document =
        |at: u32| Document { id: at.to_string(), text: text(at + 77_777, 60), ..Document::default() };
    let documents = (0..pairs).map(document).map(PooledDocument::Found).collect();
    let topic = |at: u32| u64::from(at) * u64::from(TOPICS) / u64::from(pairs);
    let pair = |at| Pair { topic: TopicIndex(topic(at) as u32), document: DocumentIndex(at) };
    Arc::new(Workload::new(topics, documents, (0..pairs).map(pair).collect()).unwrap())
}

/// A server in a process of its own, which ends with it.
struct Server {
    process: Child,
    lines: BufReader<std::process::ChildStdout>,
    url: String,
}

impl Server {
    fn start(faults: &str, judgments: u32) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .env(SERVER, format!("{faults} {judgments}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        let mut server = Self { process, lines, url: String::new() };
        server.url = server.line();
        server
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Returns how many requests it has seen, and by which faults.
    fn served(&mut self) -> (u64, String) {
        writeln!(self.process.stdin.as_mut().unwrap()).unwrap();
        (self.line().parse().unwrap(), self.line())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        self.process.wait().unwrap();
    }
}

/// The server's process.
fn serve(argument: &str) {
    let (faults, judgments) = argument.split_once(' ').unwrap();
    let calm = FaultPlan { delay_ms: 40..=40, ..FaultPlan::default() };
    let plan = match faults {
        "storm" => {
            let third = judgments.parse::<usize>().unwrap() / 3;
            let before = (0..third).map(|at| match at % 100 {
                0..10 => Fault::ServerError,
                10..12 => Fault::Hang,
                12..17 => Fault::Malformed,
                _ => Fault::None,
            });
            // As many as may be in flight. More would not make the storm longer but the judge slower: refusals are
            // counted here, and a server counts time.
            let storm = (0..CONCURRENCY).map(|_| Fault::RateLimited { retry_after: 1 });
            let script = before.chain(storm).collect();
            FaultPlan { script, rate_500: 0.1, hang: 0.02, malformed: 0.05, ..calm }
        }
        _ => calm,
    };
    let server = FaultyServer::start(plan).unwrap();
    println!("{}", server.url());
    for _ in std::io::stdin().lock().lines() {
        let served = server.served();
        println!("{}\n{:?}", served.total(), served.kinds);
    }
}

/// The moments of judgments.
#[derive(Default)]
struct Moments(Mutex<Vec<Instant>>);

impl Reporter for Moments {
    fn event(&self, event: Event<'_>) {
        if let Event::Judged { .. } = event {
            self.0.lock().unwrap().push(Instant::now());
        }
    }
}

impl Moments {
    /// Returns judgments a second from one place of all to another, in hundredths.
    fn rate(&self, [from, to]: [usize; 2]) -> f64 {
        let moments = self.0.lock().unwrap();
        let [from, to] = [from, to].map(|place| place * (moments.len() - 1) / 100);
        (to - from) as f64 / (moments[to] - moments[from]).as_secs_f64()
    }
}

fn model(url: &str) -> Arc<dyn ChatModel> {
    let timeout = Duration::from_secs(10);
    let settings =
        ModelSettings { base_url: Some(url.to_owned()), timeout, ..ModelSettings::new("openai/m") };
    Arc::from(connect(&settings, &|_| None).unwrap())
}

fn judge(url: &str) -> ModelJudge {
    let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "rubric.md").unwrap());
    let settings = PromptedSettings::new("j", "openai/m");
    let prompted = Prompted::new(settings, Prompt::builtin("graded-direct").unwrap(), rubric);
    ModelJudge::new(Arc::new(prompted), model(url), CONCURRENCY)
}

/// Judges all pairs into a ledger on disk. Returns the time, the moments and what the ledger then has.
fn judged(runtime: &Runtime, url: &str, pairs: u32) -> (Duration, Moments, Totals) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge(url))];
    let (moments, cancel) = (Moments::default(), Cancel::new());
    let retry = RetryPolicy { attempts: 20, ..RetryPolicy::default() };
    let options = RunOptions { retry, unusable: None, ..RunOptions::default() };
    let mut plan = Exhaustive::new(workload(pairs));
    let start = Instant::now();
    let mut store = SqliteLedger::open(&path).unwrap();
    let driver = Driver { runtime: runtime.handle(), options: &options, reporter: &moments, cancel: &cancel };
    let outcome = driver.run(&mut plan, &judges, &mut store).unwrap();
    let took = start.elapsed();
    assert_eq!(outcome.stopped, None);
    drop(store);
    (took, moments, Totals::read(&SqliteLedger::open(&path).unwrap(), None).unwrap())
}

/// Sends as many requests of the same form, and forgets the replies.
fn bare(runtime: &Runtime, url: &str, pairs: u32) -> Duration {
    let workload = workload(1);
    let case: Case<'_> = workload.case_at(0).unwrap();
    let request = judge(url).prompted().request(&case, 0).unwrap().chat;
    let line = model(url).batch_lines().unwrap().line("1", &request);
    let body = line["body"].to_string();
    let first = text(77_777, 1);
    assert!(body.contains(&first));
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = |at: u32| {
        let body = body.replacen(&first, &format!("{first}{at}"), 1);
        let request =
            client.post(format!("{url}/chat/completions")).header("content-type", "application/json");
        async move {
            let response = request.body(body).send().await.unwrap().error_for_status().unwrap();
            response.bytes().await.unwrap().len()
        }
    };
    let start = Instant::now();
    let requests = futures::stream::iter((0..pairs).map(ask)).buffer_unordered(CONCURRENCY);
    let bytes = runtime.block_on(requests.fold(0, |sum, bytes| async move { sum + bytes }));
    assert!(bytes > 0);
    start.elapsed()
}

fn main() {
    if let Ok(argument) = std::env::var(SERVER) {
        return serve(&argument);
    }
    let pairs = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let server = Server::start("calm", pairs);
    let texts = peak_mb();
    let (took, _, totals) = judged(&runtime, &server.url, pairs);
    let memory = peak_mb();
    let loop_took = bare(&runtime, &server.url, pairs);
    drop(server);
    println!(
        "{pairs} judgments: {:.1} s, a bare loop {:.1} s, ratio {:.2}; {} in the ledger; {memory} MB ({texts} before)",
        took.as_secs_f64(),
        loop_took.as_secs_f64(),
        took.as_secs_f64() / loop_took.as_secs_f64(),
        totals.judged,
    );
    let pairs = pairs / 4;
    let mut server = Server::start("storm", pairs);
    let (took, moments, totals) = judged(&runtime, &server.url, pairs);
    let (asked, kinds) = server.served();
    let (before, after) = (moments.rate([5, 25]), moments.rate([60, 90]));
    println!(
        "{pairs} judgments with faults: {:.1} s; {} attempts in the ledger of {asked} requests, {} judged; {before:.0} \
         a second before the storm, {after:.0} after it, ratio {:.2}; {kinds}",
        took.as_secs_f64(),
        totals.attempts,
        totals.judged,
        after / before,
    );
}

/// Returns the peak of resident memory so far, or 0 if the system does not report it.
fn peak_mb() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1000
}
