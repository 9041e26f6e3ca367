//! Rank centrality: where a random walk from losers to winners stays.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::maximum::need_maximum;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::result::Ratings;

/// Rank centrality: where a random walk that moves to winners spends its time.
///
/// From an item the walk moves to each item that it was compared with, at a rate that is the share of their
/// comparisons that the other item won, a tie as half a win. Negahban, Oh and Shah, Rank centrality: ranking
/// from pairwise comparisons, Operations Research 65(1), 2017.
///
/// Each side of a compared pair starts with [`RatingOptions::pseudo_wins`], as in the regularised form of the
/// paper; with 0, an item that never lost would keep the walk for ever. The score is the logarithm of the
/// stationary probability within the component, less its mean there. If Bradley-Terry holds and pairs are
/// compared often, it tends to the same scores (to smaller ones, the larger `pseudo_wins` is). How often a
/// pair was compared does not count, only the share. `choix.rank_centrality` gives the same with its alpha as
/// pseudo wins if all pairs were compared, otherwise with both 0.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, [`RatingError::NoMaximum`] if there is none without
/// pseudo wins, and [`RatingError::OutOfRange`] if the stationary probabilities span more than double
/// precision holds.
pub fn rank_centrality(
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    options.check()?;
    let model = Model::RankCentrality;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    if options.pseudo_wins == 0.0 {
        need_maximum(&pairs, &components, model)?;
    }
    let places = components.places();
    let mut rates: Vec<Vec<f64>> =
        components.members.iter().map(|members| vec![0.0; members.len() * members.len()]).collect();
    for pair in &pairs.pairs {
        let prior = options.pseudo_wins;
        let share = (pair.first_wins + pair.ties / 2.0 + prior) / (pair.total() + 2.0 * prior);
        let ((component, first), (_, second)) = (places[pair.first], places[pair.second]);
        let size = components.members[component].len();
        rates[component][second * size + first] = share;
        rates[component][first * size + second] = 1.0 - share;
    }
    let mut scores = vec![0.0; pairs.rated.len()];
    for (mut rates, members) in rates.into_iter().zip(&components.members) {
        let stationary = stationary(&mut rates, members.len());
        for (&member, probability) in members.iter().zip(stationary) {
            scores[member] = libm::log(probability);
        }
    }
    if !scores.iter().all(|score| score.is_finite()) {
        return Err(RatingError::OutOfRange { model });
    }
    components.centre(&mut scores);
    Ok(Ratings::new(&pairs, &components, &scores, None, None, 0))
}

/// Returns the stationary distribution, up to a factor, of the Markov chain with these rates (row by row,
/// from row to column; the diagonal is not read).
///
/// Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov chains,
/// Operations Research 33(5), 1985: elimination without a subtraction, so that small probabilities are as
/// precise as large ones.
fn stationary(rates: &mut [f64], size: usize) -> Vec<f64> {
    for last in (1..size).rev() {
        let (above, below) = rates.split_at_mut(last * size);
        let from_last = &below[..last];
        let leaving: f64 = from_last.iter().sum();
        for row in above.chunks_exact_mut(size) {
            row[last] /= leaving;
            let through = row[last];
            for (rate, onward) in row[..last].iter_mut().zip(from_last) {
                *rate += through * onward;
            }
        }
    }
    let mut probabilities = vec![1.0; size];
    for item in 1..size {
        probabilities[item] = (0..item).map(|from| probabilities[from] * rates[from * size + item]).sum();
        if probabilities[item] > 1e200 {
            for probability in &mut probabilities[..=item] {
                *probability *= 1e-200;
            }
        }
    }
    probabilities
}
