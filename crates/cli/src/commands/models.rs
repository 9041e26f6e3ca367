//! `llull models`: lists and adds the encoders on this machine, and lists prices of judges.

use std::time::{Duration, SystemTime};

use anyhow::Result;
use llull::encoder::{MiniLm, add_minilm, minilm_files};
use llull::llm::ListedPrice;
use llull::report::text::{ABSENT, count, counted, figures, text_table, words};
use serde::Serialize;

use super::{Context, minilm_folder};
use crate::args::{AddModelArgs, ModelsAction, ModelsArgs};
use crate::exit::Exit;

/// The age from which a price has to be checked.
const OLD: Duration = Duration::from_secs(90 * 86_400);

/// A model that llull knows.
#[derive(Serialize)]
struct Model {
    name: &'static str,
    about: &'static str,
    folder: String,
    ready: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    bytes: u64,
}

pub(crate) fn run(context: &Context, args: &ModelsArgs) -> Result<Exit> {
    if args.prices {
        return prices(context);
    }
    let folder = minilm_folder()?;
    if let Some(ModelsAction::Add(AddModelArgs { name, from })) = &args.action {
        add_minilm(from, &folder)?;
        context.printer.note(format!("{name} is in {}", folder.display()));
    }
    let loaded = MiniLm::load(&folder);
    let model = Model {
        name: "minilm",
        about: "all-MiniLM-L6-v2, int8: 384 dimensions, the first 256 tokens of a text",
        ready: loaded.is_ok(),
        why: loaded.err().map(|error| error.to_string()),
        bytes: minilm_files(&folder).iter().map(|(_, bytes)| bytes).sum(),
        folder: folder.display().to_string(),
    };
    let Model { name, about, folder, bytes, why, .. } = &model;
    context.show(std::slice::from_ref(&model), || match why {
        None => format!("{name}: {about}; {} bytes in {folder}", count(*bytes)),
        Some(why) => format!("{name}: {about}; not ready: {why}"),
    })?;
    Ok(Exit::Fine)
}

/// Lists prices, and warns of old ones.
fn prices(context: &Context) -> Result<Exit> {
    let prices: Vec<ListedPrice> = ListedPrice::all().collect();
    if !context.shows_json(&prices)? {
        let rows = prices.iter().map(|listed| {
            let cached =
                listed.price.cached_per_million.map_or_else(|| ABSENT.to_owned(), |usd| usd.to_string());
            let (input, output) = (listed.price.input_per_million, listed.price.output_per_million);
            let (model, date) = (listed.model.to_owned(), listed.date.to_owned());
            vec![model, input.to_string(), cached, output.to_string(), date]
        });
        let headings =
            [words("model"), figures("input"), figures("cached"), figures("output"), words("listed on")];
        context.printer.result(text_table(headings, rows))?;
        context.printer.note(
            "US dollars per million tokens of short prompts, cached prompts and replies; sources: --json. A price \
             counts once it is in the judge's table of llull.toml: price = { input = 0.15, cached = 0.075, output = \
             0.6 }",
        );
    }
    context.printer.warnings(old_prices(&prices, SystemTime::now()));
    Ok(Exit::Fine)
}

/// Warns of prices that are old at this time; `None` without any.
fn old_prices(prices: &[ListedPrice], now: SystemTime) -> Option<String> {
    let ages = prices.iter().filter_map(|listed| listed.age(now)).filter(|age| *age > OLD);
    let ages: Vec<u64> = ages.map(|age| age.as_secs() / 86_400).collect();
    let oldest = ages.iter().max()?;
    let prices = counted(ages.len(), "price");
    Some(format!(
        "{prices} from more than 90 days ago, the oldest from {oldest}: check them at their sources"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_prices_are_warned_of() {
        let price = ListedPrice::all().next().unwrap();
        let prices = ["2026-11-25", "2026-11-24"].map(|date| ListedPrice { date, ..price.clone() });
        // GNU date: `date -ud 2026-11-25 +%s`.
        let warned = |days: u64| {
            let now = 1_795_564_800 + days * 86_400;
            old_prices(&prices, SystemTime::UNIX_EPOCH + Duration::from_secs(now))
        };
        let text = "from more than 90 days ago, the oldest from 91: check them at their sources";
        assert_eq!((warned(89), warned(90)), (None, Some(format!("1 price {text}"))));
        assert!(warned(91).is_some_and(|text| text.starts_with("2 prices from more than 90 days ago, ")));
    }
}
