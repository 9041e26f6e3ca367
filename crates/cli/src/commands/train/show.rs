//! Shows a trained learner on the terminal and as JSON.

use anyhow::Result;
use llull::learner::{LearnerKind, SubsetFigures, Trained};
use llull::report::text::{average, counted, figure, percent, percent_interval, text_table, words};

use crate::commands::Context;

/// How many features, and how many points of the curve, a terminal shows.
const SHOWN: usize = 10;

pub(super) fn show(context: &Context, trained: &Trained) -> Result<()> {
    let printer = context.printer;
    if context.shows_json(trained)? {
        return Ok(());
    }
    printer.result(format!(
        "{} of {} in {} parts; learners and subsets are measured on queries that they were not fitted to\n",
        counted(trained.pairs, "pair"),
        counted(trained.groups, "query"),
        trained.folds
    ))?;
    printer.result(features(trained) + "\n")?;
    printer.result(learners(trained) + "\n")?;
    printer.result(format!("{}\n", choice(trained)))?;
    printer.result(curve(trained) + "\n")?;
    if !trained.pareto.is_empty() {
        printer.result(format!(
            "Subsets at {} coverage: {} counted; the best for each number of calls",
            percent(trained.coverage),
            counted(trained.subsets_counted, "subset")
        ))?;
        printer.result(pareto(trained) + "\n")?;
    }
    printer.result(format!(
        "The tree of all pairs, {} calls a pair (of each leaf: its side, right of its pairs)",
        average(trained.tree_calls)
    ))?;
    printer.result(&trained.tree)?;
    Ok(())
}

fn features(trained: &Trained) -> String {
    let rows = trained.features.iter().take(SHOWN).map(|one| {
        vec![
            one.name.clone(),
            one.calls.to_string(),
            one.missing.to_string(),
            percent(one.coverage),
            percent(one.precision),
            percent(one.right),
        ]
    });
    let name = match trained.features.len() {
        more if more > SHOWN => format!("feature (best {SHOWN} of {more})"),
        _ => "feature".to_owned(),
    };
    let headings = [
        words(name),
        "calls".into(),
        "missing".into(),
        "coverage".into(),
        "precision".into(),
        "right".into(),
    ];
    text_table(headings, rows)
}

fn learners(trained: &Trained) -> String {
    let rows = trained.learners.iter().map(|one| {
        vec![
            one.model.to_string(),
            percent(one.right),
            percent(one.mean_precision),
            percent(one.at.map(|at| at.precision)),
            percent_interval(one.at.and_then(|at| Some((at.lo?, at.hi?)))),
        ]
    });
    let headings = [
        words("learner"),
        "right".into(),
        "mean precision".into(),
        format!("at {}", percent(trained.coverage)).as_str().into(),
        words("95% interval"),
    ];
    text_table(headings, rows)
}

/// Describes the choice, in folds of all queries and in those of each fold's others.
fn choice(trained: &Trained) -> String {
    if trained.learners.len() == 1 {
        return format!("{}, as named; {} calls a pair", trained.model, figure(trained.calls));
    }
    let times = |kind: LearnerKind| match trained.chosen.iter().filter(|chosen| **chosen == kind).count() {
        0 => None,
        times => Some(format!("{kind} {times}")),
    };
    let times: Vec<String> = LearnerKind::ALL.into_iter().filter_map(times).collect();
    format!(
        "{} has the highest mean precision and is taken, {} calls a pair. In each part by the learner that the \
         others chose ({}):",
        trained.model,
        average(trained.calls),
        times.join(", ")
    )
}

fn curve(trained: &Trained) -> String {
    let every = trained.curve.len().div_ceil(SHOWN).max(1);
    let rows = trained.curve.iter().skip(every - 1).step_by(every).map(|point| {
        vec![
            percent(point.coverage),
            percent(point.precision),
            percent_interval(point.lo.zip(point.hi)),
            format!("{:.0}", point.n),
            figure(point.threshold),
        ]
    });
    let headings =
        ["coverage".into(), "precision".into(), words("95% interval"), "pairs".into(), "score".into()];
    text_table(headings, rows)
}

fn pareto(trained: &Trained) -> String {
    let interval = |figures: &SubsetFigures| percent_interval(figures.lo.zip(figures.hi));
    let rows = trained.pareto.iter().map(|point| {
        vec![
            point.calls.to_string(),
            percent(point.figures.precision),
            interval(&point.figures),
            percent(point.when_chosen.precision),
            interval(&point.when_chosen),
            point.features.join(", "),
        ]
    });
    let headings = [
        "calls".into(),
        "precision".into(),
        words("95% interval"),
        "chosen by others".into(),
        words("95% interval"),
        words("features"),
    ];
    text_table(headings, rows)
}
