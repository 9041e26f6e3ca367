//! Prints the use of annotators' answers.

use llull::review::{ReviewOptions, ReviewQueue};

use super::Context;

/// Prints the use of answers to a queue whose answers do not correct figures.
pub(super) fn say_what_counts(context: &Context, review: &ReviewOptions, compares: bool) {
    let queue = &review.queue;
    let corrects = queue.is_random() || matches!(queue, ReviewQueue::Adjudicate(_));
    match &review.expected {
        _ if compares && *queue != ReviewQueue::Sample => context.printer.note(
            "comparisons are what judges are held against (llull agree --people); they are no votes, and correct no \
             figure",
        ),
        _ if corrects => {}
        None => {
            context.printer.note("answers to this queue correct no figure: its pairs are not drawn by chance");
        }
        Some(_) => context.printer.note(
            "answers to this queue do not say how far judges agree with people: its pairs are not drawn by chance",
        ),
    }
}
