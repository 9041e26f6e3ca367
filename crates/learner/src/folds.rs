//! Divides queries into folds.

use llull_core::{Seed, SplitMix64};

use crate::grow::below;

/// Gives each of these rows the number of its fold; all rows of a query are in one fold. Queries are shuffled, then the
/// largest first go to the fold with the fewest rows. There are never more folds than queries.
pub(crate) fn by_group(rows: &[usize], groups: &[usize], folds: usize, seed: Seed) -> Vec<usize> {
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let mut of_group = vec![None; rows.iter().map(|row| groups[*row] + 1).max().unwrap_or(0)];
    for row in rows {
        let at = *of_group[groups[*row]].get_or_insert_with(|| {
            sizes.push((groups[*row], 0));
            sizes.len() - 1
        });
        sizes[at].1 += 1;
    }
    let mut stream = SplitMix64::new(seed.stream("folds"));
    for last in (1..sizes.len()).rev() {
        sizes.swap(last, below(last + 1, &mut stream));
    }
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let mut filled = vec![0; folds.clamp(1, sizes.len().max(1))];
    let mut fold_of = vec![0; of_group.len()];
    for (group, size) in sizes {
        let least = (0..filled.len()).min_by_key(|fold| filled[*fold]).unwrap_or(0);
        filled[least] += size;
        fold_of[group] = least;
    }
    rows.iter().map(|row| fold_of[groups[*row]]).collect()
}

/// Returns the number of folds.
pub(crate) fn count(folds: &[usize]) -> usize {
    folds.iter().max().map_or(0, |last| last + 1)
}
