//! Annotators of an evaluation: reviews, and notes about agreement.

use anyhow::Result;
use llull::data::EvaluationDataset;
use llull::expected_answers::AnswerQuestion;
use llull::report::text::{Table, confidence, count, counted, figure, interval, percent, words};
use llull::review::{ReviewOptions, ReviewQueue, annotator_name};
use llull::{AnnotatorAgreement, AnnotatorContexts, JudgeAgreement, Study, expected_texts};
use llull_web::ReviewServerOptions;

use crate::args::{AnswerReview, EvaluateArgs, QueueChoice};
use crate::commands::review::show;
use crate::commands::{Context, sheets};
use crate::exit::refuse;

/// The error of a queue of disputes without a name.
const ADJUDICATOR: &str =
    "--queue adjudicate needs --as NAME: the contexts are those that NAME did not answer";

/// Refuses a queue that expected answers do not have, or whose annotator or judges are not named.
pub(super) fn check(args: &EvaluateArgs) -> Result<()> {
    let Some(review) = &args.review else { return Ok(()) };
    match review.queue {
        QueueChoice::Adjudicate if review.annotator.is_none() => refuse!("{ADJUDICATOR}"),
        QueueChoice::Disagreement | QueueChoice::Failures if args.judges.is_empty() => refuse!(
            "--queue: the judges' answers choose the contexts: name the judges with --judge, as when they judged"
        ),
        QueueChoice::Sample | QueueChoice::Cycles | QueueChoice::Checks => refuse!(
            "--queue: expected answers have no such queue; choose random, disagreement, adjudicate or failures"
        ),
        _ => Ok(()),
    }
}

/// Lets annotators mark the texts that contain an expected answer: in the browser, or on a sheet that is written or
/// read.
pub(super) fn review(
    context: &Context,
    asked: &AnswerReview,
    (dataset, questions): (&EvaluationDataset, &[AnswerQuestion<'_>]),
    study: Study,
) -> Result<()> {
    let expected = Some(expected_texts(questions));
    if let (Some(sheet), Some(annotator)) = (&asked.read, &asked.annotator) {
        return sheets::take(context, &study, (sheet, annotator), expected);
    }
    let queue = match (&asked.query, asked.queue) {
        (Some(id), _) => ReviewQueue::Query(query_text(dataset, id)?),
        (None, QueueChoice::Adjudicate) => match &asked.annotator {
            Some(annotator) => ReviewQueue::Adjudicate(annotator_name(annotator)?),
            None => refuse!("{ADJUDICATOR}"),
        },
        (None, QueueChoice::Disagreement) => ReviewQueue::Disagreement,
        (None, QueueChoice::Failures) => ReviewQueue::Failures,
        (None, _) => ReviewQueue::Random,
    };
    let review = ReviewOptions { queue, overlap: asked.overlap, most: asked.most, expected };
    let review = ReviewServerOptions { review, annotator: asked.annotator.clone() };
    show(context, study, review, (asked.output.as_deref(), &asked.server.clone().options()))
}

/// The text of a query of the dataset: contexts are about texts.
fn query_text(dataset: &EvaluationDataset, id: &str) -> Result<String> {
    match dataset.queries.iter().find(|query| query.id == id) {
        Some(query) => Ok(query.text.clone()),
        None => refuse!("--query {id}: the dataset has no query of this identifier"),
    }
}

/// Warns that an annotator answered only a part of the contexts.
pub(super) fn warn_of_missing(context: &Context, name: &str, answered: usize, all: usize) {
    if answered < all {
        let all = counted(all, "context");
        let answered = count(answered);
        context.printer.warn(format!("{name}: {answered} of {all} answered; nothing is assumed of the rest"));
    }
}

/// A row for each judge: how far it agrees with people.
pub(super) fn agreement_table(people: &AnnotatorAgreement, level: f64) -> Table {
    let columns = [
        words("with annotators"),
        "contexts".into(),
        "queries".into(),
        "same".into(),
        "kappa".into(),
        confidence(level).into(),
        "missed".into(),
        "added".into(),
    ];
    let row = |judge: &JudgeAgreement| {
        vec![
            judge.judge.clone(),
            count(judge.n),
            count(judge.queries),
            percent(judge.same),
            figure(judge.kappa),
            ends(judge),
            count(judge.missed),
            count(judge.added),
        ]
    };
    Table::new(columns, people.judges.iter().map(row))
}

fn ends(judge: &JudgeAgreement) -> String {
    interval(judge.kappa_ci.map(|[low, _]| low), judge.kappa_ci.map(|[_, high]| high))
}

/// The same in sentences, and the answers that are not counted.
pub(super) fn agreement_notes(people: &AnnotatorAgreement) -> Vec<String> {
    let of = |judge: &JudgeAgreement| {
        let (name, n) = (&judge.judge, counted(judge.n, "context"));
        match judge.same {
            None => format!("{name} has judged no context that annotators answered."),
            Some(same) => {
                let kappa = match (judge.kappa, judge.kappa_ci) {
                    (None, _) => "kappa is not defined".to_owned(),
                    (Some(kappa), None) => format!("kappa {}", figure(kappa)),
                    (Some(kappa), Some(_)) => format!("kappa {} {}", figure(kappa), ends(judge)),
                };
                format!(
                    "{name} agrees with annotators on {} of {n} that they answered; {kappa}.",
                    percent(same)
                )
            }
        }
    };
    let mut notes: Vec<String> = people.judges.iter().map(of).collect();
    notes.extend(remarks(people));
    notes
}

/// Describes who settled contexts, and which annotators' answers do not count in comparisons with judges.
pub(super) fn remarks(people: &AnnotatorAgreement) -> Vec<String> {
    let of = |one: &AnnotatorContexts| format!("{} {}", one.annotator, count(one.contexts));
    let named: Vec<String> = people.adjudicators.iter().map(of).collect();
    let settled = (!named.is_empty())
        .then(|| format!("Contexts on which annotators disagreed were settled by {}.", named.join(", ")));
    settled.into_iter().chain(not_counted(people)).collect()
}

fn not_counted(people: &AnnotatorAgreement) -> Option<String> {
    (people.chosen > 0 && !people.judges.is_empty()).then(|| {
        format!(
            "Human answers to {} more are not compared with judges: these were not drawn at random.",
            counted(people.chosen, "context")
        )
    })
}
