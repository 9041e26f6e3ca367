//! Tests systems for significant differences on one measure.

mod baseline_tests;
mod build;
mod compared_systems;
mod comparison_view;
mod family;
mod grid;
mod html;
mod json;
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
pub use comparison_view::ComparisonView;
pub use family::{Family, Tests, Untested};
pub use grid::{Grid, GridCell, GridColumn};
pub use json::comparison_json;
pub use latex::{Latex, escape_latex};
pub use legend::{significance_legend, tested_how};
pub use letters::{letter, letters, superscript};
pub use options::SignificanceOptions;
pub use out_of_reach::out_of_reach;
pub use table::{LettersWithheld, SignificanceTable, SystemRow, TestedPair};
pub use terminal::Terminal;
pub use tested_comparison::{
    Effect, Effects, EquivalenceTest, NamedP, PowerAnalysis, Test, TestedComparison,
};
