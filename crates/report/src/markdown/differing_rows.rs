//! Rows of the labels that differ from the reference's.

use serde::Serialize;

use crate::differing::{DifferingPair, HereAndThere, reason_text};
use crate::reference::ReferenceSection;
use crate::text::shorten;

/// How long a query's text and a document's title may be, in characters.
const NAME: usize = 60;

/// A pair on which the labels and the reference differ.
#[derive(Debug, Serialize)]
pub(super) struct DifferingRow {
    query: String,
    document: String,
    here: i32,
    there: i32,
    best_rank: Option<usize>,
    /// The reasons of the study's judges.
    why: String,
}

/// The first pairs on which the labels and the reference differ.
pub(super) fn differing_rows(reference: Option<&ReferenceSection>, most: usize) -> Vec<DifferingRow> {
    let pairs = reference.into_iter().flat_map(|reference| &reference.disagreements.listed);
    pairs.take(most).map(row).collect()
}

fn row(pair: &DifferingPair<HereAndThere>) -> DifferingRow {
    let with = |id: &str, text: Option<&String>| match text {
        Some(text) => format!("{id}: {}", shorten(text, NAME)),
        None => id.to_owned(),
    };
    let reasons = pair.sides.here.judges.iter().filter_map(|judge| {
        let grade = judge.grade.map_or_else(String::new, |grade| format!(" {grade}"));
        Some(format!("{}{grade}: {}", judge.judge, reason_text(judge)?))
    });
    DifferingRow {
        query: with(&pair.query, pair.query_text.as_ref()),
        document: with(&pair.document, pair.title.as_ref()),
        here: pair.sides.here.grade,
        there: pair.sides.there.grade,
        best_rank: pair.best_rank,
        why: reasons.collect::<Vec<_>>().join(" - "),
    }
}
