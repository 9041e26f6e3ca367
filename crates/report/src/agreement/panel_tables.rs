//! Tables of several label sets, one by one and as a panel.

use llull_stats::{Ends, PanelFigures};

use super::label_tables::{ends, interval_heading};
use super::panels::{Panel, Panels};
use super::report::OtherLabels;
use crate::text::{TableColumn, count, counted, difference, figure, text_table, words};

/// The most telling figures of every label set, the highest kappa first.
pub(super) fn side_by_side(others: &[OtherLabels]) -> String {
    let mut sorted: Vec<&OtherLabels> = others.iter().collect();
    let kappa = |other: &OtherLabels| other.agreement.figures.kappa.plain.unwrap_or(f64::NEG_INFINITY);
    sorted.sort_by(|a, b| kappa(b).total_cmp(&kappa(a)));
    let with_systems = others.iter().any(|other| other.agreement.systems.is_some());
    let in_order = others.iter().any(|other| other.agreement.order.is_some());
    let with_notes = others.iter().any(|other| note(other).is_some());
    let names = ["side by side", "pairs", "kappa", "quadratic", "alpha, ordinal", "exact", "bias"];
    let mut headings: Vec<TableColumn> = names.map(TableColumn::from).into();
    headings.extend(in_order.then(|| "tau-b of documents".into()));
    headings.extend(with_systems.then(|| "tau of systems".into()));
    headings.extend(with_notes.then(|| words("note")));
    let rows = sorted.into_iter().map(|other| {
        let figures = &other.agreement.figures;
        let tau = other.agreement.systems.and_then(|systems| systems.figures.tau);
        let mut row = vec![
            other.name.clone(),
            count(other.agreement.n),
            figure(figures.kappa.plain),
            figure(figures.kappa.quadratic),
            figure(figures.alpha.ordinal),
            figure(figures.exact),
            difference(figures.bias),
        ];
        row.extend(in_order.then(|| figure(other.agreement.order.and_then(|order| order.tau))));
        row.extend(with_systems.then(|| figure(tau)));
        row.extend(with_notes.then(|| note(other).unwrap_or_default()));
        row
    });
    text_table(headings, rows)
}

/// Warnings that belong to the figures of a label set.
fn note(other: &OtherLabels) -> Option<String> {
    match (&other.strays, &other.binary) {
        (Some(strays), _) => Some(strays.phrase.clone()),
        (None, Some(_)) => Some("two grades: see its cuts".to_owned()),
        (None, None) => None,
    }
}

/// A line below the panel's figures for each label set whose stray labels change them.
pub(super) fn stray_lines(others: &[OtherLabels]) -> impl Iterator<Item = String> {
    others.iter().filter_map(|other| {
        let strays = other.strays.as_ref()?;
        Some(format!("{} ({}), which moves figures of the panel, too.", strays.phrase, other.name))
    })
}

/// All label sets as one panel, with the truth among them and without it.
pub(super) fn panels(panels: &Panels, confidence: f64) -> String {
    let sets = |panel: &Panel| counted(panel.raters, "label set");
    let (with, alone) = (&panels.with_truth, &panels.others_alone);
    let headings = [
        "panel".to_owned(),
        format!("truth and others, {}", sets(with)),
        interval_heading(confidence),
        format!("others alone, {}", sets(alone)),
        interval_heading(confidence),
    ];
    let rows = cells(with).into_iter().zip(cells(alone));
    let rows = rows.map(|((name, value, interval), (_, second, seconds))| {
        vec![name.to_owned(), value, interval, second, seconds]
    });
    let units =
        |panel: &Panel| format!("{} of {}", count(panel.agreement.paired), count(panel.agreement.units));
    let name = "pairs with two labels or more".to_owned();
    let last = vec![name, units(with), String::new(), units(alone), String::new()];
    text_table(headings, rows.chain([last]))
}

/// The name, value and interval of every figure.
fn cells(panel: &Panel) -> Vec<(&'static str, String, String)> {
    let ci = panel.agreement.ci.as_ref().map(named::<Option<Ends>>);
    let cells = named(&panel.agreement.figures).into_iter().enumerate().map(|(at, (name, value))| {
        let interval = ci.as_ref().and_then(|ci| ci.get(at)).and_then(|(_, ends)| *ends);
        (name, figure(value), ends(interval))
    });
    cells.collect()
}

fn named<T: Copy>(figures: &PanelFigures<T>) -> Vec<(&'static str, T)> {
    vec![
        ("alpha, nominal", figures.alpha.nominal),
        ("alpha, ordinal", figures.alpha.ordinal),
        ("alpha, interval", figures.alpha.interval),
        ("Fleiss' kappa", figures.fleiss),
        ("AC1", figures.ac1),
        ("AC2, linear", figures.ac2.linear),
        ("AC2, quadratic", figures.ac2.quadratic),
    ]
}
