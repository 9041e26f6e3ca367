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

mod count;
mod escape;
mod excerpt;
mod html;
mod number;
mod table;
mod unknown;
mod visible;

pub(crate) use count::estimate;
pub use count::{count, counted, mean_count, rounded_count};
pub use escape::escape;
pub(crate) use escape::is_invisible;
pub(crate) use excerpt::capitalised;
pub use excerpt::{shorten, wrapped};
pub use html::escape_html;
pub use number::{
    ABSENT, average, brief_difference, brief_figure, brief_interval, brief_percent, confidence, difference,
    difference_interval, dollars, effect_size, figure, interval, mean_per_item, milliseconds,
    narrow_interval, percent, percent_interval, probability, seconds, table_difference, table_figure,
    threshold,
};
pub use table::{TableColumn, figures, html_table, markdown_table, text_table, words};
pub(crate) use table::{html_lines, markdown_lines};
pub use unknown::{dollars_with_unknown, tokens_with_unknown};
pub use visible::{visible, visible_line};
