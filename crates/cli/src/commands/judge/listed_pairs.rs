//! `llull run --pairs`: judges a given list of pairs.

use std::path::Path;

use anyhow::Result;
use llull::data::shown_path;
use llull::preferences::{PairReference, read_reference};
use llull::report::text::{count, counted};
use llull::{JudgeTally, ListedPair, Study};
use serde::Serialize;

use super::command::Outcomes;
use super::study_evidence::{inputs, judge_pairs};
use crate::args::StoppingOptions;
use crate::commands::Context;
use crate::exit::{Exit, refuse};

/// What became of the list; for `--json`.
#[derive(Serialize)]
struct Judged<'a> {
    pairs: usize,
    outside: usize,
    judges: Vec<JudgedBy<'a>>,
}

#[derive(Serialize)]
struct JudgedBy<'a> {
    judge: &'a str,
    #[serde(flatten)]
    outcomes: Outcomes,
}

/// Judges the pairs of a file, and prints the counts of each judge.
///
/// # Errors
/// Returns an error, too, if none of the pairs is in the pool.
pub(crate) fn run_pairs(
    context: &Context,
    study: &Study,
    file: &Path,
    stopping: StoppingOptions,
) -> Result<Exit> {
    let listed = read_reference(file, &context.global.columns)?;
    context.printer.warnings(&listed.notes);
    let path = shown_path(file);
    let PairReference::Comparisons(votes) = listed.value else {
        refuse!("{path}: --pairs takes pairs of documents, lines `query a b`; these are labels");
    };
    let pairs: Option<Vec<ListedPair<'_>>> =
        votes.pairs().map(|(query, a, b, _)| Some(ListedPair { query: query?, documents: [a, b] })).collect();
    let Some(pairs) = pairs else {
        refuse!("{path}: --pairs needs the query of each pair: lines `query a b`, or a column query");
    };
    let inputs = inputs(context, study)?;
    study.save_prompts()?;
    let outcome = judge_pairs(context, study, &inputs, &pairs, stopping)?;
    if outcome.pairs == 0 {
        anyhow::bail!(
            "{path}: none of its {} is in the pool. Compare its identifiers with those of the queries and runs, or \
             raise depth in [pool]",
            counted(pairs.len(), "pair")
        );
    }
    if outcome.outside > 0 {
        context.printer.warn(format!(
            "{path}: {} of {} are not judged, because a document is not in the pool; raise depth in [pool]",
            count(outcome.outside),
            counted(pairs.len(), "pair"),
        ));
    }
    let judged = Judged {
        pairs: outcome.pairs,
        outside: outcome.outside,
        judges: outcome
            .tallies
            .iter()
            .map(|judge| JudgedBy { judge: &judge.judge, outcomes: judge.into() })
            .collect(),
    };
    context.show(&judged, || {
        let line = |judge: &JudgeTally| {
            let of = counted(outcome.pairs, "pair");
            format!("{}: {} of {of} judged{}", judge.judge, count(judge.judged), missing(judge))
        };
        let lines: Vec<String> = outcome.tallies.iter().map(line).collect();
        format!("{}\n\nCompare the answers: llull agree --preferences {path}", lines.join("\n"))
    })?;
    let complete = outcome.tallies.iter().all(|judge| judge.judged >= outcome.pairs);
    Ok(if complete && outcome.outside == 0 { Exit::Fine } else { Exit::Incomplete })
}

/// Describes the pairs that a judge did not judge; empty without any.
fn missing(judge: &JudgeTally) -> String {
    let lost = [
        (judge.unusable, "unusable"),
        (judge.refused, "refused"),
        (judge.gave_up, "given up"),
        (judge.without_text, "without a text"),
        (judge.not_asked, "not asked"),
    ];
    let lost: Vec<String> = (lost.into_iter().filter(|(pairs, _)| *pairs > 0))
        .map(|(pairs, what)| format!("{} {what}", count(pairs)))
        .collect();
    if lost.is_empty() { String::new() } else { format!("; missing: {}", lost.join(", ")) }
}
