//! Many simulated tournaments, compared with other schedulers.

use llull_core::{Grade, Item, Seed};
use rayon::prelude::*;
use serde::Serialize;

use super::baseline::{Sorted, all_pairs, grade, graded, heapsort, sliding_window};
use super::noisy_judge::NoisyJudge;
use super::pool::{SimulatedPool, SimulatedPrior};
use super::quality::{ndcg, ndcg_of_labels, tau};
use crate::tournament::{Schedule, Tournament, TournamentError, TournamentOptions, TournamentOutcome};

/// A way to find the best documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduler {
    /// llull's tournament, on this schedule.
    Tournament(Schedule),
    /// [`all_pairs`]
    AllPairs,
    /// [`sliding_window`]
    SlidingWindow,
    /// [`heapsort`]
    Heapsort,
    /// [`graded`]
    Graded,
}

impl Scheduler {
    /// All that compare documents, llull's own first.
    pub const ALL: [Self; 6] = [
        Self::Tournament(Schedule::Sequential),
        Self::Tournament(Schedule::Balanced),
        Self::Tournament(Schedule::Parallel),
        Self::AllPairs,
        Self::SlidingWindow,
        Self::Heapsort,
    ];

    /// The order that it finds, and the labels that a study makes of it, if it makes any.
    fn sort(
        self,
        judge: &NoisyJudge,
        options: &PlanOptions,
        labels: TournamentLabels<'_>,
    ) -> Result<(Sorted, Vec<Option<Grade>>), TournamentError> {
        let TournamentOptions { window, top, .. } = options.tournament;
        let sorted = match self {
            Self::Tournament(schedule) => {
                let options = TournamentOptions { schedule, ..options.tournament.clone() };
                let outcome = play(judge, &options, None)?;
                let labels = labels(&outcome);
                return Ok((
                    Sorted { calls: outcome.calls, waves: outcome.waves, order: outcome.order },
                    labels,
                ));
            }
            Self::AllPairs => all_pairs(judge, options.documents),
            Self::SlidingWindow => sliding_window(judge, options.documents, window, top),
            Self::Heapsort => heapsort(judge, options.documents, window, top),
            Self::Graded => {
                let labels = Item::first(options.documents).map(|item| Some(grade(judge, item)));
                return Ok((graded(judge, options.documents), labels.collect()));
            }
        };
        Ok((sorted, Vec::new()))
    }
}

/// The labels that a study makes of a tournament, by position.
pub type TournamentLabels<'a> = &'a (dyn Fn(&TournamentOutcome) -> Vec<Option<Grade>> + Sync);

/// The cost and the quality of a scheduler, over many simulated queries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Calls for one query.
    pub calls: SampleSummary,
    /// Waves for one query: steps that need the answers of the step before. Queries share their waves.
    pub waves: SampleSummary,
    /// nDCG of the order at the depth of `top`, with the gain 2^grade - 1.
    pub ndcg: SampleSummary,
    /// The same of the order of the labels, where equal ones are in random order; `None` without labels.
    pub labels: Option<SampleSummary>,
    /// Kendall's tau-b between the order of all documents and the true order.
    pub tau: SampleSummary,
}

/// Simulates `topics` queries, each with its own pool and judge that all schedulers share, and returns the
/// figures of every scheduler in the order given. `labels` makes a tournament's labels.
///
/// The result is the same on any number of threads. `done` is called after each query. There are no figures
/// without queries, and none for fewer than two documents.
///
/// # Errors
/// Returns an error if the settings of the tournament are invalid.
///
/// ```
/// use llull_core::Seed;
/// use llull_rank::simulate::{PlanOptions, Scheduler, SimulatedPrior, plan};
/// use llull_rank::{Schedule, TournamentOptions};
///
/// let tournament = TournamentOptions { window: 5, top: 3, ..TournamentOptions::default() };
/// let options =
///     PlanOptions { documents: 25, tournament, noise: 0.0, ties: 0.0, prior: SimulatedPrior::Random };
/// let schedulers = [Scheduler::Tournament(Schedule::Sequential)];
/// let figures = plan(&options, 20, Seed(1), &schedulers, &|_| Vec::new(), &|| ())?;
/// assert_eq!((figures[0].calls.mean, figures[0].ndcg.mean), (7.0, 1.0));
/// # Ok::<(), llull_rank::TournamentError>(())
/// ```
pub fn plan(
    options: &PlanOptions,
    topics: u32,
    seed: Seed,
    schedulers: &[Scheduler],
    labels: TournamentLabels<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Figures>, TournamentError> {
    let topic = |topic: u32| {
        let trials = trials(options, seed.stream(&format!("plan {topic}")), schedulers, labels);
        done();
        trials
    };
    let trials: Vec<Vec<Trial>> = (0..topics).into_par_iter().map(topic).collect::<Result<_, _>>()?;
    Ok((0..schedulers.len())
        .filter_map(|at| Figures::of(&trials.iter().filter_map(|trials| trials.get(at)).collect::<Vec<_>>()))
        .collect())
}

/// Returns the number of calls that a tournament of this size is meant to stay below, on the sequential
/// schedule with a perfect judge: a quarter more than it takes to link all documents and then the best of
/// them `log_k m` times again. At least 1. This is not a theorem: if the pool is only a few windows large,
/// whole calls do not fit into it.
pub fn call_bound(documents: usize, window: usize, top: usize) -> f64 {
    let (n, k, m) = (documents as f64, window as f64, top.min(documents) as f64);
    let again = 1.0 + libm::log(m) / libm::log(k);
    (1.25 * ((n - 1.0) / (k - 1.0) + (m - 1.0) / (k - 1.0) * again)).max(1.0)
}

/// One query under one scheduler.
struct Trial {
    calls: u64,
    waves: u64,
    ndcg: f64,
    labels: Option<f64>,
    tau: Option<f64>,
}

/// Runs one query under every scheduler.
fn trials(
    options: &PlanOptions,
    seed: u64,
    schedulers: &[Scheduler],
    labels: TournamentLabels<'_>,
) -> Result<Vec<Trial>, TournamentError> {
    let (pool, judge) = options.topic(seed);
    let trial = |scheduler: &Scheduler| {
        let (found, labels) = scheduler.sort(&judge, options, labels)?;
        Ok(Trial {
            labels: ndcg_of_labels(&labels, &pool.grades, options.tournament.top),
            calls: found.calls,
            waves: found.waves,
            ndcg: ndcg(&found.order, &pool.grades, options.tournament.top),
            tau: tau(&found.order, &pool.worth),
        })
    };
    schedulers.iter().map(trial).collect()
}

impl Figures {
    fn of(trials: &[&Trial]) -> Option<Self> {
        let summary = |figure: &dyn Fn(&Trial) -> f64| {
            SampleSummary::of(trials.iter().map(|trial| figure(trial)).collect())
        };
        let labels: Option<Vec<f64>> = trials.iter().map(|trial| trial.labels).collect();
        let taus: Option<Vec<f64>> = trials.iter().map(|trial| trial.tau).collect();
        Some(Self {
            calls: summary(&|trial| trial.calls as f64)?,
            waves: summary(&|trial| trial.waves as f64)?,
            ndcg: summary(&|trial| trial.ndcg)?,
            labels: labels.and_then(SampleSummary::of),
            tau: SampleSummary::of(taus?)?,
        })
    }
}

/// The settings of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// The number of documents in the pool of a query.
    pub documents: usize,
    /// How they are compared.
    pub tournament: TournamentOptions,
    /// The standard deviation of the judge's errors, in grades; see [`NoisyJudge::noise`].
    pub noise: f64,
    /// The share of neighbours in an answer that the judge reports as tied, from 0 to 1; see
    /// [`NoisyJudge::margin_for_share`].
    pub ties: f64,
    /// The order of the items before the first question.
    pub prior: SimulatedPrior,
}

impl PlanOptions {
    /// Returns the pool and the judge of a seed. The grades follow the worth, so the order of a perfect judge
    /// has an nDCG of 1.
    pub fn topic(&self, seed: u64) -> (SimulatedPool, NoisyJudge) {
        let pool = SimulatedPool::new(self.documents, self.prior, seed).graded_by_worth();
        let mut judge = NoisyJudge { noise: self.noise, ..NoisyJudge::new(pool.worth.clone(), seed) };
        judge.margin = judge.margin_for_share(self.ties, self.tournament.window);
        (pool, judge)
    }
}

/// Plays a tournament to its end, or until `max_calls` calls were made, with the judge's answers in place of
/// a model's.
///
/// # Errors
/// Returns an error if `options` is invalid.
pub fn play(
    judge: &NoisyJudge,
    options: &TournamentOptions,
    max_calls: Option<u64>,
) -> Result<TournamentOutcome, TournamentError> {
    let mut tournament = Tournament::new(judge.worth.len(), options.clone())?;
    let mut left = max_calls.unwrap_or(u64::MAX);
    while left > 0 {
        let wave = tournament.next(usize::try_from(left).unwrap_or(usize::MAX));
        if wave.is_empty() {
            break;
        }
        left = left.saturating_sub(wave.len() as u64);
        for batch in &wave {
            tournament.observe(batch, &[judge.answer(&batch.items, batch.round)]);
        }
    }
    Ok(tournament.outcome())
}

/// Mean, extremes and percentiles of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampleSummary {
    /// The arithmetic mean.
    pub mean: f64,
    /// The least value.
    pub min: f64,
    /// The 5th percentile.
    pub p5: f64,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The greatest value.
    pub max: f64,
}

impl SampleSummary {
    /// Summarises a sample. Percentiles are interpolated between neighbours (R's type 7, numpy's default:
    /// Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50(4), 1996).
    /// `None` for an empty sample.
    ///
    /// ```
    /// use llull_rank::simulate::SampleSummary;
    ///
    /// let calls = SampleSummary::of(vec![7.0, 9.0, 8.0, 8.0]).unwrap();
    /// assert_eq!((calls.mean, calls.p50, calls.max), (8.0, 8.0, 9.0));
    /// ```
    pub fn of(mut sample: Vec<f64>) -> Option<Self> {
        sample.sort_unstable_by(f64::total_cmp);
        let percentile = |percent: f64| {
            let at = percent / 100.0 * (sample.len() - 1) as f64;
            let low = *sample.get(at as usize)?;
            let high = sample.get(at as usize + 1).copied().unwrap_or(low);
            Some(low + (high - low) * at.fract())
        };
        let (&min, &max) = (sample.first()?, sample.last()?);
        Some(Self {
            mean: sample.iter().sum::<f64>() / sample.len() as f64,
            min,
            p5: percentile(5.0)?,
            p50: percentile(50.0)?,
            p95: percentile(95.0)?,
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::pool::SimulatedPrior;

    const NONE: TournamentLabels<'static> = &|_| Vec::new();

    fn options(documents: usize, window: usize, top: usize) -> PlanOptions {
        let tournament = TournamentOptions { window, top, ..TournamentOptions::default() };
        PlanOptions { documents, tournament, noise: 0.0, ties: 0.0, prior: SimulatedPrior::Random }
    }

    #[test]
    fn every_scheduler_finds_the_top_with_a_perfect_judge() {
        let found = plan(&options(30, 5, 4), 10, Seed(3), &Scheduler::ALL, NONE, &|| ()).unwrap();
        assert_eq!(found.len(), Scheduler::ALL.len());
        assert!(found.iter().all(|figures| figures.ndcg.min == 1.0), "{found:?}");
        let full = plan(&options(30, 5, 30), 10, Seed(3), &Scheduler::ALL, NONE, &|| ()).unwrap();
        assert!(full.iter().all(|figures| figures.tau.min == 1.0), "{full:?}");
    }

    #[test]
    fn grades_cost_a_call_for_each_document_and_leave_ties() {
        let found = plan(&options(60, 10, 10), 20, Seed(3), &[Scheduler::Graded], NONE, &|| ()).unwrap();
        assert_eq!((found[0].calls.min, found[0].calls.max, found[0].waves.max), (60.0, 60.0, 1.0));
        assert!((0.8..0.99).contains(&found[0].ndcg.mean), "four grades do not order ten: {found:?}");
    }

    #[test]
    fn a_seed_is_a_plan() {
        let noisy = PlanOptions { noise: 0.5, ties: 0.1, ..options(40, 10, 10) };
        let run = |seed| plan(&noisy, 8, Seed(seed), &Scheduler::ALL, NONE, &|| ()).unwrap();
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn noise_and_ties_cost_quality() {
        let quality = |noise, ties| {
            let options = PlanOptions { noise, ties, ..options(60, 10, 10) };
            plan(&options, 20, Seed(1), &Scheduler::ALL, NONE, &|| ())
                .unwrap()
                .into_iter()
                .map(|it| it.ndcg.mean)
        };
        for (noisy, perfect) in quality(1.5, 0.0).zip(quality(0.0, 0.0)) {
            assert!(noisy < perfect, "{noisy} {perfect}");
        }
        for (tied, perfect) in quality(0.0, 1.0).zip(quality(0.0, 0.0)) {
            assert!(tied < perfect, "{tied} {perfect}");
        }
    }

    #[test]
    fn there_is_nothing_to_plan_without_topics_or_pairs() {
        assert_eq!(plan(&options(10, 5, 3), 0, Seed(1), &Scheduler::ALL, NONE, &|| ()).unwrap(), []);
        assert_eq!(plan(&options(1, 5, 3), 5, Seed(1), &Scheduler::ALL, NONE, &|| ()).unwrap(), []);
        assert!(plan(&options(10, 1, 3), 5, Seed(1), &Scheduler::ALL, NONE, &|| ()).is_err());
    }

    // DESIGN.md, worked out by hand: 1.25 * (99/9 + 9/9 * 2) and 1.25 * (99/9 + 99/9 * 3)
    #[test]
    fn the_bound_is_the_designs() {
        assert!((call_bound(100, 10, 10) - 16.25).abs() < 1e-12);
        assert!((call_bound(100, 10, 100) - 55.0).abs() < 1e-12);
        assert_eq!(call_bound(3, 10, 2), 1.0);
    }

    // numpy 2.3: numpy.percentile([3, 1, 4, 1, 5, 9, 2, 6], [5, 50, 95])
    #[test]
    fn percentiles_are_numpys() {
        let found = SampleSummary::of([3, 1, 4, 1, 5, 9, 2, 6].map(f64::from).to_vec()).unwrap();
        for (found, expected) in [(found.p5, 1.0), (found.p50, 3.5), (found.p95, 7.95), (found.mean, 3.875)] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!((found.min, found.max), (1.0, 9.0));
    }

    #[test]
    fn one_figure_is_all_of_them_and_none_is_nothing() {
        let one = SampleSummary::of(vec![2.5]).unwrap();
        assert_eq!([one.mean, one.min, one.p5, one.p50, one.p95, one.max], [2.5; 6]);
        assert_eq!(SampleSummary::of(Vec::new()), None);
    }
}
