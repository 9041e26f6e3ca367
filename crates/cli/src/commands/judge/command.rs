//! `llull judge`: judges, or estimates what judging would take.

use anyhow::Result;
use llull::report::text::{count, counted, text_table};
use llull::{ComparedQuery, Estimate, JudgeTally, JudgingOutcome, Study, StudyEvidence};
use serde::Serialize;

use super::estimate_text::in_words;
use super::study_evidence::{ask, compares, exit_of, inputs, read};
use crate::args::JudgeArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &JudgeArgs) -> Result<Exit> {
    let overrides = args.judges.overrides().over(args.asking.overrides());
    let study = if args.dry_run { context.study(overrides)? } else { context.study_to_ask(overrides)? };
    if args.dry_run {
        return dry_run(context, &study);
    }
    let inputs = inputs(context, &study)?;
    study.remember()?;
    let JudgingOutcome { evidence, tallies, .. } = ask(context, &study, &inputs, args.stopping)?;
    show(context, &evidence, &tallies, None)?;
    Ok(exit_of(&evidence))
}

/// Says what would still be asked, and asks nothing.
pub(crate) fn dry_run(context: &Context, study: &Study) -> Result<Exit> {
    let inputs = inputs(context, study)?;
    let evidence = read(context, study, &inputs)?;
    let estimates = study.estimate(&inputs, &evidence)?;
    let tallies: Vec<JudgeTally> = evidence.panel().map(JudgeTally::of).collect();
    show(context, &evidence, &tallies, Some(&estimates))?;
    Ok(Exit::Fine)
}

/// What became of one judge's questions.
#[derive(Serialize)]
struct Row<'a> {
    judge: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<usize>,
    judged: usize,
    unusable: usize,
    gave_up: usize,
    without_text: usize,
    not_asked: usize,
    reused: usize,
    /// What would still be asked; on a dry run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<&'a Estimate>,
}

fn rows<'a>(
    evidence: &StudyEvidence,
    tallies: &'a [JudgeTally],
    estimates: Option<&'a [Estimate]>,
) -> Vec<Row<'a>> {
    let row = |(place, judge): (usize, &'a JudgeTally)| {
        let compares = compares(evidence, place);
        Row {
            judge: &judge.judge,
            pairs: (!compares).then_some(judge.planned),
            questions: compares.then_some(judge.planned),
            judged: judge.judged,
            unusable: judge.unusable,
            gave_up: judge.gave_up,
            without_text: judge.without_text,
            not_asked: judge.not_asked,
            reused: judge.reused,
            estimate: estimates.and_then(|estimates| estimates.get(place)),
        }
    };
    tallies.iter().enumerate().map(row).collect()
}

fn show(
    context: &Context,
    evidence: &StudyEvidence,
    tallies: &[JudgeTally],
    estimates: Option<&[Estimate]>,
) -> Result<()> {
    let rows = rows(evidence, tallies, estimates);
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let to_ask = if estimates.is_some() { "to ask" } else { "not asked" };
    let asked = if evidence.compared.is_some() { "questions" } else { "pairs" };
    let headings = ["judge", asked, "judged", "unusable", "given up", "no text", to_ask, "from the ledger"];
    let cells = rows.iter().map(|row| {
        let planned = row.pairs.or(row.questions).unwrap_or(0);
        let counts =
            [planned, row.judged, row.unusable, row.gave_up, row.without_text, row.not_asked, row.reused];
        std::iter::once(row.judge.to_owned()).chain(counts.map(count)).collect()
    });
    context.printer.result(text_table(headings, cells))?;
    if let Some(queries) = &evidence.compared {
        context.printer.result(tournaments_so_far(queries))?;
    }
    for estimate in estimates.unwrap_or_default() {
        context.printer.result(in_words(estimate, evidence.compared.as_deref()))?;
    }
    let graders =
        evidence.graders.iter().filter(|_| estimates.is_some()).flat_map(|graders| graders.judges());
    for grader in graders {
        let settled = evidence.compared.iter().flatten().all(|query| query.outcome.complete);
        let left = match (settled, grader.open()) {
            (false, _) => "what it grades depends on the tiers and is not in this estimate".to_owned(),
            (true, 0) => "nothing is left to ask".to_owned(),
            (true, n) => format!("{}, not in this estimate", counted(n, "request")),
        };
        context.printer.result(format!("{}: {left}", grader.name()))?;
    }
    Ok(())
}

/// Describes how many tournaments are decided, and after how many questions.
fn tournaments_so_far(queries: &[ComparedQuery]) -> String {
    let compared = || queries.iter().filter(|topic| !topic.documents.is_empty());
    let decided = compared().filter(|topic| topic.outcome.complete).count();
    let asked: u64 = queries.iter().map(|topic| topic.outcome.calls).sum();
    let waves = queries.iter().map(|topic| topic.outcome.waves).max().unwrap_or(0);
    let partial = match queries.iter().map(|topic| topic.partial).sum() {
        0 => String::new(),
        partial => format!("; {} of these lack the answer of a judge of the panel", count(partial)),
    };
    format!(
        "the best documents are settled for {} of {} queries, after {} of documents in {}{partial}",
        count(decided),
        count(compared().count()),
        counted(asked, "set"),
        counted(waves, "wave")
    )
}
