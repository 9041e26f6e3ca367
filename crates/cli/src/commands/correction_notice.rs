//! Prints the use of annotators' answers.

use llull::review::{ReviewOptions, ReviewQueue};

use super::Context;

/// Prints the use of answers to a queue whose answers do not correct figures.
pub(super) fn say_what_counts(context: &Context, review: &ReviewOptions, compares: bool) {
    let queue = &review.queue;
    let corrects = queue.is_random() || matches!(queue, ReviewQueue::Adjudicate(_));
    match &review.expected {
        _ if compares && *queue != ReviewQueue::Sample => context.printer.note(
            "llull agree --people compares the judges with these comparisons; they are no votes, and correct no figure",
        ),
        _ if corrects => {}
        None => {
            context.printer.note("answers to this queue correct no figure: its pairs are not drawn at random");
        }
        Some(_) => context.printer.note(
            "answers to this queue do not show how far judges agree with annotators: its pairs are not drawn at random",
        ),
    }
}
