//! The table of slices that every output shows.

use serde::Serialize;

use super::decision_table::words as verdict_of;
use crate::comparison::BaselineComparison;
use crate::slices::{SliceSection, SliceSystem};
use crate::systems::{Figure, without_interval};
use crate::text::{
    Table, brief_difference, brief_interval, confidence, count, counted, estimate, figures, table_figure,
    words,
};

/// A slice table: a row for each system of each slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SliceTable<'a> {
    /// The metadata field.
    pub field: &'a str,
    /// The measure.
    pub measure: &'a str,
    /// The system that the others are compared with.
    pub baseline: Option<&'a str>,
    /// The rows.
    pub(crate) rows: Vec<SliceRow<'a>>,
    /// Whether a figure has an interval.
    pub(crate) has_intervals: bool,
    /// Whether a difference has a number of queries that would show it.
    pub(crate) has_needed: bool,
    /// How to read the verdicts.
    pub note: String,
}

/// A system on a slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SliceRow<'a> {
    /// The value of the field; empty for the further systems of a slice.
    slice: &'a str,
    /// The number of queries of the slice with labels, of all if some have none; empty for its further systems.
    queries: String,
    system: &'a str,
    /// The figure and its interval, as text.
    figure: String,
    interval: String,
    /// The value and the interval of the difference, as text; none for the baseline.
    difference: Option<(String, String)>,
    verdict: &'static str,
    /// The verdict as a class of the pages.
    class: &'static str,
    /// About how many queries would show the difference; empty if that is unknown.
    needed: String,
}

impl<'a> SliceTable<'a> {
    /// Makes the table.
    pub fn new(section: &'a SliceSection) -> Self {
        let mut rows = Vec::new();
        for slice in &section.slices {
            let measured = slice.systems.first().map_or(0, |system| system.figure.n);
            let queries = match measured == slice.queries {
                true => count(measured),
                false => format!("{} of {}", count(measured), count(slice.queries)),
            };
            for (at, system) in slice.systems.iter().enumerate() {
                let (name, queries) =
                    if at == 0 { (slice.name.as_str(), queries.clone()) } else { ("", String::new()) };
                rows.push(row(name, queries, system, section.baseline.as_deref()));
            }
        }
        Self {
            field: &section.field,
            measure: &section.measure,
            baseline: section.baseline.as_deref(),
            has_intervals: figures_of(section).any(|figure| figure.low.is_some()),
            has_needed: has_needed(section),
            note: note(section),
            rows,
        }
    }

    /// Returns its columns and cells, for a terminal or Markdown; at most `most` rows.
    pub fn cells(&self, most: usize) -> Table {
        let mut columns = vec![words(self.field), figures("queries"), words("system")];
        let interval = if self.has_intervals { " (interval)" } else { "" };
        columns.push(words(format!("{}{interval}", self.measure)));
        if let Some(baseline) = self.baseline {
            columns.extend([words(format!("difference from {baseline}")), words("verdict")]);
        }
        if self.has_needed {
            columns.push(figures("needed"));
        }
        let cells = |row: &SliceRow<'_>| {
            let mut cells = vec![row.slice.to_owned(), row.queries.clone(), row.system.to_owned()];
            cells.push(beside(&row.figure, &row.interval));
            if self.baseline.is_some() {
                let difference = row.difference.as_ref();
                cells.push(difference.map_or_else(String::new, |(value, interval)| beside(value, interval)));
                cells.push(row.verdict.to_owned());
            }
            if self.has_needed {
                cells.push(row.needed.clone());
            }
            cells
        };
        Table::new(columns, self.rows.iter().take(most).map(cells))
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether no slice has a system.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

fn beside(value: &str, interval: &str) -> String {
    if interval.is_empty() { value.to_owned() } else { format!("{value} ({interval})") }
}

fn row<'a>(slice: &'a str, queries: String, system: &'a SliceSystem, baseline: Option<&str>) -> SliceRow<'a> {
    let SliceSystem { figure, comparison, .. } = system;
    let (verdict, class) = match comparison {
        Some(comparison) => verdict_of(comparison),
        None if baseline == Some(system.system.as_str()) => ("baseline", "baseline"),
        None => ("", ""),
    };
    let needed = comparison.as_ref().and_then(|found| found.queries_needed);
    SliceRow {
        slice,
        queries,
        system: &system.system,
        figure: table_figure(figure.mean),
        interval: interval(figure),
        difference: comparison.as_ref().and_then(difference),
        verdict,
        class,
        needed: needed.map_or_else(String::new, estimate),
    }
}

fn interval(figure: &Figure) -> String {
    let ends = figure.low.zip(figure.high);
    ends.map_or_else(String::new, |(low, high)| format!("{low:.2} to {high:.2}"))
}

fn difference(found: &BaselineComparison) -> Option<(String, String)> {
    let ends = found.low.zip(found.high);
    let interval = ends.map_or_else(String::new, |(low, high)| brief_interval(low, high));
    Some((brief_difference(found.mean_difference?), interval))
}

fn has_needed(section: &SliceSection) -> bool {
    section.comparisons().any(|found| found.queries_needed.is_some())
}

fn figures_of(section: &SliceSection) -> impl Iterator<Item = &Figure> {
    section.slices.iter().flat_map(|slice| &slice.systems).map(|system| &system.figure)
}

fn note(section: &SliceSection) -> String {
    let level = figures_of(section).map(|figure| confidence(figure.confidence)).next().unwrap_or_default();
    let adjusted = match section.comparisons {
        0 => None,
        1 => Some(format!("Verdict by bootstrap at {level}.")),
        all => Some(format!(
            "Verdicts by bootstrap, Holm-adjusted for {} at {level}.",
            counted(all, "comparison")
        )),
    };
    let alone = if section.comparisons > 1 { ", not adjusted" } else { "" };
    let is_bare = |figure: &&Figure| figure.low.is_none();
    let (bare, shown): (Vec<&Figure>, Vec<&Figure>) = figures_of(section).partition(is_bare);
    let intervals = (!shown.is_empty()).then(|| format!("{level} intervals{alone}."));
    let fewest = bare.into_iter().min_by_key(|figure| figure.n);
    let without = fewest.and_then(|figure| without_interval(figure.n, figure.confidence));
    let least = (section.comparisons > 0).then(|| {
        let queries = counted(section.least_queries, "query");
        format!("A verdict takes at least {queries} on which the two systems differ.")
    });
    let needed = has_needed(section)
        .then(|| "Needed: queries of the slice that would show this difference in 80% of cases.".to_owned());
    let uncorrected =
        (section.comparisons > 0 && section.uncorrected).then(|| "Human labels correct no slice.".to_owned());
    let sentences = [adjusted, intervals, without, least, needed, uncorrected];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
