//! Judges as confusion matrices: how often each says one grade of a document whose grade is another.

use llull_core::Grade;

use super::combined::{Combined, JudgeModel};
use super::grades::PanelGrades;
use super::method::PanelMethod;

/// How confusion matrices are learnt and used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfusionOptions {
    /// The power to which each judge's likelihood is raised: 1 takes judges as independent, 1/K takes K judges as one.
    pub temper: f64,
    /// How much is added to each count before shares are taken of it: this much off the diagonal and to the shares of
    /// the grades, five times as much on the diagonal. 0 is the likelihood's own maximum.
    pub pseudo_count: f64,
    /// How much the shares of the grades count beside the labels of the query itself, in labels; `None` for one prior
    /// of all queries. Only where labels of people say what is in a query.
    pub query_prior: Option<f64>,
}

impl Default for ConfusionOptions {
    /// Independent judges, half a count added, one prior.
    fn default() -> Self {
        Self { temper: 1.0, pseudo_count: 0.5, query_prior: None }
    }
}

/// The shares of the grades, and each judge's matrix.
pub(super) struct Confusions {
    levels: usize,
    /// The share of each grade.
    pub(super) prior: Vec<f64>,
    /// By judge, true grade and said grade.
    chances: Vec<f64>,
}

impl Confusions {
    /// Takes shares of counts, where `weights` says for each pair how much it is of each grade.
    pub(super) fn learnt(panel: &PanelGrades, weights: &[f64], options: &ConfusionOptions) -> Self {
        let levels = panel.levels();
        let mut prior = vec![2.0 * options.pseudo_count; levels];
        let mut chances = vec![options.pseudo_count; panel.judges() * levels * levels];
        for (at, chance) in chances.iter_mut().enumerate() {
            if at % (levels * levels) / levels == at % levels {
                *chance = 5.0 * options.pseudo_count;
            }
        }
        for (pair, weights) in weights.chunks_exact(levels).enumerate() {
            for (sum, weight) in prior.iter_mut().zip(weights) {
                *sum += weight;
            }
            for given in panel.places(pair) {
                let own = given.judge * levels * levels;
                for (grade, weight) in weights.iter().enumerate() {
                    if let Some(chance) = chances.get_mut(own + grade * levels + given.place) {
                        *chance += weight;
                    }
                }
            }
        }
        to_shares(&mut prior);
        chances.chunks_exact_mut(levels).for_each(to_shares);
        Self { levels, prior, chances }
    }

    /// The logarithms, with those of a judge's said grade side by side for all true grades.
    pub(super) fn logarithms(&self) -> Logarithms {
        let (levels, square) = (self.levels, self.levels * self.levels);
        let mut by_said = vec![0.0; self.chances.len()];
        for (at, chance) in self.chances.iter().enumerate() {
            let (judge, grade, said) = (at / square, at % square / levels, at % levels);
            if let Some(place) = by_said.get_mut(judge * square + said * levels + grade) {
                *place = libm::log(*chance);
            }
        }
        Logarithms { levels, by_said }
    }

    /// What is learnt about each judge.
    pub(super) fn models(&self) -> Vec<JudgeModel> {
        let square = (self.levels * self.levels).max(1);
        let rows = |matrix: &[f64]| matrix.chunks_exact(self.levels).map(<[f64]>::to_vec).collect();
        self.chances.chunks_exact(square).map(|matrix| JudgeModel::Confusion(rows(matrix))).collect()
    }
}

/// Logarithms of the chances of what judges say.
pub(super) struct Logarithms {
    levels: usize,
    by_said: Vec<f64>,
}

impl Logarithms {
    /// Turns the logarithms of a prior into the probabilities of each grade of a pair; returns the logarithm of the
    /// likelihood of what was said.
    pub(super) fn posterior(&self, panel: &PanelGrades, pair: usize, temper: f64, sums: &mut [f64]) -> f64 {
        let levels = self.levels;
        for given in panel.places(pair) {
            let from = (given.judge * levels + given.place) * levels;
            let said = self.by_said.get(from..from + levels).unwrap_or_default();
            for (sum, log) in sums.iter_mut().zip(said) {
                *sum += temper * log;
            }
        }
        let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut all = 0.0;
        for sum in sums.iter_mut() {
            *sum = libm::exp(*sum - most);
            all += *sum;
        }
        sums.iter_mut().for_each(|sum| *sum /= all);
        most + libm::log(all)
    }
}

/// Divides by the sum, if there is one.
pub(super) fn to_shares(counts: &mut [f64]) {
    let sum: f64 = counts.iter().sum();
    if sum > 0.0 {
        counts.iter_mut().for_each(|count| *count /= sum);
    }
}

/// The labels of people as weights: 1 for the grade of a labelled pair, 0 elsewhere.
pub(super) fn truth_as_weights(panel: &PanelGrades, truth: &[Option<usize>]) -> Vec<f64> {
    let levels = panel.levels();
    let mut weights = vec![0.0; panel.pairs() * levels];
    for (pair, place) in truth.iter().enumerate() {
        if let Some(weight) = place.and_then(|place| weights.get_mut(pair * levels + place)) {
            *weight = 1.0;
        }
    }
    weights
}

/// Learns each judge's confusion matrix from labels of people, and takes judges as independent but for the temper
/// (supervised naive Bayes). `truth` has, by pair, the grade that people gave, where they did; one off the panel's
/// scale counts as none.
pub fn naive_bayes(panel: &PanelGrades, truth: &[Option<Grade>], options: &ConfusionOptions) -> Combined {
    let levels = panel.levels();
    let truth: Vec<Option<usize>> =
        truth.iter().map(|grade| grade.and_then(|grade| panel.place_of(grade))).collect();
    let weights = truth_as_weights(panel, &truth);
    let learnt = Confusions::learnt(panel, &weights, options);
    let logarithms = learnt.logarithms();
    let priors = options.query_prior.map(|count| query_priors(panel, &truth, &learnt.prior, count));
    let mut combined = Combined::new(PanelMethod::NaiveBayes, panel, learnt.models());
    let mut sums = vec![0.0; levels];
    for pair in 0..panel.pairs() {
        if panel.places(pair).is_empty() {
            combined.push_missing();
            continue;
        }
        let own = priors.as_ref().zip(panel.query(pair)).and_then(|(priors, query)| priors.get(&query));
        let prior = own.unwrap_or(&learnt.prior);
        sums.iter_mut().zip(prior).for_each(|(sum, share)| *sum = libm::log(*share));
        logarithms.posterior(panel, pair, options.temper, &mut sums);
        combined.push_posterior(panel.scale(), &sums);
    }
    combined
}

/// The shares of the grades in each query, where the shares in all count as so many labels.
fn query_priors(
    panel: &PanelGrades,
    truth: &[Option<usize>],
    prior: &[f64],
    count: f64,
) -> std::collections::BTreeMap<usize, Vec<f64>> {
    let mut priors = std::collections::BTreeMap::new();
    for (pair, place) in truth.iter().enumerate() {
        let Some(query) = panel.query(pair) else { continue };
        let own: &mut Vec<f64> =
            priors.entry(query).or_insert_with(|| prior.iter().map(|share| share * count).collect());
        if let Some(count) = place.and_then(|place| own.get_mut(place)) {
            *count += 1.0;
        }
    }
    priors.values_mut().for_each(|own| to_shares(own));
    priors
}
