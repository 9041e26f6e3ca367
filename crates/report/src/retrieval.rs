//! Compares quality with time and cost: the best systems, and those without times.

use serde::Serialize;

use crate::charts::{Axis, Point, scatter};
use crate::cost::{Dollars, RetrievalFigures};
use crate::systems::MeasuredSystem;
use crate::text::{ABSENT, count, dollars, dollars_with_unknown, milliseconds, table_figure};

/// Systems that are drawn, at most: their numbers stay readable.
const DRAWN: usize = 40;
/// Systems that a sentence names.
const NAMED: usize = 12;

/// The section of a report on quality against time and cost.
#[derive(Debug, Serialize)]
pub(crate) struct Speed {
    /// The charts of quality against time, and against cost, each if two systems have both.
    pub(crate) charts: Vec<TradeChart>,
    pub(crate) rows: Vec<RetrievalRow>,
    /// Sentences: the systems that no other beats both ways, those without times, and those not drawn.
    pub(crate) sentences: Vec<String>,
}

/// A chart of quality against time or cost.
#[derive(Debug, Serialize)]
pub(crate) struct TradeChart {
    /// `speed` or `cost`, as in the file's name.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) drawing: String,
}

/// What quality is weighed against.
struct Trade {
    kind: &'static str,
    /// In the title, after "against".
    against: &'static str,
    axis: Axis,
    /// The word for less of it.
    less: &'static str,
    /// The words for the same of it.
    same: &'static str,
    /// The figure, after "with" and "without".
    known: &'static str,
    of: fn(&RetrievalFigures) -> Option<f64>,
    text: fn(f64) -> String,
}

const TRADES: [Trade; 2] = [
    Trade {
        kind: "speed",
        against: "the 95th percentile of times",
        axis: Axis { name: "95% of queries within, ms", left: "left is faster" },
        less: "faster",
        same: "as fast",
        known: "times",
        of: |found| found.p95_ms,
        text: |ms| milliseconds(ms),
    },
    Trade {
        kind: "cost",
        against: "the cost of 1,000 queries",
        axis: Axis { name: "US dollars for 1,000 queries", left: "left is cheaper" },
        less: "cheaper",
        same: "as cheap",
        known: "a known cost",
        of: RetrievalFigures::dollars_for_1000,
        text: |usd| format!("${}", dollars(usd)),
    },
];

/// Quality against time and cost, by the measure at `primary`; `None` if no results have times or costs.
pub(crate) fn speed(systems: &[MeasuredSystem], primary: usize, measure: &str) -> Option<Speed> {
    let known = |system: &MeasuredSystem| {
        system.retrieval.as_ref().is_some_and(|found| found.n > 0 || found.cost_usd.known.is_some())
    };
    if !systems.iter().any(known) {
        return None;
    }
    let (mut charts, mut sentences) = (Vec::new(), Vec::new());
    for trade in &TRADES {
        let points = trade.points(systems, primary);
        let unknown = trade.unknown(systems);
        if !unknown.is_empty() && unknown.len() < systems.len() {
            sentences.push(format!("Without {}: {}.", trade.known, listed(&unknown)));
        }
        if points.len() < 2 {
            continue;
        }
        let front: Vec<&str> =
            points.iter().filter(|point| !point.beaten).map(|point| point.name.as_str()).collect();
        let Trade { less, same, known, .. } = trade;
        let none = match unknown.len() {
            0 => "No system".to_owned(),
            _ => format!("Of the systems with {known}, none"),
        };
        sentences.push(format!("{none} is both better and {less} than {}.", listed(&front)));
        if points.len() > front.len() {
            sentences.push(format!(
                "A hollow dot has another that is at least as good and {less}, or better and {same}."
            ));
        }
        let drawn = points.get(..DRAWN).unwrap_or(&points);
        if points.len() > drawn.len() {
            let more = count(points.len() - drawn.len());
            sentences.push(format!("The first {DRAWN} systems are drawn; the table has {more} more."));
        }
        let title = format!("{measure} against {}", trade.against);
        let drawing = scatter(&title, measure, &trade.axis, drawn);
        charts.push(TradeChart { kind: trade.kind, title, drawing });
    }
    Some(Speed { charts, rows: retrieval_rows(systems, primary), sentences })
}

impl Trade {
    /// The systems without the figure. Of a cost that is known in part, the whole is unknown.
    fn unknown<'a>(&self, systems: &'a [MeasuredSystem]) -> Vec<&'a str> {
        let is_unknown =
            |system: &&MeasuredSystem| system.retrieval.as_ref().and_then(|found| (self.of)(found)).is_none();
        systems.iter().filter(is_unknown).map(|system| system.system.as_str()).collect()
    }

    /// The systems with both figures.
    fn points(&self, systems: &[MeasuredSystem], primary: usize) -> Vec<Point> {
        let place = |(at, system): (usize, &MeasuredSystem)| {
            let found = system.figures.get(primary)?;
            let (x, y) = ((self.of)(system.retrieval.as_ref()?)?, found.mean?);
            Some(Point {
                number: at + 1,
                name: system.system.clone(),
                figure: format!("{}, {}", table_figure(y), (self.text)(x)),
                x,
                y,
                low: found.low,
                high: found.high,
                beaten: false,
            })
        };
        let mut points: Vec<Point> = systems.iter().enumerate().filter_map(place).collect();
        let places: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
        for point in &mut points {
            let (x, y) = (point.x, point.y);
            point.beaten = places.iter().any(|&(ox, oy)| ox <= x && oy >= y && (ox < x || oy > y));
        }
        points
    }
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {} more", count(more)),
    }
}

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
            mean: table_figure(mean),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::Figure;

    fn system(name: &str, mean: f64, times: Option<&[f64]>) -> MeasuredSystem {
        let figure = Figure {
            measure: "nDCG@10".into(),
            mean: Some(mean),
            low: Some(mean - 0.05),
            high: Some(mean + 0.05),
            confidence: 0.95,
            n: 10,
            ..Figure::default()
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
            found.sentences[1]
                .starts_with("Of the systems with times, none is both better and faster than bm25, "),
            "{:?}",
            found.sentences
        );
        assert_eq!(found.sentences[0], "Without times: file, untimed.");
        let tie = "A hollow dot has another that is at least as good and faster, or better and as fast.";
        assert_eq!(found.sentences[2], tie);
        let of = |at: usize| (found.rows[at].number, found.rows[at].p95.as_str(), &*found.rows[at].errors);
        assert_eq!(of(2), (3, "300 ms", "1"));
        assert_eq!((of(3), of(4)), ((4, "n/a", "n/a"), (5, "n/a", "1")));
        assert_eq!(found.rows[0].cost, "n/a");
        let [chart] = found.charts.as_slice() else { panic!("{:?}", found.charts) };
        assert!(
            !chart.drawing.contains("file") && chart.drawing.matches("class=\"dot hollow\"").count() == 2
        );
    }

    #[test]
    fn files_alone_have_no_such_section() {
        assert!(speed(&[system("a", 0.1, None), system("b", 0.2, Some(&[]))], 0, "nDCG@10").is_none());
    }

    #[test]
    fn a_chart_needs_two_systems_with_a_known_cost() {
        let priced = |name: &str, dollars: &[f64]| {
            let retrieval = Some(RetrievalFigures::of(2, 0, &[], dollars));
            MeasuredSystem { retrieval, ..system(name, 0.5, None) }
        };
        let (all, one) = (priced("a", &[0.1, 0.3]), priced("b", &[0.2]));
        assert!(speed(&[all.clone(), one.clone()], 0, "nDCG@10").unwrap().charts.is_empty());
        let found = speed(&[all, one, priced("c", &[0.0, 0.0])], 0, "nDCG@10").unwrap();
        let kinds: Vec<&str> = found.charts.iter().map(|chart| chart.kind).collect();
        assert_eq!(kinds, ["cost"]);
        assert!(found.charts[0].drawing.contains("0.500, $200.0000"), "{:?}", found.charts);
        let expected = [
            "Without a known cost: b.",
            "Of the systems with a known cost, none is both better and cheaper than c.",
        ];
        assert_eq!(found.sentences[..2], expected);
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
