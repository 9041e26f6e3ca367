//! Ratings that weigh judges by their discrimination.

use crate::text::{count, figure, text_table};
use llull_core::{Ballot, Ballots, TopicBallots};
use llull_rank::ratings::{JudgeAwareError, Prior, RatingOptions, components, judge_aware};
use serde_json::{Value, json};

use super::error::RankingError;
use super::query::{RankedQuery, RankingOutput, by_name};

/// A judge, and its discrimination of items.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedJudge {
    /// Its name; empty where the input names none.
    pub name: String,
    discrimination: f64,
    ballots: usize,
}

/// Rates the items of every query, with judges that are the same in all of them.
pub(super) fn ranked_by_judges<'a>(
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
