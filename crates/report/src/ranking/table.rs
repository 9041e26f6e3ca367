//! Tiers and ratings as tables and as JSON.

use llull_core::TopicBallots;
use llull_rank::ratings::Ratings;
use llull_rank::{CycleCount, TournamentOutcome};
use serde_json::{Map, Value, json};

use super::comparison_ranking::{
    RankedQuery, RankingMethod, RankingOutput, RatedJudge, contradictions, cycle_summary, json_of_judges,
    names, ordered, table_of_judges,
};
use crate::text::{ABSENT, count, figure, text_table, visible_line};

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
        text.push_str(&format!("{} queries: {}\n", count(all.len()), cycle_summary(&total)));
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
    format!("{table}\n{provisional}\n{}", cycle_summary(&outcome.cycles))
}

/// Tiers and ratings as JSON.
pub(super) fn json(
    all: &[RankedQuery<'_>],
    judges: &[RatedJudge],
    method: RankingMethod,
) -> Map<String, Value> {
    let mut object = json_of(all, method);
    if !judges.is_empty() {
        object.insert("judges".into(), json_of_judges(judges));
    }
    object
}

fn json_of(all: &[RankedQuery<'_>], method: RankingMethod) -> Map<String, Value> {
    match all {
        [ranked @ RankedQuery { query: None, .. }] => {
            let mut object = json_of_one(ranked);
            object.insert("method".into(), method.name().into());
            object
        }
        _ => {
            let queries: Vec<Value> = all
                .iter()
                .map(|ranked| {
                    let mut object = Map::new();
                    object.insert("query".into(), ranked.query.into());
                    object.extend(json_of_one(ranked));
                    object.into()
                })
                .collect();
            let mut object = Map::new();
            object.insert("queries".into(), queries.into());
            object.insert("method".into(), method.name().into());
            object.extend(contradictions(all).iter().flat_map(json_of_contradictions));
            object
        }
    }
}

fn json_of_one(ranked: &RankedQuery<'_>) -> Map<String, Value> {
    let topic = ranked.topic;
    let mut object = match &ranked.made {
        RankingOutput::Ratings(ratings) => json_of_ratings(ratings, topic),
        RankingOutput::Tiers(outcome) => json_of_tiers(outcome, topic),
    };
    let components: Vec<Vec<String>> = ranked.components.iter().map(|items| names(items, topic)).collect();
    object.insert("components".into(), json!(components));
    object.insert("ballots".into(), topic.ballots.len().into());
    object
}

/// An item without a score has `null`; one without a standard error is not in `se`.
fn json_of_ratings(ratings: &Ratings, topic: &TopicBallots) -> Map<String, Value> {
    let (mut scores, mut se) = (Map::new(), Map::new());
    for rated in ordered(ratings, topic.items.len()) {
        let Some(name) = topic.id(rated.item) else { continue };
        scores.insert(name.to_owned(), json!(rated.score));
        if let Some(error) = rated.se {
            se.insert(name.to_owned(), json!(error));
        }
    }
    let mut object = Map::new();
    object.insert("scores".into(), scores.into());
    object.insert("se".into(), se.into());
    object
}

fn json_of_tiers(outcome: &TournamentOutcome, topic: &TopicBallots) -> Map<String, Value> {
    let tiers: Vec<Vec<String>> = outcome.tiers.iter().map(|tier| names(&tier.items, topic)).collect();
    let support: Vec<Option<f64>> = outcome.tiers.iter().map(|tier| tier.support).collect();
    let cyclic: Vec<bool> = outcome.tiers.iter().map(|tier| tier.cyclic).collect();
    let contradictory: Vec<bool> = outcome.tiers.iter().map(|tier| tier.contradictory).collect();
    let is_final: Vec<bool> = outcome.tiers.iter().map(|tier| tier.is_final).collect();
    let mut object = Map::new();
    object.insert("tiers".into(), json!(tiers));
    object.extend(json_of_contradictions(&outcome.cycles));
    object.insert("support".into(), json!(support));
    object.insert("cyclic".into(), json!(cyclic));
    object.insert("contradictory".into(), json!(contradictory));
    object.insert("final".into(), json!(is_final));
    object
}

fn json_of_contradictions(cycles: &CycleCount) -> [(String, Value); 3] {
    [
        ("cyclic_triangles".into(), cycles.cyclic.into()),
        ("triangles".into(), cycles.triangles.into()),
        ("largest_component".into(), cycles.largest_component.into()),
    ]
}
