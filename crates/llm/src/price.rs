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

/// Tokens of a prompt that the server read from its cache, or wrote there. The count of the prompt includes them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CachedTokens {
    pub(crate) read: u64,
    pub(crate) written: u64,
}

/// Prices of cached tokens, in shares of the price of others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CacheRates {
    pub(crate) read: f64,
    pub(crate) written: f64,
}

impl Price {
    /// Returns the price of `usage` in US dollars, or `None` if either count is unknown.
    ///
    /// ```
    /// use llull_core::Usage;
    /// use llull_llm::Price;
    ///
    /// let price = Price { input_per_million: 0.15, cached_per_million: None, output_per_million: 0.60 };
    /// let usage = Usage { prompt_tokens: Some(2_000_000), completion_tokens: Some(500_000) };
    /// assert_eq!(price.cost(&usage), Some(0.60));
    /// assert_eq!(price.cost(&Usage { completion_tokens: None, ..usage }), None);
    /// ```
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.prompt_tokens?, usage.completion_tokens?);
        Some((input as f64 * self.input_per_million + output as f64 * self.output_per_million) / 1e6)
    }

    /// Returns the price of `usage`, of whose prompt some tokens were cached: at most all, whatever the server counts.
    pub(crate) fn cost_with_cache(
        &self,
        usage: &Usage,
        cached: CachedTokens,
        rates: CacheRates,
    ) -> Option<f64> {
        let prompt = usage.prompt_tokens?;
        let read = cached.read.min(prompt);
        let written = cached.written.min(prompt - read);
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
        let usage = Usage { prompt_tokens: Some(1_000), completion_tokens: Some(10) };
        let (cached, rates) =
            (CachedTokens { read: 600, written: 100 }, CacheRates { read: 0.5, written: 1.25 });
        let cost = |cached_per_million| {
            let price = Price { input_per_million: 2.0, cached_per_million, output_per_million: 8.0 };
            (price.cost_with_cache(&usage, cached, rates).unwrap() * 1e9).round() / 1e3
        };
        // In millionths of a dollar: 300 * 2 + 600 * cached + 100 * 2.5 + 10 * 8.
        assert_eq!(cost(None), 1_530.0, "half of the other price");
        assert_eq!(cost(Some(0.2)), 1_050.0);
    }
}
