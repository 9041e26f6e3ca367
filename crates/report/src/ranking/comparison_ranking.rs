//! Tiers or ratings of comparisons.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use llull_core::{Ballot, Ballots, Item, TopicBallots};
use llull_rank::ratings::{
    JudgeAwareError, Model, Prior, RatingError, RatingOptions, Ratings, components, judge_aware, rate,
};
use llull_rank::{CycleCount, TieRule, TournamentOutcome, tiers};
use serde_json::{Map, Value, json};

use super::table;
use crate::text::{count, counted, figure, text_table};

/// How compared items are ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingOptions {
    /// The method.
    pub method: RankingMethod,
    /// The prior of ratings.
    pub prior: Prior,
    /// What a tie means for tiers.
    pub ties: TieRule,
}

/// The tiers or ratings of comparisons, query by query.
#[derive(Debug)]
pub struct ComparisonRanking<'a> {
    /// Each query, in the order in which queries come first.
    pub queries: Vec<RankedQuery<'a>>,
    /// The judges, if the method weighs them.
    pub judges: Vec<RatedJudge>,
    method: RankingMethod,
}

impl<'a> ComparisonRanking<'a> {
    /// Orders the items of every query. `judges` are the names of the judges of the comparisons.
    ///
    /// # Errors
    /// Returns an error if items have no finite score.
    pub fn new(
        ballots: &'a Ballots,
        judges: &[String],
        options: &RankingOptions,
    ) -> Result<Self, RankingError> {
        let (queries, judges) = match options.method {
            RankingMethod::Rating(Model::JudgeAware) => ranked_by_judges(ballots, judges, options.prior)?,
            _ => {
                let each = ballots.iter().map(|(query, topic)| ranked(query, topic, options));
                (each.collect::<Result<_, _>>()?, Vec::new())
            }
        };
        Ok(Self { queries, judges, method: options.method })
    }

    /// Returns warnings: of one judge among ratings that weigh judges, and of items that nothing connects.
    pub fn warnings(&self) -> Vec<String> {
        let one = "there is one judge, and judge-aware ratings of one judge are those of bradley-terry";
        let one = (self.judges.len() == 1).then(|| one.to_owned());
        one.into_iter().chain(self.unconnected()).collect()
    }

    /// A warning if no chain of comparisons connects all items: scores and places in different components cannot be
    /// compared.
    fn unconnected(&self) -> Option<String> {
        let apart: Vec<&RankedQuery<'_>> =
            self.queries.iter().filter(|ranked| ranked.components.len() > 1).collect();
        let first = apart.first()?;
        let parts = sizes(&first.components);
        let what = match first.query {
            None => format!("the comparisons fall into {parts}"),
            Some(query) if apart.len() == 1 => format!("the comparisons of query {query} fall into {parts}"),
            Some(query) => format!(
                "the comparisons of {} of {} queries are not connected (the first: {query}, {parts})",
                count(apart.len()),
                count(self.queries.len())
            ),
        };
        Some(format!(
            "{what}; nothing connects one with another, so items of different components cannot be compared"
        ))
    }

    /// Returns the JSON of `llull rank`.
    pub fn json(&self) -> Map<String, Value> {
        table::json(&self.queries, &self.judges, self.method)
    }

    /// Returns a table for each query, and the contradictions of all, or the judges by whom they are rated.
    pub fn text(&self) -> String {
        table::tables(&self.queries, &self.judges)
    }
}

/// The number of components, and the sizes of the largest.
fn sizes(components: &[Vec<Item>]) -> String {
    const SHOWN: usize = 5;
    let mut sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let more = if sizes.len() > SHOWN { " ..." } else { "" };
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(|size| count(*size)).collect();
    format!("{} components of {}{more} items", count(sizes.len()), shown.join(", "))
}

/// What is computed from comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankingMethod {
    /// A score for each item.
    Rating(Model),
    /// Tiers: the strongly connected components of the tournament graph.
    Tiers,
}

impl RankingMethod {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rating(model) => model.name(),
            Self::Tiers => "tiers",
        }
    }
}

impl FromStr for RankingMethod {
    type Err = <Model as FromStr>::Err;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "tiers" { Ok(Self::Tiers) } else { name.parse().map(Self::Rating) }
    }
}

/// Why comparisons have no ranking.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct RankingError {
    query: Option<String>,
    message: String,
}

impl RankingError {
    pub(super) fn new(query: Option<&str>, message: String) -> Self {
        Self { query: query.map(str::to_owned), message }
    }
}

impl fmt::Display for RankingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.query {
            Some(query) => write!(f, "query {query}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

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
fn by_name(error: RatingError, topic: &TopicBallots) -> String {
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

/// A judge, and its discrimination of items.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedJudge {
    /// Its name; empty where the input names none.
    pub name: String,
    discrimination: f64,
    ballots: usize,
}

/// Rates the items of every query, with judges that are the same in all of them.
fn ranked_by_judges<'a>(
    ballots: &'a Ballots,
    names: &[String],
    prior: Prior,
) -> Result<(Vec<RankedQuery<'a>>, Vec<RatedJudge>), RankingError> {
    let topics: Vec<(Option<&str>, &TopicBallots)> = ballots.iter().collect();
    let given: Vec<(usize, &[Ballot])> =
        topics.iter().map(|(_, topic)| (topic.items.len(), topic.ballots.as_slice())).collect();
    let options = RatingOptions { prior, ..RatingOptions::default() };
    let found = judge_aware(&given, &options).map_err(|error| named(error, &topics))?;
    let mut all = Vec::with_capacity(topics.len());
    for ((query, topic), ratings) in topics.iter().zip(found.topics) {
        let components = components(topic.items.len(), &topic.ballots)
            .map_err(|error| RankingError::new(*query, by_name(error, topic)))?;
        all.push(RankedQuery { query: *query, topic, made: RankingOutput::Ratings(ratings), components });
    }
    let cast = |judge: usize| {
        topics.iter().flat_map(|topic| &topic.1.ballots).filter(move |b| b.judge as usize == judge)
    };
    let judges = found.discrimination.into_iter().enumerate().filter_map(|(judge, discrimination)| {
        Some(RatedJudge {
            name: names.get(judge).cloned().unwrap_or_default(),
            discrimination: discrimination?,
            ballots: cast(judge).count(),
        })
    });
    let mut judges: Vec<RatedJudge> = judges.collect();
    judges.sort_by(|a, b| b.discrimination.total_cmp(&a.discrimination));
    Ok((all, judges))
}

fn named(error: JudgeAwareError, topics: &[(Option<&str>, &TopicBallots)]) -> RankingError {
    match error.topic.and_then(|at| topics.get(at)) {
        Some((query, topic)) => RankingError::new(*query, by_name(error.error, topic)),
        None => RankingError::new(None, error.error.to_string()),
    }
}

/// The judges as a table, the highest discrimination first.
pub(super) fn table_of_judges(judges: &[RatedJudge]) -> String {
    let rows = judges
        .iter()
        .map(|judge| vec![judge.name.clone(), figure(judge.discrimination), count(judge.ballots)]);
    text_table(["judge", "discrimination", "ballots"], rows)
}

pub(super) fn json_of_judges(judges: &[RatedJudge]) -> Value {
    let judges = judges.iter().map(|judge| {
        json!({ "judge": judge.name, "discrimination": judge.discrimination, "ballots": judge.ballots })
    });
    judges.collect()
}

/// Counts contradictions over all queries: sums, and the largest component of any query; `None` for ratings.
pub(super) fn contradictions(all: &[RankedQuery<'_>]) -> Option<CycleCount> {
    let mut total = CycleCount::default();
    for ranked in all {
        let RankingOutput::Tiers(outcome) = &ranked.made else { return None };
        total.cyclic += outcome.cycles.cyclic;
        total.triangles += outcome.cycles.triangles;
        total.largest_component = total.largest_component.max(outcome.cycles.largest_component);
    }
    Some(total)
}

pub(super) fn cycle_summary(cycles: &CycleCount) -> String {
    let triangles = match (cycles.cyclic, cycles.triangles) {
        (_, 0) => "no three items were all compared with each other".to_owned(),
        (1, all) => format!("1 of {} is cyclic", counted(all, "triangle")),
        (cyclic, all) => format!("{} of {} are cyclic", count(cyclic), counted(all, "triangle")),
    };
    match cycles.largest_component {
        0 | 1 => format!("{triangles}; no cycles"),
        largest => {
            format!("{triangles}; the largest group of items in cycles has {}", count(largest))
        }
    }
}

/// The identifiers of items.
pub fn names(items: &[Item], topic: &TopicBallots) -> Vec<String> {
    items.iter().filter_map(|item| topic.id(*item)).map(str::to_owned).collect()
}

/// An item with its score, if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedItem {
    /// The item.
    pub item: Item,
    /// Its score.
    pub score: Option<f64>,
    /// The standard error.
    pub se: Option<f64>,
    /// The place of its component.
    pub component: Option<usize>,
}

/// Items component by component, the best of each first; ties stay in the order of the items' first occurrence.
pub fn ordered(ratings: &Ratings, items: usize) -> Vec<RatedItem> {
    let mut component = vec![None; items];
    for (at, members) in ratings.components.iter().enumerate() {
        for item in members {
            if let Some(place) = component.get_mut(item.index()) {
                *place = Some(at);
            }
        }
    }
    let number = |all: &[Option<f64>], at: usize| all.get(at).copied().flatten();
    let mut rated: Vec<RatedItem> = (0..)
        .map(Item)
        .zip(component)
        .map(|(item, component)| {
            let at = item.index();
            RatedItem { item, score: number(&ratings.scores, at), se: number(&ratings.se, at), component }
        })
        .collect();
    rated.sort_by(|a, b| {
        let apart = |rated: &RatedItem| rated.component.unwrap_or(usize::MAX);
        let by_score = || b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        apart(a).cmp(&apart(b)).then_with(by_score)
    });
    rated
}

/// Items of one component that share a score, together.
pub fn equal_scores(rated: &[RatedItem]) -> Vec<Vec<Item>> {
    let same = |a: &RatedItem, b: &RatedItem| a.score == b.score && a.component == b.component;
    rated.chunk_by(same).map(|run| run.iter().map(|rated| rated.item).collect()).collect()
}
