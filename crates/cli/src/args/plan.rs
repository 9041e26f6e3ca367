//! `llull plan`: what can be typed.

use clap::{Args, ValueEnum};
use llull::rank::Schedule;

/// `llull plan`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull plan --documents 100 --window 10 --top 10\n  llull plan --documents 100 \
        --window 20 --top 10 --queries 43 --noise 0.5 --ties 0.1\n\nThe real schedulers play against judges \
        whose errors are drawn; nothing is asked of a model, and no study is needed. Of 100 documents 5 have \
        grade 3, 10 grade 2, 20 grade 1 and 65 grade 0; a document is worth its grade + N(0, 0.35), and a judge \
        sees its worth + N(0, noise), drawn anew for every answer. Quality: nDCG of the order that was found, \
        with the gain 2^grade - 1, and Kendall's tau of all of it."
)]
pub(crate) struct PlanArgs {
    /// How many documents a query's pool has, from 2 to 10,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) documents: u32,
    /// How many documents a judge is shown at once, 2 or more; 2 is a pairwise judge
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) window: u32,
    /// How many of the best are to be found and put in order; as many as there are documents is the full order. By
    /// default 10, or all of fewer
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) top: Option<u32>,
    /// How many queries there are, for the total
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) queries: Option<u32>,
    /// The standard deviation of a judge's errors, in grades; 0 is a perfect judge
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_negative_numbers = true, value_parser = deviation)]
    pub(crate) noise: f64,
    /// The share of neighbours in an answer that a judge reports tied, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0, allow_negative_numbers = true, value_parser = share)]
    pub(crate) ties: f64,
    /// The schedule to plan for; the others are shown beside it
    #[arg(long, value_enum, default_value_t = Scheduled::Sequential)]
    pub(crate) schedule: Scheduled,
    /// How often a pair inside a cycle may be asked again, from 0 to 100
    #[arg(long, value_name = "R", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) rejudge: u32,
    /// How far the runs' order is from the true one: documents are met by true rank + N(0, S times their number), so at
    /// 0.2 a document of 100 is typically 20 places off. By default in random order
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = deviation)]
    pub(crate) prior: Option<f64>,
    /// How many queries are simulated
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) seeds: u32,
    /// The seed of them all
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub(crate) seed: u64,
}

/// How many questions are asked at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scheduled {
    /// The fewest calls: one question at a time
    Sequential,
    /// What is surely needed at the same time
    Balanced,
    /// The fewest waves: also what is likely to be needed
    Parallel,
    /// Every pair, so that components are exact whatever the judge answers
    Exhaustive,
}

impl From<Scheduled> for Schedule {
    fn from(scheduled: Scheduled) -> Self {
        match scheduled {
            Scheduled::Sequential => Self::Sequential,
            Scheduled::Balanced => Self::Balanced,
            Scheduled::Parallel => Self::Parallel,
            Scheduled::Exhaustive => Self::Exhaustive,
        }
    }
}

/// A standard deviation.
fn deviation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(deviation) if (0.0..=1e6).contains(&deviation) => Ok(deviation),
        _ => Err("it is a standard deviation: 0 or more, such as 0.5".into()),
    }
}

/// A share.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("it is a share, from 0 to 1, such as 0.1".into()),
    }
}
