//! A dated list of providers' prices, to copy into a study.
//!
//! No cost is computed from it unless a study states the price: prices differ by tier and contract, and change.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::price::Price;

/// The list: model, US dollars per million tokens of prompts, cached prompts and replies, date, source.
const LIST: &str = include_str!("prices.tsv");

/// A price as its provider listed it on a day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedPrice {
    /// The model, `openai/gpt-4o-mini`.
    pub model: &'static str,
    /// The price of short prompts in the standard tier.
    #[serde(flatten)]
    pub price: Price,
    /// The day, `2026-11-25`.
    pub date: &'static str,
    /// The source.
    pub source: &'static str,
}

impl ListedPrice {
    /// Returns the listed price of exactly this model, `provider/model`: an earlier dated release may cost more.
    pub fn of(model: &str) -> Option<Self> {
        Self::all().find(|listed| listed.model == model)
    }

    /// Returns all listed prices, in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        LIST.lines().skip(1).filter_map(read)
    }

    /// Returns the value of `price` in a study's settings.
    pub fn setting(&self) -> String {
        let Price { input_per_million, cached_per_million, output_per_million } = self.price;
        let cached = cached_per_million.map_or_else(String::new, |usd| format!("cached = {usd}, "));
        format!("{{ input = {input_per_million}, {cached}output = {output_per_million} }}")
    }

    /// Returns how old the price is; zero if its day has not come yet.
    pub fn age(&self, now: SystemTime) -> Option<Duration> {
        let days = days_since_1970(self.date)?;
        let listed = UNIX_EPOCH + Duration::from_secs(days.checked_mul(86_400)?);
        Some(now.duration_since(listed).unwrap_or_default())
    }
}

fn read(line: &'static str) -> Option<ListedPrice> {
    let mut fields = line.split('\t');
    let (model, input, cached, output) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let (date, source) = (fields.next()?, fields.next()?);
    let cached_per_million = if cached.is_empty() { None } else { Some(cached.parse().ok()?) };
    let price = Price {
        input_per_million: input.parse().ok()?,
        cached_per_million,
        output_per_million: output.parse().ok()?,
    };
    Some(ListedPrice { model, price, date, source })
}

/// Returns the number of a day of the Gregorian calendar (Hinnant, `days_from_civil`).
fn days_since_1970(date: &str) -> Option<u64> {
    let mut parts = date.split('-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day.checked_sub(1)?;
    (365 * year + year / 4 + year / 400 + day_of_year).checked_sub(year / 100 + 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model_name::split_name;

    #[test]
    fn every_line_is_a_price_of_a_model_that_can_be_asked() {
        let prices: Vec<ListedPrice> = ListedPrice::all().collect();
        assert_eq!(prices.len(), LIST.lines().count() - 1);
        for (at, listed) in prices.iter().enumerate() {
            assert!(split_name(listed.model).is_ok() && listed.price.is_valid(), "{listed:?}");
            assert!(listed.price.cached_per_million.is_none_or(|usd| usd <= listed.price.input_per_million));
            assert!(days_since_1970(listed.date) > days_since_1970("2026-01-01"), "{listed:?}");
            assert!(
                !listed.source.is_empty() && prices[..at].iter().all(|other| other.model != listed.model)
            );
        }
    }

    #[test]
    fn only_the_listed_name_has_the_price() {
        let setting = ListedPrice::of("openai/gpt-4o-mini").map(|listed| listed.setting());
        assert_eq!(setting.as_deref(), Some("{ input = 0.15, cached = 0.075, output = 0.6 }"));
        // OpenAI listed the release of May 2024 at twice the price of prompts.
        for name in ["openai/gpt-4o-2024-05-13", "openai/gpt-4o-audio", "vllm/gpt-4o", "gpt-4o"] {
            assert_eq!(ListedPrice::of(name), None, "{name}");
        }
    }

    /// GNU date: `date -ud 2026-11-25 +%s` is 1795564800, `date -ud 2028-02-29 +%s` 1835395200.
    #[test]
    fn a_price_has_an_age() {
        let listed = |date| ListedPrice { date, ..ListedPrice::all().next().unwrap() };
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(listed("2026-11-25").age(at(1_795_564_800 + 5)), Some(Duration::from_secs(5)));
        assert_eq!(listed("2028-02-29").age(at(1_835_395_200 + 7)), Some(Duration::from_secs(7)));
        assert_eq!(listed("2028-02-29").age(at(0)), Some(Duration::ZERO));
    }
}
