//! Compares every judge in the ledger, one per line.

use anyhow::Result;
use llull::report::text::{ABSENT, count, dollars, figures, narrow_interval, percent, text_table, words};
use llull::{KnownFigure, KnownJudgeFigures, Study};

use crate::args::JudgesOrder;
use crate::commands::Context;

/// Every judge in the ledger, in the chosen order; none without a ledger.
///
/// # Errors
///
/// Returns an error if the ledger or the study's reference cannot be read.
pub(super) fn known_judges(study: &Study, order: JudgesOrder) -> Result<Vec<KnownJudgeFigures>> {
    if study.ledger().judges()?.is_empty() {
        return Ok(Vec::new());
    }
    let mut judges = study.attempts().judges()?;
    let by_annotators = judges.iter().any(|judge| judge.with_people.is_some());
    sort(&mut judges, order, by_annotators);
    Ok(judges)
}

/// Prints a table with a line for each judge; columns without a figure are left out.
pub(super) fn show(context: &Context, judges: &[KnownJudgeFigures]) -> Result<()> {
    let headings = [
        words("judge"),
        words("how"),
        words("prompt"),
        words("rubric"),
        figures("answers"),
        figures("coverage"),
        figures("with human labels"),
        figures("on common pairs"),
        figures("order right"),
        figures("with other judges"),
        figures("first side"),
        figures("flips"),
        figures("noise"),
        figures("unusable"),
        figures("calls"),
        figures("tokens"),
        figures("US$"),
        figures("US$ for 1,000"),
        figures("ms p50 / p95"),
    ];
    let rows: Vec<Vec<String>> = judges.iter().map(row).collect();
    let known = |place: usize| rows.iter().any(|row| row.get(place).is_some_and(|cell| cell != ABSENT));
    let shown: Vec<bool> = (0..headings.len()).map(known).collect();
    let headings = headings.into_iter().zip(&shown).filter_map(|(heading, shown)| shown.then_some(heading));
    let cells = rows.iter().map(|row| {
        let shown = row.iter().zip(&shown).filter(|(_, shown)| **shown);
        shown.map(|(cell, _)| cell.clone()).collect()
    });
    context.printer.result(text_table(headings, cells))?;
    if judges.iter().any(|judge| judge.best_value == Some(true)) {
        context.printer.note("*: no other judge is both cheaper and agrees better");
    }
    Ok(())
}

fn sort(judges: &mut [KnownJudgeFigures], order: JudgesOrder, by_annotators: bool) {
    let agreement = |judge: &KnownJudgeFigures| {
        let known = if by_annotators { judge.with_people } else { judge.with_others };
        known.map_or(f64::NEG_INFINITY, |known| known.value)
    };
    let price = |judge: &KnownJudgeFigures| judge.usd_per_1000.unwrap_or(f64::INFINITY);
    match order {
        JudgesOrder::Agreement => judges.sort_by(|a, b| agreement(b).total_cmp(&agreement(a))),
        JudgesOrder::Price => judges.sort_by(|a, b| price(a).total_cmp(&price(b))),
        JudgesOrder::First => {}
    }
}

fn row(judge: &KnownJudgeFigures) -> Vec<String> {
    let spec = &judge.spec;
    let with_ends = |found: Option<KnownFigure>| match found {
        Some(KnownFigure { value, low: Some(low), high: Some(high), .. }) => {
            format!("{value:.2} {}", narrow_interval(low, high))
        }
        Some(found) => format!("{:.2}", found.value),
        None => ABSENT.to_owned(),
    };
    let share = |found: Option<KnownFigure>| match found {
        Some(found) => format!("{} of {}", percent(found.value), count(found.n)),
        None => ABSENT.to_owned(),
    };
    let tokens = judge.totals.prompt_tokens.total + judge.totals.completion_tokens.total;
    let short = |hash: llull::core::Hash| hash.to_string().chars().take(8).collect::<String>();
    let price = judge.usd_per_1000.map_or_else(|| ABSENT.to_owned(), |usd| format!("{usd:.3}"));
    vec![
        judge.judge.clone(),
        spec.paradigm.name().to_owned(),
        spec.prompt.clone(),
        short(spec.rubric_hash),
        count(judge.answered),
        percent(judge.coverage),
        with_ends(judge.with_people),
        with_ends(judge.on_common.filter(|found| judge.with_people.is_none_or(|own| own.n != found.n))),
        with_ends(judge.order),
        with_ends(judge.with_others),
        share(judge.first_side),
        share(judge.position_flip),
        share(judge.repeat_flip),
        percent(judge.unusable),
        count(judge.totals.attempts),
        count(tokens),
        judge
            .totals
            .cost_usd
            .filter(|_| judge.totals.cost_unknown == 0)
            .map_or_else(|| ABSENT.to_owned(), dollars),
        if judge.best_value == Some(true) { format!("{price} *") } else { price },
        judge.totals.latency.map_or_else(
            || ABSENT.to_owned(),
            |latency| format!("{} / {}", count(latency.p50_ms), count(latency.p95_ms)),
        ),
    ]
}
