//! Random numbers of simulations and of draws from a posterior.

use llull_core::SplitMix64;

/// A stream of random numbers: [`SplitMix64`], because every answer has a stream of its own, and a stream
/// that costs nothing to create is the faster one.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    stream: SplitMix64,
    /// The second of two normal draws, which come in pairs.
    spare: Option<f64>,
}

impl Random {
    /// Creates the stream of a seed and of a question.
    pub(crate) fn new(seed: u64, about: impl IntoIterator<Item = u32>) -> Self {
        let mut state = SplitMix64::mix(seed);
        for word in about {
            state = SplitMix64::mix(state ^ u64::from(word)).wrapping_add(SplitMix64::INCREMENT);
        }
        Self { stream: SplitMix64::new(state), spare: None }
    }

    /// Returns the next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// Returns a draw from the uniform distribution on [0, 1), with 53 bits.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a draw from the standard normal distribution (Box and Muller, A note on the generation of
    /// random normal deviates, Annals of Mathematical Statistics 29, 1958). `libm` is used because it gives
    /// the same bits on every platform.
    pub(crate) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // 1 - radius is never 0, whose logarithm is not finite.
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * self.uniform());
        self.spare = Some(radius * sine);
        radius * cosine
    }

    /// Draws `n` items without replacement and moves them to the front, in the order in which they were
    /// drawn.
    pub(crate) fn draw<T>(&mut self, items: &mut [T], n: usize) {
        for place in 0..n.min(items.len()) {
            let left = (items.len() - place) as u64;
            // The bias of a remainder of 64 bits is below 1e-13 for any list that fits into memory.
            items.swap(place, place + (self.bits() % left) as usize);
        }
    }

    /// Puts all items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.draw(items, items.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_draws_have_the_moments_of_a_normal() {
        let mut random = Random::new(5, [1, 2]);
        let n = 20_000_u32;
        let draws: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let moment = |power: i32| draws.iter().map(|draw| draw.powi(power)).sum::<f64>() / f64::from(n);
        // four standard errors: the variances of the powers of a normal are 1, 2, 15, 96
        for (power, mean, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let error = 4.0 * f64::sqrt(variance / f64::from(n));
            assert!((moment(power) - mean).abs() < error, "{power}: {}", moment(power));
        }
    }

    #[test]
    fn every_permutation_is_as_likely() {
        let mut random = Random::new(8, []);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        // five standard deviations of a count of 6,000 draws with probability 1/6
        assert!(
            counts.len() == 6 && counts.values().all(|count| (1_000_i32 - count).abs() < 145),
            "{counts:?}"
        );
    }
}
