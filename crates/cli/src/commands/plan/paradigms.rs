//! Estimates the cost of grading, and of comparing documents at once.
//!
//! It is given in calls, tokens and price.

use anyhow::Result;
use llull::core::{Seed, Usage};
use llull::rank::simulate::{Figures, SampleSummary, Scheduler, plan};
use llull::report::text::{count, counted, dollars, figure, mean_count, rounded_count, text_table};
use serde::Serialize;

use super::figures::Simulation;
use super::progress::Simulating;
use super::setup::{labels, options, top};
use super::table::{judge, order};
use crate::args::{PlanArgs, TokenArgs};
use crate::commands::Context;
use crate::exit::{Exit, refuse};

/// The tokens of an answer for each document that it puts in order: an identifier, a comma.
const TOKENS_OF_A_PLACE: u64 = 5;

/// A plan of several paradigms as JSON.
#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    simulation: Simulation,
    #[serde(flatten)]
    tokens: TokenArgs,
    queries: Option<u32>,
    measure: String,
    paradigms: &'a [Paradigm],
}

/// One paradigm; of calls, quality and tokens those of one query.
#[derive(Serialize)]
struct Paradigm {
    /// `graded`, `pairwise` or `listwise`.
    paradigm: &'static str,
    /// How many documents a judge is shown at once.
    window: u32,
    calls: SampleSummary,
    waves: SampleSummary,
    ndcg: SampleSummary,
    labels: Option<SampleSummary>,
    tau: SampleSummary,
    tokens: Tokens,
    /// US dollars; null if the price is unknown.
    usd: Option<f64>,
    /// Of all queries, if their number was given.
    total: Option<Total>,
}

/// Tokens, on average.
#[derive(Clone, Copy, Serialize)]
struct Tokens {
    prompts: f64,
    answers: f64,
}

#[derive(Serialize)]
struct Total {
    calls: f64,
    tokens: Tokens,
    usd: Option<f64>,
}

impl Paradigm {
    fn new(args: &PlanArgs, window: u32, figures: Figures) -> Self {
        let Figures { calls, waves, ndcg, labels, tau } = figures;
        let each =
            u64::from(args.tokens.prompt_tokens) + u64::from(window) * u64::from(args.tokens.document_tokens);
        let places = if window > 2 { u64::from(window) * TOKENS_OF_A_PLACE } else { 0 };
        let answer = u64::from(args.tokens.answer_tokens) + places;
        let tokens = Tokens { prompts: calls.mean * each as f64, answers: calls.mean * answer as f64 };
        let usage = Usage::new(each, answer);
        let usd = args.tokens.price.and_then(|price| price.cost(&usage)).map(|a_call| a_call * calls.mean);
        let total = args.queries.map(|queries| {
            let times = f64::from(queries);
            let all = Tokens { prompts: times * tokens.prompts, answers: times * tokens.answers };
            Total { calls: times * calls.mean, tokens: all, usd: usd.map(|usd| times * usd) }
        });
        let paradigm = match window {
            1 => "graded",
            2 => "pairwise",
            _ => "listwise",
        };
        Self { paradigm, window, calls, waves, ndcg, labels, tau, tokens, usd, total }
    }

    fn name(&self) -> String {
        match self.window {
            1 | 2 => self.paradigm.to_owned(),
            window => format!("{} {window}", self.paradigm),
        }
    }
}

/// Simulates grading, and tournaments with each window.
pub(super) fn compare(context: &Context, args: &PlanArgs) -> Result<Exit> {
    if let Some(window) = args.windows.iter().find(|window| **window > args.documents) {
        refuse!("--windows {window}: a judge is shown at most all {} documents", args.documents);
    }
    let windows: Vec<u32> = [1].into_iter().chain(args.windows.iter().copied()).collect();
    let progress = Simulating::new(context.printer, args.seeds * windows.len() as u32);
    let mut paradigms = Vec::new();
    for window in windows {
        let scheduler = if window == 1 { Scheduler::Graded } else { Scheduler::Tournament(args.schedule) };
        let options = options(args, window.max(2));
        let figures =
            plan(&options, args.seeds, Seed(args.seed), &[scheduler], &labels, &|| progress.step())?;
        paradigms.extend(figures.into_iter().map(|figures| Paradigm::new(args, window, figures)));
    }
    progress.finish();
    let output = Output {
        simulation: Simulation::of(args, None),
        tokens: args.tokens,
        queries: args.queries,
        measure: format!("nDCG(dcg='exp-log2')@{}", top(args)),
        paradigms: &paradigms,
    };
    context.show(&output, || text(args, &paradigms))?;
    Ok(Exit::Fine)
}

fn text(args: &PlanArgs, paradigms: &[Paradigm]) -> String {
    let ndcg = format!("nDCG@{}", top(args));
    let mut headings = vec!["a query takes", "calls", "p95", "waves", "prompt tokens", "answer tokens", "$"];
    headings.extend([ndcg.as_str(), "p5", "labels", "tau"]);
    if args.queries.is_some() {
        headings.extend(["all calls", "all tokens", "all $"]);
    }
    let usd = |usd: Option<f64>| usd.map_or_else(|| "unknown".to_owned(), dollars);
    let rows = paradigms.iter().map(|row| {
        let mut line = vec![row.name(), mean_count(row.calls.mean), rounded_count(row.calls.p95)];
        line.push(mean_count(row.waves.mean));
        line.extend([rounded_count(row.tokens.prompts), rounded_count(row.tokens.answers), usd(row.usd)]);
        let labels = row.labels.map(|labels| labels.mean);
        line.extend([Some(row.ndcg.mean), Some(row.ndcg.p5), labels, Some(row.tau.mean)].map(figure));
        if let Some(total) = &row.total {
            let tokens = total.tokens.prompts + total.tokens.answers;
            line.extend([rounded_count(total.calls), rounded_count(tokens), usd(total.usd)]);
        }
        line
    });
    let table = text_table(headings, rows);
    format!("{}\n\n{table}\n\n{}", setting(args), remarks(args))
}

/// Describes the simulation.
fn setting(args: &PlanArgs) -> String {
    format!(
        "{} documents {}, the top {}; {}; {} simulated",
        count(args.documents),
        order(args),
        count(top(args)),
        judge(args),
        counted(args.seeds, "query"),
    )
}

fn remarks(args: &PlanArgs) -> String {
    let tokens = &args.tokens;
    let mut text = format!(
        "A prompt is taken to have {} tokens and {} more for each document, an answer {} and {TOKENS_OF_A_PLACE} more \
         for each place of an order.\nEvery row has the same noise; a judge may err more the more documents it sees.",
        count(tokens.prompt_tokens),
        count(tokens.document_tokens),
        count(tokens.answer_tokens),
    );
    if args.queries.is_some() {
        text.push_str("\n\"All\" are the sums over all queries, on average.");
    }
    if tokens.price.is_none() {
        text.push_str("\nThe price is unknown: --price IN,OUT sets it, in US dollars per million tokens.");
    }
    text
}
