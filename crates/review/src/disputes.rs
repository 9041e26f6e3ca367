//! Which pairs of a queue somebody is to settle: those on which people disagree, followed as they answer.

use std::collections::BTreeSet;

use crate::answers::PeopleAnswers;

/// The pairs that one person is to settle. All pairs that were drawn by chance have a place in the queue from the
/// beginning, in random order; a pair is shown while it is in dispute, at the same place whenever that begins.
#[derive(Debug)]
pub(crate) struct Disputes {
    /// Who settles.
    person: String,
    /// How many pairs are shown at most.
    most: usize,
    /// The places that are shown.
    shown: BTreeSet<usize>,
}

impl Disputes {
    pub(crate) fn of(person: String, most: Option<usize>) -> Self {
        Self { person, most: most.unwrap_or(usize::MAX), shown: BTreeSet::new() }
    }

    pub(crate) fn person(&self) -> &str {
        &self.person
    }

    /// Whether the pair at this place is shown.
    pub(crate) fn shows(&self, at: usize) -> bool {
        self.shown.contains(&at)
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.shown.iter().copied()
    }

    /// Follows what people have said. What is shown stays while it is in dispute; what the person has settled stays in
    /// any case, so that it can be corrected; and the first others in order join.
    pub(crate) fn refresh(&mut self, pairs: usize, answers: &PeopleAnswers) {
        let person = &self.person;
        self.shown.retain(|at| answers.is_to_settle(*at, person));
        self.shown.extend((0..pairs).filter(|at| answers.standing(*at, person).is_some()));
        for at in (0..pairs).filter(|at| answers.is_to_settle(*at, person)) {
            if self.shown.len() >= self.most {
                break;
            }
            self.shown.insert(at);
        }
    }

    /// Why nothing is shown, and what to do.
    pub(crate) fn why_none(&self, pairs: usize, answers: &PeopleAnswers) -> String {
        let disputed = (0..pairs).filter(|at| answers.is_disputed(*at)).count();
        let person = &self.person;
        match (0..pairs).any(|at| answers.has_answers_of_two(at)) {
            false => {
                "no pair that was drawn by chance has answers of two people; --overlap 2 asks two for each"
                    .to_owned()
            }
            true if disputed == 0 => "people agree on every pair that two of them answered".to_owned(),
            true => {
                let pairs = llull_report::text::counted(disputed, "pair");
                format!(
                    "people disagree on {pairs}, and {person} answered them, or somebody else has settled them"
                )
            }
        }
    }
}
