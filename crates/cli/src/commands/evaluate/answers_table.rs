//! Prints the answers found and not found, query by query.

use llull::expected_answers::SystemAnswers;
use llull::report::text::{ABSENT, shorten, words};

use crate::commands::Table;

/// One row for each system, query and expected answer.
pub(super) fn answers_table(systems: &[SystemAnswers]) -> Table {
    const WIDEST: usize = 40;
    let columns = vec![
        words("query"),
        words("system"),
        "rank".into(),
        words("expected"),
        words("document"),
        words("because"),
        words("passage"),
    ];
    let queries = systems.first().map_or(0, |system| system.queries.len());
    let mut rows = Vec::new();
    for (at, system) in (0..queries).flat_map(|at| systems.iter().map(move |system| (at, system))) {
        let Some(query) = system.queries.get(at) else { continue };
        let row = |rank: String, cells: [&str; 4]| {
            let names = [query.query.clone(), system.system.clone(), rank];
            names.into_iter().chain(cells.map(|cell| shorten(cell, WIDEST))).collect::<Vec<_>>()
        };
        rows.extend(query.found.iter().map(|found| {
            row(found.rank.to_string(), [&found.expected, &found.document, &found.because, &found.passage])
        }));
        let why = if query.answered { "never found" } else { "the query has no results" };
        rows.extend(query.never_found.iter().map(|expected| row(ABSENT.to_owned(), [expected, "", why, ""])));
    }
    (columns, rows)
}
