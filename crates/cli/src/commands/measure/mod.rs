//! `llull measure`, and the names of measures for other commands.

mod command;
mod corrected_figures;
mod figures_with_intervals;
mod figures_without_intervals;
mod label_forms;
mod measure_names;
mod measured;
mod row_formats;
mod rows;
mod sort;
mod warnings;

pub(crate) use command::run;
pub(crate) use measure_names::{parse, parse_each};
pub(crate) use row_formats::{SyntheticCount, write_rows_of};
pub(crate) use rows::SystemRows;
pub(crate) use warnings::{warn_of_nothing_relevant, warn_of_unlabelled};
