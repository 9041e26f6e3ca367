//! The models by name.

use std::{fmt, str::FromStr};

use llull_core::{Ballot, Item};

use super::components::Components;
use super::pairs::Pairs;
use super::{
    RatingError, RatingOptions, borda, bradley_terry, copeland, davidson, elo, newman, plackett_luce,
    rank_centrality, thurstone,
};

/// A rating model. Displays as, and is parsed from, its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// [`bradley_terry`]: `bradley-terry`.
    BradleyTerry,
    /// [`newman`]: `newman`.
    Newman,
    /// [`davidson`]: `davidson`.
    Davidson,
    /// [`plackett_luce`]: `plackett-luce`.
    PlackettLuce,
    /// [`thurstone`]: `thurstone`.
    Thurstone,
    /// [`elo`]: `elo`.
    Elo,
    /// [`copeland`]: `copeland`.
    Copeland,
    /// [`borda`]: `borda`.
    Borda,
    /// [`rank_centrality`]: `rank-centrality`.
    RankCentrality,
}

impl Model {
    /// Every model, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::BradleyTerry,
        Self::Newman,
        Self::Davidson,
        Self::PlackettLuce,
        Self::Thurstone,
        Self::Elo,
        Self::Copeland,
        Self::Borda,
        Self::RankCentrality,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::BradleyTerry => "bradley-terry",
            Self::Newman => "newman",
            Self::Davidson => "davidson",
            Self::PlackettLuce => "plackett-luce",
            Self::Thurstone => "thurstone",
            Self::Elo => "elo",
            Self::Copeland => "copeland",
            Self::Borda => "borda",
            Self::RankCentrality => "rank-centrality",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no model has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no rating model is called {0:?}; there are bradley-terry, newman, davidson, plackett-luce, thurstone, elo, copeland, borda and rank-centrality"
)]
pub struct UnknownModel(String);

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

/// What a model makes of ballots.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// A score for each item, more is better; what it means is the model's. `None` for an item that was compared with nothing.
    pub scores: Vec<Option<f64>>,
    /// The standard error of each score. `None` where the model has none, where none was asked for, and where there is no score.
    pub se: Vec<Option<f64>>,
    /// Newman, Davidson: the tie parameter, in the model's own scale. 0 when nothing tied, infinite when everything did.
    pub tie: Option<f64>,
    /// The items that were compared, in groups with a chain of comparisons between any two: each ascending, the groups by their first item.
    /// **Scores of different components are not comparable.**
    pub components: Vec<Vec<Item>>,
    /// How many iterations it took; 0 for a model that does not iterate.
    pub iterations: usize,
}

impl Ratings {
    /// Ratings of all items from values of the rated.
    pub(super) fn new(
        pairs: &Pairs,
        components: &Components,
        scores: &[f64],
        se: Option<&[f64]>,
        tie: Option<f64>,
        iterations: usize,
    ) -> Self {
        Self {
            scores: pairs.spread(&without_dust(scores)),
            se: se.map_or_else(|| vec![None; pairs.items], |se| pairs.spread(se)),
            tie,
            components: components.items(pairs),
            iterations,
        }
    }
}

/// Scores that differ by no more than what was rounded on the way as one score: their mean. Else a circle,
/// whose members no model tells apart, would come out as an order.
fn without_dust(scores: &[f64]) -> Vec<f64> {
    const DUST: f64 = 1e-12;
    let dust = DUST * scores.iter().fold(1.0, |most: f64, score| most.max(score.abs()));
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |at: &usize| scores.get(*at).copied().unwrap_or_default();
    order.sort_by(|a, b| score(a).total_cmp(&score(b)).then(a.cmp(b)));
    let mut settled = scores.to_vec();
    let mut rest = order.as_slice();
    while let Some(lowest) = rest.first() {
        let (same, above) =
            rest.split_at(rest.partition_point(|at| score(at) - score(lowest) <= dust).max(1));
        if score(lowest) != same.last().map_or(score(lowest), score) {
            let mean = same.iter().map(score).sum::<f64>() / same.len() as f64;
            for at in same {
                if let Some(place) = settled.get_mut(*at) {
                    *place = mean;
                }
            }
        }
        rest = above;
    }
    settled
}

/// Rates `items` items, which the ballots name by position, with a model.
///
/// # Errors
/// [`RatingError`]: a ballot that makes no sense, an option outside its range, or scores that do not exist or were not found.
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
        Model::Newman => newman,
        Model::Davidson => davidson,
        Model::PlackettLuce => plackett_luce,
        Model::Thurstone => thurstone,
        Model::Elo => elo,
        Model::Copeland => copeland,
        Model::Borda => borda,
        Model::RankCentrality => rank_centrality,
    };
    fit(items, ballots, options)
}
