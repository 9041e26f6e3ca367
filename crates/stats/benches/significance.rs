//! All pairs of 100 runs over 53 queries, the size of a TREC track: `cargo bench -p llull-stats --bench significance`.
//! The permutation test with 10,000 permutations should take less than 5 s on two cores.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use llull_core::Seed;
use llull_stats::{
    PairOptions, PairTest, PermutationOptions, compare_all, discriminative_power, permutation_test,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Values from 0 to 1 of easy and hard queries and good and bad runs, with noise.
fn runs(runs: usize, topics: usize) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut uniform = || f64::from(rng.next_u32()) / 2f64.powi(32);
    let ease: Vec<f64> = (0..topics).map(|_| uniform()).collect();
    (0..runs)
        .map(|_| {
            let quality = 0.2 * uniform();
            ease.iter().map(|ease| 0.5 * ease + quality + 0.3 * uniform()).collect()
        })
        .collect()
}

fn all_pairs(criterion: &mut Criterion) {
    let systems = runs(100, 53);
    let mut group = criterion.benchmark_group("4950 pairs of 100 runs, 53 queries, 10000 draws");
    group.sample_size(10);
    for test in [PairTest::Permutation, PairTest::Tukey, PairTest::T, PairTest::Wilcoxon, PairTest::Sign] {
        group.bench_function(test.to_string(), |bencher| {
            bencher.iter(|| compare_all(&systems, &PairOptions::new(test, Seed(1))).unwrap());
        });
    }
    group.bench_function("discriminative power", |bencher| {
        bencher.iter(|| {
            discriminative_power(&systems, &PairOptions::new(PairTest::Permutation, Seed(1))).unwrap()
        });
    });
    group.finish();
}

fn exact(criterion: &mut Criterion) {
    let systems = runs(100, 30);
    let mut group = criterion.benchmark_group("exact permutation test, 30 queries");
    group.sample_size(10);
    group.bench_function("one pair, 2^30 flips", |bencher| {
        bencher
            .iter(|| permutation_test(&systems[0], &systems[1], &PermutationOptions::new(Seed(1))).unwrap());
    });
    group.bench_function("4950 pairs", |bencher| {
        let options = PairOptions::new(PairTest::Permutation, Seed(1));
        bencher.iter(|| compare_all(&systems, &options).unwrap());
    });
    group.finish();
}

criterion_group!(benches, all_pairs, exact);
criterion_main!(benches);
