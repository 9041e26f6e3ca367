//! A simple random sample.

use llull_core::Seed;

use crate::random_streams::{RandomStreams, below};

/// Draws `n` of the numbers from 0 to `size` - 1 without replacement, in random order: every set of `n` is equally
/// likely, so that each number is in it with probability `n / size`. All of them for an `n` beyond `size`.
///
/// The numbers of one seed and purpose differ from `stream` to `stream`, which is the stratum's number, for instance.
/// (Durstenfeld's shuffle, Algorithm 235, CACM 7(7), 1964, stopped after `n` steps.)
pub fn draw_without_replacement(
    size: usize,
    n: usize,
    seed: Seed,
    purpose: &str,
    stream: usize,
) -> Vec<usize> {
    let mut rng = RandomStreams::new(seed, purpose).chunk(stream);
    let mut numbers: Vec<usize> = (0..size).collect();
    let n = n.min(size);
    for at in 0..n {
        let other = at + below(size - at, &mut rng);
        numbers.swap(at, other);
    }
    numbers.truncate(n);
    numbers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_unit_and_every_two_are_drawn_as_often_as_they_should() {
        let (size, n, draws) = (7, 3, 20_000);
        let (mut single, mut first, mut two) = ([0u32; 7], [0u32; 7], [[0u32; 7]; 7]);
        for seed in 0..draws {
            let drawn = draw_without_replacement(size, n, Seed(seed), "test", 0);
            first[drawn[0]] += 1;
            for a in &drawn {
                single[*a] += 1;
                for b in &drawn {
                    two[*a][*b] += 1;
                }
            }
        }
        // Five standard errors: for 35 frequencies together, a false alarm in 50,000 runs of other seeds.
        let near = |count: u32, share: f64| {
            let expected = share * draws as f64;
            (f64::from(count) - expected).abs() < 5.0 * (expected * (1.0 - share)).sqrt()
        };
        assert!(single.iter().all(|count| near(*count, 3.0 / 7.0)), "{single:?}");
        assert!(first.iter().all(|count| near(*count, 1.0 / 7.0)), "{first:?}");
        for a in 0..size {
            for b in (0..size).filter(|b| *b != a) {
                assert!(near(two[a][b], 3.0 * 2.0 / (7.0 * 6.0)), "{a} {b} {two:?}");
            }
        }
    }

    #[test]
    fn streams_differ_and_the_same_one_repeats() {
        let draw = |purpose, stream| draw_without_replacement(1000, 20, Seed(1), purpose, stream);
        assert_eq!(draw("a", 0), draw("a", 0));
        assert_ne!(draw("a", 0), draw("a", 1));
        assert_ne!(draw("a", 0), draw("b", 0));
    }

    proptest! {
        #[test]
        fn nothing_is_drawn_twice(size in 0usize..200, n in 0usize..250, seed: u64) {
            let mut drawn = draw_without_replacement(size, n, Seed(seed), "test", 3);
            prop_assert_eq!(drawn.len(), n.min(size));
            drawn.sort_unstable();
            drawn.dedup();
            prop_assert_eq!(drawn.len(), n.min(size));
            prop_assert!(drawn.iter().all(|at| *at < size));
        }
    }
}
