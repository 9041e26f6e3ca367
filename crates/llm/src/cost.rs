//! The cost of an answer that was recorded without one.

use llull_core::Usage;

use crate::model_name::split_name;
use crate::price::{CacheRates, Price};
use crate::protocols::wire_format;

/// Returns the cost of `usage` by a model `provider/model`, as [`connect`](crate::connect)ed models compute it: cached
/// tokens have their own price, or their provider's share of the other one.
///
/// ```
/// use llull_core::Usage;
/// use llull_llm::{Price, cost_of};
///
/// let price = Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 5.0 };
/// let usage = Usage { cached_tokens: Some(1_000_000), ..Usage::new(2_000_000, 0) };
/// assert_eq!(cost_of("anthropic/claude-haiku-4-5", &price, &usage), Some(1.1));
/// ```
pub fn cost_of(model: &str, price: &Price, usage: &Usage) -> Option<f64> {
    let own = |_| CacheRates { read: 1.0, written: 1.0 };
    let rates = split_name(model).map_or_else(own, |(provider, _)| wire_format(provider.wire).cache_rates());
    price.cost_with_cache(usage, rates)
}
