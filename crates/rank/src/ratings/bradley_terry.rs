//! Bradley and Terry: strengths from who beat whom.

use llull_core::Ballot;

use super::error::RatingError;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_likelihood;
use super::result::Ratings;

/// Bradley-Terry: the probability that i beats j is `1 / (1 + exp(s_j - s_i))`.
///
/// Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39(3/4), 1952. A tie is half a
/// win for each side. The scores maximise the likelihood times the prior ([`RatingOptions::prior`]); the
/// difference of two scores is the logarithm of the odds, and the mean of each component is 0. With
/// [`Prior::Choix`](super::Prior::Choix) the scores of a connected graph are those of `choix.ilsr_pairwise`.
///
/// The standard error is that of a score less the mean of its component, from the observed information of
/// likelihood and prior.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, [`RatingError::NoMaximum`] if there is no maximum
/// without a prior, and [`RatingError::NotConverged`] if the iterations run out.
pub fn bradley_terry(
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    pair_likelihood::rate(Model::BradleyTerry, false, items, ballots, options)
}
