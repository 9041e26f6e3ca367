//! Measures the scheduler itself, with a judge whose answers are free.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use llull_core::{Ballot, Item};
use llull_rank::{Schedule, Tournament, TournamentError, TournamentOptions, TournamentOutcome};
use std::hint::black_box;

/// A fixed permutation of any size: item to rank.
fn rank(item: Item, items: usize) -> u32 {
    // a prime above any size used here is coprime to all of them
    ((u64::from(item.0) * 7_919 + 13) % items as u64) as u32
}

fn play(items: usize, options: &TournamentOptions) -> Result<TournamentOutcome, TournamentError> {
    let mut tournament = Tournament::new(items, options.clone())?;
    loop {
        let wave = tournament.next(usize::MAX);
        if wave.is_empty() {
            return Ok(tournament.outcome());
        }
        for batch in &wave {
            let mut groups: Vec<Vec<Item>> = batch.items.iter().map(|&item| vec![item]).collect();
            groups.sort_by_key(|group| rank(group[0], items));
            tournament.observe(batch, &[Ballot::new(groups)]);
        }
    }
}

fn tournaments(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tournament");
    group.sample_size(10);
    for (items, window, top) in [(100, 10, 10), (100, 10, 100), (1_000, 20, 10), (5_000, 20, 10)] {
        for schedule in [Schedule::Sequential, Schedule::Balanced] {
            let options = TournamentOptions { window, top, schedule, ..TournamentOptions::default() };
            let id = BenchmarkId::new(format!("{schedule:?}"), format!("{items}-{window}-{top}"));
            group.bench_function(id, |bencher| bencher.iter(|| black_box(play(items, &options))));
        }
    }
    group.finish();
}

criterion_group!(benches, tournaments);
criterion_main!(benches);
