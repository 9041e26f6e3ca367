//! The pairs in dispute that an annotator settles.
//!
//! They follow the ledger: pairs come and go as annotators answer.

use std::collections::BTreeSet;

use crate::answers::HumanAnswers;

/// The pairs that one annotator settles.
///
/// All randomly drawn pairs have a place in the queue from the beginning, in random order. A pair is shown while it is
/// in dispute, always at the same place.
#[derive(Debug)]
pub(crate) struct Disputes {
    /// The annotator who settles.
    annotator: String,
    /// The maximum number of shown pairs.
    most: usize,
    /// The shown places.
    shown: BTreeSet<usize>,
}

impl Disputes {
    pub(crate) fn of(annotator: String, most: Option<usize>) -> Self {
        Self { annotator, most: most.unwrap_or(usize::MAX), shown: BTreeSet::new() }
    }

    pub(crate) fn annotator(&self) -> &str {
        &self.annotator
    }

    /// Whether the pair at this place is shown.
    pub(crate) fn shows(&self, at: usize) -> bool {
        self.shown.contains(&at)
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.shown.iter().copied()
    }

    /// Follows the annotators' answers. A shown pair stays while it is in dispute. A settled pair stays, so that it can
    /// be corrected. Then the next pairs in order are added, up to the maximum.
    pub(crate) fn refresh(&mut self, pairs: usize, answers: &HumanAnswers) {
        let annotator = &self.annotator;
        self.shown.retain(|at| answers.is_to_settle(*at, annotator));
        self.shown.extend((0..pairs).filter(|at| answers.standing(*at, annotator).is_some()));
        for at in (0..pairs).filter(|at| answers.is_to_settle(*at, annotator)) {
            if self.shown.len() >= self.most {
                break;
            }
            self.shown.insert(at);
        }
    }

    /// The reason why no pair is shown, with a remedy.
    pub(crate) fn why_none(&self, pairs: usize, answers: &HumanAnswers) -> String {
        let disputed = (0..pairs).filter(|at| answers.is_disputed(*at)).count();
        let annotator = &self.annotator;
        match (0..pairs).any(|at| answers.has_answers_of_two(at)) {
            false => "no randomly drawn pair has answers of two annotators; --overlap 2 wants two for each"
                .to_owned(),
            true if disputed == 0 => "annotators agree on every pair that two of them answered".to_owned(),
            true => {
                let pairs = llull_report::text::counted(disputed, "pair");
                format!(
                    "annotators disagree on {pairs}, and {annotator} answered them, or somebody else has settled them"
                )
            }
        }
    }
}
