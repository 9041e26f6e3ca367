//! Rating by a model that is chosen at run time.

use llull_core::Ballot;

use super::bradley_terry::bradley_terry;
use super::copeland::copeland;
use super::elo::elo;
use super::error::RatingError;
use super::judge_aware::judge_aware;
use super::model::Model;
use super::options::RatingOptions;
use super::plackett_luce::plackett_luce;
use super::result::Ratings;
use super::thurstone::thurstone;

/// Rates `items` items, which the ballots name by position, with a model.
///
/// # Errors
/// Returns an error if a ballot is invalid, an option is outside its range, or scores do not exist or were
/// not found.
///
/// ```
/// use llull_core::{Ballot, Item};
/// use llull_rank::ratings::{Model, RatingOptions, rate};
///
/// let ballots = [Ballot::of([[0], [1]]), Ballot::of([[1], [2]])];
/// let ratings = rate(Model::BradleyTerry, 4, &ballots, &RatingOptions::default())?;
/// assert!(ratings.scores[0] > ratings.scores[1] && ratings.scores[1] > ratings.scores[2]);
/// assert_eq!(ratings.scores[3], None); // never compared
/// assert_eq!(ratings.components, [[0, 1, 2].map(Item)]);
/// # Ok::<(), llull_rank::ratings::RatingError>(())
/// ```
pub fn rate(
    model: Model,
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    let fit = match model {
        Model::BradleyTerry => bradley_terry,
        Model::JudgeAware => judges_of_one_topic,
        Model::PlackettLuce => plackett_luce,
        Model::Thurstone => thurstone,
        Model::Elo => elo,
        Model::Copeland => copeland,
    };
    fit(items, ballots, options)
}

/// Judge-aware ratings of one topic by itself: its judges are known from its own ballots alone.
fn judges_of_one_topic(
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    let found = judge_aware(&[(items, ballots)], options).map_err(|error| error.error)?;
    let iterations = found.iterations;
    found.topics.into_iter().next().ok_or(RatingError::NotConverged {
        model: Model::JudgeAware,
        iterations,
        change: 0.0,
    })
}
