//! Formats text for every output: numbers, tables, excerpts, escaped text.
//!
//! The reports, the terminal and the Markdown share these functions, so that a figure looks the same everywhere.
//!
//! ```
//! use llull_report::text::{count, counted, figure, interval, percent};
//!
//! assert_eq!(figure(0.5), "0.5000");
//! assert_eq!(figure(None), "n/a");
//! assert_eq!(interval(Some(0.25), Some(0.75)), "[0.2500, 0.7500]");
//! assert_eq!(percent(0.125), "12.5%");
//! assert_eq!((count(1234_u64), counted(2_u64, "query")), ("1,234".into(), "2 queries".into()));
//! ```

mod escape;
mod number;
mod superscript;
mod table;

pub(crate) use escape::{capitalised, is_invisible};
pub use escape::{escape, escape_html, shorten, visible, visible_line, wrapped};
pub(crate) use number::estimate;
pub use number::{
    ABSENT, average, brief_difference, brief_figure, brief_interval, brief_percent, confidence, count,
    counted, difference, difference_interval, dollars, dollars_with_unknown, effect_size, figure, interval,
    mean_count, mean_per_item, milliseconds, narrow_interval, percent, percent_interval, probability,
    rounded_count, seconds, table_difference, table_figure, threshold, tokens_with_unknown,
};
pub(crate) use superscript::ALPHABET;
pub use superscript::superscript;
pub(crate) use table::TableCell;
pub use table::{Table, TableColumn, figures, text_table, words};
