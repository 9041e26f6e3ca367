//! Finds questions with answers in two orders.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::{AskedAs, AuditedJudge, ComparedAnswer};

/// One question with answers in both orders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reversal<'a> {
    /// The answer to the order that came first.
    pub answer: &'a ComparedAnswer,
    /// The answer to the same documents, shown in reverse.
    pub reversed: &'a ComparedAnswer,
}

/// Returns the questions with answers in both orders, each answer in at most one of them: rechecks, and votes of which
/// each is the reverse of the other.
pub(crate) fn reversals(judge: &AuditedJudge) -> Vec<Reversal<'_>> {
    let counts = |asked| matches!(asked, AskedAs::Vote | AskedAs::Reversed);
    matched(judge, counts, |shown| shown.iter().rev().copied().collect())
        .into_iter()
        .map(|(answer, reversed)| Reversal { answer, reversed })
        .collect()
}

/// Returns the questions that were repeated with the halves of their list exchanged, with both answers.
pub(crate) fn rotations(judge: &AuditedJudge) -> Vec<(&ComparedAnswer, &ComparedAnswer)> {
    let counts = |asked| matches!(asked, AskedAs::Vote | AskedAs::Rotated);
    let found = matched(judge, counts, |shown| {
        let mut earlier = shown.to_vec();
        earlier.rotate_right(shown.len() / 2);
        earlier
    });
    found.into_iter().filter(|(_, again)| again.asked_as == AskedAs::Rotated).collect()
}

/// Returns the questions that were repeated unchanged, with both answers.
pub(crate) fn repeats(judge: &AuditedJudge) -> Vec<(&ComparedAnswer, &ComparedAnswer)> {
    matched(judge, |asked| matches!(asked, AskedAs::Vote | AskedAs::Repeated), <[Item]>::to_vec)
}

/// Matches each answer with an earlier unmatched one about the documents in the order that `earlier` makes of its own.
fn matched(
    judge: &AuditedJudge,
    counts: impl Fn(AskedAs) -> bool,
    earlier: impl Fn(&[Item]) -> Vec<Item>,
) -> Vec<(&ComparedAnswer, &ComparedAnswer)> {
    let mut open: BTreeMap<(usize, Vec<Item>), Vec<&ComparedAnswer>> = BTreeMap::new();
    let mut found = Vec::new();
    // Votes first: a recheck follows its vote, whatever its place in the list.
    let mut answers: Vec<&ComparedAnswer> =
        judge.compared.iter().filter(|answer| counts(answer.asked_as) && answer.shown.len() > 1).collect();
    answers.sort_by_key(|answer| answer.asked_as != AskedAs::Vote);
    for answer in answers {
        let matching = open.get_mut(&(answer.query, earlier(&answer.shown))).and_then(Vec::pop);
        match matching {
            Some(first) => found.push((first, answer)),
            None => open.entry((answer.query, answer.shown.clone())).or_default().push(answer),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use llull_core::Item;

    use super::*;

    fn answer(shown: [u32; 2], asked_as: AskedAs) -> ComparedAnswer {
        let shown = shown.map(Item).to_vec();
        ComparedAnswer { query: 0, groups: vec![vec![shown[0]]], shown, asked_as, rationale: None }
    }

    #[test]
    fn an_answer_is_matched_once() {
        let compared = vec![
            answer([1, 0], AskedAs::Reversed),
            answer([0, 1], AskedAs::Vote),
            answer([0, 1], AskedAs::Repeated),
            answer([2, 3], AskedAs::Vote),
            answer([3, 2], AskedAs::Vote),
            answer([3, 2], AskedAs::Vote),
        ];
        let judge = AuditedJudge { compared, ..AuditedJudge::default() };
        let both: Vec<_> =
            reversals(&judge).iter().map(|both| (both.answer.shown[0].0, both.reversed.shown[0].0)).collect();
        assert_eq!(both, [(2, 3), (0, 1)]);
        assert_eq!(repeats(&judge).len(), 2);
    }
}
