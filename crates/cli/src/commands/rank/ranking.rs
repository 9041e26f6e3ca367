//! Tiers or ratings of one query's comparisons.

use anyhow::{Context as _, Result, anyhow};
use llull::core::{Item, TopicBallots};
use llull::rank::ratings::{RatingError, RatingOptions, Ratings, components, rate};
use llull::rank::{TieRule, tiers};
use llull::report::text::count;

use crate::args::{Method, RankArgs};

/// Tiers or ratings of one query's comparisons, or of all comparisons if they name no query.
pub(super) struct Ranked<'a> {
    pub(super) query: Option<&'a str>,
    pub(super) topic: &'a TopicBallots,
    pub(super) made: RankingOutput,
    /// Groups of items; within a group, a chain of comparisons connects any two.
    pub(super) components: Vec<Vec<Item>>,
}

pub(super) enum RankingOutput {
    Ratings(Ratings),
    Tiers(llull::rank::TournamentOutcome),
}

pub(super) fn ranked<'a>(
    query: Option<&'a str>,
    topic: &'a TopicBallots,
    args: &RankArgs,
    ties: TieRule,
) -> Result<Ranked<'a>> {
    let items = topic.items.len();
    let made = match args.method {
        Method::Tiers => RankingOutput::Tiers(tiers(items, &topic.ballots, ties)),
        Method::Rating(model) => {
            let prior = args.prior.unwrap_or_default();
            let options = RatingOptions { prior, ..RatingOptions::default() };
            let rated = rate(model, items, &topic.ballots, &options).map_err(|error| by_name(error, topic));
            RankingOutput::Ratings(match query {
                Some(query) => rated.with_context(|| format!("query {query}"))?,
                None => rated?,
            })
        }
    };
    Ok(Ranked { query, topic, made, components: components(items, &topic.ballots)? })
}

/// An error that names items instead of giving their positions.
pub(super) fn by_name(error: RatingError, topic: &TopicBallots) -> anyhow::Error {
    match error {
        RatingError::NoMaximum { model, unbeaten, component } => {
            let first = unbeaten.first().and_then(|item| topic.id(*item)).unwrap_or_default();
            anyhow!(
                "{model} without a prior has no finite scores: {} of {} connected items were never beaten by the \
                 others \
                 ({first} is one of them). Leave out --prior none",
                count(unbeaten.len()),
                count(component)
            )
        }
        other => other.into(),
    }
}
