//! Davidson: Bradley and Terry with ties.

use llull_core::Ballot;

use super::error::RatingError;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_likelihood;
use super::result::Ratings;

/// Davidson: Bradley-Terry with ties as an outcome.
///
/// With strengths `w = exp(s)`, the outcomes i beats j, j beats i and tie are as `w_i : w_j : v sqrt(w_i
/// w_j)`. Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison
/// experiments, JASA 65(329), 1970. Scores and v maximise the likelihood times the prior of the scores
/// ([`RatingOptions::prior`]); the difference of two scores is the logarithm of the odds given that they do
/// not tie, and the mean of each component is 0. [`Ratings::tie`] is v: equal items tie with probability `v /
/// (2 + v)`. Without any tie, v is 0 and the scores are Bradley-Terry's; with nothing but ties, v is infinite
/// and every score is 0, without a standard error.
///
/// The standard error is that of a score less the mean of its component, from the observed information on
/// scores and v together.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, [`RatingError::NoMaximum`] if there is no maximum
/// without a prior, and [`RatingError::NotConverged`] if the iterations run out.
pub fn davidson(items: usize, ballots: &[Ballot], options: &RatingOptions) -> Result<Ratings, RatingError> {
    pair_likelihood::rate(Model::Davidson, true, items, ballots, options)
}
