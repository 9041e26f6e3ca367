//! Borda: the share of comparisons that an item wins.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::result::Ratings;

/// Borda: the share of its comparisons that an item won, a tie as half a win.
///
/// Borda's count of a ballot is the number of items that it places below the item (Mémoire sur les élections
/// au scrutin, 1781). If every ballot ranks all n items, the score is the mean count over n - 1. If ballots
/// show different items, an item that is shown more often has a higher sum of counts; so the count is taken
/// over the comparisons that the item was in, as in Shah and Wainwright, Simple, robust and optimal ranking
/// from pairwise comparisons, JMLR 18(199), 2018. The score is from 0 to 1. It does not depend on how strong
/// the opponents were.
///
/// # Errors
/// Returns an error if a ballot is invalid.
pub fn borda(items: usize, ballots: &[Ballot], _options: &RatingOptions) -> Result<Ratings, RatingError> {
    let pairs = PairVotes::count(items, ballots)?;
    let mut won = vec![0.0; pairs.rated.len()];
    let mut compared = vec![0.0; pairs.rated.len()];
    for pair in &pairs.pairs {
        won[pair.first] += pair.first_wins + pair.ties / 2.0;
        won[pair.second] += pair.second_wins + pair.ties / 2.0;
        compared[pair.first] += pair.total();
        compared[pair.second] += pair.total();
    }
    let scores: Vec<f64> = won.iter().zip(&compared).map(|(won, compared)| won / compared).collect();
    Ok(Ratings::new(&pairs, &Components::of(&pairs), &scores, None, None, 0))
}
