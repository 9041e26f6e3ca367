//! The table of exit codes.

#[path = "../../../crates/cli/src/exit_code.rs"]
mod exit_code;

use exit_code::{EXITS, SIGNALS};

/// Returns the table of the reference. A binary is no library, so its source is compiled here, too.
pub(super) fn table() -> String {
    let mut rows = String::from("| code | meaning |\n|---|---|\n");
    let exits = EXITS.map(|(exit, name, meaning)| (exit.code().to_string(), name, meaning));
    let (codes, name, meaning) = SIGNALS;
    for (code, _, meaning) in exits.into_iter().chain([(codes.to_owned(), name, meaning)]) {
        rows += &format!("| {code} | {meaning} |\n");
    }
    rows
}
