//! The agreement of labels in tables and sentences.

use llull_stats::{Agreement, Ends, LabelFigures, OrderFigures};

use super::relevance_cuts::cuts;
use super::report::{AgreementReport, OtherLabels};
use super::strays::StrayLabels;
use crate::text::{
    TableColumn, confidence, count, counted, difference, difference_interval, figure, interval, percent,
    text_table, words,
};

/// So many grades fit a table.
const GRADES: usize = 12;

/// The tables of one label set, below a heading.
pub(super) fn tables(report: &AgreementReport, other: &OtherLabels) -> Vec<String> {
    let agreement = &other.agreement;
    let mut parts = vec![heading(report, other)];
    if agreement.n == 0 {
        return parts;
    }
    if let Some(order) = &agreement.order {
        parts.push(in_order(agreement, order, report.bootstrap.confidence));
        return parts;
    }
    parts.push(figures(agreement, other.strays.as_ref(), report.bootstrap.confidence));
    if agreement.grades.len() <= GRADES {
        parts.extend(cuts(report, other));
        parts.push(confusion(agreement));
    } else {
        parts.push(format!(
            "{} different grades: the figures of each cut and each pair of grades are in --json",
            agreement.grades.len()
        ));
    }
    parts
}

fn heading(report: &AgreementReport, other: &OtherLabels) -> String {
    let agreement = &other.agreement;
    let mut text = format!(
        "{} against {}: {} of {} in common; {} only in the truth, {} only in the other",
        other.name,
        report.truth_name,
        counted(agreement.n, "pair"),
        counted(agreement.queries, "query"),
        count(agreement.only_truth),
        count(agreement.only_other)
    );
    if let Some(clamp) = &report.clamp {
        text.push_str(&format!(
            "\n--clamp {clamp} changed {} of the truth and {} of the other",
            counted(agreement.clamped_truth, "grade"),
            count(agreement.clamped_other)
        ));
    }
    text
}

/// The heading above intervals: `95% interval`.
pub(super) fn interval_heading(share: f64) -> String {
    format!("{} interval", confidence(share))
}

/// An interval of a figure that may have none.
pub(super) fn ends(ends: Option<Ends>) -> String {
    let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
    interval(low, high)
}

fn difference_ends(ends: Option<Ends>) -> String {
    let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
    difference_interval(low, high)
}

fn intervals(agreement: &Agreement) -> Option<&LabelFigures<Option<Ends>>> {
    agreement.ci.as_ref().map(|ci| &ci.labels)
}

fn figures(agreement: &Agreement, strays: Option<&StrayLabels>, confidence: f64) -> String {
    let ci = intervals(agreement);
    let pairs = count(agreement.n);
    let row = |name: &str, value: String, interval: String, clamped: Option<String>| {
        let mut row = vec![name.to_owned(), value.clone(), interval, pairs.clone()];
        row.extend(strays.zip(clamped).map(|(strays, clamped)| match clamped == value {
            true => String::new(),
            false => format!("{}; {clamped} with --clamp {}", strays.phrase, strays.scale),
        }));
        row
    };
    let (values, intervals) = (on_the_scale(&agreement.figures), ci.map(on_the_scale));
    let clamped = strays.map(|strays| on_the_scale(&strays.clamped));
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(values.len() + 1);
    for (at, (name, value)) in values.into_iter().enumerate() {
        let interval = intervals.as_ref().and_then(|all| all.get(at)).and_then(|(_, ends)| *ends);
        let clamped = clamped.as_ref().and_then(|all| all.get(at)).map(|(_, value)| figure(*value));
        rows.push(row(name, figure(value), ends(interval), clamped));
    }
    let bias = ci.and_then(|ci| ci.bias);
    let clamped = strays.map(|strays| difference(strays.clamped.bias));
    let value = difference(agreement.figures.bias);
    rows.push(row("bias, other less truth", value, difference_ends(bias), clamped));
    let mut headings: Vec<TableColumn> =
        vec!["agreement".into(), "value".into(), interval_heading(confidence).into(), "pairs".into()];
    headings.extend(strays.map(|_| words("changed by stray labels")));
    text_table(headings, rows)
}

/// The figures of labels of which only the order counts.
fn in_order(agreement: &Agreement, order: &OrderFigures, confidence: f64) -> String {
    let row = |name: &str, value: Option<f64>, interval: String, n: usize| {
        vec![name.to_owned(), figure(value), interval, count(n)]
    };
    let rows = [
        row("Kendall's tau-b", order.tau, ends(None), agreement.n),
        row("Spearman's rho", order.spearman, ends(None), agreement.n),
        row("tau-b by query, mean", order.tau_by_query, ends(order.tau_by_query_ci), order.tau_queries),
    ];
    text_table(["order of documents", "value", &interval_heading(confidence), "pairs, or queries"], rows)
}

/// The figures that need no cut, but for the bias, which is a difference.
fn on_the_scale<T: Copy>(figures: &LabelFigures<T>) -> Vec<(&'static str, T)> {
    vec![
        ("kappa", figures.kappa.plain),
        ("kappa, linear", figures.kappa.linear),
        ("kappa, quadratic", figures.kappa.quadratic),
        ("alpha, nominal", figures.alpha.nominal),
        ("alpha, ordinal", figures.alpha.ordinal),
        ("alpha, interval", figures.alpha.interval),
        ("pi (Fleiss' kappa of two)", figures.pi),
        ("AC1", figures.ac1),
        ("AC2, linear", figures.ac2.linear),
        ("AC2, quadratic", figures.ac2.quadratic),
        ("exact", figures.exact),
        ("within one", figures.within_one),
    ]
}

fn confusion(agreement: &Agreement) -> String {
    let mut headings = vec!["truth \\ other".to_owned()];
    headings.extend(agreement.grades.iter().map(ToString::to_string));
    headings.push("all".to_owned());
    let line = |name: String, cells: Vec<u64>| {
        let all = cells.iter().sum::<u64>();
        std::iter::once(name).chain(cells.into_iter().chain([all]).map(count)).collect::<Vec<String>>()
    };
    let rows = agreement.grades.iter().zip(&agreement.confusion);
    let rows = rows.map(|(grade, row)| line(grade.to_string(), row.clone()));
    let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum::<u64>();
    let last = line("all".to_owned(), (0..agreement.grades.len()).map(column).collect());
    text_table(headings, rows.chain([last]))
}

/// How many labels are alike, and which side grades higher.
pub(super) fn sentences(report: &AgreementReport, other: &OtherLabels) -> Vec<String> {
    let agreement = &other.agreement;
    let figures = &agreement.figures;
    let mut sentences = Vec::new();
    if figures.exact == Some(1.0) {
        sentences.push(format!(
            "{} and {} give the same grade to every one of {}.",
            other.name,
            report.truth_name,
            counted(agreement.n, "pair")
        ));
    } else if let (Some(exact), Some(near)) = (figures.exact, figures.within_one) {
        sentences.push(format!(
            "{} gives the grade of {} to {} of {}, and one at most 1 apart to {}.",
            other.name,
            report.truth_name,
            percent(exact),
            counted(agreement.n, "pair"),
            percent(near)
        ));
    }
    if let Some(reason) = &other.kappa_undefined {
        sentences.push(format!("Kappa, alpha, pi and AC are undefined: {reason}."));
    }
    if figures.exact == Some(1.0) {
        return sentences;
    }
    let Some(bias) = figures.bias else { return sentences };
    let interval = agreement.ci.as_ref().and_then(|ci| ci.labels.bias);
    let bias = difference(bias);
    sentences.push(match interval {
        None => format!("On average its grades differ by {bias}; how sure that is is not known."),
        Some([low, high]) => {
            let what = match (low, high) {
                _ if low > 0.0 => "It grades higher on average",
                _ if high < 0.0 => "It grades lower on average",
                _ => "It is not clear whether it grades higher or lower on average",
            };
            format!("{what}: {bias} {}.", difference_interval(Some(low), Some(high)))
        }
    });
    sentences
}
