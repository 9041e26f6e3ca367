//! Prints a plan as a table, with its setting.

use indexmap::IndexMap;
use llull::rank::simulate::{SampleSummary, Scheduler};
use llull::report::text::{confidence, count, counted, figure, mean_count, rounded_count, text_table};

use super::figures::{Row, Total};
use super::setup::{PAIRS_SIMULATED, key, top};
use crate::args::PlanArgs;

/// The plan as text: the setting, a table, and the total of all queries.
pub(super) fn text(args: &PlanArgs, rows: &IndexMap<&'static str, Row>, chosen: Scheduler) -> String {
    let ndcg = format!("nDCG@{}", top(args));
    let headings = [
        "a query takes",
        "calls",
        "p5",
        "p50",
        "p95",
        "max",
        "waves",
        "max",
        &ndcg,
        "p5",
        "p50",
        "labels",
        "tau",
    ];
    let lines = rows.iter().map(|(name, row)| {
        let mut line = vec![if *name == key(chosen) { format!("{name} *") } else { (*name).to_owned() }];
        let SampleSummary { mean, p5, p50, p95, max, .. } = row.calls;
        line.push(mean_count(mean));
        line.extend([p5, p50, p95, max].map(rounded_count));
        line.extend([mean_count(row.waves.mean), rounded_count(row.waves.max)]);
        line.extend([
            figure(row.ndcg.map(|it| it.mean)),
            figure(row.ndcg.map(|it| it.p5)),
            figure(row.ndcg.map(|it| it.p50)),
            figure(row.labels.map(|it| it.mean)),
            figure(row.tau.map(|it| it.mean)),
        ]);
        line
    });
    let mut text = format!("{}\n\n{}\n\n", setting(args), text_table(headings, lines));
    text.push_str(
        "* the chosen schedule; calls, waves, nDCG, that of the labels and tau are means, with percentiles beside \
         them\n",
    );
    if args.documents > PAIRS_SIMULATED {
        text.push_str(&format!(
            "All pairs of more than {} documents are counted, not simulated.\n",
            count(PAIRS_SIMULATED)
        ));
    }
    if let Some(total) = rows.get(key(chosen)).and_then(|row| Total::new(args, row)) {
        text.push_str(&format!(
            "{}: about {} calls, at most {}, in at most {} waves that they share.\n",
            counted(total.queries, "query"),
            rounded_count(total.calls.mean),
            rounded_count(total.calls.max),
            rounded_count(total.waves),
        ));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Describes the simulation.
fn setting(args: &PlanArgs) -> String {
    format!(
        "{} documents {}, {} at a time, the top {}; {}; {} simulated {}",
        count(args.documents),
        order(args),
        args.window,
        count(top(args)),
        judge(args),
        count(args.seeds),
        if args.seeds == 1 { "query" } else { "queries" },
    )
}

/// Describes the order in which documents come.
pub(super) fn order(args: &PlanArgs) -> String {
    match args.prior {
        None => "in random order".to_owned(),
        Some(prior) => format!("by true rank + N(0, {})", rounded_count(prior * f64::from(args.documents))),
    }
}

/// Describes the judge.
pub(super) fn judge(args: &PlanArgs) -> String {
    let given = match (args.kappa, args.flip_rate) {
        (Some(kappa), _) => format!("kappa {kappa}, noise {:.2}", args.noise),
        (None, Some(rate)) => format!("flip rate {rate}, noise {:.2}", args.noise),
        (None, None) => format!("noise {}", args.noise),
    };
    match (args.noise, args.ties) {
        (0.0, 0.0) => "a perfect judge".to_owned(),
        (_, 0.0) => format!("a judge with {given}"),
        (0.0, ties) => format!("a judge without noise that ties {} of neighbours", confidence(ties)),
        (_, ties) => format!("a judge with {given} that ties {} of neighbours", confidence(ties)),
    }
}
