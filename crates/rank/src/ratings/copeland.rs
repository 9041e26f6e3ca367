//! Copeland scores: opponents beaten less opponents lost to.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::result::Ratings;

/// Copeland: opponents beaten less opponents lost to.
///
/// An opponent is beaten if the votes on the pair that are for the item weigh more than those against it;
/// votes for a tie are for neither, and a pair that nobody compared does not count. Copeland, A reasonable
/// social welfare function, University of Michigan, 1951. (Llull counted a drawn pair for both, in 1299: if
/// all pairs are compared, the order is the same as when it counts half.) The score is from -(n-1) to n-1 for
/// n items. It depends on how many opponents an item has met, so it is meant for comparisons of all pairs, or
/// nearly all.
///
/// # Errors
/// Returns an error if a ballot is invalid.
pub fn copeland(items: usize, ballots: &[Ballot], _options: &RatingOptions) -> Result<Ratings, RatingError> {
    let pairs = PairVotes::count(items, ballots)?;
    let mut scores = vec![0.0; pairs.rated.len()];
    for pair in &pairs.pairs {
        if pair.first_wins != pair.second_wins {
            let outcome = (pair.first_wins - pair.second_wins).signum();
            scores[pair.first] += outcome;
            scores[pair.second] -= outcome;
        }
    }
    Ok(Ratings::new(&pairs, &Components::of(&pairs), &scores, None, 0))
}
