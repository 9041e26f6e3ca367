//! Plackett-Luce ratings: strengths from whole orders.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::fit::fit;
use super::maximum::need_maximum;
use super::model::Model;
use super::newton::Concave;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::prior::Prior;
use super::result::Ratings;
use super::standard_errors::Information;

/// Plackett-Luce: a ballot is made by choosing the best of its items, then the best of the remaining ones,
/// and so on, each with probability proportional to `exp(s)`.
///
/// Luce, Individual Choice Behavior, 1959; Plackett, The analysis of permutations, Applied Statistics 24(2),
/// 1975. The scores maximise the likelihood times the prior ([`RatingOptions::prior`]); a ballot counts with
/// its weight. The difference of two scores is the logarithm of the odds that one is chosen before the other,
/// and the mean of each component is 0. With [`Prior::Choix`](super::Prior::Choix) the scores of a connected
/// graph are those of `choix.ilsr_rankings`.
///
/// - `rest`: its items were available at every choice and were never chosen; nothing is assumed about the
///   order among them (the likelihood of the top of a list, as in Hunter, MM algorithms for generalized
///   Bradley-Terry models, Annals of Statistics 32(1), 2004, section 5).
/// - A tied group of g items is g choices from the same items: those of the group and all behind it
///   (Breslow's factor, from the exploded logit of Allison and Christakis, Logit models for sets of ranked
///   items, Sociological Methodology 24, 1994). If nothing is behind the group, ranking it would take g - 1
///   choices, as the last item is not chosen, so its g factors count (g-1)/g each. That makes a tied ballot
///   of two items half a win each, and Plackett-Luce on ballots of two items Bradley-Terry.
///
/// The standard error is that of a score less the mean of its component, from the observed information of
/// likelihood and prior.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, [`RatingError::NoMaximum`] if there is no maximum
/// without a prior, and [`RatingError::NotConverged`] if the iterations run out.
pub fn plackett_luce(
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    options.check()?;
    let model = Model::PlackettLuce;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    if options.prior == Prior::None {
        need_maximum(&pairs, &components, model)?;
    }
    let mut likelihood = Choices::new(&pairs, &components, ballots, options.prior);
    let mut scores = vec![0.0; pairs.rated.len()];
    let (iterations, se) = fit(model, &mut likelihood, &mut scores, &components, options)?;
    components.centre(&mut scores);
    Ok(Ratings::new(&pairs, &components, &scores, se.as_deref(), iterations))
}

/// A choice, or several from the same items: the items of the ballot from `first` on.
struct Stage {
    /// Where the items of the choice begin, in `shown` of [`Choices`].
    first: usize,
    /// Where the items begin that were chosen later or never.
    behind: usize,
    /// The number of choices, times the weight of the ballot.
    weight: f64,
    /// The sum of the items' strengths, over the strength of the strongest item of the ballot.
    strength: f64,
}

/// The penalised log-likelihood: a sum over choices, each the score of the chosen item less the logarithm of
/// the sum of all strengths.
pub(super) struct Choices<'a> {
    /// The rated items of every ballot, best first.
    shown: Vec<usize>,
    /// Their strengths, over that of the strongest item of the ballot.
    strengths: Vec<f64>,
    stages: Vec<Stage>,
    /// For each ballot, where its items and its stages end.
    ends: Vec<(usize, usize)>,
    /// For each item, the weighted number of choices for it.
    chosen: Vec<f64>,
    components: &'a Components,
    prior: Prior,
    prior_curvature: Vec<f64>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(
        pairs: &PairVotes,
        components: &'a Components,
        ballots: &[Ballot],
        prior: Prior,
    ) -> Self {
        let mut position = vec![usize::MAX; pairs.items];
        for (at, &item) in pairs.rated.iter().enumerate() {
            position[item.index()] = at;
        }
        let count = pairs.rated.len();
        let mut choices = Self {
            shown: Vec::new(),
            strengths: Vec::new(),
            stages: Vec::new(),
            ends: Vec::new(),
            chosen: vec![0.0; count],
            components,
            prior,
            prior_curvature: vec![0.0; count],
        };
        for ballot in ballots {
            // With fewer than two items, or all of them in the rest, nothing was chosen.
            if !ballot.groups.iter().all(Vec::is_empty) && ballot.items().nth(1).is_some() {
                choices.push(ballot, &position);
            }
        }
        choices.strengths = vec![0.0; choices.shown.len()];
        choices
    }

    /// Returns the log-likelihood at the last point, without the prior.
    pub(super) fn log_likelihood(&self, at: &[f64]) -> f64 {
        let chosen: f64 = self.chosen.iter().zip(at).map(|(times, score)| times * score).sum();
        let available = self.ballots().map(|(start, end, stages)| {
            let top =
                self.shown[start..end].iter().fold(f64::NEG_INFINITY, |top: f64, &item| top.max(at[item]));
            stages.iter().map(|stage| stage.weight * (libm::log(stage.strength) + top)).sum::<f64>()
        });
        chosen - available.sum::<f64>()
    }

    fn push(&mut self, ballot: &Ballot, position: &[usize]) {
        let end = self.shown.len() + ballot.items().count();
        for group in ballot.groups.iter().filter(|group| !group.is_empty()) {
            let first = self.shown.len();
            self.shown.extend(group.iter().map(|&item| position[item.index()]));
            let behind = self.shown.len();
            let size = group.len() as f64;
            let share = if behind == end { (size - 1.0) / size } else { 1.0 };
            for &item in &self.shown[first..] {
                self.chosen[item] += ballot.weight * share;
            }
            self.stages.push(Stage { first, behind, weight: ballot.weight * share * size, strength: 0.0 });
        }
        self.shown.extend(ballot.rest.iter().map(|&item| position[item.index()]));
        self.ends.push((self.shown.len(), self.stages.len()));
    }

    /// The ballots' items and stages: where the items begin and end, and the stages.
    fn ballots(&self) -> impl Iterator<Item = (usize, usize, &[Stage])> {
        let mut start = (0, 0);
        self.ends.iter().map(move |&end| {
            let (from, to) = (std::mem::replace(&mut start, end), end);
            (from.0, to.0, &self.stages[from.1..to.1])
        })
    }
}

/// Calls `item` for each item of a ballot with the sum of `terms` over the stages that it was to choose from
/// in.
fn over_stages<const N: usize>(
    stages: &[Stage],
    end: usize,
    mut terms: impl FnMut(&Stage) -> [f64; N],
    mut item: impl FnMut(usize, [f64; N]),
) {
    let mut sums = [0.0; N];
    for (at, stage) in stages.iter().enumerate() {
        for (sum, term) in sums.iter_mut().zip(terms(stage)) {
            *sum += term;
        }
        let until = if at + 1 == stages.len() { end } else { stage.behind };
        for place in stage.first..until {
            item(place, sums);
        }
    }
}

impl Concave for Choices<'_> {
    fn look(&mut self, at: &[f64], gradient: &mut [f64]) {
        self.prior.look(self.components, at, gradient, &mut self.prior_curvature);
        for (gradient, chosen) in gradient.iter_mut().zip(&self.chosen) {
            *gradient += chosen;
        }
        let mut start = (0, 0);
        for &end in &self.ends {
            let shown = &self.shown[start.0..end.0];
            let top = shown.iter().fold(f64::NEG_INFINITY, |top: f64, &item| top.max(at[item]));
            for (strength, &item) in self.strengths[start.0..end.0].iter_mut().zip(shown) {
                *strength = libm::exp(at[item] - top);
            }
            let (mut sum, mut from) = (0.0, end.0);
            for stage in self.stages[start.1..end.1].iter_mut().rev() {
                sum += self.strengths[stage.first..from].iter().sum::<f64>();
                from = stage.first;
                stage.strength = sum;
            }
            let stages = &self.stages[start.1..end.1];
            over_stages(
                stages,
                end.0,
                |stage| [stage.weight / stage.strength],
                |place, [rate]| {
                    gradient[self.shown[place]] -= self.strengths[place] * rate;
                },
            );
            start = end;
        }
    }

    fn curve(&self, direction: &[f64], product: &mut [f64]) {
        for ((product, direction), prior) in product.iter_mut().zip(direction).zip(&self.prior_curvature) {
            *product = direction * prior;
        }
        let mut means = Vec::new();
        for (_, end, stages) in self.ballots() {
            means.clear();
            let (mut sum, mut from) = (0.0, end);
            for stage in stages.iter().rev() {
                sum +=
                    (stage.first..from).map(|at| self.strengths[at] * direction[self.shown[at]]).sum::<f64>();
                from = stage.first;
                means.push(sum / stage.strength);
            }
            let mut means = means.iter().rev();
            over_stages(
                stages,
                end,
                |stage| {
                    let rate = stage.weight / stage.strength;
                    [rate, rate * means.next().unwrap_or(&0.0)]
                },
                |place, [rate, mean]| {
                    let item = self.shown[place];
                    product[item] += self.strengths[place] * (rate * direction[item] - mean);
                },
            );
        }
    }

    fn diagonal(&self, diagonal: &mut [f64]) {
        diagonal.copy_from_slice(&self.prior_curvature);
        for (_, end, stages) in self.ballots() {
            over_stages(stages, end, rates, |place, [rate, square]| {
                let strength = self.strengths[place];
                diagonal[self.shown[place]] += strength * (rate - strength * square);
            });
        }
    }

    /// Only differences of scores count.
    fn essence(&self, step: &mut [f64]) {
        self.components.centre(step);
    }
}

/// The factors of an item's strength, and of a product of two, for their part in the gradient and the curvature.
fn rates(stage: &Stage) -> [f64; 2] {
    let rate = stage.weight / stage.strength;
    [rate, rate / stage.strength]
}

impl Information for Choices<'_> {
    fn prior(&self) -> &[f64] {
        &self.prior_curvature
    }

    fn each(&self, mut add: impl FnMut(usize, usize, f64)) {
        for (item, &prior) in self.prior_curvature.iter().enumerate() {
            add(item, item, prior);
        }
        for (start, end, stages) in self.ballots() {
            // Two items were to choose from together in the stages of the one that was chosen first.
            over_stages(stages, end, rates, |place, [rate, square]| {
                let (item, strength) = (self.shown[place], self.strengths[place]);
                add(item, item, strength * (rate - strength * square));
            });
            let mut square_of = vec![0.0; end - start];
            over_stages(stages, end, rates, |place, [_, square]| square_of[place - start] = square);
            for one in start..end {
                for other in one + 1..end {
                    let both = self.strengths[one] * self.strengths[other] * square_of[one - start];
                    add(self.shown[one], self.shown[other], -both);
                }
            }
        }
    }
}
