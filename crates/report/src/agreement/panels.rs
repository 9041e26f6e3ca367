//! Agreement of several label sets as one panel, and its tables.

use llull_core::Qrels;
use llull_stats::{AgreementOptions, Ends, PanelAgreement, PanelFigures, PanelRatings, panel_agreement};
use serde::Serialize;

use super::label_tables::{ends, interval_heading};
use super::report::{AgreementReportError, OtherLabels};
use crate::text::{TableColumn, count, counted, difference, figure, text_table, words};

/// How far several raters agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// How many raters.
    pub raters: usize,
    /// The figures, over every pair that has a label in at least one set; a pair without a label in a set is missing
    /// there.
    #[serde(flatten)]
    pub agreement: PanelAgreement,
}

/// The truth among the raters, and without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panels {
    /// The truth and all others, the truth being a rater like any other.
    pub with_truth: Panel,
    /// All others without the truth. Pairs that only the truth has labelled are left out, too.
    pub others_alone: Panel,
}

/// How far a panel agrees with itself, with the truth as one of its raters and without it.
///
/// # Errors
/// Returns an error if there are more than 256 different grades, or if the options of the bootstrap are invalid.
pub fn panels(
    truth: &Qrels,
    others: &[&Qrels],
    options: &AgreementOptions,
) -> Result<Panels, AgreementReportError> {
    let panel = |raters: &[&Qrels]| -> Result<Panel, AgreementReportError> {
        let ratings = PanelRatings::of_qrels(raters, options.clamp)?;
        let agreement = panel_agreement(&ratings, options.bootstrap.as_ref())?;
        Ok(Panel { raters: raters.len(), agreement })
    };
    let with_truth: Vec<&Qrels> = std::iter::once(truth).chain(others.iter().copied()).collect();
    Ok(Panels { with_truth: panel(&with_truth)?, others_alone: panel(others)? })
}

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
pub(super) fn panel_table(panels: &Panels, confidence: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two judges agree and the truth differs: the panel without the truth agrees fully, the one with it does not.
    #[test]
    fn the_truth_is_a_rater_of_one_panel_alone() {
        let of = |grades: &[(&str, i32)]| {
            let mut qrels = Qrels::default();
            for (document, grade) in grades {
                qrels.insert("q", document, *grade);
            }
            qrels
        };
        let truth = of(&[("a", 1), ("b", 1), ("c", 0), ("e", 0)]);
        let judge = of(&[("a", 1), ("b", 0), ("c", 0), ("d", 1)]);
        let found = panels(&truth, &[&judge, &judge], &AgreementOptions::default()).unwrap();
        let alone = &found.others_alone;
        assert_eq!((alone.raters, alone.agreement.units, alone.agreement.ratings), (2, 4, 8));
        assert_eq!(alone.agreement.figures.alpha.nominal, Some(1.0));
        let with = &found.with_truth;
        assert_eq!((with.raters, with.agreement.units, with.agreement.paired), (3, 5, 4));
        // krippendorff 0.9.0, alpha([[1,1,0,nan,0],[1,0,0,1,nan],[1,0,0,1,nan]], level_of_measurement="nominal")
        let alpha = with.agreement.figures.alpha.nominal.unwrap();
        assert!((alpha - 2.0 / 3.0).abs() < 1e-12, "{alpha}");
    }
}
