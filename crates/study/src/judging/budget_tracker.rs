//! Tracks the budget of a study, and the limits of a run.
//!
//! The budget holds for all requests that the study's ledger records.

use std::collections::BTreeMap;
use std::fmt;

use llull_config::{BudgetSettings, Environment, JudgeKind, JudgeSettings, Settings};
use llull_core::JudgeSpec;
use llull_llm::{Endpoint, ListedPrice, Price, cost_of};
use llull_runner::{Budget, Limit, ScorePrice, Spent, StopReason};
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader};

use super::models::endpoint;
use crate::error::StudyError;
use crate::judging::error::JudgeError;

/// The source of a limit that ended a run.
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
    /// The source of the limit.
    pub scope: BudgetScope,
    /// The limited quantity.
    pub limit: Limit,
    /// The limit.
    pub allowed: f64,
    /// The amount used when the run ended, by all runs or by this one.
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
        let is_none = *allowed == 0.0;
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
            BudgetScope::Run if is_none => {
                write!(f, "--max-{key} 0 allows no request; raise it or leave it out")
            }
            BudgetScope::Run => write!(
                f,
                "this run's limit of {allowed} (--max-{key}) is reached, with {spent}; the same command goes on"
            ),
        }
    }
}

/// The limits, and the amounts used.
#[derive(Debug)]
pub(super) struct BudgetTracker {
    study: BudgetSettings,
    run: BudgetSettings,
    /// The amounts used by earlier runs; zero if the study has no budget.
    before: Spent,
    /// The amounts used by this run.
    pub(super) spent: Spent,
}

impl BudgetTracker {
    /// Adds up the costs in the ledger, of every judge, if the study has a budget. The price of answers without one is
    /// computed from their tokens.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or it has answers without a price or a token count that the
    /// budget needs.
    pub(super) fn open(settings: &Settings, ledger: &dyn LedgerReader) -> Result<Self, StudyError> {
        let study = settings.budget.clone();
        let before = match study == BudgetSettings::default() {
            true => Spent::default(),
            false => earlier_spending(settings, ledger)?,
        };
        Ok(Self { study, run: settings.run_limits.clone(), before, spent: Spent::default() })
    }

    /// Adds up the costs in the ledger anew: other runs write to it, too.
    ///
    /// # Errors
    /// Returns those of [`open`](Self::open).
    pub(super) fn refresh(
        &mut self,
        settings: &Settings,
        ledger: &dyn LedgerReader,
    ) -> Result<(), StudyError> {
        if self.study != BudgetSettings::default() {
            self.before = minus(earlier_spending(settings, ledger)?, self.spent);
        }
        Ok(())
    }

    /// Returns the rest of the study's budget.
    pub(super) fn left_of_study(&self) -> Budget {
        left(&self.study, &sum(self.before, self.spent))
    }

    /// Returns the rest of both budgets together.
    pub(super) fn left(&self) -> Budget {
        let (study, run) = (self.left_of_study(), left(&self.run, &self.spent));
        Budget {
            attempts: smaller(study.attempts, run.attempts),
            tokens: smaller(study.tokens, run.tokens),
            usd: smaller(study.usd, run.usd),
        }
    }

    /// Adds costs.
    pub(super) fn spend(&mut self, spent: Spent) {
        self.spent = sum(self.spent, spent);
    }

    /// Returns the limit that ended a run: that of the run if both were reached.
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

/// Returns the cost of the attempts in the ledger.
fn earlier_spending(settings: &Settings, ledger: &dyn LedgerReader) -> Result<Spent, StudyError> {
    let judges: BTreeMap<JudgeId, LedgerJudge> =
        ledger.judges()?.into_iter().map(|judge| (judge.id, judge)).collect();
    let prices: BTreeMap<JudgeId, Price> = judges
        .iter()
        .filter_map(|(id, judge)| Some((*id, price_of_model(settings, &judge.spec.model)?)))
        .collect();
    let mut spent = Spent::default();
    let mut unmetered: BTreeMap<(JudgeId, MissingFigure), u64> = BTreeMap::new();
    ledger.scan(None, Detail::Facts, &mut |judge, attempt| {
        let usage = attempt.answer.usage;
        let tokens = usage.prompt_tokens.unwrap_or(0).saturating_add(usage.completion_tokens.unwrap_or(0));
        let price = attempt.answer.cost_usd.or_else(|| {
            let spec = &judges.get(&judge)?.spec;
            let of_scores = || price_of_scores(settings, spec)?.cost(usage.prompt_tokens, None);
            of_scores().or_else(|| cost_of(&spec.model, prices.get(&judge)?, &usage))
        });
        spent.attempts += 1;
        spent.tokens = spent.tokens.saturating_add(tokens);
        if let Some(usd) = price {
            *spent.usd.get_or_insert(0.0) += usd;
        }
        // Only language models and rerankers have a price; the cost of a user's program is unknown.
        let spec = judges.get(&judge).map(|judge| &judge.spec);
        let has_scores = spec.is_some_and(|spec| spec.options.contains_key(SCORES));
        let paid = has_scores || spec.is_some_and(|spec| spec.sampling.is_some());
        if paid && attempt.is_answered() {
            let uncounted = usage.prompt_tokens.or(usage.completion_tokens).is_none();
            let missing = match (uncounted, price) {
                (_, None) if has_scores && settings.budget.usd.is_some() => Some(MissingFigure::ScorePrice),
                (true, _) if settings.budget.tokens.is_some() => Some(MissingFigure::Tokens),
                (_, None) if settings.budget.usd.is_some() && prices.contains_key(&judge) => {
                    Some(MissingFigure::CountsForPrice)
                }
                (_, None) if settings.budget.usd.is_some() => Some(MissingFigure::Price),
                _ => None,
            };
            missing.into_iter().for_each(|missing| *unmetered.entry((judge, missing)).or_default() += 1);
        }
        Ok(())
    })?;
    match unmetered.into_iter().next() {
        None => Ok(spent),
        Some(((judge, missing), answers)) => {
            Err(StudyError::Judges(JudgeError::BudgetUnknown(UnknownSpending {
                judge: judges.get(&judge).map(|judge| judge.name.clone()).unwrap_or_default(),
                model: judges.get(&judge).map(|judge| judge.spec.model.clone()).unwrap_or_default(),
                answers,
                missing,
            })))
        }
    }
}

/// Returns the price of a model in the settings of the study's judges: the highest one if they differ.
fn price_of_model(settings: &Settings, model: &str) -> Option<Price> {
    let judges = settings.judges.iter().chain(&settings.graders).filter(|judge| judge.model == model);
    let prices = judges.filter_map(|judge| match &judge.kind {
        JudgeKind::Prompted { price, .. } => price.map(Price::from),
        _ => None,
    });
    prices.max_by(|one, other| {
        let key = |price: &Price| price.input_per_million + price.output_per_million;
        key(one).total_cmp(&key(other))
    })
}

/// The option of a reranker's specification, which has the form of its scores.
pub(super) const SCORES: &str = "scores";

/// Returns the price of a reranker in the settings of the study's judge with its name.
fn price_of_scores(settings: &Settings, spec: &JudgeSpec) -> Option<ScorePrice> {
    let name = spec.options.get(SCORES).and(spec.options.get("name"))?;
    let judge = settings.judges.iter().chain(&settings.graders).find(|judge| judge.name == *name)?;
    match &judge.kind {
        JudgeKind::Own(own) => own.source.scores()?.price,
        _ => None,
    }
}

fn smaller<T: PartialOrd>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other < one { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// Returns the rest of a budget.
fn left(budget: &BudgetSettings, spent: &Spent) -> Budget {
    Budget {
        attempts: budget.calls.map(|calls| calls.saturating_sub(spent.attempts)),
        tokens: budget.tokens.map(|tokens| tokens.saturating_sub(spent.tokens)),
        usd: budget.usd.map(|usd| (usd - spent.usd.unwrap_or(0.0)).max(0.0)),
    }
}

/// Returns a sum without one of its parts.
fn minus(all: Spent, part: Spent) -> Spent {
    Spent {
        attempts: all.attempts.saturating_sub(part.attempts),
        answered: all.answered.saturating_sub(part.answered),
        tokens: all.tokens.saturating_sub(part.tokens),
        uncounted: all.uncounted.saturating_sub(part.uncounted),
        usd: all.usd.map(|usd| (usd - part.usd.unwrap_or(0.0)).max(0.0)),
        unpriced: all.unpriced.saturating_sub(part.unpriced),
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

/// Checks that a limit in US dollars can be applied to this judge, before any cost.
///
/// # Errors
/// Returns an error if there is such a limit and the judge is a language model or a reranker whose price is unknown.
pub(crate) fn priced(
    settings: &Settings,
    judge: &JudgeSettings,
    environment: Environment<'_>,
) -> Result<(), StudyError> {
    let limited = settings.budget.usd.is_some() || settings.run_limits.usd.is_some();
    let unpriced = match &judge.kind {
        JudgeKind::Prompted { price, client, .. } => price.is_none() && client.is_none(),
        JudgeKind::Own(own) => own.source.scores().is_some_and(|scores| scores.price.is_none()),
        _ => false,
    };
    if !limited || !unpriced {
        return Ok(());
    }
    // An invalid address or name is reported elsewhere.
    let endpoint = endpoint(judge, environment).ok().flatten();
    if endpoint.as_ref().is_some_and(Endpoint::states_price) {
        return Ok(());
    }
    let setting = price_to_set(judge, endpoint.as_ref());
    Err(StudyError::Judges(JudgeError::NoPrice { judge: judge.name.clone(), setting }))
}

/// Returns the setting of a judge's price: the listed one at its provider's own server, otherwise an example.
pub(crate) fn price_to_set(judge: &JudgeSettings, endpoint: Option<&Endpoint>) -> String {
    if let JudgeKind::Own(_) = judge.kind {
        return "price = { input = 0.05 }, or { search = 0.002 } for a search unit".to_owned();
    }
    let listed = endpoint.filter(|endpoint| endpoint.is_own()).and_then(|_| ListedPrice::of(&judge.model));
    match listed {
        Some(listed) => format!("price = {} (listed on {})", listed.setting(), listed.date),
        None => "price = { input = 0.15, output = 0.60 }".to_owned(),
    }
}

/// The figures that answers in the ledger lack, so that a budget cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingFigure {
    /// Their price.
    Price,
    /// The token counts that a known price needs.
    CountsForPrice,
    /// A reranker's price, or the tokens that it needs.
    ScorePrice,
    /// Their tokens, for a budget of tokens.
    Tokens,
}

/// Answers in the ledger whose share of a budget is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSpending {
    /// The judge that gave them, by its first name in the ledger.
    pub judge: String,
    /// Its model.
    pub model: String,
    /// The number of these answers.
    pub answers: u64,
    /// The figure that they lack.
    pub missing: MissingFigure,
}

impl fmt::Display for UnknownSpending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judge, model, answers, missing } = self;
        let answers = llull_report::text::counted(*answers, "answer");
        write!(f, "the budget cannot be computed: the ledger has {answers} of judge {judge} ({model}) ")?;
        match missing {
            MissingFigure::Price => write!(
                f,
                "without a price; set price = {{ input = 0.15, output = 0.60 }} (US dollars a million tokens) for a \
                 [[judges]] table with model = {model:?}, which prices them by their tokens, or use calls or tokens \
                 instead of usd in [budget]"
            ),
            MissingFigure::CountsForPrice => f.write_str(
                "without a price, and their server counted no tokens; use calls instead of usd in [budget]",
            ),
            MissingFigure::ScorePrice => f.write_str(
                "without a price; set price = { input = 0.05 } (US dollars a million tokens) in its [[judges]] table, \
                 which prices them if their server counted tokens, or use calls instead of usd in [budget]",
            ),
            MissingFigure::Tokens => {
                f.write_str("whose server counted no tokens; use calls instead of tokens in [budget]")
            }
        }
    }
}
