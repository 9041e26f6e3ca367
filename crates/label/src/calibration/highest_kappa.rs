//! Finds the map of grades with the highest kappa.

/// So often the ratio is made smaller at most; it settles after a few times.
const ROUNDS: usize = 100;

/// A map from places to places, with its kappa.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KappaMap {
    /// For each of the judge's grades the place of its human grade; never falling.
    pub(super) places: Vec<usize>,
    /// Cohen's kappa with quadratic weights of the mapped labels with human labels.
    pub(super) kappa: f64,
}

/// Finds the map with the highest quadratic kappa (Cohen 1968) among all maps from the judge's grades to human ones
/// that never fall. Of several it is the one that a dynamic program meets first. `weights` are by the judge's grade,
/// then by the human one; `human` are the human grades.
///
/// Kappa is 1 less a ratio: the observed disagreement over that by chance. Both are sums over the judge's grades. So
/// the smallest ratio is found by minimising the difference of the one and a multiple of the other, with the ratio of
/// the previous step as the multiple (Dinkelbach, On nonlinear fractional programming, Management Science 13(7),
/// 1967).
pub(super) fn highest_kappa(weights: &[Vec<f64>], human: &[f64]) -> KappaMap {
    let cells: Vec<Vec<Disagreement>> = disagreements(weights, human);
    let mut places = steps(&cells, 0.0);
    let mut ratio = ratio_of(&cells, &places);
    for _ in 0..ROUNDS {
        let next = steps(&cells, ratio);
        let found = ratio_of(&cells, &next);
        if found >= ratio - 1e-12 {
            break;
        }
        (places, ratio) = (next, found);
    }
    KappaMap { places, kappa: 1.0 - ratio }
}

/// The disagreement of one of the judge's grades if it becomes one human grade.
#[derive(Debug, Clone, Copy)]
struct Disagreement {
    there: f64,
    by_chance: f64,
}

fn disagreements(weights: &[Vec<f64>], human: &[f64]) -> Vec<Vec<Disagreement>> {
    let total: f64 = weights.iter().flatten().sum();
    let share_of_human: Vec<f64> = (0..human.len())
        .map(|place| weights.iter().filter_map(|row| row.get(place)).sum::<f64>() / total)
        .collect();
    let apart = |given: f64, shares: &mut dyn Iterator<Item = f64>| -> f64 {
        human.iter().zip(shares).map(|(grade, share)| (given - grade).powi(2) * share).sum()
    };
    let of_row = |row: &Vec<f64>| {
        let share = row.iter().sum::<f64>() / total;
        let cell = |given: &f64| Disagreement {
            there: apart(*given, &mut row.iter().map(|weight| weight / total)),
            by_chance: share * apart(*given, &mut share_of_human.iter().copied()),
        };
        human.iter().map(cell).collect()
    };
    weights.iter().map(of_row).collect()
}

/// The places, never falling, with the smallest sum of `there - ratio * by_chance`.
fn steps(cells: &[Vec<Disagreement>], ratio: f64) -> Vec<usize> {
    let width = cells.first().map_or(0, Vec::len);
    let mut best = vec![0.0; width];
    let mut from: Vec<Vec<usize>> = Vec::with_capacity(cells.len());
    for row in cells {
        let mut lowest = 0;
        let mut came = Vec::with_capacity(width);
        let mut next = Vec::with_capacity(width);
        for (place, cell) in row.iter().enumerate() {
            if best[place] < best[lowest] {
                lowest = place;
            }
            came.push(lowest);
            next.push(best[lowest] + cell.there - ratio * cell.by_chance);
        }
        best = next;
        from.push(came);
    }
    let mut place = (0..width).fold(0, |lowest, at| if best[at] < best[lowest] { at } else { lowest });
    let mut places: Vec<usize> = Vec::with_capacity(cells.len());
    for came in from.iter().rev() {
        places.push(place);
        place = came.get(place).copied().unwrap_or_default();
    }
    places.reverse();
    places
}

fn ratio_of(cells: &[Vec<Disagreement>], places: &[usize]) -> f64 {
    let chosen = || cells.iter().zip(places).filter_map(|(row, place)| row.get(*place));
    let there: f64 = chosen().map(|cell| cell.there).sum();
    let by_chance: f64 = chosen().map(|cell| cell.by_chance).sum();
    if by_chance > 0.0 { there / by_chance } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The highest kappa over all maps that never fall, one by one.
    fn by_trying_all(weights: &[Vec<f64>], human: &[f64]) -> f64 {
        let cells = disagreements(weights, human);
        let mut maps: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in weights {
            let longer = |map: Vec<usize>| {
                let least = map.last().copied().unwrap_or(0);
                (least..human.len()).map(move |place| [map.clone(), vec![place]].concat()).collect::<Vec<_>>()
            };
            maps = maps.into_iter().flat_map(longer).collect();
        }
        maps.iter().map(|map| 1.0 - ratio_of(&cells, map)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// scikit-learn 1.9.1, `cohen_kappa_score(human, judge, weights="quadratic")` of GPT-4o's unchanged labels under
    /// UMBRELA on TREC Deep Learning 2019, which no other map improves.
    #[test]
    fn the_kappa_equals_scikit_learn_s() {
        let dl19 = [
            [3523.0, 330.0, 147.0, 136.0],
            [1391.0, 960.0, 625.0, 161.0],
            [201.0, 235.0, 645.0, 166.0],
            [43.0, 76.0, 387.0, 234.0],
        ];
        let found = highest_kappa(&dl19.map(Vec::from), &[0.0, 1.0, 2.0, 3.0]);
        assert_eq!(found.places, [0, 1, 2, 3]);
        assert!((found.kappa - 0.595_062_644_313).abs() < 1e-9, "{}", found.kappa);
    }

    proptest! {
        #[test]
        fn no_other_map_is_better(
            cells in proptest::collection::vec(proptest::collection::vec(0u8..6, 4), 2..6),
        ) {
            let human = [0.0, 1.0, 2.0, 4.0];
            let weights: Vec<Vec<f64>> =
                cells.iter().map(|row| row.iter().map(|n| f64::from(*n) + 0.125).collect()).collect();
            let found = highest_kappa(&weights, &human);
            prop_assert!(found.places.is_sorted());
            prop_assert!((found.kappa - by_trying_all(&weights, &human)).abs() < 1e-9);
        }
    }
}
