//! Agreement of labels, as it is printed.

use llull::agreement::{Panel, Panels};
use llull::core::Grade;
use llull::report::text::{difference, figure as four_decimals};
use llull::stats::{Agreement, Ends, LabelFigures, PanelFigures};

use super::output::{Other, Output};
use llull::report::text::{count, counted, text_table};

/// So many grades fit a table.
const GRADES: usize = 12;

/// Tables, and what stands above them.
pub(crate) fn parts(output: &Output, other: &Other) -> Vec<String> {
    let agreement = &other.agreement;
    if agreement.n == 0 {
        return vec![heading(output, other)];
    }
    let mut parts = vec![heading(output, other), figures(agreement, output.bootstrap.confidence)];
    if agreement.grades.len() <= GRADES {
        parts.extend(cuts(agreement));
        parts.push(confusion(agreement));
    } else {
        parts.push(format!(
            "{} different grades: what each cut and each pair of grades comes to is in --json",
            agreement.grades.len()
        ));
    }
    parts
}

fn heading(output: &Output, other: &Other) -> String {
    let agreement = &other.agreement;
    let mut text = format!(
        "{} against {}: {} of {} in common; {} only in the truth, {} only in the other",
        other.name,
        output.truth_name,
        counted(agreement.n as u64, "pair"),
        match agreement.queries {
            1 => "1 query".to_owned(),
            n => format!("{} queries", count(n as u64)),
        },
        count(agreement.only_truth as u64),
        count(agreement.only_other as u64)
    );
    if let Some(clamp) = &output.clamp {
        text.push_str(&format!(
            "\n--clamp {clamp} changed {} of the truth and {} of the other",
            counted(agreement.clamped_truth as u64, "grade"),
            count(agreement.clamped_other as u64)
        ));
    }
    text
}

pub(crate) fn number(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".to_owned(), four_decimals)
}

pub(crate) fn ends(ends: Option<Ends>) -> String {
    ends.map_or_else(
        || "-".to_owned(),
        |[low, high]| format!("[{}, {}]", four_decimals(low), four_decimals(high)),
    )
}

pub(crate) fn interval_heading(confidence: f64) -> String {
    format!("{} interval", llull::report::text::confidence(confidence))
}

/// The intervals of a table, where there are any: else as many without ends.
fn intervals(agreement: &Agreement) -> Option<&LabelFigures<Option<Ends>>> {
    agreement.ci.as_ref().map(|ci| &ci.labels)
}

fn figures(agreement: &Agreement, confidence: f64) -> String {
    let (figures, ci) = (on_the_scale(&agreement.figures), intervals(agreement).map(on_the_scale));
    let rows = figures.iter().enumerate().map(|(at, (name, figure))| {
        let interval = ci.as_ref().and_then(|ci| ci.get(at)).and_then(|(_, ends)| *ends);
        let shown = if *name == BIAS {
            figure.map_or_else(|| "-".to_owned(), |bias| difference(Some(bias)))
        } else {
            number(*figure)
        };
        vec![(*name).to_owned(), shown, ends(interval), count(agreement.n as u64)]
    });
    text_table(["agreement", "value", &interval_heading(confidence), "pairs"], rows)
}

const BIAS: &str = "bias, other less truth";

/// Every figure that needs no cut.
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
        (BIAS, figures.bias),
    ]
}

/// Relevant or not, at every cut; nothing where there is one grade.
fn cuts(agreement: &Agreement) -> Option<String> {
    let (figures, ci) = (&agreement.figures, intervals(agreement));
    let rows = figures.kappa_at.keys().map(|cut| {
        let of = |pick: for<'a> fn(&'a LabelFigures<Option<f64>>) -> &'a Cuts<f64>,
                  interval: for<'a> fn(&'a LabelFigures<Option<Ends>>) -> &'a Cuts<Ends>| {
            let ends = ci.and_then(|ci| *interval(ci).get(cut)?);
            let short = ends.map_or_else(String::new, |[low, high]| format!(" [{low:.2}, {high:.2}]"));
            format!("{}{short}", number(pick(figures).get(cut).copied().flatten()))
        };
        let (there, here) = relevant(agreement, *cut);
        vec![
            cut.to_string(),
            count(there),
            count(here),
            of(|figures| &figures.kappa_at, |ci| &ci.kappa_at),
            of(|figures| &figures.precision_at, |ci| &ci.precision_at),
            of(|figures| &figures.recall_at, |ci| &ci.recall_at),
            of(|figures| &figures.f1_at, |ci| &ci.f1_at),
        ]
    });
    let headings = ["relevant from", "in truth", "in other", "kappa", "precision", "recall", "F1"];
    (!figures.kappa_at.is_empty()).then(|| text_table(headings, rows))
}

type Cuts<T> = std::collections::BTreeMap<Grade, Option<T>>;

/// Pairs that are relevant from a cut on, in truth and in the other.
fn relevant(agreement: &Agreement, cut: Grade) -> (u64, u64) {
    let from = agreement.grades.partition_point(|grade| *grade < cut);
    let rows = agreement.confusion.iter();
    let there = rows.clone().skip(from).flatten().sum();
    (there, rows.flat_map(|row| row.iter().skip(from)).sum())
}

fn confusion(agreement: &Agreement) -> String {
    let mut headings = vec!["truth \\ other".to_owned()];
    headings.extend(agreement.grades.iter().map(ToString::to_string));
    headings.push("all".to_owned());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (grade, row) in agreement.grades.iter().zip(&agreement.confusion) {
        let mut cells = vec![grade.to_string()];
        cells.extend(row.iter().map(|cell| count(*cell)));
        cells.push(count(row.iter().sum::<u64>()));
        rows.push(cells);
    }
    let mut all = vec!["all".to_owned()];
    all.extend(
        (0..agreement.grades.len())
            .map(|at| count(agreement.confusion.iter().filter_map(|row| row.get(at)).sum::<u64>())),
    );
    all.push(count(agreement.n as u64));
    rows.push(all);
    text_table(headings, rows)
}

/// What the figures say, and nothing about whether that is good enough.
pub(crate) fn sentences(output: &Output, other: &Other) -> Vec<String> {
    let agreement = &other.agreement;
    let (figures, ci) = (&agreement.figures, intervals(agreement));
    let mut sentences = Vec::new();
    if let (Some(exact), Some(near)) = (figures.exact, figures.within_one) {
        sentences.push(format!(
            "{} gives the grade of {} to {:.1}% of {}, and one at most 1 apart to {:.1}%.",
            other.name,
            output.truth_name,
            exact * 100.0,
            counted(agreement.n as u64, "pair"),
            near * 100.0
        ));
    }
    if let Some(bias) = figures.bias {
        let interval = ci.and_then(|ci| ci.bias);
        let shown = format!(
            "{}{}",
            difference(Some(bias)),
            interval.map_or_else(String::new, |interval| format!(" {}", ends(Some(interval))))
        );
        sentences.push(match interval {
            Some([low, _]) if low > 0.0 => {
                format!("It grades higher on average: {shown}.")
            }
            Some([_, high]) if high < 0.0 => {
                format!("It grades lower on average: {shown}.")
            }
            Some(_) => format!("Whether it grades higher or lower on average cannot be told: {shown}."),
            None => format!("On average its grades differ by {shown}; how sure that is cannot be told."),
        });
    }
    sentences
}

/// The most telling figures of every OTHER.
pub(crate) fn side_by_side(others: &[Other]) -> String {
    let with_systems = others.iter().any(|other| other.agreement.systems.is_some());
    let mut headings = vec!["side by side", "pairs", "kappa", "quadratic", "alpha, ordinal", "exact", "bias"];
    if with_systems {
        headings.push("tau of systems");
    }
    let rows = others.iter().map(|other| {
        let figures = &other.agreement.figures;
        let mut row = vec![
            other.name.clone(),
            count(other.agreement.n as u64),
            number(figures.kappa.plain),
            number(figures.kappa.quadratic),
            number(figures.alpha.ordinal),
            number(figures.exact),
            figures.bias.map_or_else(|| "-".to_owned(), |bias| difference(Some(bias))),
        ];
        if with_systems {
            row.push(number(other.agreement.systems.and_then(|systems| systems.figures.tau)));
        }
        row
    });
    text_table(headings, rows)
}

/// All as raters, with the truth among them and without it.
pub(crate) fn panels(panels: &Panels, confidence: f64) -> String {
    let raters = |panel: &Panel| counted(panel.raters as u64, "rater");
    let (with, alone) = (&panels.with_truth, &panels.others_alone);
    let headings = [
        "panel".to_owned(),
        format!("truth and others, {}", raters(with)),
        interval_heading(confidence),
        format!("others alone, {}", raters(alone)),
        interval_heading(confidence),
    ];
    let of = |panel: &Panel| {
        let figures = of_panel(&panel.agreement.figures);
        let ci = panel.agreement.ci.as_ref().map(of_panel);
        let cells = figures.into_iter().enumerate().map(move |(at, (name, figure))| {
            let interval = ci.as_ref().and_then(|ci| ci.get(at)).and_then(|(_, ends)| *ends);
            (name, number(figure), ends(interval))
        });
        cells.collect::<Vec<_>>()
    };
    let rows = of(with).into_iter().zip(of(alone)).map(|((name, figure, interval), (_, second, seconds))| {
        vec![name.to_owned(), figure, interval, second, seconds]
    });
    let units = |panel: &Panel| {
        format!("{} of {}", count(panel.agreement.paired as u64), count(panel.agreement.units as u64))
    };
    let last = vec![
        "pairs with two labels or more".to_owned(),
        units(with),
        String::new(),
        units(alone),
        String::new(),
    ];
    text_table(headings, rows.chain(std::iter::once(last)))
}

fn of_panel<T: Copy>(figures: &PanelFigures<T>) -> Vec<(&'static str, T)> {
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
