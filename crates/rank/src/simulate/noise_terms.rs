//! A simulated judge's noise in terms that can be measured of a real one.

use super::pool::{AT_LEAST, SPREAD};

/// A figure of a judge, from which the [noise](super::NoisyJudge::noise) of a simulated one follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoiseTerm {
    /// Cohen's kappa of its grades from 0 to 3 with the true grades: it grades what it sees to the nearest grade.
    Kappa(f64),
    /// The share of pairs of documents, drawn at random from a pool, that it puts in another order when it is asked
    /// again.
    FlipRate(f64),
}

/// A figure that no noise gives.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoiseTermError {
    /// The kappa of a judge without errors is lower, or the figure is below chance.
    #[error(
        "a kappa of {kappa}: a simulated judge has one above 0, and at most {highest:.2} without any noise, since it \
         grades documents by their worth, which differs within a grade. Give such a kappa, or --noise 0"
    )]
    Kappa {
        /// The kappa.
        kappa: f64,
        /// That of a judge without noise.
        highest: f64,
    },
    /// A judge that answers at random changes half of the pairs.
    #[error("a flip rate of {0}: a judge that answers at random changes half of the pairs; give 0 to 0.49")]
    FlipRate(f64),
}

/// The largest noise that is looked for: such a judge answers nearly at random.
const MOST: f64 = 50.0;

impl NoiseTerm {
    /// Returns the noise of a judge with this figure.
    ///
    /// # Errors
    /// Returns an error if no noise gives it.
    ///
    /// ```
    /// use llull_rank::simulate::NoiseTerm;
    ///
    /// let noise = NoiseTerm::FlipRate(0.1).noise().unwrap();
    /// assert!((NoiseTerm::flip_rate(noise) - 0.1).abs() < 1e-9);
    /// assert!(NoiseTerm::Kappa(0.9).noise().is_err());
    /// ```
    pub fn noise(self) -> Result<f64, NoiseTermError> {
        match self {
            Self::Kappa(kappa) => {
                let highest = Self::kappa(0.0);
                if !(kappa > Self::kappa(MOST) && kappa <= highest) {
                    return Err(NoiseTermError::Kappa { kappa, highest });
                }
                Ok(bisect(|noise| Self::kappa(noise) < kappa))
            }
            Self::FlipRate(rate) => {
                if !(rate >= 0.0 && rate < Self::flip_rate(MOST)) {
                    return Err(NoiseTermError::FlipRate(rate));
                }
                Ok(bisect(|noise| Self::flip_rate(noise) > rate))
            }
        }
    }

    /// Returns the kappa of a judge with this noise. It depends on the shares of the grades: noise 1.2 has .26 in these
    /// pools, .29 with those of all judged documents of TREC DL 2019 and .32 with those of its top tens.
    pub fn kappa(noise: f64) -> f64 {
        let deviation = SPREAD.hypot(noise);
        let at_most = |given: usize, grade: usize| match given {
            3 => 1.0,
            given => phi((given as f64 + 0.5 - grade as f64) / deviation),
        };
        let chance = |given: usize, grade: usize| {
            at_most(given, grade) - given.checked_sub(1).map_or(0.0, |below| at_most(below, grade))
        };
        let shares = shares();
        let (mut equal, mut by_chance) = (0.0, 0.0);
        for (given, share) in shares.into_iter().enumerate() {
            equal += share * chance(given, given);
            let all = shares.iter().enumerate().map(|(grade, share)| share * chance(given, grade));
            by_chance += share * all.sum::<f64>();
        }
        (equal - by_chance) / (1.0 - by_chance)
    }

    /// Returns the flip rate of a judge with this noise.
    pub fn flip_rate(noise: f64) -> f64 {
        if noise <= 0.0 {
            return 0.0;
        }
        let (shares, apart) = (shares(), SPREAD * std::f64::consts::SQRT_2);
        let mut rate = 0.0;
        for (one, first) in shares.iter().enumerate() {
            for (other, second) in shares.iter().enumerate() {
                let gap = one as f64 - other as f64;
                rate += first
                    * second
                    * over_normal(|z| {
                        let better = phi((gap + apart * z) / (noise * std::f64::consts::SQRT_2));
                        2.0 * better * (1.0 - better)
                    });
            }
        }
        rate
    }
}

/// The share of each grade in a pool, from 0 on.
fn shares() -> [f64; 4] {
    let [three, two, one] = AT_LEAST.map(|(_, percent)| percent as f64 / 100.0);
    [1.0 - one, one - two, two - three, three]
}

fn phi(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The mean over a standard normal, by the trapezoidal rule, whose error falls faster than any power of the step.
fn over_normal(value: impl Fn(f64) -> f64) -> f64 {
    const STEPS: i32 = 800;
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -STEPS..=STEPS {
        let z = 8.0 * f64::from(step) / f64::from(STEPS);
        let weight = libm::exp(-z * z / 2.0);
        sum += weight * value(z);
        weights += weight;
    }
    sum / weights
}

/// The least noise beyond which something holds, if it holds from some noise on.
fn bisect(beyond: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, MOST);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if beyond(middle) { high = middle } else { low = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use llull_core::Item;

    use super::*;
    use crate::simulate::{NoisyJudge, SimulatedPool, SimulatedPrior};

    /// Against judges that answer: 40,000 pairs and grades, four standard errors.
    #[test]
    fn the_terms_are_those_of_simulated_judges() {
        for noise in [0.35, 0.8, 1.2] {
            let pool = SimulatedPool::new(2_000, SimulatedPrior::Random, 5);
            let judge = NoisyJudge { noise, ..NoisyJudge::new(pool.worth.clone(), 9) };
            let (mut changed, mut pairs) = (0.0, 0.0);
            for round in 0..20 {
                for pair in Item::first(2_000).collect::<Vec<_>>().chunks(2) {
                    let order = |round| judge.answer(pair, round).groups;
                    changed += f64::from(u8::from(order(2 * round) != order(2 * round + 1)));
                    pairs += 1.0;
                }
            }
            // Pairs are repeated, so that their worths vary less than their answers.
            assert!(
                (changed / pairs - NoiseTerm::flip_rate(noise)).abs() < 0.02,
                "{noise}: {}",
                changed / pairs
            );
            let (mut equal, mut given, mut held) = (0.0, [0.0; 4], [0.0; 4]);
            for round in 0..20 {
                for item in Item::first(2_000) {
                    let own = NoisyJudge { seed: round, ..judge.clone() };
                    let seen = own.sees(item).round().clamp(0.0, 3.0) as usize;
                    let grade = usize::from(pool.grades[item.index()]);
                    equal += f64::from(u8::from(seen == grade)) / 40_000.0;
                    given[seen] += 1.0 / 40_000.0;
                    held[grade] += 1.0 / 40_000.0;
                }
            }
            let by_chance: f64 = given.iter().zip(held).map(|(a, b)| a * b).sum();
            let kappa = (equal - by_chance) / (1.0 - by_chance);
            assert!((kappa - NoiseTerm::kappa(noise)).abs() < 0.02, "{noise}: {kappa}");
        }
    }

    #[test]
    fn a_term_gives_the_noise_that_gives_the_term() {
        for noise in [0.01, 0.35, 0.8, 1.2, 4.0] {
            for term in
                [NoiseTerm::Kappa(NoiseTerm::kappa(noise)), NoiseTerm::FlipRate(NoiseTerm::flip_rate(noise))]
            {
                assert!((term.noise().unwrap() - noise).abs() < 1e-6 * noise.max(1.0), "{term:?}");
            }
        }
        assert_eq!(NoiseTerm::FlipRate(0.0).noise(), Ok(0.0));
        for wrong in [0.5, -0.1, f64::NAN] {
            assert!(NoiseTerm::FlipRate(wrong).noise().is_err());
        }
        for wrong in [0.0, -0.2, 1.0, f64::NAN] {
            assert!(NoiseTerm::Kappa(wrong).noise().is_err());
        }
    }
}
