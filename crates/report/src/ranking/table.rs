//! Tiers and ratings as tables.

use crate::text::{ABSENT, count, figure, text_table, visible_line};
use llull_core::TopicBallots;
use llull_rank::TournamentOutcome;
use llull_rank::ratings::Ratings;

use super::contradictions::{contradictions, contradictions_in_words};
use super::judges::{RatedJudge, table_of_judges};
use super::query::{RankedQuery, RankingOutput};
use super::score_order::{names, ordered};

/// A table for each query, and the contradictions of all, or the judges by whom they are rated.
pub(super) fn tables(all: &[RankedQuery<'_>], judges: &[RatedJudge]) -> String {
    let mut text = String::new();
    for ranked in all {
        if let Some(query) = ranked.query {
            text.push_str(&format!("query {}\n", visible_line(query)));
        }
        match &ranked.made {
            RankingOutput::Ratings(ratings) => text.push_str(&table_of_ratings(ratings, ranked.topic)),
            RankingOutput::Tiers(outcome) => text.push_str(&table_of_tiers(outcome, ranked.topic)),
        }
        text.push_str("\n\n");
    }
    if let ([_, _, ..], Some(total)) = (all, contradictions(all)) {
        text.push_str(&format!("{} queries: {}\n", count(all.len()), contradictions_in_words(&total)));
    }
    if !judges.is_empty() {
        text.push_str(&format!("{}\n", table_of_judges(judges)));
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

fn table_of_ratings(ratings: &Ratings, topic: &TopicBallots) -> String {
    let rated = ordered(ratings, topic.items.len());
    let several = ratings.components.len() > 1;
    let any_error = rated.iter().any(|rated| rated.se.is_some());
    let rows = rated.iter().map(|rated| {
        let mut row = vec![topic.id(rated.item).unwrap_or_default().to_owned(), figure(rated.score)];
        row.extend(any_error.then(|| figure(rated.se)));
        row.extend(several.then(|| rated.component.map_or_else(|| ABSENT.to_owned(), |at| count(at + 1))));
        row
    });
    let mut headings = vec!["item", "score"];
    headings.extend(any_error.then_some("standard error"));
    headings.extend(several.then_some("component"));
    text_table(headings, rows)
}

fn table_of_tiers(outcome: &TournamentOutcome, topic: &TopicBallots) -> String {
    let rows = outcome.tiers.iter().enumerate().flat_map(|(place, tier)| {
        names(&tier.items, topic)
            .into_iter()
            .map(move |name| vec![name, count(place + 1), count(tier.items.len()), figure(tier.support)])
    });
    let table = text_table(["item", "tier", "items in it", "support"], rows);
    let provisional = match outcome.tiers.iter().position(|tier| !tier.is_final) {
        Some(at) => {
            format!("\nprovisional from tier {} on: the comparisons do not order all items there", at + 1)
        }
        None => String::new(),
    };
    format!("{table}\n{provisional}\n{}", contradictions_in_words(&outcome.cycles))
}
