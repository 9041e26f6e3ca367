//! Tiers and ratings as trec_eval's preference files.

use anyhow::{Context as _, Result};
use llull::core::Item;
use llull::data::{Preferences, write_prefs, write_qrels_prefs};

use super::ranking::{Ranked, RankingOutput};
use super::score_order::{equal_scores, names, ordered};
use crate::args::Method;

/// The file for `trec_eval -R prefs`.
pub(super) fn prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// The file for `trec_eval -R qrels_prefs`.
pub(super) fn qrels_prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_qrels_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// Items by tier or by score. Components become subgroups, so that no item is preferred to one of another component.
fn preferences(all: &[Ranked<'_>], method: Method) -> Result<Preferences> {
    let mut preferences = Preferences::default();
    for ranked in all {
        let query = ranked.query.context(
            "trec_eval's preferences need a query on every line, and the input names none; use --format json instead",
        )?;
        let places: Vec<Vec<Item>> = match &ranked.made {
            RankingOutput::Tiers(outcome) => outcome.tiers.iter().map(|tier| tier.items.clone()).collect(),
            RankingOutput::Ratings(ratings) => equal_scores(&ordered(ratings, ranked.topic.items.len())),
        };
        for (at, component) in ranked.components.iter().enumerate() {
            let inside = |place: &Vec<Item>| {
                let items: Vec<Item> =
                    place.iter().copied().filter(|item| component.contains(item)).collect();
                (!items.is_empty()).then(|| names(&items, ranked.topic))
            };
            let tiers: Vec<Vec<String>> = places.iter().filter_map(inside).collect();
            preferences.insert_tiers(query, method.name(), &at.to_string(), &tiers);
        }
    }
    Ok(preferences)
}
