//! The figures of a plan, as JSON.

use indexmap::IndexMap;
use llull::rank::simulate::{Figures, SampleSummary, Scheduler};
use serde::Serialize;

use super::setup::{PAIRS_SIMULATED, bound, key, rejudge, top};
use crate::args::PlanArgs;

/// A scheduler's figures; quality only if it was simulated.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) calls: SampleSummary,
    pub(super) waves: SampleSummary,
    pub(super) ndcg: Option<SampleSummary>,
    /// nDCG of the labels, where they are in place of the order.
    pub(super) labels: Option<SampleSummary>,
    pub(super) tau: Option<SampleSummary>,
}

impl From<Figures> for Row {
    fn from(Figures { calls, waves, ndcg, labels, tau }: Figures) -> Self {
        Self { calls, waves, ndcg: Some(ndcg), labels, tau: Some(tau) }
    }
}

/// The row of all pairs, if there are too many to simulate.
pub(super) fn all_pairs_counted(args: &PlanArgs) -> Option<Row> {
    let documents = u64::from(args.documents);
    let calls = SampleSummary::of(vec![(documents * (documents - 1) / 2) as f64])?;
    (args.documents > PAIRS_SIMULATED).then_some(Row {
        calls,
        waves: SampleSummary::of(vec![1.0])?,
        ndcg: None,
        labels: None,
        tau: None,
    })
}

/// The options of a simulation.
#[derive(Serialize)]
pub(super) struct Simulation {
    documents: u32,
    /// How many documents a judge is shown at once; absent if each row has its own number.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u32>,
    top: u32,
    schedule: &'static str,
    noise: f64,
    /// The figure of the judge that gives the noise, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    kappa: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flip_rate: Option<f64>,
    ties: f64,
    prior: Option<f64>,
    rejudge: Option<u32>,
    seeds: u32,
    seed: u64,
}

impl Simulation {
    pub(super) fn of(args: &PlanArgs, window: Option<u32>) -> Self {
        Self {
            documents: args.documents,
            window,
            top: top(args),
            schedule: key(Scheduler::Tournament(args.schedule)),
            noise: args.noise,
            kappa: args.kappa,
            flip_rate: args.flip_rate,
            ties: args.ties,
            prior: args.prior,
            rejudge: rejudge(args),
            seeds: args.seeds,
            seed: args.seed,
        }
    }
}

/// The plan as JSON: the options, the figures of the chosen schedule, then those of every scheduler.
#[derive(Serialize)]
pub(super) struct Output<'a> {
    #[serde(flatten)]
    simulation: Simulation,
    #[serde(flatten)]
    chosen: Option<&'a Row>,
    measure: String,
    bound: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Total>,
    schedulers: &'a IndexMap<&'static str, Row>,
}

/// The cost of all queries together.
#[derive(Serialize)]
pub(super) struct Total {
    pub(super) queries: u32,
    pub(super) calls: TotalCalls,
    /// Queries share waves, so there are as many as the slowest query needs.
    pub(super) waves: f64,
}

#[derive(Serialize)]
pub(super) struct TotalCalls {
    pub(super) mean: f64,
    pub(super) max: f64,
}

impl Total {
    pub(super) fn new(args: &PlanArgs, row: &Row) -> Option<Self> {
        let queries = args.queries?;
        let times = f64::from(queries);
        let calls = TotalCalls { mean: times * row.calls.mean, max: times * row.calls.max };
        Some(Self { queries, calls, waves: row.waves.max })
    }
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &PlanArgs, rows: &'a IndexMap<&'static str, Row>, chosen: Scheduler) -> Self {
        let chosen = rows.get(key(chosen));
        Self {
            simulation: Simulation::of(args, Some(args.window)),
            chosen,
            measure: format!("nDCG(dcg='exp-log2')@{}", top(args)),
            bound: bound(args),
            total: chosen.and_then(|row| Total::new(args, row)),
            schedulers: rows,
        }
    }
}
