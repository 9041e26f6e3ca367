//! Chance for simulations: a small generator, because every answer has a stream of its own.

/// Sebastiano Vigna's SplitMix64 (after Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA
/// 2014): a stream costs one multiplication a draw and nothing to begin, where a cipher would cost a block an answer.
#[derive(Debug, Clone)]
pub(crate) struct Chance {
    state: u64,
    spare: Option<f64>,
}

impl Chance {
    /// The stream of a seed and of what is asked.
    pub(crate) fn new(seed: u64, about: impl IntoIterator<Item = u32>) -> Self {
        let mut state = mix(seed);
        for word in about {
            state = mix(state ^ u64::from(word)).wrapping_add(GOLDEN);
        }
        Self { state, spare: None }
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A draw from the uniform distribution on [0, 1), with 53 bits.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A draw from the standard normal distribution (Box and Muller, A note on the generation of random normal deviates,
    /// Annals of Mathematical Statistics 29, 1958). `libm` because it gives the same bits on every platform.
    pub(crate) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // 1 - radius is never 0, whose logarithm is not finite
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * self.uniform());
        self.spare = Some(radius * sine);
        radius * cosine
    }

    /// Brings `n` items drawn without replacement to the front, in the order in which they were drawn.
    pub(crate) fn draw<T>(&mut self, items: &mut [T], n: usize) {
        for place in 0..n.min(items.len()) {
            let left = (items.len() - place) as u64;
            // the bias of a remainder of 64 bits is below 1e-13 for any list that fits memory
            items.swap(place, place + (self.bits() % left) as usize);
        }
    }

    /// Puts all of them into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.draw(items, items.len());
    }
}

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    // the reference implementation, https://prng.di.unimi.it/splitmix64.c, from the state 1234567
    #[test]
    fn the_stream_is_splitmix64s() {
        let mut chance = Chance { state: 1_234_567, spare: None };
        let drawn: Vec<u64> = (0..3).map(|_| chance.bits()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn normal_draws_have_the_moments_of_a_normal() {
        let mut chance = Chance::new(5, [1, 2]);
        let n = 20_000_u32;
        let draws: Vec<f64> = (0..n).map(|_| chance.normal()).collect();
        let moment = |power: i32| draws.iter().map(|draw| draw.powi(power)).sum::<f64>() / f64::from(n);
        // four standard errors: the variances of the powers of a normal are 1, 2, 15, 96
        for (power, mean, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let error = 4.0 * f64::sqrt(variance / f64::from(n));
            assert!((moment(power) - mean).abs() < error, "{power}: {}", moment(power));
        }
    }

    #[test]
    fn every_permutation_is_as_likely() {
        let mut chance = Chance::new(8, []);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            chance.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        // five standard deviations of a count of 6,000 draws with probability 1/6
        assert!(
            counts.len() == 6 && counts.values().all(|count| (1_000_i32 - count).abs() < 145),
            "{counts:?}"
        );
    }
}
