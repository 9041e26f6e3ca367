//! Charts as SVG, each a pure function of plain values.
//!
//! Horizontal places are shares of the width, so that a chart is as wide as its page and its letters are not
//! stretched. Colours are classes of the page's style sheet.

mod bars;
mod drawing;
mod heat_map;
mod ring;
mod scale;
mod scatter;
mod whiskers;

pub(crate) use bars::{Bar, BarScale, Part, PartKind, bars, columns_chart, share_bar, shares, signed_bar};
pub use drawing::ChartFile;
pub(crate) use heat_map::heat_map;
pub(crate) use ring::ring;
pub(crate) use scatter::{Axis, Point, scatter};
pub(crate) use whiskers::{RowLook, RowScale, Whisker, whiskers};
