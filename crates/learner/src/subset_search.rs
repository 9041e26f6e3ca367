//! Searches all subsets of the features up to a size.

use std::collections::BTreeMap;

use llull_core::PairChoice;
use llull_stats::StatsError;
use rayon::prelude::*;

use crate::curve::cluster_interval;
use crate::subset_cells::{Cells, CodedRows, SubsetCounts};
use crate::subsets::{ParetoPoint, SubsetFigures, SubsetReport};
use crate::table::TrainingTable;

/// How sure the intervals are.
const CONFIDENCE: f64 = 0.95;

/// The results for all subsets.
pub(crate) struct SubsetSearch {
    /// How many subsets there are.
    pub(crate) count: usize,
    /// The best ones, or all, by precision at the coverage, the highest first.
    pub(crate) subsets: Vec<SubsetReport>,
    pub(crate) pareto: Vec<ParetoPoint>,
}

/// A subset's precision at the coverage.
#[derive(Debug, Clone)]
struct Found {
    features: Vec<usize>,
    calls: u32,
    precision: f64,
}

/// For each fold left out, the best subset at each number of calls.
type BestByCalls = Vec<BTreeMap<u32, Found>>;

/// The results of one thread.
struct Share {
    found: Vec<Found>,
    best: BestByCalls,
}

/// How many subsets are reported.
const REPORTED: usize = 100;

/// Searches the subsets of up to `most` features, of which there are none for 0; reports the best [`REPORTED`].
///
/// # Errors
/// Returns an error if an interval cannot be computed, which does not happen at this confidence.
pub(crate) fn search(
    table: &TrainingTable,
    folds: &[usize],
    most: usize,
    coverage: f64,
) -> Result<SubsetSearch, StatsError> {
    if most == 0 {
        return Ok(SubsetSearch { count: 0, subsets: Vec::new(), pareto: Vec::new() });
    }
    let search = Searched::new(table, folds, coverage);
    let features = table.table().features().len();
    let cells: Vec<Cells> = (0..=most).map(Cells::of).collect();
    // One thread takes the subsets that begin with one feature.
    let shares: Vec<Share> =
        (0..features).into_par_iter().map(|first| search.beginning_with(first, most, &cells)).collect();
    let mut found = Vec::new();
    let mut best: BestByCalls = vec![BTreeMap::new(); search.coded.fold_count];
    for share in shares {
        found.extend(share.found);
        for (all, own) in best.iter_mut().zip(share.best) {
            own.into_values().for_each(|one| keep_best(all, one));
        }
    }
    // Stable: of equally good ones the first features come first.
    found.sort_by(|a, b| b.precision.total_cmp(&a.precision).then(a.calls.cmp(&b.calls)));
    let shown = found.len().min(REPORTED);
    let subsets =
        found[..shown].par_iter().map(|one| search.report(one, &cells)).collect::<Result<_, _>>()?;
    let pareto = search.pareto(&found, &best, &cells)?;
    Ok(SubsetSearch { count: found.len(), subsets, pareto })
}

/// Keeps the better one of those that cost as much; of equally good ones the first.
fn keep_best(best: &mut BTreeMap<u32, Found>, one: Found) {
    match best.get(&one.calls) {
        Some(known) if known.precision >= one.precision => {}
        _ => {
            best.insert(one.calls, one);
        }
    }
}

struct Searched<'a> {
    table: &'a TrainingTable,
    coded: CodedRows,
    rows: Vec<usize>,
    coverage: f64,
}

impl<'a> Searched<'a> {
    fn new(table: &'a TrainingTable, folds: &[usize], coverage: f64) -> Self {
        let fold_count = crate::folds::count(folds);
        let mut rows = vec![0; fold_count];
        folds.iter().for_each(|fold| rows[*fold] += 1);
        let features = 0..table.table().features().len();
        let code = |answer: &PairChoice| answer.code() as u8;
        let codes = features.map(|at| table.table().column(at).iter().map(code).collect()).collect();
        let coded = CodedRows { codes, lhs: table.lhs().to_vec(), folds: folds.to_vec(), fold_count };
        Self { table, coded, rows, coverage }
    }

    fn beginning_with(&self, first: usize, most: usize, cells: &[Cells]) -> Share {
        let folds = self.coded.fold_count;
        let mut share = Share { found: Vec::new(), best: vec![BTreeMap::new(); folds] };
        let mut counts: Vec<SubsetCounts> =
            cells.iter().map(|cells| SubsetCounts::new(cells, &self.rows)).collect();
        let features = self.table.table().features().len();
        let mut subset = vec![first];
        loop {
            self.add(&subset, &mut counts[subset.len()], &mut share);
            // The next one in the order of a dictionary.
            let last = subset[subset.len() - 1];
            if subset.len() < most && last + 1 < features {
                subset.push(last + 1);
                continue;
            }
            loop {
                if subset.len() == 1 {
                    return share;
                }
                let last = subset.len() - 1;
                subset[last] += 1;
                if subset[last] < features {
                    break;
                }
                subset.pop();
            }
        }
    }

    fn calls(&self, subset: &[usize]) -> u32 {
        let features = self.table.table().features();
        subset.iter().fold(0, |sum: u32, feature| sum.saturating_add(features[*feature].calls))
    }

    fn add(&self, subset: &[usize], counts: &mut SubsetCounts, share: &mut Share) {
        counts.count(&self.coded, subset);
        let calls = self.calls(subset);
        let mut precision = |left: Option<usize>| {
            counts.everywhere(Some(self.coverage), left).and_then(|decided| decided.precision())
        };
        for (left, best) in share.best.iter_mut().enumerate() {
            let Some(precision) = precision(Some(left)) else { continue };
            if best.get(&calls).is_none_or(|known| precision > known.precision) {
                best.insert(calls, Found { features: subset.to_vec(), calls, precision });
            }
        }
        let precision = precision(None).unwrap_or(f64::NEG_INFINITY);
        share.found.push(Found { features: subset.to_vec(), calls, precision });
    }

    fn names(&self, subset: &[usize]) -> Vec<String> {
        subset.iter().map(|feature| self.table.table().features()[*feature].name.clone()).collect()
    }

    fn report(&self, found: &Found, cells: &[Cells]) -> Result<SubsetReport, StatsError> {
        let subset = &found.features;
        let mut counts = SubsetCounts::new(&cells[subset.len()], &self.rows);
        counts.count(&self.coded, subset);
        let mut of = |coverage: Option<f64>| {
            let mut sums = self.no_sums();
            counts.by_group(&self.coded, subset, self.table.groups(), coverage, None, &mut sums);
            self.figures(&sums)
        };
        let all = of(None)?;
        let surest = if found.precision.is_finite() { Some(of(Some(self.coverage))?) } else { None };
        Ok(SubsetReport { features: self.names(subset), calls: found.calls, all, surest })
    }

    fn no_sums(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]; self.table.group_count()]
    }

    fn figures(&self, sums: &[[f64; 2]]) -> Result<SubsetFigures, StatsError> {
        let right: f64 = sums.iter().map(|[right, _]| right).sum();
        let n: f64 = sums.iter().map(|[_, all]| all).sum();
        let ends = if n > 0.0 { cluster_interval(sums, CONFIDENCE)? } else { None };
        Ok(SubsetFigures {
            coverage: n / self.coded.lhs.len().max(1) as f64,
            precision: (n > 0.0).then(|| right / n),
            lo: ends.map(|[low, _]| low),
            hi: ends.map(|[_, high]| high),
            n,
        })
    }

    /// The best subset at each number of calls that is better than all cheaper ones.
    fn pareto(
        &self,
        found: &[Found],
        best: &BestByCalls,
        cells: &[Cells],
    ) -> Result<Vec<ParetoPoint>, StatsError> {
        let mut by_calls = BTreeMap::new();
        found
            .iter()
            .filter(|one| one.precision.is_finite())
            .for_each(|one| keep_best(&mut by_calls, one.clone()));
        let (mut most, mut points) = (f64::NEG_INFINITY, Vec::new());
        for one in by_calls.into_values() {
            if one.precision <= most {
                continue;
            }
            most = one.precision;
            let report = self.report(&one, cells)?;
            let Some(figures) = report.surest else { continue };
            let when_chosen = self.when_chosen(one.calls, best, cells)?;
            points.push(ParetoPoint { calls: one.calls, features: report.features, figures, when_chosen });
        }
        Ok(points)
    }

    /// In each fold, the decisions of the subset for at most so many calls that is best in the other folds.
    fn when_chosen(
        &self,
        calls: u32,
        best: &BestByCalls,
        cells: &[Cells],
    ) -> Result<SubsetFigures, StatsError> {
        let mut sums = self.no_sums();
        for (fold, best) in best.iter().enumerate() {
            let mut affordable: Vec<&Found> = best.range(..=calls).map(|(_, one)| one).collect();
            affordable.sort_by(|a, b| b.precision.total_cmp(&a.precision));
            let Some(one) = affordable.first() else { continue };
            let mut counts = SubsetCounts::new(&cells[one.features.len()], &self.rows);
            counts.count(&self.coded, &one.features);
            let groups = self.table.groups();
            counts.by_group(&self.coded, &one.features, groups, Some(self.coverage), Some(fold), &mut sums);
        }
        self.figures(&sums)
    }
}
