//! Tiers and ratings as JSON.

use llull_core::TopicBallots;
use llull_rank::ratings::Ratings;
use llull_rank::{CycleCount, TournamentOutcome};
use serde_json::{Map, Value, json};

use super::contradictions::contradictions;
use super::judges::{RatedJudge, json_of_judges};
use super::method::RankingMethod;
use super::query::{RankedQuery, RankingOutput};
use super::score_order::{names, ordered};

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
