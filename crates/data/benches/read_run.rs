//! Measures the reading of large runs and qrels.
//!
//! The run has a million lines, 1,000 documents for each of 1,000 topics, and is read whole and to depth 10. The qrels
//! have 200,000.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use llull_data::{DataError, ReadRunOptions, create, read_qrels, read_run, read_run_alone};
use std::{hint::black_box, io::Write, path::Path};

fn write(path: &Path) -> Result<(), DataError> {
    let mut file = create(path)?;
    for topic in 0..1_000u64 {
        for place in 0..1_000u64 {
            // Scattered identifiers of MS MARCO's size, falling scores.
            let document = (topic * 1_000 + place).wrapping_mul(2_654_435_761) % 8_841_823;
            let score = 30.0 - place as f64 / 97.0;
            let line = writeln!(file, "{topic} Q0 {document} {} {score:.6} bench", place + 1);
            line.map_err(DataError::File)?;
        }
    }
    file.finish()
}

/// The same run with a header as CSV, or as JSON lines.
fn write_table(path: &Path, as_json: bool) -> Result<(), DataError> {
    let mut file = create(path)?;
    let header = if as_json { "" } else { "query_id,doc_id,rank,score\n" };
    file.write_all(header.as_bytes()).map_err(DataError::File)?;
    for topic in 0..1_000u64 {
        for place in 0..1_000u64 {
            let document = (topic * 1_000 + place).wrapping_mul(2_654_435_761) % 8_841_823;
            let (rank, score) = (place + 1, 30.0 - place as f64 / 97.0);
            let line = match as_json {
                true => writeln!(
                    file,
                    "{{\"query_id\":\"{topic}\",\"doc_id\":\"{document}\",\"rank\":{rank},\"score\":{score:.6}}}"
                ),
                false => writeln!(file, "{topic},{document},{rank},{score:.6}"),
            };
            line.map_err(DataError::File)?;
        }
    }
    file.finish()
}

fn write_labels(path: &Path) -> Result<(), DataError> {
    let mut file = create(path)?;
    for label in 0..200_000u64 {
        let document = label.wrapping_mul(2_654_435_761) % 8_841_823;
        let line = writeln!(file, "{} 0 {document} {}", label / 200, label % 4);
        line.map_err(DataError::File)?;
    }
    file.finish()
}

fn read(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.run");
    write(&path).unwrap();
    let mut group = criterion.benchmark_group("read_run");
    group.sample_size(10).throughput(Throughput::Elements(1_000_000));
    for (name, depth) in [("whole", None), ("depth 10", Some(10))] {
        let options = ReadRunOptions { depth, name: None, ..ReadRunOptions::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(read_run(&path, &options).unwrap())));
    }
    let options = ReadRunOptions::default();
    group.bench_function("whole, one thread", |bencher| {
        bencher.iter(|| black_box(read_run_alone(&path, &options).unwrap()));
    });
    for name in ["bench.gz", "bench.zst"] {
        let compressed = folder.path().join(name);
        write(&compressed).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(read_run(&compressed, &options).unwrap()));
        });
    }
    for (name, as_json) in [("bench.csv", false), ("bench.jsonl", true)] {
        let table = folder.path().join(name);
        write_table(&table, as_json).unwrap();
        group.bench_function(name, |bencher| bencher.iter(|| black_box(read_run(&table, &options).unwrap())));
    }
    group.finish();
    let labels = folder.path().join("bench.qrels");
    write_labels(&labels).unwrap();
    let mut group = criterion.benchmark_group("read_qrels");
    group.sample_size(10).throughput(Throughput::Elements(200_000));
    group.bench_function("200,000", |bencher| bencher.iter(|| black_box(read_qrels(&labels).unwrap())));
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
