//! Tests systems for significant differences on one measure.

mod baseline_tests;
mod build;
mod compared_systems;
mod family;
mod grid;
mod latex;
mod legend;
mod letters;
mod markdown;
mod options;
mod out_of_reach;
mod sentences;
mod table;
mod terminal;
mod tested_comparison;
mod undefined;

pub use build::significance;
pub use family::{Family, Tests, Untested};
pub use grid::{Grid, GridCell, GridColumn, comparison_grid, system_grid};
pub use latex::{escape_latex, latex};
pub use legend::{significance_legend, tested_how};
pub use letters::{letter, letters, superscript};
pub use markdown::significance_markdown;
pub use options::SignificanceOptions;
pub use out_of_reach::out_of_reach;
pub use table::{SignificanceTable, SystemRow, TestedPair};
pub use terminal::significance_text;
pub use tested_comparison::{
    Effect, Effects, EquivalenceTest, NamedP, PowerAnalysis, Test, TestedComparison,
};
