//! What `llull rank` writes: tables, JSON, and trec_eval's preference files.

use std::cmp::Ordering;

use anyhow::{Context as _, Result};
use llull::core::{Item, TopicBallots};
use llull::data::{Preferences, write_prefs, write_qrels_prefs};
use llull::rank::ratings::Ratings;
use llull::rank::{CycleCount, TournamentOutcome};
use llull::report::text::{ABSENT, count, counted, figure, text_table};
use llull::report::{TopicDetail, TopicTournament, dot};
use serde_json::{Map, Value, json};

use super::ranked::{Made, Ranked};
use crate::args::Method;

/// As JSON, with a line end behind it.
pub(super) fn json(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = serde_json::to_vec_pretty(&json_of(all, method))?;
    out.push(b'\n');
    Ok(out)
}

/// For `trec_eval -R prefs`.
pub(super) fn prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// For `trec_eval -R qrels_prefs`.
pub(super) fn qrels_prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_qrels_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// For Graphviz: a graph of the tiers for each query.
pub(super) fn graphs(all: &[Ranked<'_>]) -> String {
    let mut text = String::new();
    for ranked in all {
        let Made::Tiers(outcome) = &ranked.made else { continue };
        let name = |item| ranked.topic.id(item).unwrap_or_default().to_owned();
        let tournament = Some(TopicTournament::new(outcome, name, &[], None));
        let id = ranked.query.unwrap_or_default().to_owned();
        text.push_str(&dot(&TopicDetail { id, tournament, ..Default::default() }));
    }
    text
}

fn names(items: &[Item], topic: &TopicBallots) -> Vec<String> {
    items.iter().filter_map(|item| topic.id(*item)).map(str::to_owned).collect()
}

/// Items component by component, those of each best first; ties in the order in which they were first seen.
fn ordered(ratings: &Ratings, items: usize) -> Vec<Rated> {
    let mut component = vec![None; items];
    for (at, members) in ratings.components.iter().enumerate() {
        for item in members {
            if let Some(place) = component.get_mut(item.index()) {
                *place = Some(at);
            }
        }
    }
    let number = |all: &[Option<f64>], at: usize| all.get(at).copied().flatten();
    let mut rated: Vec<Rated> = (0..)
        .map(Item)
        .zip(component)
        .map(|(item, component)| {
            let at = item.index();
            Rated { item, score: number(&ratings.scores, at), se: number(&ratings.se, at), component }
        })
        .collect();
    rated.sort_by(|a, b| {
        let apart = |rated: &Rated| rated.component.unwrap_or(usize::MAX);
        let by_score = || b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        apart(a).cmp(&apart(b)).then_with(by_score)
    });
    rated
}

struct Rated {
    item: Item,
    score: Option<f64>,
    se: Option<f64>,
    component: Option<usize>,
}

fn json_of(all: &[Ranked<'_>], method: Method) -> Value {
    match all {
        [ranked @ Ranked { query: None, .. }] => {
            let mut object = json_of_one(ranked);
            object.insert("method".into(), method.name().into());
            object.into()
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
            object.into()
        }
    }
}

fn json_of_one(ranked: &Ranked<'_>) -> Map<String, Value> {
    let topic = ranked.topic;
    let mut object = match &ranked.made {
        Made::Ratings(ratings) => json_of_ratings(ratings, topic),
        Made::Tiers(outcome) => json_of_tiers(outcome, topic),
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
    if let Some(tie) = ratings.tie {
        object.insert("tie".into(), json!(tie));
    }
    object
}

fn json_of_tiers(outcome: &TournamentOutcome, topic: &TopicBallots) -> Map<String, Value> {
    let tiers: Vec<Vec<String>> = outcome.tiers.iter().map(|tier| names(&tier.items, topic)).collect();
    let support: Vec<f64> = outcome.tiers.iter().map(|tier| tier.support).collect();
    let cyclic: Vec<bool> = outcome.tiers.iter().map(|tier| tier.cyclic).collect();
    let is_final: Vec<bool> = outcome.tiers.iter().map(|tier| tier.is_final).collect();
    let mut object = Map::new();
    object.insert("tiers".into(), json!(tiers));
    object.extend(json_of_contradictions(&outcome.cycles));
    object.insert("support".into(), json!(support));
    object.insert("cyclic".into(), json!(cyclic));
    object.insert("final".into(), json!(is_final));
    object
}

/// For people.
pub(super) fn tables(all: &[Ranked<'_>]) -> String {
    let mut text = String::new();
    for ranked in all {
        if let Some(query) = ranked.query {
            text.push_str(&format!("query {query}\n"));
        }
        match &ranked.made {
            Made::Ratings(ratings) => text.push_str(&table_of_ratings(ratings, ranked.topic)),
            Made::Tiers(outcome) => text.push_str(&table_of_tiers(outcome, ranked.topic)),
        }
        text.push_str("\n\n");
    }
    if let ([_, _, ..], Some(total)) = (all, contradictions(all)) {
        text.push_str(&format!("{} queries: {}\n", count(all.len()), contradictions_in_words(&total)));
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
        Some(at) => format!(
            "\nprovisional from tier {} on: the comparisons do not say how all items there stand to each other",
            at + 1
        ),
        None => String::new(),
    };
    format!("{table}\n{provisional}\n{}", contradictions_in_words(&outcome.cycles))
}

/// The contradictions of all queries' tiers together: sums, and the largest component of any; `None` for ratings.
fn contradictions(all: &[Ranked<'_>]) -> Option<CycleCount> {
    let mut total = CycleCount::default();
    for ranked in all {
        let Made::Tiers(outcome) = &ranked.made else { return None };
        total.cyclic += outcome.cycles.cyclic;
        total.triangles += outcome.cycles.triangles;
        total.largest_component = total.largest_component.max(outcome.cycles.largest_component);
    }
    Some(total)
}

fn contradictions_in_words(cycles: &CycleCount) -> String {
    format!(
        "{} of {} triangles cyclic, the largest component has {}",
        count(cycles.cyclic),
        count(cycles.triangles),
        counted(cycles.largest_component, "item")
    )
}

fn json_of_contradictions(cycles: &CycleCount) -> [(String, Value); 3] {
    [
        ("cyclic_triangles".into(), cycles.cyclic.into()),
        ("triangles".into(), cycles.triangles.into()),
        ("largest_component".into(), cycles.largest_component.into()),
    ]
}

/// Items by tier or by score. Components that nothing connects are subgroups, between which nothing is preferred.
fn preferences(all: &[Ranked<'_>], method: Method) -> Result<Preferences> {
    let mut preferences = Preferences::default();
    for ranked in all {
        let query = ranked.query.context(
            "a line of trec_eval's preferences begins with its query, and the input names none; write --format \
             json instead",
        )?;
        let places: Vec<Vec<Item>> = match &ranked.made {
            Made::Tiers(outcome) => outcome.tiers.iter().map(|tier| tier.items.clone()).collect(),
            Made::Ratings(ratings) => equal_scores(&ordered(ratings, ranked.topic.items.len())),
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

/// Runs of one score within a component.
fn equal_scores(rated: &[Rated]) -> Vec<Vec<Item>> {
    let same = |a: &Rated, b: &Rated| a.score == b.score && a.component == b.component;
    rated.chunk_by(same).map(|run| run.iter().map(|rated| rated.item).collect()).collect()
}
