//! Elo: ratings that change with each game.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_votes::{PairVotes, Vote, each_vote};
use super::result::Ratings;

/// Elo: ratings that every ballot moves, in the order of the ballots.
///
/// A comparison moves i by `k weight (result - expected)` with `expected = 1 / (1 + base^((r_j - r_i) /
/// scale))` and a result of 1, 0.5 for a tie, or 0; it moves j by as much the other way. Elo, The Rating of
/// Chessplayers, 1978. The defaults ([`EloOptions`](super::EloOptions)) are those of evalica, which gives the
/// same ratings for ballots of two items and weight 1. All pairs of a ballot are compared at the ratings from
/// before it.
///
/// The score is the rating after the last ballot: `scale` more means `base` times the odds. It depends on the
/// order of the ballots, recent ballots count more, and a ballot of weight 2 is not the same as two ballots.
/// The mean of each component is the initial rating.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, and [`RatingError::OutOfRange`] if the ratings
/// overflow.
pub fn elo(items: usize, ballots: &[Ballot], options: &RatingOptions) -> Result<Ratings, RatingError> {
    options.check()?;
    let pairs = PairVotes::count(items, ballots)?;
    let elo = options.elo;
    let mut ratings = vec![elo.initial; items];
    let mut moves = Vec::new();
    for ballot in ballots {
        moves.clear();
        each_vote(ballot, |better, worse, vote| {
            let (better, worse) = (better.index(), worse.index());
            let expected = 1.0 / (1.0 + libm::pow(elo.base, (ratings[worse] - ratings[better]) / elo.scale));
            let result = match vote {
                Vote::Win => 1.0,
                Vote::Tie => 0.5,
            };
            moves.push((better, worse, elo.k * ballot.weight * (result - expected)));
        });
        for &(better, worse, change) in &moves {
            ratings[better] += change;
            ratings[worse] -= change;
        }
    }
    if !ratings.iter().all(|rating| rating.is_finite()) {
        return Err(RatingError::OutOfRange { model: Model::Elo });
    }
    let scores: Vec<f64> = pairs.rated.iter().map(|&item| ratings[item.index()]).collect();
    Ok(Ratings::new(&pairs, &Components::of(&pairs), &scores, None, 0))
}
