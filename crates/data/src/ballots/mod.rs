//! Reads comparisons: CSV, columns, JSON lines and trec_eval's preferences.

mod collector;
mod columns;
mod csv_table;
mod jsonl;
mod preferences;
mod read;
mod shown_pairs;

pub use read::{BallotFormat, BallotNotes, BallotsFile, read_ballots, read_ballots_from};
pub use shown_pairs::{ShownPair, ShownWinner, read_shown_pairs};
