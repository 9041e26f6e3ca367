//! Reading 100,000 games among 1,000 items, in each form.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use llull_data::{Columns, read_ballots};
use std::{fmt::Write as _, hint::black_box};

const GAMES: u64 = 100_000;

fn read(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let [mut csv, mut columns, mut json] = ["left,right,winner,query\n", "", ""].map(str::to_owned);
    for game in 0..GAMES {
        // Scattered pairs of 1,000 items in 50 queries.
        let a = game.wrapping_mul(2_654_435_761) % 1_000;
        let b = (a + 1 + game.wrapping_mul(40_503) % 999) % 1_000;
        let query = game % 50;
        writeln!(csv, "item{a},item{b},left,q{query}").unwrap();
        writeln!(columns, "q{query} item{a} item{b} item{a}").unwrap();
        writeln!(json, r#"{{"query":"q{query}","left":"item{a}","right":"item{b}","winner":"left"}}"#)
            .unwrap();
    }
    let mut group = criterion.benchmark_group("read_ballots");
    group.sample_size(10).throughput(Throughput::Elements(GAMES));
    for (name, text) in [("csv", csv), ("columns", columns), ("jsonl", json)] {
        let path = folder.path().join(name);
        fs_err::write(&path, text).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(read_ballots(&[&path], None, &Columns::default()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
