//! What judging would still cost, before it is paid for.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Paradigm, Seed};
use llull_rank::TournamentOptions;
use llull_rank::simulate::{PlanOptions, SampleSummary, Scheduler, SimulatedPrior, plan};
use llull_runner::{Case, Ended, RunOutcome};
use llull_store::{JudgmentStore, Known, SqliteLedger};
use serde::Serialize;

use crate::config::{JudgeKind, JudgeSettings, TournamentSettings};
use crate::judged::Asking;
use crate::panel::{comparer, prompted};
use crate::{ComparedTopic, Judged, Prepared, Study, StudyError};

/// How many tournaments are simulated for each size of pool.
const TRIALS: u32 = 50;

/// The judge that is assumed: errors of half a grade, documents met about 20 places of 100 from where they belong.
const NOISE: f64 = 0.5;
const PRIOR: f64 = 0.2;

/// How many pairs have to be answered before the share of ties among them is gone by.
const FEW: usize = 50;

/// What one judge would still be asked, and what that would cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The judge.
    pub judge: String,
    /// Requests: exact where it grades; where it compares, the mean of simulated tournaments with errors of half a grade.
    pub calls: u64,
    /// The same for simulated tournaments at the 95th percentile.
    pub calls_high: u64,
    /// The share of pairs that the simulated judge cannot tell apart: that of the judges' answers so far. Null where judges do
    /// not compare pairs, or have answered too few; then it can tell all apart.
    pub ties: Option<f64>,
    /// Tokens of the prompts, estimated; 0 for a judge that is not a language model.
    pub prompt_tokens: u64,
    /// Tokens of the replies, by the mean of its replies in the ledger; null where there is none.
    pub reply_tokens: Option<u64>,
    /// Tokens of the replies if each were as long as `max_tokens` allows.
    pub reply_tokens_at_most: u64,
    /// US dollars, where the price is known and there are replies to go by.
    pub usd: Option<f64>,
    /// US dollars if every reply were as long as allowed and calls were at their 95th percentile; null where the price is unknown.
    pub usd_at_most: Option<f64>,
}

impl Study {
    /// What every judge would still be asked. Nothing is asked, and no key is needed. Who grades a few documents of each
    /// tier is not in it: how many tiers there will be is not known.
    ///
    /// # Errors
    /// When the ledger cannot be read, or a prompt not be rendered.
    pub fn estimate(&self, prepared: &Prepared, judged: &Judged) -> Result<Vec<Estimate>, StudyError> {
        let ledger = SqliteLedger::open_read_only(self.ledger_path())?;
        let pairs = |found: &TournamentSettings| found.paradigm == Paradigm::Pairwise;
        let ties = self
            .settings()
            .tournament
            .as_ref()
            .filter(|found| pairs(found))
            .and_then(|_| ties(&judged.outcome));
        let simulated = match (&self.settings().tournament, &judged.comparison) {
            (Some(settings), Some(comparison)) => Some(remaining(
                settings,
                Seed(self.settings().seed),
                &comparison.topics,
                ties.unwrap_or(0.0),
            )?),
            _ => None,
        };
        let mut estimates = Vec::new();
        for (settings, outcome) in self.settings().judges.iter().zip(&judged.outcome.judges) {
            let open: Vec<Case<'_>> = judged
                .workload
                .cases()
                .zip(outcome.questions())
                .filter(|(_, ends)| {
                    ends.iter().any(|ended| matches!(ended, Ended::NotAsked | Ended::GaveUp(_)))
                })
                .map(|(case, _)| case)
                .collect();
            let (calls, calls_high) = match simulated {
                Some((mean, high)) if !open.is_empty() => {
                    (mean.max(open.len() as u64), high.max(open.len() as u64))
                }
                _ => (open.len() as u64, open.len() as u64),
            };
            let tokens = self.prompt_tokens(prepared, settings, &open)?;
            let per_call = if open.is_empty() { 0.0 } else { tokens as f64 / open.len() as f64 };
            let totals = ledger.totals(Some(outcome.id), None)?;
            let answered = totals.judged + totals.unusable_attempts();
            let counted = answered.saturating_sub(totals.completion_tokens.unknown);
            let reply = (counted > 0).then(|| totals.completion_tokens.total as f64 / counted as f64);
            let estimate = estimate(settings, calls, calls_high, per_call, reply);
            estimates.push(Estimate { ties, ..estimate });
        }
        Ok(estimates)
    }

    /// The estimated tokens of the prompts of these questions.
    fn prompt_tokens(
        &self,
        prepared: &Prepared,
        settings: &JudgeSettings,
        open: &[Case<'_>],
    ) -> Result<u64, StudyError> {
        if !matches!(settings.kind, JudgeKind::Prompted { .. }) {
            return Ok(0);
        }
        let rubric = Arc::new(prepared.rubric.clone());
        let mut tokens = 0;
        match &self.settings().tournament {
            None => {
                let judge = prompted(self, settings, &rubric, &|_| None, Asking::Nothing)?;
                for case in open {
                    tokens += u64::from(judge.render(case)?.tokens);
                }
            }
            Some(tournament) => {
                let judge = comparer(self, settings, tournament, &rubric, &|_| None, Asking::Nothing)?;
                for case in open {
                    tokens += u64::from(judge.render(case)?.tokens);
                }
            }
        }
        Ok(tokens)
    }
}

fn estimate(
    settings: &JudgeSettings,
    calls: u64,
    calls_high: u64,
    prompt: f64,
    reply: Option<f64>,
) -> Estimate {
    let (max_tokens, price) = match &settings.kind {
        JudgeKind::Prompted { sampling, price, .. } => (sampling.max_tokens, *price),
        JudgeKind::Replay { .. } | JudgeKind::Similarity {} => (0, None),
    };
    let usd = |calls: u64, reply: f64| {
        let price = price?;
        Some(calls as f64 * (prompt * price.input + reply * price.output) / 1e6)
    };
    Estimate {
        judge: settings.name.clone(),
        calls,
        calls_high,
        ties: None,
        prompt_tokens: (calls as f64 * prompt).round() as u64,
        reply_tokens: reply.map(|reply| (calls as f64 * reply).round() as u64),
        reply_tokens_at_most: calls_high * u64::from(max_tokens),
        usd: reply.and_then(|reply| usd(calls, reply)),
        usd_at_most: usd(calls_high, f64::from(max_tokens)),
    }
}

/// The share of pairs that the judges have not told apart in the answers so far, all judges together; `None` where there are few.
/// Each such pair is asked by itself, which can take several times the calls that clear answers would take.
fn ties(outcome: &RunOutcome) -> Option<f64> {
    let (mut tied, mut pairs) = (0, 0);
    for ended in outcome.judges.iter().flat_map(|judge| judge.questions().filter_map(|ends| ends.first())) {
        let Some(Known::Compared(verdict)) = ended.known() else { continue };
        pairs += 1;
        tied += usize::from(verdict.order.len() == 1);
    }
    (pairs >= FEW).then(|| tied as f64 / pairs as f64)
}

/// How many questions the unfinished tournaments still come to, each of every judge: mean and 95th percentile, by playing
/// tournaments of the same size with the real scheduler.
fn remaining(
    settings: &TournamentSettings,
    seed: Seed,
    topics: &[ComparedTopic],
    ties: f64,
) -> Result<(u64, u64), StudyError> {
    let mut sizes: BTreeMap<(usize, usize), SampleSummary> = BTreeMap::new();
    let (mut mean, mut high) = (0.0, 0.0);
    let orders = if settings.both_orders() { 2.0 } else { 1.0 };
    for topic in topics.iter().filter(|topic| !topic.outcome.complete) {
        let size = (topic.documents.len(), topic.window);
        let calls = match sizes.get(&size) {
            Some(calls) => *calls,
            None => {
                let Some(calls) =
                    simulate(settings.options(topic.window), topic.documents.len(), seed, ties)?
                else {
                    continue;
                };
                sizes.insert(size, calls);
                calls
            }
        };
        let asked = topic.outcome.calls as f64;
        mean += orders * (calls.mean - asked).max(1.0);
        high += orders * (calls.p95 - asked).max(1.0);
    }
    Ok((mean.round() as u64, high.ceil() as u64))
}

fn simulate(
    tournament: TournamentOptions,
    documents: usize,
    seed: Seed,
    ties: f64,
) -> Result<Option<SampleSummary>, StudyError> {
    let scheduler = Scheduler::Tournament(tournament.schedule);
    let options =
        PlanOptions { documents, tournament, noise: NOISE, ties, prior: SimulatedPrior::Ranks(PRIOR) };
    let figures = plan(&options, TRIALS, seed, &[scheduler], &|| ())
        .map_err(|error| StudyError::Unfit(error.to_string()))?;
    Ok(figures.first().map(|figures| figures.calls))
}
