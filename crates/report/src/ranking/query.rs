//! Tiers or ratings of one query's comparisons.

use llull_core::{Item, TopicBallots};
use llull_rank::ratings::{RatingError, RatingOptions, Ratings, components, rate};
use llull_rank::{TournamentOutcome, tiers};

use super::comparison_ranking::RankingOptions;
use super::error::RankingError;
use super::method::RankingMethod;
use crate::text::count;

/// Tiers or ratings of one query's comparisons, or of all comparisons if they name no query.
#[derive(Debug)]
pub struct RankedQuery<'a> {
    /// The query.
    pub query: Option<&'a str>,
    /// Its items and comparisons.
    pub topic: &'a TopicBallots,
    /// The tiers or ratings of the items.
    pub made: RankingOutput,
    /// Groups of items; within a group, a chain of comparisons connects any two.
    pub components: Vec<Vec<Item>>,
}

/// Ratings or tiers.
#[derive(Debug)]
pub enum RankingOutput {
    /// A score for each item.
    Ratings(Ratings),
    /// Tiers.
    Tiers(TournamentOutcome),
}

pub(super) fn ranked<'a>(
    query: Option<&'a str>,
    topic: &'a TopicBallots,
    options: &RankingOptions,
) -> Result<RankedQuery<'a>, RankingError> {
    let items = topic.items.len();
    let failed = |error| RankingError::new(query, by_name(error, topic));
    let made = match options.method {
        RankingMethod::Tiers => RankingOutput::Tiers(tiers(items, &topic.ballots, options.ties)),
        RankingMethod::Rating(model) => {
            let rating = RatingOptions { prior: options.prior, ..RatingOptions::default() };
            RankingOutput::Ratings(rate(model, items, &topic.ballots, &rating).map_err(failed)?)
        }
    };
    Ok(RankedQuery { query, topic, made, components: components(items, &topic.ballots).map_err(failed)? })
}

/// An error that names items instead of giving their positions.
pub(super) fn by_name(error: RatingError, topic: &TopicBallots) -> String {
    match error {
        RatingError::NoMaximum { model, unbeaten, component } => {
            let first = unbeaten.first().and_then(|item| topic.id(*item)).unwrap_or_default();
            format!(
                "{model} without a prior has no finite scores: {} of {} connected items were never beaten by the \
                 others ({first} is one of them). Leave out --prior none",
                count(unbeaten.len()),
                count(component)
            )
        }
        other => other.to_string(),
    }
}
