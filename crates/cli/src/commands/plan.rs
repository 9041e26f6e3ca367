//! `llull plan`

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use indexmap::IndexMap;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use llull::core::Seed;
use llull::rank::simulate::{
    Figures, PlanOptions, SampleSummary, Scheduler, SimulatedPrior, call_bound, plan,
};
use llull::rank::{Schedule, TieRule, TournamentOptions};
use llull::report::text::{confidence, count, counted, figure, mean_count, rounded_count, text_table};
use serde::Serialize;

use super::Context;
use crate::args::{PlanArgs, Scheduled};
use crate::exit::{Exit, refuse};
use crate::printer::Printer;

/// Above this many documents all pairs are counted and not simulated: there would be more than half a million a query.
const PAIRS_SIMULATED: u32 = 1_000;

/// Above this many documents the exhaustive schedule is not simulated: it would take minutes.
const EXHAUSTED: u32 = 500;

pub(crate) fn run(context: &Context, args: &PlanArgs) -> Result<Exit> {
    if top(args) > args.documents {
        refuse!(
            "--top {} of {} documents: ask for --top {1} to put all of them in order, or for fewer",
            top(args),
            args.documents
        );
    }
    if args.schedule == Scheduled::Exhaustive && args.documents > EXHAUSTED {
        refuse!(
            "--schedule exhaustive of {} documents is not simulated: plan for {} or fewer; calls grow with the \
             square of the documents",
            count(args.documents),
            count(EXHAUSTED)
        );
    }
    let mut schedulers = Scheduler::ALL.to_vec();
    schedulers.retain(|&other| other != Scheduler::AllPairs || args.documents <= PAIRS_SIMULATED);
    let chosen = Scheduler::Tournament(args.schedule.into());
    if !schedulers.contains(&chosen) {
        // dear, and needed by few: shown where it is asked for, after the other schedules
        let tournaments = schedulers.iter().filter(|other| matches!(other, Scheduler::Tournament(_))).count();
        schedulers.insert(tournaments, chosen);
    }
    let progress = Simulating::new(context.printer, args.seeds);
    let figures = plan(&options(args), args.seeds, Seed(args.seed), &schedulers, &|| progress.step())?;
    progress.finish();

    let mut rows: IndexMap<&str, Row> = schedulers
        .iter()
        .zip(figures)
        .map(|(&scheduler, figures)| (key(scheduler), figures.into()))
        .collect();
    if let Some(row) = all_pairs_counted(args) {
        rows.insert(key(Scheduler::AllPairs), row);
    }
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&Output::new(args, &rows, chosen))?)?;
    } else {
        context.printer.result(text(args, &rows, chosen))?;
    }
    Ok(Exit::Fine)
}

/// How many of the best are to be found.
fn top(args: &PlanArgs) -> u32 {
    args.top.unwrap_or(10.min(args.documents))
}

fn options(args: &PlanArgs) -> PlanOptions {
    PlanOptions {
        documents: args.documents as usize,
        tournament: TournamentOptions {
            window: args.window as usize,
            top: top(args) as usize,
            schedule: args.schedule.into(),
            // what Neither and what a shared place in an order mean to the tournament
            ties: if args.window == 2 { TieRule::Open } else { TieRule::Equal },
            rejudge: args.rejudge,
        },
        noise: args.noise,
        ties: args.ties,
        prior: args.prior.map_or(SimulatedPrior::Random, SimulatedPrior::Ranks),
    }
}

/// What a scheduler is called.
fn key(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Tournament(Schedule::Sequential) => "sequential",
        Scheduler::Tournament(Schedule::Balanced) => "balanced",
        Scheduler::Tournament(Schedule::Parallel) => "parallel",
        Scheduler::Tournament(Schedule::Exhaustive) => "exhaustive",
        Scheduler::AllPairs => "all pairs",
        Scheduler::SlidingWindow => "sliding window",
        Scheduler::Heapsort => "heapsort",
    }
}

/// A scheduler's figures. What was not simulated has none.
#[derive(Debug, Clone, Serialize)]
struct Row {
    calls: SampleSummary,
    waves: SampleSummary,
    ndcg: Option<SampleSummary>,
    tau: Option<SampleSummary>,
}

impl From<Figures> for Row {
    fn from(Figures { calls, waves, ndcg, tau }: Figures) -> Self {
        Self { calls, waves, ndcg: Some(ndcg), tau: Some(tau) }
    }
}

/// All pairs of more documents than are simulated.
fn all_pairs_counted(args: &PlanArgs) -> Option<Row> {
    let documents = u64::from(args.documents);
    let calls = SampleSummary::of(vec![(documents * (documents - 1) / 2) as f64])?;
    (args.documents > PAIRS_SIMULATED).then_some(Row {
        calls,
        waves: SampleSummary::of(vec![1.0])?,
        ndcg: None,
        tau: None,
    })
}

/// The plan as JSON: first what was asked for, then the figures of the schedule asked for, then everything beside it.
#[derive(Serialize)]
struct Output<'a> {
    documents: u32,
    window: u32,
    top: u32,
    schedule: &'static str,
    noise: f64,
    ties: f64,
    prior: Option<f64>,
    rejudge: u32,
    seeds: u32,
    seed: u64,
    #[serde(flatten)]
    chosen: Option<&'a Row>,
    measure: String,
    bound: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Total>,
    schedulers: &'a IndexMap<&'static str, Row>,
}

/// What all queries cost together.
#[derive(Serialize)]
struct Total {
    queries: u32,
    calls: TotalCalls,
    /// Queries share their waves, so the last one is done when the slowest query is.
    waves: f64,
}

#[derive(Serialize)]
struct TotalCalls {
    mean: f64,
    max: f64,
}

impl Total {
    fn new(args: &PlanArgs, row: &Row) -> Option<Self> {
        let queries = args.queries?;
        let times = f64::from(queries);
        let calls = TotalCalls { mean: times * row.calls.mean, max: times * row.calls.max };
        Some(Self { queries, calls, waves: row.waves.max })
    }
}

impl<'a> Output<'a> {
    fn new(args: &PlanArgs, rows: &'a IndexMap<&'static str, Row>, chosen: Scheduler) -> Self {
        let chosen = rows.get(key(chosen));
        Self {
            documents: args.documents,
            window: args.window,
            top: top(args),
            schedule: key(Scheduler::Tournament(args.schedule.into())),
            noise: args.noise,
            ties: args.ties,
            prior: args.prior,
            rejudge: args.rejudge,
            seeds: args.seeds,
            seed: args.seed,
            chosen,
            measure: format!("nDCG(dcg='exp-log2')@{}", top(args)),
            bound: bound(args),
            total: chosen.and_then(|row| Total::new(args, row)),
            schedulers: rows,
        }
    }
}

fn bound(args: &PlanArgs) -> f64 {
    call_bound(args.documents as usize, args.window as usize, top(args) as usize)
}

fn text(args: &PlanArgs, rows: &IndexMap<&'static str, Row>, chosen: Scheduler) -> String {
    let ndcg = format!("nDCG@{}", top(args));
    let headings =
        ["a query takes", "calls", "p5", "p50", "p95", "max", "waves", "max", &ndcg, "p5", "p50", "tau"];
    let lines = rows.iter().map(|(name, row)| {
        let mut line = vec![if *name == key(chosen) { format!("{name} *") } else { (*name).to_owned() }];
        let SampleSummary { mean, p5, p50, p95, max, .. } = row.calls;
        line.push(mean_count(mean));
        line.extend([p5, p50, p95, max].map(rounded_count));
        line.extend([mean_count(row.waves.mean), rounded_count(row.waves.max)]);
        line.extend([
            figure(row.ndcg.map(|it| it.mean)),
            figure(row.ndcg.map(|it| it.p5)),
            figure(row.ndcg.map(|it| it.p50)),
            figure(row.tau.map(|it| it.mean)),
        ]);
        line
    });
    let mut text = format!("{}\n\n{}\n\n", setting(args), text_table(headings, lines));
    text.push_str(
        "* the schedule asked for; calls, waves, nDCG and tau are means, with percentiles beside them\n",
    );
    if args.documents > PAIRS_SIMULATED {
        text.push_str(&format!(
            "All pairs of more than {} documents are counted, not simulated.\n",
            count(PAIRS_SIMULATED)
        ));
    }
    if let Some(total) = rows.get(key(chosen)).and_then(|row| Total::new(args, row)) {
        text.push_str(&format!(
            "{}: about {} calls, at most {}, in at most {} waves that they share.\n",
            counted(total.queries, "query"),
            rounded_count(total.calls.mean),
            rounded_count(total.calls.max),
            rounded_count(total.waves),
        ));
    }
    text.truncate(text.trim_end().len());
    text
}

/// What the figures are about.
fn setting(args: &PlanArgs) -> String {
    let order = match args.prior {
        None => "in random order".to_owned(),
        Some(prior) => format!("by true rank + N(0, {})", rounded_count(prior * f64::from(args.documents))),
    };
    let judge = match (args.noise, args.ties) {
        (0.0, 0.0) => "a perfect judge".to_owned(),
        (noise, 0.0) => format!("a judge with noise {noise}"),
        (0.0, ties) => format!("a judge without noise that ties {} of neighbours", confidence(ties)),
        (noise, ties) => format!("a judge with noise {noise} that ties {} of neighbours", confidence(ties)),
    };
    format!(
        "{} documents {order}, {} at a time, the top {}; {judge}; {} simulated {}",
        count(args.documents),
        args.window,
        count(top(args)),
        count(args.seeds),
        if args.seeds == 1 { "query" } else { "queries" },
    )
}

/// How often a line is printed where no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What a long simulation looks like while it goes on.
struct Simulating {
    printer: Printer,
    bar: Option<ProgressBar>,
    total: u32,
    done: AtomicU32,
    last_line: Mutex<Instant>,
}

impl Simulating {
    fn new(printer: Printer, total: u32) -> Self {
        let bar = printer.draws().then(|| {
            let bar = ProgressBar::with_draw_target(Some(u64::from(total)), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "simulating {bar:32} {human_pos}/{human_len} [{elapsed} left {eta}]",
            );
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Self { printer, bar, total, done: AtomicU32::new(0), last_line: Mutex::new(Instant::now()) }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if done < self.total
            && let Ok(mut last) = self.last_line.try_lock()
            && last.elapsed() >= LINE_EVERY
        {
            *last = Instant::now();
            self.printer.note(format!("  {} of {} queries simulated", count(done), count(self.total)));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
