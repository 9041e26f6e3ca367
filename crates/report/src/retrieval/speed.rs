//! Compares quality with time: the best systems, and those without times.

use serde::Serialize;

use super::rows::{RetrievalRow, retrieval_rows};
use crate::charts::{Point, scatter};
use crate::systems::MeasuredSystem;
use crate::text::{count, milliseconds};

/// Systems that are drawn, at most: their numbers stay readable.
const DRAWN: usize = 40;
/// Systems that a sentence names.
const NAMED: usize = 12;

/// The section of a report on quality against time.
#[derive(Debug, Serialize)]
pub(crate) struct Speed {
    pub(crate) chart: String,
    pub(crate) rows: Vec<RetrievalRow>,
    /// Sentences: the systems that no other beats both ways, those without times, and those not drawn.
    pub(crate) sentences: Vec<String>,
}

/// A system, its 95th percentile, its mean, and the mean's interval.
type Place<'a> = (&'a str, f64, f64, Option<f64>, Option<f64>);

/// Quality against time, by the measure at `primary`; `None` if no results have times or costs.
pub(crate) fn speed(systems: &[MeasuredSystem], primary: usize, measure: &str) -> Option<Speed> {
    let known = |system: &MeasuredSystem| {
        system.retrieval.as_ref().is_some_and(|found| found.n > 0 || found.cost_usd.known.is_some())
    };
    if !systems.iter().any(known) {
        return None;
    }
    fn place(system: &MeasuredSystem, primary: usize) -> Option<Place<'_>> {
        let found = system.figures.get(primary)?;
        let (x, y) = (system.retrieval.as_ref()?.p95_ms?, found.mean?);
        Some((system.system.as_str(), x, y, found.low, found.high))
    }
    let places: Vec<Place<'_>> = systems.iter().filter_map(|system| place(system, primary)).collect();
    let beaten =
        |(x, y): (f64, f64)| places.iter().any(|&(_, ox, oy, ..)| ox <= x && oy >= y && (ox < x || oy > y));
    let point = |&(name, x, y, low, high): &(&str, f64, f64, Option<f64>, Option<f64>)| Point {
        name: name.to_owned(),
        figure: format!("{y:.4}, {}", milliseconds(x)),
        x,
        y,
        low,
        high,
        beaten: beaten((x, y)),
    };
    let points: Vec<Point> = places.iter().map(point).collect();
    let drawn = &points[..points.len().min(DRAWN)];
    let title = format!("{measure} against the 95th percentile of times");
    let chart = if drawn.is_empty() { String::new() } else { scatter(&title, measure, drawn) };
    let mut sentences = Vec::new();
    let front: Vec<&str> = points.iter().filter(|p| !p.beaten).map(|p| p.name.as_str()).collect();
    if points.len() > 1 {
        sentences.push(format!(
            "By these figures no other system is both better and faster than {}; what is hollow has one that is.",
            listed(&front)
        ));
    }
    let timeless: Vec<&str> = systems
        .iter()
        .filter(|system| system.retrieval.as_ref().is_none_or(|found| found.p95_ms.is_none()))
        .map(|system| system.system.as_str())
        .collect();
    if !timeless.is_empty() {
        sentences.push(format!(
            "No time is known of {}, read from files without times or searched by llull itself, so that the chart \
             does not have them.",
            listed(&timeless)
        ));
    }
    if points.len() > drawn.len() {
        let more = count(points.len() - drawn.len());
        sentences.push(format!("The first {DRAWN} systems are drawn; the table has {more} more."));
    }
    Some(Speed { chart, rows: retrieval_rows(systems, primary), sentences })
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {} more", count(more)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval_figures::RetrievalFigures;
    use crate::systems::Figure;

    fn system(name: &str, mean: f64, times: Option<&[f64]>) -> MeasuredSystem {
        let figure = Figure {
            measure: "nDCG@10".into(),
            mean: Some(mean),
            low: Some(mean - 0.05),
            high: Some(mean + 0.05),
            confidence: 0.95,
            n: 10,
            missing_topics: 0,
            topics_without_relevant: 0,
            seen: 100,
            unjudged: 0,
            unjudged_share: Some(0.0),
            ppi: None,
            ppi_refused: None,
        };
        MeasuredSystem {
            system: name.into(),
            figures: vec![figure],
            unlabelled_topics: 0,
            retrieval: times.map(|times| RetrievalFigures::of(10, 1, times, &[])),
        }
    }

    #[test]
    fn who_is_beaten_and_who_has_no_time() {
        let systems = [
            system("bm25", 0.3, Some(&[2.0])),
            system("slow", 0.25, Some(&[90.0])),
            system("good", 0.5, Some(&[300.0])),
            system("file", 0.9, None),
            system("untimed", 0.4, Some(&[])),
        ];
        let found = speed(&systems, 0, "nDCG@10").unwrap();
        assert!(
            found.sentences[0].contains("faster than bm25, good; what is hollow"),
            "{:?}",
            found.sentences
        );
        assert!(
            found.sentences[1].starts_with("No time is known of file, untimed, "),
            "{:?}",
            found.sentences
        );
        let of = |at: usize| {
            (found.rows[at].number.as_str(), found.rows[at].p95.as_str(), &*found.rows[at].errors)
        };
        assert_eq!(of(2), ("3", "300 ms", "1"));
        assert_eq!((of(3), of(4)), (("", "n/a", "n/a"), ("", "n/a", "1")));
        assert_eq!(found.rows[0].cost, "n/a");
        assert!(!found.chart.contains("file") && found.chart.matches("class=\"dot hollow\"").count() == 2);
    }

    #[test]
    fn files_alone_have_no_such_section() {
        assert!(speed(&[system("a", 0.1, None), system("b", 0.2, Some(&[]))], 0, "nDCG@10").is_none());
    }

    #[test]
    fn the_table_has_what_the_chart_has_no_room_for() {
        let many: Vec<_> =
            (0..50).map(|n| system(&format!("s{n}"), 0.5, Some(&[f64::from(n) + 1.0]))).collect();
        let found = speed(&many, 0, "nDCG@10").unwrap();
        assert_eq!(found.rows.len(), 50);
        assert!(found.sentences.iter().any(|said| said.ends_with("the table has 10 more.")));
    }
}
