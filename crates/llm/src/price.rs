//! The price of a reply.

use llull_core::Usage;
use serde::{Deserialize, Serialize};

/// A model's price in US dollars per million tokens, as its provider lists it.
///
/// No price applies by itself: prices change and differ by provider, tier and contract, and a wrong price is worse than
/// an unknown one. The study states a price, for example a [listed one](crate::ListedPrice), or the server does
/// (OpenRouter), or the cost is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Per million tokens of prompts.
    pub input_per_million: f64,
    /// Per million tokens of prompts that the server reads from its cache. `None` for the provider's usual share of
    /// the other price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_per_million: Option<f64>,
    /// Per million tokens of replies, reasoning included.
    pub output_per_million: f64,
}

/// Prices of cached tokens, in shares of the price of others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CacheRates {
    pub(crate) read: f64,
    pub(crate) written: f64,
}

impl Price {
    /// Returns the price of `usage` in US dollars if nothing is cached, or `None` if either count is unknown.
    ///
    /// ```
    /// use llull_core::Usage;
    /// use llull_llm::Price;
    ///
    /// let price = Price { input_per_million: 0.15, cached_per_million: None, output_per_million: 0.60 };
    /// let usage = Usage::new(2_000_000, 500_000);
    /// assert_eq!(price.cost(&usage), Some(0.60));
    /// assert_eq!(price.cost(&Usage { completion_tokens: None, ..usage }), None);
    /// ```
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.prompt_tokens?, usage.completion_tokens?);
        Some((input as f64 * self.input_per_million + output as f64 * self.output_per_million) / 1e6)
    }

    /// Returns the price of `usage` with its cached tokens: at most all of the prompt, whatever the server counts.
    pub(crate) fn cost_with_cache(&self, usage: &Usage, rates: CacheRates) -> Option<f64> {
        let prompt = usage.prompt_tokens?;
        let read = usage.cached_tokens.unwrap_or(0).min(prompt);
        let written = usage.cache_written_tokens.unwrap_or(0).min(prompt - read);
        let input = self.input_per_million;
        let cached = self.cached_per_million.unwrap_or(input * rates.read);
        let saved = read as f64 * (input - cached) + written as f64 * input * (1.0 - rates.written);
        Some(self.cost(usage)? - saved / 1e6)
    }

    /// Returns whether all numbers are finite and not negative.
    pub fn is_valid(&self) -> bool {
        let numbers = [Some(self.input_per_million), self.cached_per_million, Some(self.output_per_million)];
        numbers.iter().flatten().all(|usd| usd.is_finite() && *usd >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 tokens of prompt, of which 600 were read from the cache and 100 written to it, and 10 of reply.
    #[test]
    fn cached_tokens_have_their_own_price() {
        let usage =
            Usage { cached_tokens: Some(600), cache_written_tokens: Some(100), ..Usage::new(1_000, 10) };
        let rates = CacheRates { read: 0.5, written: 1.25 };
        let cost = |cached_per_million| {
            let price = Price { input_per_million: 2.0, cached_per_million, output_per_million: 8.0 };
            (price.cost_with_cache(&usage, rates).unwrap() * 1e9).round() / 1e3
        };
        // In millionths of a dollar: 300 * 2 + 600 * cached + 100 * 2.5 + 10 * 8.
        assert_eq!(cost(None), 1_530.0, "half of the other price");
        assert_eq!(cost(Some(0.2)), 1_050.0);
    }
}
