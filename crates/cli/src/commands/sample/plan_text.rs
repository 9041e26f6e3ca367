//! What so many labels are worth, in words and figures.

use anyhow::Result;
use llull::report::text::{confidence, count, counted, difference, figure, figures, text_table};
use llull::sampling::SamplePlan;

use crate::commands::Context;

/// Below so many queries that carry a difference, an interval from sampled queries can be too narrow.
const ENOUGH_QUERIES: f64 = 7.0;

/// Prints a plan for people.
pub(super) fn print(context: &Context, plan: &SamplePlan) -> Result<()> {
    let by_query = plan.design == "queries";
    let unit = if by_query { "queries" } else { "pairs" };
    let several = match plan.figures {
        1 => String::new(),
        n => format!(", the widest of {} differences", count(n)),
    };
    context.printer.result(format!(
        "{} of {}: {} of {} can be drawn ({})",
        plan.measure,
        plan.figure,
        counted(plan.pairs, "pair"),
        counted(plan.queries, "query"),
        plan.design,
    ))?;
    let level = confidence(plan.confidence);
    context.printer.result(format!(
        "width of the {level} interval to expect{several}; the judge alone says {}\n",
        difference(plan.judge_only)
    ))?;
    let rows = plan.rows.iter().map(|row| {
        let alone = row.people_alone.map(|width| figure(width.queries_like_these));
        let mut cells = vec![count(row.n)];
        cells.extend(by_query.then(|| count(row.labels)));
        cells.extend([figure(row.width.these_queries), figure(row.width.queries_like_these)]);
        cells.extend(alone);
        cells
    });
    let mut headings = vec![figures(unit)];
    headings.extend(by_query.then(|| figures("labels")));
    headings.extend([figures("these queries"), figures("queries like these")]);
    headings.extend(by_query.then(|| figures("without the judge")));
    context.printer.result(text_table(headings, rows))?;
    for line in remarks(plan, by_query) {
        context.printer.note(line);
    }
    Ok(())
}

fn remarks(plan: &SamplePlan, by_query: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(row) = plan.rows.first() {
        lines.push(format!(
            "no number of labels makes the interval for queries like these narrower than {}: only more queries do",
            figure(row.width.floor)
        ));
    } else {
        lines.push("there is too little for an interval, however much of it is labelled".to_owned());
    }
    if plan.judge_only != 0.0 {
        lines.push(format!(
            "if the judge is right, the interval leaves out 0 once it is narrower than about {}",
            figure(2.0 * plan.judge_only.abs())
        ));
    }
    match plan.effective_queries {
        Some(effective) if by_query && effective < ENOUGH_QUERIES => lines.push(format!(
            "the difference rests on {effective:.1} queries; below {ENOUGH_QUERIES} the interval from a sample of \
             queries can be too narrow, and below 4 none is drawn"
        )),
        Some(effective) => lines.push(format!("the difference rests on {effective:.1} queries")),
        None => {}
    }
    if plan.unlabelled > 0 {
        lines.push(format!(
            "{} without a label of the judge can be drawn, too: the measure reads them",
            counted(plan.unlabelled, "pair")
        ));
    }
    lines
}
