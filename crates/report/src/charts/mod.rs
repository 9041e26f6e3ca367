//! Charts as SVG, each a pure function of plain values.
//!
//! Horizontal places are shares of the width, so that a chart is as wide as its page and its letters are not
//! stretched. Colours are classes of the page's style sheet.

mod bars;
mod chart_file;
mod columns;
mod drawing;
mod heat_map;
mod log_scale;
mod ring;
mod row_whiskers;
mod scale;
mod scatter;
mod shares;
mod whiskers;

pub(crate) use bars::{Bar, BarScale, bars};
pub use chart_file::ChartFile;
pub(crate) use columns::columns_chart;
pub(crate) use heat_map::heat_map;
pub(crate) use ring::ring;
pub(crate) use row_whiskers::{RowLook, RowScale};
pub(crate) use scatter::{Axis, Point, scatter};
pub(crate) use shares::{Part, PartKind, share_bar, shares, signed_bar};
pub(crate) use whiskers::{Whisker, whiskers};
