//! `llull run --pairs`: judges a given list of pairs.

use std::path::Path;

use anyhow::Result;
use llull::data::shown_path;
use llull::preferences::{PairReference, read_reference};
use llull::report::text::{count, counted};
use llull::{JudgeTally, ListedPair, Study};
use serde::Serialize;

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
    judged: usize,
    reused: usize,
    missing: usize,
}

/// Judges the pairs of a file, and prints the counts of each judge.
pub(crate) fn run_pairs(
    context: &Context,
    study: &Study,
    file: &Path,
    stopping: StoppingOptions,
) -> Result<Exit> {
    let listed = read_reference(file)?;
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
    if outcome.outside > 0 {
        context.printer.warn(format!(
            "{path}: {} of {} are not judged, because a document is not in the pool; raise depth in [pool]",
            count(outcome.outside),
            counted(pairs.len(), "pair"),
        ));
    }
    let missing = |judge: &JudgeTally| outcome.pairs.saturating_sub(judge.judged);
    let judged = Judged {
        pairs: outcome.pairs,
        outside: outcome.outside,
        judges: outcome
            .tallies
            .iter()
            .map(|judge| JudgedBy {
                judge: &judge.judge,
                judged: judge.judged,
                reused: judge.reused,
                missing: missing(judge),
            })
            .collect(),
    };
    context.show(&judged, || {
        let line = |judge: &JudgeTally| {
            format!("{}: {} of {} judged", judge.judge, count(judge.judged), counted(outcome.pairs, "pair"))
        };
        let lines: Vec<String> = outcome.tallies.iter().map(line).collect();
        format!("{}\n\nCompare the answers: llull agree --preferences {path}", lines.join("\n"))
    })?;
    Ok(match outcome.tallies.iter().all(|judge| missing(judge) == 0) {
        true => Exit::Fine,
        false => Exit::Incomplete,
    })
}
