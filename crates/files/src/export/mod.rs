//! Labels and runs as what other tools read: rows, judgment lists, pairs, ratings.

mod judgment_list;
mod pairs;
mod ratings;
mod rows;

pub use judgment_list::{FeatureSource, JudgmentList, judgment_list};
pub use pairs::{graded_pairs, voted_pairs};
pub use ratings::{Ratings, quepid_rows, ratings};
pub use rows::{label_rows, run_rows};

/// The rows of a table as CSV.
#[cfg(test)]
fn csv(table: llull_data::RowTable<'_>) -> String {
    let mut bytes = Vec::new();
    table.write(llull_data::TableFormat::Csv, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}
