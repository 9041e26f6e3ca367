//! The ranges of a judge's numbers, for llull.toml and command line.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::Serialize;

use llull_llm::Price;
use llull_runner::{AccountLimits, ScoreForm, ScorePrice};

use crate::file::{JudgeTable, PriceTable, Temperature};
use crate::place::JudgeFault;
use crate::ranges::{CONCURRENCY, DOCUMENT_TOKENS, PER_MINUTE, REPLY_TOKENS, TIMEOUT};
use crate::spanned::Spanned;

/// US dollars for a million tokens.
const PRICE: RangeInclusive<f64> = 0.0..=1e6;

/// The weight of a judge's votes, which is above 0.
const WEIGHT: RangeInclusive<f64> = 1e-6..=1e6;

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PriceSettings {
    /// Of prompts.
    pub input: f64,
    /// Of prompts that the server reads from its cache; `None` for the provider's usual share of the former.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// Of replies.
    pub output: f64,
}

impl From<PriceSettings> for Price {
    fn from(PriceSettings { input, cached, output }: PriceSettings) -> Self {
        Self { input_per_million: input, cached_per_million: cached, output_per_million: output }
    }
}

/// Returns a value of a table, or `None` if the table lacks it.
fn within<T: PartialOrd + Display + Copy>(
    value: Option<&Spanned<T>>,
    key: &str,
    range: RangeInclusive<T>,
) -> Result<Option<T>, JudgeFault> {
    match value {
        Some(written) if !range.contains(written.get_ref()) => {
            let (low, high) = (range.start(), range.end());
            let message = format!("{key} = {} is not from {low} to {high}", written.get_ref());
            Err(JudgeFault::of(written, message))
        }
        value => Ok(value.map(|value| *value.get_ref())),
    }
}

pub(crate) fn timeout(value: Option<&Spanned<u64>>) -> Result<Option<u64>, JudgeFault> {
    within(value, "timeout", TIMEOUT)
}

/// Returns the limits of an account.
pub(crate) fn limits(table: &JudgeTable) -> Result<AccountLimits, JudgeFault> {
    let within = |value: Option<&Spanned<u64>>, key| within(value, key, PER_MINUTE);
    Ok(AccountLimits {
        requests_per_minute: within(table.requests_per_minute.as_ref(), "requests_per_minute")?,
        tokens_per_minute: within(table.tokens_per_minute.as_ref(), "tokens_per_minute")?,
    })
}

pub(crate) fn concurrency(value: Option<&Spanned<usize>>) -> Result<Option<usize>, JudgeFault> {
    within(value, "concurrency", CONCURRENCY)
}

pub(crate) fn max_tokens(value: Option<&Spanned<u32>>) -> Result<Option<u32>, JudgeFault> {
    within(value, "max_tokens", REPLY_TOKENS)
}

pub(crate) fn document_tokens(value: Option<&Spanned<u32>>) -> Result<Option<u32>, JudgeFault> {
    within(value, "document_tokens", DOCUMENT_TOKENS)
}

pub(crate) fn top_p(value: Option<&Spanned<f64>>) -> Result<Option<f64>, JudgeFault> {
    match value {
        Some(written) if !(*written.get_ref() > 0.0 && *written.get_ref() <= 1.0) => {
            let message = format!("top_p = {} is not above 0 and at most 1", written.get_ref());
            Err(JudgeFault::of(written, message))
        }
        value => Ok(value.map(|value| *value.get_ref())),
    }
}

pub(crate) fn weight(value: Option<&Spanned<f64>>) -> Result<Option<f64>, JudgeFault> {
    within(value, "weight", WEIGHT)
}

pub(crate) fn price(value: Option<&Spanned<PriceTable>>) -> Result<Option<PriceSettings>, JudgeFault> {
    let Some(written) = value else { return Ok(None) };
    let fault = |message: &str| Err(JudgeFault::of(written, message.to_owned()));
    in_range(written)?;
    match *written.get_ref() {
        PriceTable { input: Some(input), cached, output: Some(output), search: None } => {
            // Estimates and budgets take the price of prompts for the highest.
            if cached.is_some_and(|cached| cached > input) {
                return fault("price: `cached` is more than `input`, the price of other prompts");
            }
            Ok(Some(PriceSettings { input, cached, output }))
        }
        _ => {
            fault("price: a language model has `input` and `output`, such as { input = 0.15, output = 0.60 }")
        }
    }
}

/// Returns the price of a reranker.
pub(crate) fn score_price(
    value: Option<&Spanned<PriceTable>>,
    form: ScoreForm,
) -> Result<Option<ScorePrice>, JudgeFault> {
    let Some(written) = value else { return Ok(None) };
    in_range(written)?;
    let price = match *written.get_ref() {
        PriceTable { input: Some(usd), cached: None, output: None, search: None } => ScorePrice::Input(usd),
        PriceTable { input: None, cached: None, output: None, search: Some(usd) } => ScorePrice::Search(usd),
        _ => {
            let message = "price: a reranker's is { input = 0.05 } for a million tokens, or { search = 0.002 } for a \
                           search unit";
            return Err(JudgeFault::of(written, message.to_owned()));
        }
    };
    if form.counts(price) {
        return Ok(Some(price));
    }
    let counts = match form {
        ScoreForm::Tei => "neither tokens nor search units: leave the price out, or set { input = 0 }",
        _ => "tokens and no search units: set { input = 0.05 } for a million of them",
    };
    Err(JudgeFault::of(written, format!("price: a server of {} counts {counts}", form.name())))
}

/// Checks the amounts of a price.
fn in_range(written: &Spanned<PriceTable>) -> Result<(), JudgeFault> {
    let PriceTable { input, cached, output, search } = *written.get_ref();
    match [input, cached, output, search].iter().flatten().find(|usd| !PRICE.contains(usd)) {
        Some(usd) => {
            let message = format!(
                "price: {usd} is not an amount from 0 to {} US dollars for a million tokens",
                PRICE.end()
            );
            Err(JudgeFault::of(written, message))
        }
        None => Ok(()),
    }
}

pub(crate) fn threshold(value: Option<&Spanned<f64>>) -> Result<Option<f64>, JudgeFault> {
    match value {
        Some(written) if !written.get_ref().is_finite() => {
            Err(JudgeFault::of(written, "threshold is not a finite number".to_owned()))
        }
        value => Ok(value.map(|value| *value.get_ref())),
    }
}

/// Returns the temperature; `None` leaves it to the server.
pub(crate) fn temperature(
    value: Option<&Spanned<Temperature>>,
    default: Option<f64>,
) -> Result<Option<f64>, JudgeFault> {
    let Some(written) = value else { return Ok(default) };
    match written.get_ref() {
        Temperature::Value(value) if (0.0..=2.0).contains(value) => Ok(Some(*value)),
        Temperature::Value(value) => {
            Err(JudgeFault::of(written, format!("temperature {value} is not from 0 to 2")))
        }
        Temperature::Word(word) if word == "default" => Ok(None),
        Temperature::Word(word) => Err(JudgeFault::of(
            written,
            format!(
                "temperature {word:?} is neither a number nor \"default\", which leaves it to the server"
            ),
        )),
    }
}
