//! Utility: what the documents of the list are worth to its reader, found · a + others · b + missed · c, where a documents are relevant and
//! retrieved, b others are retrieved and c relevant ones are not. Any number; `weights` are 1, -1 and 0 unless told otherwise. A document without a label
//! is one of the others. A topic that the run does not answer misses all of its relevant documents.
//!
//! TREC's filtering track (Lewis, The TREC-4 filtering track, 1995); trec_eval's `utility` without its fourth parameter, whose figure is the mean over topics, too.

use super::view::{View, found};
use crate::parameter::{Relevant, Unjudged, Weights};

pub(super) fn value(view: &View<'_>, rel: Relevant, weights: Weights) -> f64 {
    let (relevant, _) = found(view.retrieved, rel, Unjudged::NotRelevant);
    let others = view.retrieved.len() - relevant;
    let missed = view.relevant(rel).saturating_sub(relevant);
    weights.found() * relevant as f64 + weights.others() * others as f64 + weights.missed() * missed as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let view =
            View { retrieved: &[Some(2), None, Some(0), Some(1)], ideal: &[2, 1, 1, 1], ..View::default() };
        let of = |view: &View<'_>, rel, weights| value(view, Relevant::from_grade(rel).unwrap(), weights);
        let weights = Weights::new(3.0, -1.5, -0.25).unwrap();
        assert_eq!(of(&view, 1, Weights::default()), 0.0);
        assert_eq!(of(&view, 1, weights), 3.0 * 2.0 - 1.5 * 2.0 - 0.25 * 2.0);
        assert_eq!(of(&view, 2, weights), 3.0 - 1.5 * 3.0);
        let unanswered = View { ideal: &[2, 1], ..View::default() };
        assert_eq!(of(&unanswered, 1, weights), -0.5);
    }
}
