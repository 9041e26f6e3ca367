//! The model, and its fit.

use std::collections::BTreeSet;

use llull_core::Ballot;

use super::super::error::RatingError;
use super::super::maximum::need_maximum;
use super::super::model::Model;
use super::super::newton::{self, maximise};
use super::super::options::RatingOptions;
use super::super::prior::Prior;
use super::super::result::Ratings;
use super::likelihood::Discriminating;
use super::topic::Topic;

/// Ratings of the items of several topics, and the discrimination of each judge.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeAware {
    /// The ratings of each topic, in the order of the topics. They have no standard errors.
    pub topics: Vec<Ratings>,
    /// The discrimination of each judge, by the number that ballots have for it; the mean of its logarithms is 0.
    /// `None` for a judge without a comparison.
    pub discrimination: Vec<Option<f64>>,
    /// The number of iterations.
    pub iterations: usize,
}

/// The reason why items could not be rated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct JudgeAwareError {
    /// The position of the topic that it is about, if it is about one.
    pub topic: Option<usize>,
    /// The error.
    #[source]
    pub error: RatingError,
}

/// Judge-aware Bradley-Terry: the probability that judge k puts i before j is `1 / (1 + exp(g_k (s_j - s_i)))`. The
/// discrimination of a judge, `g_k`, is learnt from its agreement with the other judges, without any label.
///
/// The model is that of arXiv 2601.21817. A tie is half a win for each side. `topics` are the items and the ballots of
/// each topic: scores are a topic's own, with a mean of 0 in each component; judges are the same everywhere, and the
/// mean of their log g is 0, so that scores are log-odds for a judge in the middle. With one judge this is
/// [`bradley_terry`](super::super::bradley_terry).
///
/// The likelihood is not maximised over scores and judges at once. A panel casts few votes on a pair; then scores
/// follow the best judge, who is confirmed by itself: of five judges with g = 5.6, 2.8, 1.9, .19 and .19 and a vote of
/// each on 28 pairs of 30 topics, the joint maximum has 174, 7.1, 4.1, .001 and .36. So each judge is measured by the
/// scores that follow from the others' votes alone, in turns until nothing moves (5.4, 2.4, 1.6, .17 and .28 on 12
/// topics drawn in the same way). The scores that are returned follow from all votes.
///
/// Scores have the prior of [`RatingOptions::prior`] (without one, the default while judges are measured); `g_k` that
/// of [`RatingOptions::equal_judges`], which draws judges with few votes to the middle.
///
/// **Limits.** It assumes that the majority is right. Judges that share their mistakes confirm one another, and a
/// judge that is right alone counts as a poor one. A judge that contradicts the others has a `g` near 0, not below 0.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, if there is no maximum without a prior, and if the iterations
/// run out; with the topic, if it is about one.
///
/// ```
/// use llull_core::Ballot;
/// use llull_rank::ratings::{RatingOptions, judge_aware};
///
/// // Two judges agree on four items, a third tosses a coin.
/// let vote = |judge, a, b| Ballot { judge, ..Ballot::of([[a], [b]]) };
/// let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// let mut ballots = Vec::new();
/// for (at, [a, b]) in pairs.into_iter().enumerate() {
///     ballots.extend([vote(0, a, b), vote(1, a, b)]);
///     ballots.push(if at % 2 == 0 { vote(2, a, b) } else { vote(2, b, a) });
/// }
/// let found = judge_aware(&[(4, &ballots)], &RatingOptions::default())?;
/// assert!(found.discrimination[0] > found.discrimination[2]);
/// assert_eq!(found.discrimination[0], found.discrimination[1]);
/// # Ok::<(), llull_rank::ratings::JudgeAwareError>(())
/// ```
pub fn judge_aware(
    topics: &[(usize, &[Ballot])],
    options: &RatingOptions,
) -> Result<JudgeAware, JudgeAwareError> {
    let of = |topic: Option<usize>| move |error| JudgeAwareError { topic, error };
    options.check().map_err(of(None))?;
    let mut fitted = Vec::with_capacity(topics.len());
    for (at, (items, ballots)) in topics.iter().enumerate() {
        let topic = Topic::of(*items, ballots).map_err(of(Some(at)))?;
        if options.prior == Prior::None {
            need_maximum(&topic.pairs, &topic.components, Model::JudgeAware).map_err(of(Some(at)))?;
        }
        fitted.push(topic);
    }
    Fit::new(fitted, options).run()
}

/// A fit under way.
struct Fit<'a> {
    topics: Vec<Topic>,
    /// Who compared anything, ascending, and the scores of each topic's items by the votes of all others.
    voters: Vec<Voter>,
    /// The discrimination of each judge, by the number that ballots have for it.
    judges: Vec<f64>,
    options: &'a RatingOptions,
}

struct Voter {
    judge: u32,
    scores: Vec<Vec<f64>>,
}

impl<'a> Fit<'a> {
    fn new(topics: Vec<Topic>, options: &'a RatingOptions) -> Self {
        let voting = topics.iter().flat_map(|topic| &topic.votes).map(|vote| vote.judge);
        let voting: BTreeSet<u32> = voting.collect();
        let judges = vec![1.0; voting.last().map_or(0, |last| *last as usize + 1)];
        let zeros = || topics.iter().map(|topic| vec![0.0; topic.pairs.rated.len()]).collect();
        let voters = voting.into_iter().map(|judge| Voter { judge, scores: zeros() }).collect();
        Self { topics, voters, judges, options }
    }

    /// Measures judges until nothing moves, then rates the items.
    fn run(mut self) -> Result<JudgeAware, JudgeAwareError> {
        let iterations = self.measure_all()?;
        let mut rated = Vec::with_capacity(self.topics.len());
        for (at, topic) in self.topics.iter().enumerate() {
            let mut scores = vec![0.0; topic.pairs.rated.len()];
            settle(topic, &mut scores, (&self.judges, None), self.options.prior, self.options)
                .map_err(|error| JudgeAwareError { topic: Some(at), error })?;
            topic.components.centre(&mut scores);
            rated.push(Ratings::new(&topic.pairs, &topic.components, &scores, None, iterations));
        }
        let mut discrimination = vec![None; self.judges.len()];
        for voter in &self.voters {
            let judge = voter.judge as usize;
            discrimination[judge] = Some(self.judges[judge]);
        }
        Ok(JudgeAware { topics: rated, discrimination, iterations })
    }

    fn measure_all(&mut self) -> Result<usize, JudgeAwareError> {
        if self.voters.len() < 2 {
            return Ok(0);
        }
        // One judge's gain is another's loss, by the others' share of all judges: without meeting halfway, two judges
        // would change places for ever.
        let share = 1.0 - 1.0 / self.voters.len() as f64;
        let mut change = f64::INFINITY;
        for iteration in 1..=self.options.max_iterations {
            let mut logs = Vec::with_capacity(self.voters.len());
            for voter in &mut self.voters {
                logs.push(libm::log(measure(voter, &self.topics, &self.judges, self.options)?));
            }
            let before = |voter: &Voter| libm::log(self.judges[voter.judge as usize]);
            for (log, voter) in logs.iter_mut().zip(&self.voters) {
                *log = (1.0 - share) * before(voter) + share * *log;
            }
            let mean = logs.iter().sum::<f64>() / logs.len() as f64;
            change = 0.0;
            for (log, voter) in logs.iter().zip(&self.voters) {
                change = (log - mean - before(voter)).abs().max(change);
            }
            for (log, voter) in logs.iter().zip(&self.voters) {
                self.judges[voter.judge as usize] = libm::exp(log - mean);
            }
            if change <= self.options.tolerance {
                return Ok(iteration);
            }
        }
        let iterations = self.options.max_iterations;
        let error = RatingError::NotConverged { model: Model::JudgeAware, iterations, change };
        Err(JudgeAwareError { topic: None, error })
    }
}

/// Returns the discrimination of a judge, by the order of the other judges' votes.
fn measure(
    voter: &mut Voter,
    topics: &[Topic],
    judges: &[f64],
    options: &RatingOptions,
) -> Result<f64, JudgeAwareError> {
    let prior = if options.prior == Prior::None { Prior::default() } else { options.prior };
    let mut compared = Vec::new();
    for (at, (topic, scores)) in topics.iter().zip(&mut voter.scores).enumerate() {
        let own = || topic.votes.iter().filter(|vote| vote.judge == voter.judge);
        if own().next().is_none() {
            continue;
        }
        settle(topic, scores, (judges, Some(voter.judge)), prior, options)
            .map_err(|error| JudgeAwareError { topic: Some(at), error })?;
        compared.extend(own().map(|vote| {
            let pair = &topic.pairs.pairs[vote.pair];
            Compared {
                apart: scores[pair.first] - scores[pair.second],
                first: vote.first,
                second: vote.second,
            }
        }));
    }
    Ok(discrimination(&compared, options.equal_judges))
}

/// Moves a topic's scores to the best for such judges, without the votes of judge `without`, if one is given.
fn settle(
    topic: &Topic,
    scores: &mut [f64],
    (judges, without): (&[f64], Option<u32>),
    prior: Prior,
    options: &RatingOptions,
) -> Result<(), RatingError> {
    let mut likelihood = Discriminating::new(topic, judges, without, prior);
    let scale = likelihood.scale();
    scores.iter_mut().for_each(|score| *score *= scale);
    let ended = maximise(&mut likelihood, scores, options.tolerance, options.max_iterations);
    scores.iter_mut().for_each(|score| *score /= scale);
    match ended {
        newton::Ended::Converged { .. } => Ok(()),
        newton::Ended::Stuck { iterations, change } => {
            Err(RatingError::NotConverged { model: Model::JudgeAware, iterations, change })
        }
    }
}

/// A judge's votes on two items.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    /// The score of the first less that of the second, by the other judges.
    pub(super) apart: f64,
    /// The weight of the votes for the first, and half that of ties.
    pub(super) first: f64,
    /// The weight of the votes for the second, and half that of ties.
    pub(super) second: f64,
}

/// No discrimination is further from 1 than this factor.
const MOST: f64 = 1e12;

/// After so many steps the interval is as small as doubles allow.
const STEPS: usize = 200;

/// Returns the discrimination `g` that maximises the log-likelihood of the votes, plus `equal (ln g - g)`, which is
/// greatest at 1. Both are concave in `g`: Newton's steps, and halves of the interval where these lead out of it.
pub(super) fn discrimination(votes: &[Compared], equal: f64) -> f64 {
    let (mut low, mut high) = (1.0 / MOST, MOST);
    let mut g = 1.0;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (equal * (1.0 / g - 1.0), equal / (g * g));
        for vote in votes {
            let total = vote.first + vote.second;
            let first = 1.0 / (1.0 + libm::exp(-g * vote.apart));
            slope += vote.apart * (vote.first - total * first);
            curvature += vote.apart * vote.apart * total * first * (1.0 - first);
        }
        if slope > 0.0 {
            low = g;
        } else {
            high = g;
        }
        let newton = g + slope / curvature;
        let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
        if (next - g).abs() <= 1e-14 * g {
            return next;
        }
        g = next;
    }
    g
}

#[cfg(test)]
mod tests {
    use llull_core::{Item, Seed, SplitMix64};

    use super::super::super::bradley_terry;
    use super::*;

    fn vote(judge: u32, better: u32, worse: u32) -> Ballot {
        Ballot { judge, ..Ballot::of([[better], [worse]]) }
    }

    /// Found by scipy 1.17.1: `optimize.root` of `update(u) - u`, where `update` has the maximum for each judge by
    /// bisection, given numpy's Newton scores of the others' votes (with `0.1 (log p + log(1 - p))`, `p = expit(s)`).
    #[test]
    fn scores_and_judges_are_scipys() {
        let mut ballots = Vec::new();
        for (at, [a, b]) in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].into_iter().enumerate() {
            ballots.extend([vote(0, a, b), vote(0, a, b)]);
            ballots.push(if at == 3 { vote(1, b, a) } else { vote(1, a, b) });
            ballots.push(if at % 2 == 0 { vote(2, a, b) } else { vote(2, b, a) });
        }
        ballots.extend([Ballot { judge: 1, ..Ballot::of([[0, 1]]) }, vote(0, 3, 2)]);
        let found = judge_aware(&[(4, &ballots)], &RatingOptions::default()).unwrap();
        let scores = [1.699951888284272, 0.1678778489712589, -0.36638932578686384, -1.5014404114686668];
        for (score, expected) in found.topics[0].scores.iter().zip(scores) {
            assert!((score.unwrap() - expected).abs() < 1e-7, "{score:?} {expected}");
        }
        let judges = [1.2093503577567803, 1.3073652094564832, 0.6324860320281487];
        for (judge, expected) in found.discrimination.iter().zip(judges) {
            assert!((judge.unwrap() - expected).abs() < 1e-7, "{judge:?} {expected}");
        }
    }

    #[test]
    fn one_judge_is_bradley_terry() {
        let ballots = [vote(3, 0, 1), vote(3, 1, 2), vote(3, 2, 0), vote(3, 0, 4)];
        let options = RatingOptions { standard_errors: false, ..RatingOptions::default() };
        let found = judge_aware(&[(5, &ballots)], &options).unwrap();
        assert_eq!(found.discrimination, [None, None, None, Some(1.0)]);
        let plain = bradley_terry(5, &ballots, &options).unwrap();
        assert_eq!(found.topics[0].components, plain.components);
        for (own, plain) in found.topics[0].scores.iter().zip(&plain.scores) {
            assert!(
                own.zip(*plain).is_none_or(|(own, plain)| (own - plain).abs() < 1e-9),
                "{own:?} {plain:?}"
            );
        }
    }

    #[test]
    fn nothing_compared_is_nothing_rated() {
        let found = judge_aware(&[(2, &[]), (0, &[])], &RatingOptions::default()).unwrap();
        assert_eq!(
            (found.topics[0].scores.as_slice(), found.discrimination.len()),
            ([None, None].as_slice(), 0)
        );
    }

    #[test]
    fn an_error_names_its_topic() {
        let fine = [vote(0, 0, 1), vote(0, 1, 0)];
        let chain = [vote(0, 0, 1), vote(1, 0, 1)];
        let options = RatingOptions { prior: Prior::None, ..RatingOptions::default() };
        let error = judge_aware(&[(2, &fine), (2, &chain)], &options).unwrap_err();
        assert_eq!(error.topic, Some(1));
        assert!(matches!(&error.error, RatingError::NoMaximum { unbeaten, .. } if unbeaten == &[Item(0)]));
    }

    /// 30 topics of 8 items with true scores from -2 to 2. Five judges with the true discriminations 3, 1.5, 1, 0.1
    /// and 0.1 compare each pair once. Judges come out in that order, and so do more pairs of items than by plain
    /// Bradley-Terry.
    #[test]
    fn judges_who_know_more_are_found_and_count_more() {
        let truth = [3.0, 1.5, 1.0, 0.1, 0.1];
        let mut stream = SplitMix64::new(Seed(11).stream("judges"));
        let mut unit = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let score = |item: u32| f64::from(item) * 4.0 / 7.0 - 2.0;
        let mut topics = Vec::new();
        for _ in 0..30 {
            let mut ballots = Vec::new();
            for (a, b) in (0..8).flat_map(|a| (0..a).map(move |b| (a, b))) {
                for (judge, g) in (0_u32..).zip(truth) {
                    let first = unit() < 1.0 / (1.0 + (g * (score(b) - score(a))).exp());
                    ballots.push(if first { vote(judge, a, b) } else { vote(judge, b, a) });
                }
            }
            topics.push(ballots);
        }
        let given: Vec<(usize, &[Ballot])> = topics.iter().map(|ballots| (8, ballots.as_slice())).collect();
        let found = judge_aware(&given, &RatingOptions::default()).unwrap();
        let judges: Vec<f64> = found.discrimination.iter().map(|judge| judge.unwrap()).collect();
        assert!(judges[0] > judges[1] && judges[1] > judges[2] && judges[2] > 2.0 * judges[3], "{judges:?}");
        assert!((judges.iter().map(|judge| judge.ln()).sum::<f64>()).abs() < 1e-9);
        for pair in [[0, 1], [1, 2]] {
            let (own, true_ratio) = (judges[pair[0]] / judges[pair[1]], truth[pair[0]] / truth[pair[1]]);
            assert!((own / true_ratio).ln().abs() < 0.4, "{judges:?}");
        }
        let right = |scores: &[Option<f64>]| {
            (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| scores[*a] > scores[*b]).count()
        };
        let aware: usize = found.topics.iter().map(|topic| right(&topic.scores)).sum();
        let plain: usize = given
            .iter()
            .map(|(items, ballots)| {
                right(&bradley_terry(*items, ballots, &RatingOptions::default()).unwrap().scores)
            })
            .sum();
        assert!(aware > plain, "{aware} {plain} of 840");
    }

    /// 30 votes of 40 for items that are ln 3 apart are expected with a discrimination of 1, which the prior favours,
    /// too. 36 of 40 are expected with 2, so that a weak prior hardly changes it.
    #[test]
    fn odds_that_were_predicted_are_found() {
        let of = |first: f64| Compared { apart: 3.0_f64.ln(), first, second: 40.0 - first };
        assert!((discrimination(&[of(30.0)], 1.0) - 1.0).abs() < 1e-12);
        assert!((discrimination(&[of(36.0)], 1e-9) - 2.0).abs() < 1e-9);
    }

    /// scipy 1.17.1: `optimize.brentq` of `2 (10 - 40 expit(2 g)) + 1 / g - 1`.
    #[test]
    fn a_judge_that_says_the_contrary_is_near_0() {
        let contrary = Compared { apart: 2.0, first: 10.0, second: 30.0 };
        let found = discrimination(&[contrary], 1.0);
        assert!((found - 0.043_943_293_249_820_17).abs() < 1e-9, "{found}");
    }
}
