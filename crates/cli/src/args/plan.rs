//! The arguments of `llull plan`.

use clap::Args;
use llull::llm::Price;
use llull::rank::Schedule;
use serde::Serialize;

use super::choices::choices;
use super::number_ranges::{deviation, kappa, share};

const AFTER_HELP: &str = "\
Examples:
  llull plan --documents 100 --window 10 --top 10
  llull plan --documents 100 --window 20 --top 10 --queries 43 --noise 0.5 --ties 0.1
  llull plan --documents 100 --windows 2,5,10,20 --noise 0.5 --queries 43 --price 0.15,0.60

llull runs the real schedulers with simulated judges; it sends no request and needs no study. Of 100 documents, 5 \
have grade 3, 10 grade 2, 20 grade 1 and 65 grade 0. A document's worth is its grade + N(0, 0.35); a judge sees its \
worth + N(0, noise), drawn again for every answer. --kappa and --flip-rate give the noise by what a real judge \
shows: Cohen's kappa of grades from 0 to 3, or the share of pairs, drawn at random, whose order changes when they are \
repeated. In a study whose judges compare, llull shows the flip rate of its own rechecks; theirs are of closer \
documents, so it is too high rather than too low.

Quality: nDCG of the order that a report shows, with the gain 2^grade - 1; the same of the labels (0 to 10) that \
measures read, where equal ones are in random order; and Kendall's tau of the whole order.

With --windows the rows are paradigms: grading each document, comparing two, and putting K in order. Tokens are an \
estimate: a call's prompt takes --prompt-tokens and --document-tokens for each document, its answer --answer-tokens \
and for an order 5 more for each document; llull prompt shows what a study's prompts take. The noise is the same in \
every row, and a judge may well err more the more documents it sees.";

/// `llull plan`
#[derive(Debug, Clone, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    /// How many documents a query's pool has, from 2 to 10,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) documents: u32,
    /// How many documents a judge is shown at once, 2 or more; 2 is a pairwise judge
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) window: u32,
    /// Compare paradigms by calls, tokens and price, not schedules: grading, and comparing so many documents at once
    #[arg(
        long,
        value_name = "K,K...",
        value_delimiter = ',',
        conflicts_with = "window",
        value_parser = clap::value_parser!(u32).range(2..=10_000)
    )]
    pub(crate) windows: Vec<u32>,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    /// How many of the best documents are found and put in order; N for the full order. By default 10, or all if there
    /// are fewer
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) top: Option<u32>,
    /// How many queries the study has, for the total
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) queries: Option<u32>,
    /// The standard deviation of the judge's errors, in grades; 0 is a perfect judge
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_negative_numbers = true, value_parser = deviation)]
    pub(crate) noise: f64,
    /// In place of --noise: Cohen's kappa of the judge's grades with the true ones, such as 0.35
    #[arg(long, value_name = "K", conflicts_with_all = ["noise", "flip_rate"], value_parser = kappa)]
    pub(crate) kappa: Option<f64>,
    /// In place of --noise: the share of pairs that the judge orders otherwise when they are repeated, such as 0.1
    #[arg(long, value_name = "P", conflicts_with = "noise", value_parser = share)]
    pub(crate) flip_rate: Option<f64>,
    /// The share of neighbours in an answer that the judge reports as tied, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0, allow_negative_numbers = true, value_parser = share)]
    pub(crate) ties: f64,
    /// The schedule to plan for; the others are shown for comparison. The default asks the fewest questions. A study's
    /// own default is balanced, which takes a third of the waves for about as many
    #[arg(long, default_value = "sequential", value_parser = choices([
        ("sequential", Schedule::Sequential, "The fewest calls: one question at a time"),
        ("balanced", Schedule::Balanced, "At the same time, all questions that are needed for sure"),
        (
            "parallel",
            Schedule::Parallel,
            "The fewest waves: at the same time, also questions that are likely to be needed",
        ),
        ("exhaustive", Schedule::Exhaustive, "Every pair, so that cycles are exact whatever the judge answers"),
    ]))]
    pub(crate) schedule: Schedule,
    /// Repeat each pair inside a cycle so often, from 0 to 100. By default the best documents are compared again
    /// instead, from the first contradiction on; with --schedule exhaustive it is 1
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) rejudge: Option<u32>,
    /// How far the runs' order is from the true one: documents arrive in the order of true rank + N(0, S times their
    /// number), so with 0.2 a document of 100 is typically 20 places off. By default the order is random
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = deviation)]
    pub(crate) prior: Option<f64>,
    /// How many queries are simulated
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) seeds: u32,
    /// The seed of the simulation
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub(crate) seed: u64,
}

/// What a call takes.
#[derive(Debug, Clone, Copy, Args, Serialize)]
pub(crate) struct TokenArgs {
    /// With --windows: the tokens of a document as a judge is shown it
    #[arg(long, value_name = "N", default_value_t = 200, requires = "windows")]
    pub(crate) document_tokens: u32,
    /// With --windows: the tokens of the rest of a prompt: instructions, rubric and query
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "windows")]
    pub(crate) prompt_tokens: u32,
    /// With --windows: the tokens of an answer, rationale and reasoning included
    #[arg(long, value_name = "N", default_value_t = 100, requires = "windows")]
    pub(crate) answer_tokens: u32,
    /// With --windows: the model's price in US dollars per million tokens of prompts and of answers, such as 0.15,0.60.
    /// Without it the price is unknown
    #[arg(long, value_name = "IN,OUT", requires = "windows", value_parser = price)]
    pub(crate) price: Option<Price>,
}

/// Parses the two prices of a model.
fn price(text: &str) -> Result<Price, String> {
    let both = text.split_once(',').and_then(|(input, output)| {
        Some(Price {
            input_per_million: input.parse().ok()?,
            cached_per_million: None,
            output_per_million: output.parse().ok()?,
        })
    });
    both.filter(Price::is_valid).ok_or_else(|| {
        "must be two prices in US dollars per million tokens, of prompts and of answers, such as 0.15,0.60".into()
    })
}
