//! Notes about a dataset, above its figures and in its report.

use llull::expected_answers::MadeQueries;
use llull::report::text::{count, counted};

/// Describes the queries without an expected answer, which no figure counts; `None` without any.
pub(super) fn expecting_nothing(queries: &[String], made: Option<&MadeQueries>) -> Option<String> {
    let first = queries.first()?;
    let all = counted(queries.len(), "query");
    let of_these = match made.map_or(0, |made| made.out_of_context) {
        0 => String::new(),
        n => format!("; {} of these on purpose, out of context", count(n)),
    };
    let (expect, be) = if queries.len() == 1 { ("expects", "is") } else { ("expect", "are") };
    Some(format!(
        "{all} of the dataset {expect} neither answers nor documents, and {be} in no figure (the first: \
         {first}){of_these}"
    ))
}
