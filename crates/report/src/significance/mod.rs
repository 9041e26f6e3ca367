//! Tests systems for significant differences on one measure.

mod comparison_view;
mod family;
mod latex;
mod legend;
mod sentences;
mod table;
mod tested_comparison;

pub use comparison_view::{ComparisonView, Terminal, comparison_json};
pub use family::{Family, SignificanceOptions, Tests, Untested};
pub use latex::{Latex, escape_latex};
pub use legend::{letter, letters, significance_legend, tested_how};
pub use sentences::out_of_reach;
pub use table::{LettersWithheld, SignificanceTable, SystemRow, TestedPair, significance};
pub use tested_comparison::{
    Effect, Effects, EquivalenceTest, NamedP, PowerAnalysis, Test, TestedComparison,
};
