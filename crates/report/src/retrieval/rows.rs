//! The table of quality, times and cost.

use serde::Serialize;

use crate::cost::Dollars;
use crate::systems::MeasuredSystem;
use crate::text::{ABSENT, count, dollars_with_unknown, figure, milliseconds};

/// A system's row, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RetrievalRow {
    /// Its number in the charts, from 1.
    pub(crate) number: usize,
    pub(crate) system: String,
    pub(crate) mean: String,
    pub(crate) p50: String,
    pub(crate) p95: String,
    pub(crate) n: String,
    pub(crate) errors: String,
    pub(crate) cost: String,
}

/// A row for each system. An unknown value is n/a, and never 0.
pub(crate) fn retrieval_rows(systems: &[MeasuredSystem], primary: usize) -> Vec<RetrievalRow> {
    let row = |(at, system): (usize, &MeasuredSystem)| {
        let found = system.retrieval.as_ref();
        let mean = system.figures.get(primary).and_then(|figure| figure.mean);
        let counted = |value: Option<u64>| value.map_or_else(|| ABSENT.to_owned(), count);
        RetrievalRow {
            number: at + 1,
            system: system.system.clone(),
            mean: figure(mean),
            p50: milliseconds(found.and_then(|found| found.p50_ms)),
            p95: milliseconds(found.and_then(|found| found.p95_ms)),
            n: counted(found.map(|found| found.n)),
            errors: counted(found.map(|found| found.errors)),
            cost: match found.map(|found| found.cost_usd) {
                Some(Dollars { known: Some(known), unknown }) => dollars_with_unknown(Some(known), unknown),
                _ => ABSENT.to_owned(),
            },
        }
    };
    systems.iter().enumerate().map(row).collect()
}
