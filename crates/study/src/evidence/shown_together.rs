//! Judges' answers about two documents, from all questions with both.

use std::collections::BTreeMap;

use llull_audit::AskedAs;
use llull_core::{Item, PairChoice, Status, order_in_groups};
use llull_runner::{DocumentIndex, Question, TopicIndex};

use super::ballots::ballot;
use super::study_evidence::StudyEvidence;

/// Two documents of a query that a question showed together, and judges' answers about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTogether {
    /// The query.
    pub topic: TopicIndex,
    /// In the order of their identifiers, which is independent of systems and judges.
    pub documents: [DocumentIndex; 2],
    /// By the judge's place, the choice of each of its votes; the first document is the left-hand side, whichever side
    /// it was shown on. An unparsable or absent answer is missing; a list without either of the two has no entry.
    pub said: Vec<Vec<PairChoice>>,
    /// The same for answers that are no votes: those to repeated questions in reverse order.
    pub reversed: Vec<Vec<PairChoice>>,
}

impl ShownTogether {
    /// Returns whether every vote is missing, because judges failed or their replies are unparsable.
    pub fn is_unanswered(&self) -> bool {
        let mut said = self.said.iter().flatten().peekable();
        said.peek().is_some() && said.all(|choice| *choice == PairChoice::Missing)
    }

    /// Returns the distance of answers: 2 if one is for each document, 1 if one is for a document and one for neither,
    /// 0 if all are equal. Answers are of several judges, or of one judge in two orders.
    pub fn apart(&self) -> i8 {
        let answers = self.said.iter().chain(&self.reversed).flatten();
        let votes =
            || answers.clone().filter(|choice| **choice != PairChoice::Missing).map(|choice| choice.vote());
        votes().max().zip(votes().min()).map_or(0, |(high, low)| high - low)
    }
}

/// Returns every pair of documents that a question of comparing judges showed together, in the order of queries and
/// identifiers.
pub fn shown_together(evidence: &StudyEvidence) -> Vec<ShownTogether> {
    let judges = evidence.judges.judges();
    let mut pairs = Pairs { evidence, judges: judges.len(), found: BTreeMap::new() };
    for (at, question) in evidence.judges.questions().enumerate() {
        for (place, judge) in judges.iter().enumerate() {
            pairs.add(question, place, judge.status(at), false);
        }
    }
    for again in evidence.rechecks().filter(|again| again.of.asked_as == AskedAs::Reversed) {
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
                    Some(ballot) => order_in_groups(&ballot.groups, left, right).map(PairChoice::from),
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
}
