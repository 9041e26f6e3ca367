//! Tiers or ratings of comparisons.

use llull_core::{Ballots, Item};
use llull_rank::TieRule;
use llull_rank::ratings::{Model, Prior};
use serde_json::{Map, Value};

use super::error::RankingError;
use super::judges::{RatedJudge, ranked_by_judges};
use super::method::RankingMethod;
use super::query::{RankedQuery, ranked};
use super::{json, table};
use crate::text::count;

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
        json::json(&self.queries, &self.judges, self.method)
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
