//! 78 judges' answers about 1,544 pairs of passages, as features of pairs.

use std::io::Read as _;

use flate2::read::GzDecoder;
use llull::core::{PairChoice, Seed, SplitMix64};
use llull::learner::{FeatureTable, PairFeature, TrainingTable};

use crate::files::data;

/// Returns the table of `prompt-sensitivity`: A agrees with human labels, D disagrees, T changed with the order of the
/// two and is Neither. The side of the better passage is drawn with this seed.
///
/// # Panics
///
/// Panics if the file cannot be read.
#[expect(clippy::unwrap_used, clippy::panic, reason = "there is nothing to test without the data")]
pub fn pairwise_dl20(seed: Seed) -> TrainingTable {
    let path = data("prompt-sensitivity/pairwise_dl20.matrix.tsv.gz");
    let mut text = String::new();
    let file = std::fs::File::options().read(true).open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').skip(4).collect();
    let features = names.iter().map(|name| PairFeature { name: (*name).to_owned(), calls: 2 }).collect();
    let mut columns = vec![Vec::new(); names.len()];
    let (mut lhs, mut groups, mut queries) = (Vec::new(), Vec::new(), Vec::new());
    let mut coin = SplitMix64::new(seed.stream("sides"));
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let better = if coin.next_u64().is_multiple_of(2) { PairChoice::Lhs } else { PairChoice::Rhs };
        for (column, cell) in columns.iter_mut().zip(&cells[4..]) {
            column.push(match *cell {
                "A" => better,
                "D" => better.mirrored(),
                "T" => PairChoice::Neither,
                "" => PairChoice::Missing,
                other => panic!("{other:?} is none of A, D, T"),
            });
        }
        lhs.push(better == PairChoice::Lhs);
        let known = queries.iter().position(|query| *query == cells[0]);
        groups.push(known.unwrap_or_else(|| {
            queries.push(cells[0]);
            queries.len() - 1
        }));
    }
    TrainingTable::new(FeatureTable::new(features, columns).unwrap(), lhs, groups).unwrap()
}
