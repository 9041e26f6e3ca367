//! `llull run` without a report: judges, or estimates its cost.

use anyhow::Result;
use llull::audit::AskedAs;
use llull::report::text::{count, counted, text_table};
use llull::{ComparedQuery, Estimate, Inputs, JudgeTally, Study, StudyEvidence};
use serde::Serialize;

use super::estimate_text::{batch_text, estimate_text};
use super::study_evidence::{ask, inputs, read};
use crate::args::StoppingOptions;
use crate::commands::Context;
use crate::exit::Exit;

/// Judges the pool, and prints the counts of each judge.
pub(crate) fn run(context: &Context, study: &Study, stopping: StoppingOptions) -> Result<Exit> {
    let inputs = inputs(context, study)?;
    study.save_prompts()?;
    let outcome = ask(context, study, &inputs, stopping)?;
    show(context, &outcome.evidence, &outcome.tallies, None)?;
    if let Some(why) = without_labels(&outcome.evidence) {
        context.printer.warn(why);
    }
    Ok(if outcome.is_complete() { Exit::Fine } else { Exit::Incomplete })
}

/// Describes queries that have no labels although all their questions are answered; `None` without any.
fn without_labels(evidence: &StudyEvidence) -> Option<String> {
    let compared = evidence.compared()?;
    let unlabelled = |query: &&ComparedQuery| {
        let id = evidence.pooled.topic(query.topic).map_or("", |topic| topic.id.as_str());
        let labelled =
            |(labelled, mut labels): (&str, _)| labelled == id && Iterator::next(&mut labels).is_some();
        query.outcome.complete && !query.documents.is_empty() && !evidence.labels.iter().any(labelled)
    };
    let queries = compared.iter().filter(unlabelled).count();
    (queries > 0).then(|| {
        format!(
            "{} of {} {} no label although nothing is left to ask: where all documents share one tier, none is known \
             to be better",
            count(queries),
            counted(compared.len(), "query"),
            if queries == 1 { "has" } else { "have" },
        )
    })
}

/// Prints the open questions, and sends no request; `batch` is true if they would be sent in batches.
pub(crate) fn dry_run(context: &Context, study: &Study, batch: bool) -> Result<Exit> {
    let inputs = inputs(context, study)?;
    note_base(context, study, &inputs);
    let evidence = read(context, study, &inputs)?;
    let lookup = |name: &str| context.environment.get(name);
    let estimates = match batch {
        true => study.estimates().in_batches(&inputs, &evidence, &lookup)?,
        false => study.estimates().open(&inputs, &evidence)?,
    };
    let tallies: Vec<JudgeTally> = evidence.panel().map(JudgeTally::of).collect();
    show(context, &evidence, &tallies, Some(&estimates))?;
    if batch && !context.global.json {
        context.printer.results(estimates.iter().filter_map(batch_text))?;
    }
    Ok(Exit::Fine)
}

/// Prints the number of existing labels. Those of an earlier report are described by `--changed`.
pub(crate) fn note_base(context: &Context, study: &Study, inputs: &Inputs) {
    let is_kept = study.settings().base.as_ref().is_some_and(|base| base.kept.is_some());
    if let Some(base) = inputs.base.as_ref().filter(|_| !is_kept) {
        context.printer.note(format!("base: {base}"));
    }
}

/// What became of a judge's questions.
#[derive(Serialize)]
pub(super) struct Outcomes {
    judged: usize,
    unusable: usize,
    refused: usize,
    gave_up: usize,
    without_text: usize,
    not_asked: usize,
    reused: usize,
}

impl From<&JudgeTally> for Outcomes {
    fn from(judge: &JudgeTally) -> Self {
        let JudgeTally { judged, unusable, refused, gave_up, without_text, not_asked, reused, .. } = *judge;
        Self { judged, unusable, refused, gave_up, without_text, not_asked, reused }
    }
}

/// The questions of one judge.
#[derive(Serialize)]
struct Row<'a> {
    judge: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<usize>,
    #[serde(flatten)]
    outcomes: Outcomes,
    /// Repeated questions that measure the judge's consistency; they are no votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    rechecks: Option<RecheckRow>,
    /// The open questions; on a dry run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<&'a Estimate>,
}

/// The repeated questions of one judge.
#[derive(Serialize)]
struct RecheckRow {
    /// Questions in reverse order.
    reversed: usize,
    /// Lists with their halves exchanged.
    rotated: usize,
    /// Questions as they were.
    repeated: usize,
    judged: usize,
    unusable: usize,
    not_asked: usize,
}

impl RecheckRow {
    /// Returns the repeated questions of the judge at a place of the panel; `None` without any.
    fn of(evidence: &StudyEvidence, place: usize) -> Option<Self> {
        let rechecked = evidence.rechecked.as_ref()?;
        let counts = rechecked.of_judge(place)?.counts();
        let questions = rechecked.questions();
        let asked = |way: AskedAs| questions.iter().filter(|question| question.asked_as == way).count();
        Some(Self {
            reversed: asked(AskedAs::Reversed),
            rotated: asked(AskedAs::Rotated),
            repeated: asked(AskedAs::Repeated),
            judged: counts.judged,
            unusable: counts.unusable + counts.refused,
            not_asked: counts.failed + counts.not_asked,
        })
    }

    fn text(&self, judge: &str) -> String {
        let ways: Vec<String> =
            [(self.reversed, "in reverse order"), (self.rotated, "rotated"), (self.repeated, "as they were")]
                .into_iter()
                .filter(|(questions, _)| *questions > 0)
                .map(|(questions, way)| format!("{} {way}", count(questions)))
                .collect();
        let missing = self.unusable + self.not_asked;
        let missing =
            if missing > 0 { format!("; {} without an answer", count(missing)) } else { String::new() };
        format!(
            "{judge}: repeated requests to check its answers, which are no votes: {}{missing}",
            ways.join(", ")
        )
    }
}

fn rows<'a>(
    evidence: &StudyEvidence,
    tallies: &'a [JudgeTally],
    estimates: Option<&'a [Estimate]>,
) -> Vec<Row<'a>> {
    let row = |(place, judge): (usize, &'a JudgeTally)| {
        let compares = evidence.compares(place);
        Row {
            judge: &judge.judge,
            pairs: (!compares).then_some(judge.planned),
            questions: compares.then_some(judge.planned),
            outcomes: judge.into(),
            rechecks: RecheckRow::of(evidence, place),
            estimate: estimates.and_then(|estimates| estimates.get(evidence.estimated(place)?)),
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
    if context.shows_json(&rows)? {
        return Ok(());
    }
    let to_ask = if estimates.is_some() { "to ask" } else { "not asked" };
    let asked = if evidence.compared().is_some() { "questions" } else { "pairs" };
    // A column of zeros is of no use.
    let refused = rows.iter().any(|row| row.outcomes.refused > 0);
    let headings = [
        Some("judge"),
        Some(asked),
        Some("judged"),
        Some("unusable"),
        refused.then_some("refused"),
        Some("given up"),
        Some("no text"),
        Some(to_ask),
        Some("from the ledger"),
    ];
    let cells = rows.iter().map(|row| {
        let planned = row.pairs.or(row.questions).unwrap_or(0);
        let counts = [
            Some(planned),
            Some(row.outcomes.judged),
            Some(row.outcomes.unusable),
            refused.then_some(row.outcomes.refused),
            Some(row.outcomes.gave_up),
            Some(row.outcomes.without_text),
            Some(row.outcomes.not_asked),
            Some(row.outcomes.reused),
        ];
        std::iter::once(row.judge.to_owned()).chain(counts.into_iter().flatten().map(count)).collect()
    });
    context.printer.result(text_table(headings.into_iter().flatten(), cells))?;
    if let Some(queries) = evidence.compared() {
        context.printer.result(tournaments_so_far(queries))?;
    }
    for row in &rows {
        if let Some(again) = &row.rechecks {
            context.printer.result(again.text(row.judge))?;
        }
    }
    for (at, estimate) in estimates.unwrap_or_default().iter().enumerate() {
        // The number of pairs to judge by field is known only after the tournaments.
        let voting = at < evidence.judges.judges().len();
        let simulated = evidence.compared().filter(|_| voting || estimate.calls < estimate.calls_high);
        context.printer.result(estimate_text(estimate, simulated))?;
    }
    let graders = evidence
        .graders
        .iter()
        .filter(|_| estimates.is_some() && evidence.escalation().is_none())
        .flat_map(|graders| graders.judges());
    for grader in graders {
        let settled = evidence.compared().into_iter().flatten().all(|query| query.outcome.complete);
        let left = match (settled, grader.open()) {
            (false, _) => "its requests depend on the tiers and are not in this estimate".to_owned(),
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
