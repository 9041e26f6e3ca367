//! Newman: Bradley and Terry with ties, in the form of evalica.

use llull_core::Ballot;

use super::error::RatingError;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_likelihood;
use super::result::Ratings;

/// Newman's form of the tie model: the outcomes i beats j, j beats i and tie are as `w_i : w_j : 2 v sqrt(w_i
/// w_j)` with `w = exp(s)`.
///
/// Newman, Efficient computation of rankings from pairwise comparisons, JMLR 24(238), 2023; `newman` of
/// evalica. It is the model of [`davidson`](super::davidson) with a tie parameter half as large: equal items
/// tie with probability `v / (1 + v)`. The scores are the same. Newman's contribution is an iteration that
/// converges fast; here both are maximised by Newton's method, and [`Prior::None`](super::Prior::None) gives
/// the maximum that evalica approaches.
///
/// # Errors
/// Returns an error in the same cases as [`davidson`](super::davidson).
pub fn newman(items: usize, ballots: &[Ballot], options: &RatingOptions) -> Result<Ratings, RatingError> {
    let mut ratings = pair_likelihood::rate(Model::Newman, true, items, ballots, options)?;
    ratings.tie = ratings.tie.map(|tie| tie / 2.0);
    Ok(ratings)
}
