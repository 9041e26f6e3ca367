//! What may still be spent: the study's budget, which holds for all that its ledger records, and the limits of a run.

use std::fmt;

use llull_runner::{Budget, Limit, Spent, StopReason};
use llull_store::{LedgerReader, Totals};

use super::models::endpoint;
use crate::config::{BudgetSettings, JudgeKind, JudgeSettings, Settings};
use crate::environment::Environment;
use crate::error::StudyError;

/// Whose limit ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetScope {
    /// `[budget]` of the study.
    Study,
    /// The limits of this run alone.
    Run,
}

/// The limit that ended a run.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetEnd {
    /// Whose limit it is.
    pub scope: BudgetScope,
    /// What is limited.
    pub limit: Limit,
    /// The limit.
    pub allowed: f64,
    /// What was spent when the run ended, by all runs or by this one.
    pub spent: f64,
}

impl fmt::Display for BudgetEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, limit, allowed, spent } = self;
        let amount = |amount: f64| match limit {
            Limit::Usd => format!("${}", llull_report::text::dollars(amount)),
            Limit::Tokens => format!("{} tokens", llull_report::text::count(amount as u64)),
            Limit::Attempts => llull_report::text::counted(amount as u64, "request"),
        };
        let (allowed, spent) = (amount(*allowed), amount(*spent));
        let key = match limit {
            Limit::Attempts => "calls",
            Limit::Tokens => "tokens",
            Limit::Usd => "usd",
        };
        match scope {
            BudgetScope::Study => write!(
                f,
                "the study's budget of {allowed} is spent: its ledger records {spent}; to go on, raise {key} in \
                 [budget] of llull.toml and run again"
            ),
            BudgetScope::Run => write!(
                f,
                "this run's limit of {allowed} (--max-{key}) is reached, with {spent}; the same command goes on"
            ),
        }
    }
}

/// What may be spent, and what was.
#[derive(Debug)]
pub(super) struct Purse {
    study: BudgetSettings,
    run: BudgetSettings,
    /// What earlier runs have spent; zero if the study has no budget.
    before: Spent,
    /// What this run has spent.
    pub(super) spent: Spent,
}

impl Purse {
    /// Adds up what the ledger records, of every judge, if the study has a budget.
    pub(super) fn open(settings: &Settings, ledger: &dyn LedgerReader) -> Result<Self, StudyError> {
        let study = settings.budget.clone();
        let mut before = Spent::default();
        if study != BudgetSettings::default() {
            let totals = Totals::read(ledger, None)?;
            before.attempts = totals.attempts;
            before.tokens = totals.prompt_tokens.total.saturating_add(totals.completion_tokens.total);
            before.usd = totals.cost_usd;
        }
        Ok(Self { study, run: settings.run_limits.clone(), before, spent: Spent::default() })
    }

    /// Returns what is left of both budgets together.
    pub(super) fn left(&self) -> Budget {
        let all = sum(self.before, self.spent);
        let (study, run) = (left(&self.study, &all), left(&self.run, &self.spent));
        Budget {
            attempts: smaller(study.attempts, run.attempts),
            tokens: smaller(study.tokens, run.tokens),
            usd: smaller(study.usd, run.usd),
        }
    }

    /// Adds what was spent.
    pub(super) fn spend(&mut self, spent: Spent) {
        self.spent = sum(self.spent, spent);
    }

    /// Returns the limit that a run has reached: that of the run if both are.
    pub(super) fn ended(&self, stopped: Option<&StopReason>) -> Option<BudgetEnd> {
        let Some(StopReason::Budget(limit)) = stopped else { return None };
        let all = sum(self.before, self.spent);
        [(BudgetScope::Run, &self.run, self.spent), (BudgetScope::Study, &self.study, all)]
            .into_iter()
            .find_map(|(scope, budget, spent)| {
                let (allowed, spent) = match limit {
                    Limit::Attempts => (budget.calls? as f64, spent.attempts as f64),
                    Limit::Tokens => (budget.tokens? as f64, spent.tokens as f64),
                    Limit::Usd => (budget.usd?, spent.usd.unwrap_or(0.0)),
                };
                (spent >= allowed).then_some(BudgetEnd { scope, limit: *limit, allowed, spent })
            })
    }
}

fn smaller<T: PartialOrd>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other < one { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// Returns what a budget has left.
fn left(budget: &BudgetSettings, spent: &Spent) -> Budget {
    Budget {
        attempts: budget.calls.map(|calls| calls.saturating_sub(spent.attempts)),
        tokens: budget.tokens.map(|tokens| tokens.saturating_sub(spent.tokens)),
        usd: budget.usd.map(|usd| (usd - spent.usd.unwrap_or(0.0)).max(0.0)),
    }
}

fn sum(one: Spent, other: Spent) -> Spent {
    Spent {
        attempts: one.attempts + other.attempts,
        answered: one.answered + other.answered,
        tokens: one.tokens.saturating_add(other.tokens),
        uncounted: one.uncounted + other.uncounted,
        usd: match (one.usd, other.usd) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        },
        unpriced: one.unpriced + other.unpriced,
    }
}

/// Checks that a limit in US dollars can be kept with this judge, before anything is paid for.
///
/// # Errors
/// Returns an error if there is such a limit and the judge is a language model whose price is unknown.
pub(crate) fn priced(
    settings: &Settings,
    judge: &JudgeSettings,
    environment: Environment<'_>,
) -> Result<(), StudyError> {
    let limited = settings.budget.usd.is_some() || settings.run_limits.usd.is_some();
    let unpriced = matches!(&judge.kind, JudgeKind::Prompted { price: None, client: None, .. });
    if !limited || !unpriced {
        return Ok(());
    }
    // Its address and its name are somebody else's to complain about.
    let stated = endpoint(judge, environment).ok().flatten().is_some_and(|found| found.states_price());
    if stated { Ok(()) } else { Err(StudyError::NoPrice { judge: judge.name.clone() }) }
}
