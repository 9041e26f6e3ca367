//! An OpenAI-compatible server on this machine, with planned faults.
//!
//! It is for trying llull by hand, and for tests that kill the client from another process.
//!
//! ```text
//! cargo run -p llull-testkit --example faulty_server -- --rate-429 0.1 --rate-500 0.05 --delay-ms 5..50
//! llull run --judge vllm/faulty-1 --base-url http://127.0.0.1:PORT/v1
//! ```
//! It prints its base URL on one line, then runs until its standard input ends or it is killed. With `--stats`, it
//! writes its counts to standard error at the end.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its user")]

use std::{
    error::Error,
    io::{Read, Write},
    net::SocketAddr,
    ops::RangeInclusive,
};

use clap::Parser;
use llull_core::{Scale, Seed};
use llull_testkit::{FaultPlan, FaultyServer};

/// An OpenAI-compatible server that misbehaves as asked. Rates are shares from 0 to 1.
#[derive(Parser)]
struct Options {
    /// Port; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The seed of all draws.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The highest grade.
    #[arg(long, default_value_t = 3)]
    highest: i32,
    /// The time that answers take: a number of milliseconds, or LOW..HIGH.
    #[arg(long, default_value = "0", value_parser = range)]
    delay_ms: RangeInclusive<u64>,
    /// Requests turned away with 429.
    #[arg(long, default_value_t = 0.0)]
    rate_429: f64,
    /// Retry-After of a 429, in seconds.
    #[arg(long, default_value_t = 1)]
    retry_after: u32,
    /// Requests answered with 500.
    #[arg(long, default_value_t = 0.0)]
    rate_500: f64,
    /// Requests that are never answered.
    #[arg(long, default_value_t = 0.0)]
    hang: f64,
    /// Requests whose connection breaks.
    #[arg(long, default_value_t = 0.0)]
    reset: f64,
    /// Prompts answered with malformed JSON.
    #[arg(long, default_value_t = 0.0)]
    malformed: f64,
    /// Prompts whose answer is cut off.
    #[arg(long, default_value_t = 0.0)]
    cut_off: f64,
    /// Prompts whose answer is empty.
    #[arg(long, default_value_t = 0.0)]
    empty: f64,
    /// Prompts that are refused.
    #[arg(long, default_value_t = 0.0)]
    refusal: f64,
    /// Refuse JSON schemas.
    #[arg(long)]
    no_schema: bool,
    /// Refuse the parameters that OpenAI's reasoning models refuse.
    #[arg(long)]
    reasoning_model: bool,
    /// Require this key.
    #[arg(long)]
    key: Option<String>,
    /// Print what was served, at the end.
    #[arg(long)]
    stats: bool,
}

fn range(text: &str) -> Result<RangeInclusive<u64>, std::num::ParseIntError> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    Ok(low.parse()?..=high.trim_start_matches('=').parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let plan = FaultPlan {
        seed: Seed(options.seed),
        delay_ms: options.delay_ms,
        rate_429: options.rate_429,
        retry_after: options.retry_after,
        rate_500: options.rate_500,
        hang: options.hang,
        reset: options.reset,
        malformed: options.malformed,
        cut_off: options.cut_off,
        empty: options.empty,
        refusal: options.refusal,
        no_schema: options.no_schema,
        new_limit_name: options.reasoning_model,
        refused_parameters: if options.reasoning_model {
            vec!["temperature", "top_p", "logprobs"]
        } else {
            Vec::new()
        },
        key: options.key,
        ..FaultPlan::default()
    };
    let address = SocketAddr::from(([127, 0, 0, 1], options.port));
    let server = FaultyServer::start_at(plan, Scale::new(0, options.highest)?, address)?;
    println!("{}", server.url());
    std::io::stdout().flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    if options.stats {
        let served = server.served();
        eprintln!(
            "{} requests, {} answered, {} again",
            served.total(),
            served.answered(),
            served.answered_again()
        );
        served.kinds.iter().for_each(|(kind, count)| eprintln!("{count:>8} {kind}"));
    }
    Ok(())
}
