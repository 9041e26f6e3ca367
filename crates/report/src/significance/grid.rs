//! The two tables of a comparison, before formatting.

use super::legend::corrected;
use super::table::SignificanceTable;
use super::tested_comparison::{Effect, EquivalenceTest, Test, TestedComparison};
use crate::comparison::ComparisonFinding;
use crate::text::{
    ABSENT, confidence, count, difference, difference_interval, effect_size, figure, interval, percent,
    probability,
};

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GridCell {
    /// A name from outside: it has to be escaped.
    Name(String),
    /// A figure or a word of llull's.
    Figure(String),
    /// A figure, and the letters of systems.
    Lettered {
        /// The figure.
        figure: String,
        /// The letters; may be empty.
        letters: String,
    },
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    /// The heading of the column.
    pub heading: GridCell,
    /// Whether it is set to the left, as words are.
    pub left: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// Its columns.
    pub columns: Vec<GridColumn>,
    /// Its rows, each with a cell a column.
    pub rows: Vec<Vec<GridCell>>,
}

impl GridColumn {
    fn of_words(heading: &str) -> Self {
        Self { heading: GridCell::Figure(heading.to_owned()), left: true }
    }

    fn of_figures(heading: &str) -> Self {
        Self { heading: GridCell::Figure(heading.to_owned()), left: false }
    }
}

/// Systems by measures: a letter for each system, and its means with the letters of the significantly worse systems.
/// All tables must have the same systems.
pub(super) fn system_grid(tables: &[SignificanceTable]) -> Grid {
    let mut columns = vec![GridColumn::of_words("#"), GridColumn::of_words("system")];
    let unjudged = |table: &SignificanceTable| table.systems.iter().any(|row| row.figure.unjudged > 0);
    for table in tables {
        let share = table.systems.first().map(|row| confidence(row.figure.confidence));
        columns.push(GridColumn { heading: GridCell::Name(table.measure.clone()), left: false });
        columns.push(GridColumn::of_figures(&format!("{} interval", share.unwrap_or_default())));
        columns.extend(unjudged(table).then(|| GridColumn::of_figures("unjudged")));
    }
    let systems = tables.first().map_or(0, |table| table.systems.len());
    let row = |at: usize| {
        let mut cells = Vec::new();
        for (table, row) in tables.iter().filter_map(|table| Some((table, table.systems.get(at)?))) {
            if cells.is_empty() {
                cells.push(GridCell::Figure(row.letter.clone().unwrap_or_default()));
                cells.push(GridCell::Name(row.system.clone()));
            }
            cells.push(GridCell::Lettered { figure: figure(row.figure.mean), letters: row.letters.clone() });
            cells.push(GridCell::Figure(interval(row.figure.low, row.figure.high)));
            cells.extend(unjudged(table).then(|| GridCell::Figure(percent(row.figure.unjudged_share))));
        }
        cells
    };
    Grid { columns, rows: (0..systems).map(row).collect() }
}

/// Every system against the baseline, measure by measure.
pub(super) fn comparison_grid(tables: &[SignificanceTable]) -> Grid {
    let corrected = tables.iter().any(|table| corrected(&table.tests));
    let margin =
        tables.iter().flat_map(|table| &table.comparisons).find_map(|tested| tested.equivalence.as_ref());
    let mut columns = vec![GridColumn::of_words("systems")];
    columns.extend(
        ["measure", "difference", "interval", "d_z", "queries", "win/tie/loss", "p"]
            .map(GridColumn::of_figures),
    );
    columns.extend(corrected.then(|| GridColumn::of_figures("corrected p")));
    columns.extend(margin.map(|asked| GridColumn::of_figures(&format!("within ±{}", asked.margin))));
    columns.push(GridColumn::of_words("decision"));
    let row = |tested: &TestedComparison| {
        let TestedComparison { comparison, test, effect, equivalence, .. } = tested;
        let mut cells = vec![
            GridCell::Name(format!("{} vs {}", comparison.system, comparison.baseline)),
            GridCell::Name(comparison.measure.clone()),
            GridCell::Figure(difference(comparison.mean_difference)),
            GridCell::Figure(difference_interval(comparison.low, comparison.high)),
            GridCell::Figure(size(&effect.dz)),
            GridCell::Figure(count(comparison.n)),
            GridCell::Figure([comparison.wins, comparison.ties, comparison.losses].map(count).join("/")),
            GridCell::Figure(p_cell(test.p, test)),
        ];
        cells.extend(corrected.then(|| GridCell::Figure(p_cell(test.p_adjusted, test))));
        cells.extend(margin.map(|_| GridCell::Figure(within(equivalence.as_ref()))));
        let decision = match comparison.decision {
            ComparisonFinding::Unmeasured => "not measured",
            other => other.words(),
        };
        cells.push(GridCell::Figure(decision.to_owned()));
        cells
    };
    Grid { columns, rows: tables.iter().flat_map(|table| &table.comparisons).map(row).collect() }
}

/// The cell of an effect size: the value with its interval, or a word for the missing value.
fn size(effect: &Effect) -> String {
    let (Some(value), Some(low), Some(high)) = (effect.value, effect.low, effect.high) else {
        return effect.short.unwrap_or(ABSENT).to_owned();
    };
    let [value, low, high] = [value, low, high].map(effect_size);
    format!("{value} [{low}, {high}]")
}

fn within(equivalence: Option<&EquivalenceTest>) -> String {
    let word = equivalence.and_then(|tested| match tested.equivalent {
        Some(true) => Some("yes"),
        Some(false) => Some("not shown"),
        None => tested.short,
    });
    word.unwrap_or(ABSENT).to_owned()
}

/// The cell of a p: the number, or a word for a missing p or for a p of 1.
fn p_cell(p: Option<f64>, test: &Test) -> String {
    test.short.map_or_else(|| probability(p), str::to_owned)
}
