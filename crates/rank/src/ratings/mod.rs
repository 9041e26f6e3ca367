//! Ratings: one number for each item, from any comparisons.
//!
//! Every model takes [`Ballot`](llull_core::Ballot)s and returns [`Ratings`]; [`rate`] chooses the model by
//! its [`Model`].
//!
//! | model | score | range | ties | prior | standard errors |
//! |---|---|---|---|---|---|
//! | [`bradley_terry`] | log-odds of winning | real, mean 0 | half a win each | [`Prior`] | yes |
//! | [`judge_aware`] | log-odds of winning before a middling judge | real, mean 0 | half a win each | [`Prior`] | no |
//! | [`plackett_luce`] | log-odds of being chosen | real, mean 0 | Breslow's factor | [`Prior`] | yes |
//! | [`thurstone`] | normal deviate | real, mean 0 | half a win each | normal | yes |
//! | [`elo`] | rating after the last ballot | real | half a win each | the initial rating | no |
//! | [`copeland`] | opponents beaten less opponents lost to | -(n-1) to n-1 | as the votes add up | none | no |
//!
//! All models except Plackett-Luce and Elo see only pairs: a ballot of k items is k(k-1)/2 votes on pairs,
//! each with the weight of the ballot, without the pairs inside [`rest`](llull_core::Ballot::rest), which
//! nobody compared. These votes are not independent of one another, so the standard errors of a pairwise
//! model from ballots of more than two items are too small; Plackett-Luce takes a ballot as one observation.
//!
//! If the comparisons leave the items in several components ([`Ratings::components`]), each component is
//! rated by itself: its mean is 0, and scores of different components are not comparable.

mod bradley_terry;
mod cholesky;
mod components;
mod copeland;
mod elo;
mod error;
mod fit;
mod judge_aware;
mod maximum;
mod model;
mod newton;
mod options;
mod pair_votes;
mod plackett_luce;
mod posterior;
mod prior;
mod rate;
mod result;
mod standard_errors;
mod thurstone;

pub use bradley_terry::bradley_terry;
pub use components::components;
pub use copeland::copeland;
pub use elo::elo;
pub use error::RatingError;
pub use judge_aware::{JudgeAware, JudgeAwareError, judge_aware};
pub use model::{Model, UnknownModel};
pub use options::{EloOptions, RatingOptions};
pub use plackett_luce::plackett_luce;
pub use posterior::{Posterior, flip_rate, posterior};
pub use prior::{Prior, UnknownPrior};
pub use rate::rate;
pub use result::Ratings;
pub use thurstone::thurstone;
