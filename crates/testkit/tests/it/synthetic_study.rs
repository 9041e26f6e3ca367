//! The files of synthetic studies.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use llull_core::Seed;
use llull_testkit::SyntheticStudy;

fn small() -> SyntheticStudy {
    SyntheticStudy { topics: 7, pairs: 7 * 21 + 3, runs: 3, depth: 10, seed: Seed(5) }
}

fn read(path: &Path) -> String {
    fs_err::read_to_string(path).unwrap()
}

#[test]
fn the_runs_return_exactly_the_pairs_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let files = small().write(dir.path()).unwrap();
    let mut pairs = BTreeSet::new();
    for run in &files.runs {
        let text = read(run);
        assert_eq!(text.lines().count(), 7 * 10);
        for line in text.lines() {
            let fields: Vec<_> = line.split(' ').collect();
            assert_eq!(fields.len(), 6);
            pairs.insert((fields[0].to_owned(), fields[2].to_owned()));
        }
    }
    assert_eq!(pairs.len(), 150);
    assert_eq!(read(&files.corpus).lines().count(), 150);
    assert_eq!(read(&files.truth).lines().count(), 150);
    assert_eq!(read(&files.topics).lines().count(), 7);
}

#[test]
fn documents_have_sixty_to_a_hundred_words() {
    let dir = tempfile::tempdir().unwrap();
    let files = small().write(dir.path()).unwrap();
    for line in read(&files.corpus).lines() {
        let document: serde_json::Value = serde_json::from_str(line).unwrap();
        let words = document["text"].as_str().unwrap().split(' ').count();
        assert!((60..=100).contains(&words), "{words}");
    }
}

#[test]
fn the_same_seed_writes_the_same_bytes_and_another_does_not() {
    let (one, two, other) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = small().write(one.path()).unwrap();
    let second = small().write(two.path()).unwrap();
    let third = SyntheticStudy { seed: Seed(6), ..small() }.write(other.path()).unwrap();
    assert_eq!(read(&first.corpus), read(&second.corpus));
    assert_eq!(read(&first.runs[2]), read(&second.runs[2]));
    assert_ne!(read(&first.corpus), read(&third.corpus));
}

#[test]
fn the_first_run_ranks_better_than_the_last() {
    let dir = tempfile::tempdir().unwrap();
    let study = SyntheticStudy { topics: 60, pairs: 60 * 21, ..small() };
    let files = study.write(dir.path()).unwrap();
    let truth: BTreeMap<_, i32> = read(&files.truth)
        .lines()
        .map(|line| {
            let fields: Vec<_> = line.split(' ').collect();
            (fields[2].to_owned(), fields[3].parse().unwrap())
        })
        .collect();
    let gain = |run: &Path| -> i32 {
        let text = read(run);
        let top =
            text.lines().map(|line| line.split(' ').collect::<Vec<_>>()).filter(|fields| fields[3] == "1");
        top.map(|fields| truth[fields[2]]).sum()
    };
    assert!(gain(&files.runs[0]) > gain(&files.runs[2]));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for study in [
        SyntheticStudy { pairs: 7 * 31, ..small() },
        SyntheticStudy { pairs: 7 * 9, ..small() },
        SyntheticStudy { topics: 0, ..small() },
    ] {
        assert_eq!(study.write(dir.path()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
