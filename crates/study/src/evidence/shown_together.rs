//! What judges said of two documents, whichever question showed them together.

use std::collections::BTreeMap;

use llull_audit::AskedAs;
use llull_core::{Item, PairChoice, Status};
use llull_runner::{DocumentIndex, Question, TopicIndex};

use super::ballots::ballot;
use super::study_evidence::StudyEvidence;

/// Two documents of a query that judges were shown together, and what they said of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTogether {
    /// The query.
    pub topic: TopicIndex,
    /// In the order of their identifiers: no system's and no judge's.
    pub documents: [DocumentIndex; 2],
    /// By the judge's place, what each of its votes says; the first document is the left-hand side, whichever side it
    /// was shown on. An answer that cannot be read, or did not come, is missing; a list that says nothing of the two is
    /// not there.
    pub said: Vec<Vec<PairChoice>>,
    /// The same of answers that are no votes: those of judges who were asked again in reverse order.
    pub reversed: Vec<Vec<PairChoice>>,
}

impl ShownTogether {
    /// Returns whether no vote says anything, since judges failed or what they wrote could not be read.
    pub fn is_unanswered(&self) -> bool {
        let mut said = self.said.iter().flatten().peekable();
        said.peek().is_some() && said.all(|choice| *choice == PairChoice::Missing)
    }

    /// Returns how far answers differ: 2 where one is for the one document and one for the other, 1 where one is for a
    /// document and one for neither, 0 where all say the same. Judges differ, or one judge in two orders.
    pub fn apart(&self) -> i8 {
        let answers = self.said.iter().chain(&self.reversed).flatten();
        let votes =
            || answers.clone().filter(|choice| **choice != PairChoice::Missing).map(|choice| choice.vote());
        votes().max().zip(votes().min()).map_or(0, |(high, low)| high - low)
    }
}

/// Returns every pair of documents that judges who compare were shown together, in the order of queries and
/// identifiers.
pub fn shown_together(evidence: &StudyEvidence) -> Vec<ShownTogether> {
    let judges = evidence.judges.judges();
    let mut pairs = Pairs { evidence, judges: judges.len(), found: BTreeMap::new() };
    for (at, question) in evidence.judges.questions().enumerate() {
        for (place, judge) in judges.iter().enumerate() {
            pairs.add(question, place, judge.status(at), false);
        }
    }
    for again in evidence.rechecks().filter(|again| again.asked_as == AskedAs::Reversed) {
        pairs.add(again.question, again.judge, again.status, true);
    }
    pairs.found.into_values().collect()
}

struct Pairs<'a> {
    evidence: &'a StudyEvidence,
    judges: usize,
    found: BTreeMap<(TopicIndex, &'a str, &'a str), ShownTogether>,
}

impl<'a> Pairs<'a> {
    fn add(&mut self, question: Question<'a>, judge: usize, status: &Status, again: bool) {
        let shown: Vec<Item> = (0..question.documents.len()).map(Item::at).collect();
        let answer = match status {
            Status::Judged(_) => status.order().map(|verdict| ballot(&shown, verdict)),
            Status::Unusable { .. } | Status::Refused(_) | Status::Failed(_) => None,
            Status::NotAsked | Status::WithoutText => return,
        };
        for (left, one) in shown.iter().zip(question.documents) {
            for (right, other) in shown.iter().zip(question.documents).skip(left.index() + 1) {
                let choice = match &answer {
                    None => Some(PairChoice::Missing),
                    Some(ballot) => {
                        let level = |item: &Item| ballot.groups.iter().position(|group| group.contains(item));
                        choice(level(left), level(right))
                    }
                };
                self.one(question.topic, [*one, *other], judge, choice, again);
            }
        }
    }

    fn one(
        &mut self,
        topic: TopicIndex,
        shown: [DocumentIndex; 2],
        judge: usize,
        choice: Option<PairChoice>,
        again: bool,
    ) {
        let id = |at| self.evidence.pooled.document(at).map(llull_runner::PooledDocument::id);
        let [Some(left), Some(right)] = shown.map(id) else { return };
        let turned = right < left;
        let (documents, key) = match turned {
            true => ([shown[1], shown[0]], (topic, right, left)),
            false => (shown, (topic, left, right)),
        };
        let none = || vec![Vec::new(); self.judges];
        let pair = self.found.entry(key).or_insert_with(|| ShownTogether {
            topic,
            documents,
            said: none(),
            reversed: none(),
        });
        let of = if again { &mut pair.reversed } else { &mut pair.said };
        if let (Some(said), Some(choice)) = (of.get_mut(judge), choice) {
            said.push(if turned { choice.mirrored() } else { choice });
        }
    }
}

/// Which of two documents a verdict has ahead, by the group that each is in; `None` if it names neither.
fn choice(left: Option<usize>, right: Option<usize>) -> Option<PairChoice> {
    match (left, right) {
        (None, None) => None,
        (Some(left), Some(right)) if left == right => Some(PairChoice::Neither),
        (Some(left), Some(right)) if left > right => Some(PairChoice::Rhs),
        (None, Some(_)) => Some(PairChoice::Rhs),
        (Some(_), _) => Some(PairChoice::Lhs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(said: &[&[PairChoice]], reversed: &[PairChoice]) -> ShownTogether {
        ShownTogether {
            topic: TopicIndex(0),
            documents: [DocumentIndex(0), DocumentIndex(1)],
            said: said.iter().map(|said| said.to_vec()).collect(),
            reversed: vec![reversed.to_vec()],
        }
    }

    #[test]
    fn answers_are_apart_across_judges_and_across_one_judge_s_orders() {
        use PairChoice::{Lhs, Missing, Neither, Rhs};
        assert_eq!(pair(&[&[Lhs], &[Lhs, Lhs]], &[]).apart(), 0);
        assert_eq!(pair(&[&[Lhs], &[Neither]], &[]).apart(), 1);
        assert_eq!(pair(&[&[Lhs], &[Rhs]], &[]).apart(), 2);
        assert_eq!(pair(&[&[Lhs, Rhs]], &[]).apart(), 2, "both orders are votes");
        assert_eq!(pair(&[&[Lhs]], &[Rhs]).apart(), 2, "asked again in reverse");
        assert_eq!(pair(&[&[Lhs], &[Missing]], &[]).apart(), 0);
        assert!(pair(&[&[Missing], &[]], &[]).is_unanswered());
        assert!(!pair(&[&[Missing], &[Lhs]], &[]).is_unanswered());
        assert!(!pair(&[&[], &[]], &[]).is_unanswered(), "a list that names neither has answered");
    }

    #[test]
    fn what_a_list_does_not_name_is_behind_what_it_names() {
        assert_eq!(choice(Some(0), None), Some(PairChoice::Lhs));
        assert_eq!(choice(None, Some(2)), Some(PairChoice::Rhs));
        assert_eq!(choice(Some(1), Some(0)), Some(PairChoice::Rhs));
        assert_eq!(choice(Some(1), Some(1)), Some(PairChoice::Neither));
        assert_eq!(choice(None, None), None);
    }
}
